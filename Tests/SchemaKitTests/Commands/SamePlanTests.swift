import Foundation
import Testing

/// Each process orders its sets in another way.
@Suite("The same plan in every process")
struct SamePlanTests {
  @Test("what is unknown, renamed and compiled again comes in the same order")
  func order() throws {
    let folder = try CommandFolder()
    let tables = (1...5).map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, a TEXT); " }.joined()
    let views = (1...5).map { "CREATE VIEW v\($0) AS SELECT a FROM gone\($0); " }.joined()
    try folder.database("a.db", tables + views)
    let file = try RawSQLite(folder.url("a.db").path)
    try file.exec("PRAGMA writable_schema = ON")
    for number in 1...5 {
      try file.exec(
        "INSERT INTO sqlite_master VALUES ('table', 'm\(number)', 'm\(number)', 0, "
          + "'CREATE VIRTUAL TABLE m\(number) USING nowhere(a)')")
    }
    try file.exec("PRAGMA schema_version = 1000")
    file.close()
    let target = (1...5).map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, b TEXT); " }.joined()
    try folder.write(target + views, to: "a.sql")
    let renames = (1...5).flatMap { ["--rename", "t\($0).a=t\($0).b"] }
    let plans = try (1...4).map { _ in
      try CommandRun(["plan", "a.db", "--to", "a.sql", "--format", "json"] + renames, in: folder).output
    }
    #expect(plans[0].contains("\"m5\""))
    #expect(Set(plans).count == 1)
  }
}
