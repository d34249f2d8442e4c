import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("doctor and inspect on a file of another SQLite", .needsPlainFiles("it edits the header"))
struct OtherWriterDoctorTests {
  private typealias Scene = OtherWriterScene
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func findings(_ file: TemporaryDatabase) throws -> (codes: [String], severities: [String], run: CommandRun) {
    let run = try CommandRun(["doctor", file.path, "--format", "json"], in: folder)
    let found = run.json["findings"] as? [[String: Any]] ?? []
    return (found.compactMap { $0["code"] as? String }, found.compactMap { $0["severity"] as? String }, run)
  }

  @Test("an index that another version has made is no damage, and REINDEX is not advised")
  func sound() throws {
    let file = try Scene.prices()
    let (codes, severities, run) = try findings(file)
    #expect(codes == ["SD106"] && severities == ["note"] && run.status == 0)
    let writer = try Scene.version(differingIn: .realsAsText)
    #expect((run.json["file"] as? [String: Any])?["lastWriter"] as? String == "\(writer)")
    let text = try folder.run("doctor", file.path).output
    #expect(text.contains("last written by SQLite \(writer)\n"))
    #expect(
      text.contains(
        "Index mt has no entry where SQLite \(Scene.engine) looks for 2 rows: another version made it, which computes its "
          + "values otherwise. SQLite \(writer) wrote the file last; REINDEX here would break the index there."))
  }

  @Test("once this version has written the file, such an index is a warning, since somebody has to decide")
  func written() throws {
    let file = try Scene.prices()
    try file.setLastWriter(Scene.engine)
    let (codes, severities, run) = try findings(file)
    #expect(codes == ["SD106"] && severities == ["warning"] && run.status == 2)
    #expect(try folder.run("doctor", file.path).output.contains("REINDEX mt if every program on the file computes as"))
  }

  @Test("a partial index with rows that this version would leave out is no damage")
  func partial() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE m (id INTEGER PRIMARY KEY, price REAL);
      CREATE INDEX mt ON m (id) WHERE length(\(Scene.text(of: "price"))) \(Engine.writesRealsWhole ? "<" : ">") 5;
      INSERT INTO m VALUES (1, 0.1 + 0.2), (2, 0.5);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX mt ON m (id) WHERE length(price) \(Engine.writesRealsWhole ? "<" : ">") 5'
        WHERE name = 'mt';
      """)
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    let codes = try findings(file).codes
    // Newer versions do not count the entries of a partial index: the check finds nothing there.
    let isFound = try file.query("PRAGMA integrity_check") != [[.text("ok")]]
    #expect(codes == (isFound ? ["SD106"] : []))
  }

  @Test("an index that lacks rows for another reason is damage, whoever wrote the file")
  func damaged() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE m (id INTEGER PRIMARY KEY, price REAL, note TEXT);
      CREATE INDEX mt ON m (lower(price));
      INSERT INTO m VALUES (1, 0.5, 'x'), (2, 0.1 + 0.2, 'y'), (3, 0.75, 'z');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX mt ON m (upper(price || ''x''))' WHERE name = 'mt';
      """)
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    #expect(try findings(file).codes == ["SD101"])
  }

  @Test("inspect names the last writer in its snapshot, and in SQL where it is verbose")
  func inspect() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    try file.setLastWriter(SQLiteVersion(3, 46, 1))
    let snapshot = try CommandRun(["inspect", file.path, "--format", "json"], in: folder)
    #expect(snapshot.json["lastWriter"] as? String == "3.46.1")
    #expect(
      try folder.run("inspect", file.path, "-v").output == "-- Last written by SQLite 3.46.1.\nCREATE TABLE t (a);\n")
    #expect(try folder.run("inspect", file.path).output == "CREATE TABLE t (a);\n")
  }

  @Test("plan names the version that wrote the file, and apply without consent ends with 3")
  func commands() throws {
    let file = try Scene.prices()
    try folder.write(Scene.priceSchema("", "CREATE INDEX also ON m (lower(price));"), to: "to.sql")
    let plan = try folder.run("plan", file.path, "--to", "to.sql").output
    #expect(plan.contains("! SK109  lossy, needs consent: m, 2 rows (keys 1, 2)"))
    #expect(plan.contains("SQLite \(try Scene.version(differingIn: .realsAsText)) wrote the file last"))
    let before = try file.bytes
    #expect(try folder.run("apply", file.path, "--to", "to.sql", "--yes").status == 3)
    #expect(try file.bytes == before)
    #expect(
      try folder.run("apply", file.path, "--to", "to.sql", "--yes", "--allow", "SK109:m", "--no-backup").status == 0)
  }
}
