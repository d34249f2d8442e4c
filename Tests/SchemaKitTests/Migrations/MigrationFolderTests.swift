import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Folders of recorded steps")
struct MigrationFolderTests {
  private static func steps(_ names: String...) throws -> [Migration] {
    try names.map { try Migration(name: $0, path: "m/\($0).sql", sql: "CREATE TABLE t\($0.count) (x);") }
  }

  private func folder(_ steps: [Migration], recorded: [Migration]) -> MigrationFolder {
    var folder = MigrationFolder(path: "m")
    folder.steps = steps
    folder.checksums = MigrationChecksums(of: recorded)
    return folder
  }

  @Test("a folder as it was recorded has no problem, and each change of it has one")
  func problems() throws {
    let steps = try Self.steps("0001-a", "0002-bb", "0003-ccc")
    #expect(folder(steps, recorded: steps).problems == [])
    #expect(folder(Array(steps.dropLast()), recorded: steps).problems.map(\.cause) == [.missingStep])
    #expect(folder(steps, recorded: Array(steps.dropLast())).problems.map(\.cause) == [.unrecordedStep])
    var changed = steps
    changed[1].after = "UPDATE t SET x = 1;"
    let found = folder(changed, recorded: steps).problems
    #expect(found.map(\.cause) == [.addedDataFile])
    #expect(found.map(\.file) == ["m/0002-bb.after.sql"])
    changed[1].sql += "\n"
    #expect(folder(changed, recorded: steps).problems.map(\.file) == ["m/0002-bb.sql"])
    #expect(folder(steps, recorded: [steps[1], steps[0], steps[2]]).problems.map(\.cause) == [.otherOrder])
    let twice = try Self.steps("0001-a", "0001-b")
    #expect(folder(twice, recorded: twice).problems.map(\.cause) == [.sameNumber(as: twice[0].name)])
  }

  @Test("checksums survive a checkout with other line ends, and no other change")
  func lineEnds() throws {
    let unix = try Migration(name: "0001-a", path: "", sql: "CREATE TABLE t (x);\nCREATE TABLE u (x);\n")
    let windows = try Migration(name: "0001-a", path: "", sql: "CREATE TABLE t (x);\r\nCREATE TABLE u (x);\r\n")
    #expect(MigrationChecksums(of: [unix]) == MigrationChecksums(of: [windows]))
    // Text that moves from one file to the next is another step.
    let left = try Migration(name: "0001-a", path: "", sql: "", before: "A", after: "B")
    let right = try Migration(name: "0001-a", path: "", sql: "", before: "AB", after: "")
    #expect(MigrationChecksums(of: [left]) != MigrationChecksums(of: [right]))
  }

  @Test("checksums read back as they were written, and a merge's marks are told")
  func checksumText() throws {
    let sums = MigrationChecksums(of: try Self.steps("0001-a", "0002-bb"))
    #expect(try MigrationChecksums(text: sums.text, source: "c") == sums)
    let merged = "<<<<<<< HEAD\n" + sums.text + "=======\n>>>>>>> other\n"
    let error = #expect(throws: SchemaError.self) { try MigrationChecksums(text: merged, source: "c") }
    #expect(error?.line == 1)
    #expect(error?.problem.contains("rebase") == true)
    #expect(throws: SchemaError.self) { try MigrationChecksums(text: "12345  0001-a\n", source: "c") }
  }

  @Test("directives are read from lines of their own, and what none means is an error with its line")
  func directives() throws {
    let text = """
      -- schemakit: rename users.name=users.title
      -- schemakit: allow SK102:users.legacy
      -- schemakit: fill "my table".slug = lower(title) || '='
      CREATE TABLE t (x TEXT); -- a comment
      -- schemakit: rows
      INSERT INTO t VALUES (1);
      """
    let directives = try MigrationDirectives(of: text, source: "s")
    #expect(directives.renames == ["users.name=users.title"])
    #expect(directives.allowances == ["SK102:users.legacy"])
    #expect(directives.fills.map(\.expression) == ["lower(title) || '='"])
    #expect(directives.rowMarks.count == 1)
    #expect(
      try MigrationDirectives(of: directives.lines.joined(separator: "\n"), source: "s").lines == directives.lines)
    let error = #expect(throws: SchemaError.self) {
      try MigrationDirectives(of: "CREATE TABLE t (x);\n-- schemakit: alow SK102\n", source: "s")
    }
    #expect(error?.line == 2)
  }

  @Test("work on rows in a schema step is a problem unless it is marked as the shell's")
  func rowStatements() throws {
    let bare = try Migration(name: "0001-a", path: "a.sql", sql: "CREATE TABLE t (x);\nUPDATE t SET x = 1;\n")
    #expect(try MigrationReplay([bare]).problems.map(\.line) == [2])
    let marked = try Migration(
      name: "0001-a", path: "a.sql",
      sql: "CREATE TABLE t (x);\n-- schemakit: rows\nUPDATE t SET x = 1;\nDELETE FROM t;\n")
    #expect(try MigrationReplay([marked]).problems.map(\.line) == [4])
  }

  @Test("renames are known from ALTER statements, and a table made anew is still the table")
  func renames() throws {
    let first = try Migration(name: "1", path: "", sql: "CREATE TABLE a (x, y); CREATE TABLE b (z);")
    let second = try Migration(
      name: "2", path: "",
      sql: """
        ALTER TABLE a RENAME TO c;
        ALTER TABLE "main".c RENAME COLUMN x TO w;
        ALTER TABLE c RENAME w TO v;
        CREATE TABLE b_new (z TEXT);
        DROP TABLE IF EXISTS b;
        ALTER TABLE b_new RENAME TO b;
        """)
    let hints = try MigrationReplay([first, second]).states[1].hints
    #expect(hints.tables[SQLName("c")]?.renamedFrom == [SQLName("a")])
    #expect(hints.tables[SQLName("c")]?.columns[SQLName("v")]?.renamedFrom == [SQLName("x")])
    #expect(hints.tables[SQLName("b")] == nil)
  }

  @Test("a folder as the schema of an old file brings it there over several renames")
  func folderAsSchema() throws {
    let folder = try CommandFolder()
    try FileManager.default.createDirectory(at: folder.url("m"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE a (x TEXT);", to: "m/0001.sql")
    try folder.write("ALTER TABLE a RENAME COLUMN x TO y;", to: "m/0002.sql")
    try folder.write("ALTER TABLE a RENAME TO b; ALTER TABLE b RENAME COLUMN y TO z;", to: "m/0003.sql")
    let file = try TemporaryDatabase("CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('kept');")
    let target = try SchemaSource.at(path: folder.url("m").path).load().target
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    _ = try Change(over: connection, to: target).apply()
    #expect(try file.query("SELECT z FROM b") == [[.text("kept")]])
  }
}
