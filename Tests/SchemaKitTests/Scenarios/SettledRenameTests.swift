import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Names that were exchanged")
struct SettledRenameTests {
  private static let old = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);
    INSERT INTO p VALUES (1, 'A', 'B'), (2, 'AA', NULL);
    """

  /// Both columns with hints that say that they were exchanged.
  private static func columns(_ b: String, _ a: String) -> String {
    """
    CREATE TABLE p (
      id INTEGER PRIMARY KEY,
      b \(b), -- schemakit: renamed from a
      a \(a) -- schemakit: renamed from b
    );
    """
  }

  private static let first = columns("TEXT NOT NULL", "TEXT")
  /// Closer to the file before the exchange than to the one after it.
  private static let later = columns("TEXT", "TEXT NOT NULL DEFAULT '-'")
  private static let plain = "CREATE TABLE p (id INTEGER PRIMARY KEY, b TEXT NOT NULL, a TEXT);"

  private func exchanged() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(Self.old)
    try file.migrate(to: Self.first)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.afterExchange)
    return file
  }

  private static let afterExchange: [[RawValue]] = [[.text("B"), .text("A")], [.null, .text("AA")]]
  private static let settled: [[RawValue]] = [[.text("B"), .text("A")], [.text("-"), .text("AA")]]

  @Test("hints that stay do not exchange two columns again, whatever the next schema is like")
  func columns() throws {
    let file = try exchanged()
    try file.migrate(to: Self.later)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.settled)
    try file.expectSettled(at: Self.later)
  }

  @Test("columns of a file that was made from the schema are not exchanged later")
  func newFile() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.first)
    try file.exec("INSERT INTO p (id, a, b) VALUES (1, 'B', 'A'), (2, NULL, 'AA')")
    try file.migrate(to: Self.later)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.settled)
  }

  @Test("columns of a table that got another name since are not exchanged again")
  func renamedTable() throws {
    let file = try exchanged()
    try file.migrate(to: Self.first.replacingOccurrences(of: "p (", with: "q ( -- schemakit: renamed from p"))
    let later = Self.later.replacingOccurrences(of: "p (", with: "q ( -- schemakit: renamed from p")
    try file.migrate(to: later)
    #expect(try file.query("SELECT a, b FROM q ORDER BY id") == Self.settled)
  }

  @Test("once a change is undone the exchange is due again, and done once")
  func undone() throws {
    let file = try exchanged()
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT a, b FROM p WHERE id = 1") == [[.text("A"), .text("B")]])
    try file.migrate(to: Self.first)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.afterExchange)
    try file.migrate(to: Self.later)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.settled)
    // This change exchanged nothing, so neither does its undo.
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT a, b FROM p WHERE id = 1") == [[.text("B"), .text("A")]])
    try file.migrate(to: Self.later)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.settled)
  }

  @Test("columns of a file that SchemaKit knows are exchanged when the hints come with a later schema")
  func knownFile() throws {
    let file = try TemporaryDatabase(Self.old)
    try file.migrate(to: "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, c);")
    try file.migrate(to: "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);", allowing: .everything)
    try file.migrate(to: Self.first)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.afterExchange)
  }

  @Test("hints that went and came back are not guessed at")
  func cameBack() throws {
    let file = try exchanged()
    try file.migrate(to: Self.plain)
    #expect(throws: AmbiguousRename.self) { try file.plan(to: Self.later) }
    // Where the file is as declared, nothing is to be guessed.
    try file.migrate(to: Self.first)
    try file.migrate(to: Self.later)
    #expect(try file.query("SELECT a, b FROM p ORDER BY id") == Self.settled)
  }

  @Test("hints that stay do not exchange two tables again")
  func tables() throws {
    func target(_ b: String, _ a: String) -> String {
      """
      CREATE TABLE b ( -- schemakit: renamed from a
        \(b));
      CREATE TABLE a ( -- schemakit: renamed from b
        \(a));
      """
    }
    let narrow = "id INTEGER PRIMARY KEY, x"
    let file = try TemporaryDatabase(
      """
      CREATE TABLE a (\(narrow), y); CREATE TABLE b (\(narrow));
      INSERT INTO a VALUES (1, 'from a', 'y'); INSERT INTO b VALUES (1, 'from b');
      """)
    try file.migrate(to: target("\(narrow), y", narrow))
    #expect(try file.query("SELECT x FROM b") == [[.text("from a")]])
    let later = target(narrow, "\(narrow), y")
    try file.migrate(to: later, allowing: .everything)
    #expect(try file.query("SELECT x FROM b") == [[.text("from a")]])
    #expect(try file.query("SELECT x FROM a") == [[.text("from b")]])
    try file.expectSettled(at: later)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT x FROM a") == [[.text("from a")]])
    try file.migrate(to: target("\(narrow), y", narrow))
    #expect(try file.query("SELECT x FROM a") == [[.text("from b")]])
  }

  @Test("a step is not recorded with an exchange that an earlier step has")
  func recording() throws {
    let folder = try CommandFolder()
    let old = "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);"
    for (name, schema) in [("init", old), ("exchange", Self.first), ("more", Self.later)] {
      try folder.write(schema, to: "s.sql")
      let run = try folder.run("migrations", "new", name, "--to", "s.sql")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("the exchange of p.") == (name == "more"))
    }
    func step(_ name: String) throws -> String {
      try String(contentsOf: folder.url("migrations/\(name).sql"), encoding: .utf8)
    }
    #expect(try step("0002-exchange").contains("-- schemakit: rename p.a=p.b"))
    #expect(try !step("0003-more").contains("-- schemakit: rename p"))
  }
}
