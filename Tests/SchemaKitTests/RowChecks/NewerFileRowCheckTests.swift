import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P63: a program that is older than the file finds that out by reading, and takes the file back only when it is told to.
@Suite("Row checks: rows of a newer file")
struct NewerFileRowCheckTests {
  private static let older = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"
  private static let newer =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT, CHECK (id > 0));"

  /// A file that the older program made and the newer one has changed and used.
  private func file(rows: Int, journalMode: String) throws -> TemporaryDatabase {
    let file = try RowCase(
      name: "", before: Self.older, fill: ["INSERT INTO t SELECT i, 'a' || i FROM n"], after: "",
      code: .droppedColumn,
      object: "", offending: ""
    ).file(rows: rows, journalMode: journalMode)
    try file.migrate(to: Self.older)
    try file.migrate(to: Self.newer)
    try file.exec("UPDATE t SET b = id WHERE id % 3 = 1; PRAGMA wal_checkpoint(TRUNCATE)")
    return file
  }

  @Test(
    "P63: the older program is refused without a write and without waiting for one, whatever it may drop",
    arguments: RowCase.counts, ["delete", "wal"])
  func refused(rows: Int, journalMode: String) throws {
    let file = try file(rows: rows, journalMode: journalMode)
    let bytes = try file.bytes
    let writer = try file.reopened()
    try writer.exec("BEGIN IMMEDIATE")
    for policy in [PlanPolicy.lossless, .everything] {
      let error = #expect(throws: HistoryError.self) {
        try file.migrate(to: Self.older, allowing: policy)
      }
      guard case .newerFile? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    try writer.exec("ROLLBACK")
    writer.close()
    #expect(try file.bytes == bytes)
    #expect(try file.value("SELECT count(*) FROM t WHERE a = 'a' || id") == .int(Int64(rows)))
    #expect(try file.value("SELECT count(*) FROM t WHERE b = id") == .int(Int64((rows + 2) / 3)))
  }

  @Test(
    "P63: the way back counts what goes before the first write, and leaves the rest",
    arguments: RowCase.counts)
  func downgrade(rows: Int) throws {
    let file = try file(rows: rows, journalMode: "delete")
    let lost = try file.query("SELECT CAST(id AS TEXT) FROM t WHERE id % 3 = 1 ORDER BY id")
      .compactMap(\.first?.string)
    let bytes = try file.bytes
    let hazard = try #require(
      try file.plan(to: Self.older).hazards.first { $0.code == .droppedColumn })
    #expect(hazard.count == lost.count && hazard.object == "t.b")
    #expect(hazard.samples == Array(lost.prefix(10)))
    if rows > 0 {
      #expect(throws: PlanError.self) {
        try file.migrate(to: Self.older, allowing: PlanPolicy(allowsDowngrade: true))
      }
    }
    #expect(try file.bytes == bytes)
    try file.migrate(
      to: Self.older,
      allowing: PlanPolicy(allowing: PlanPolicy.everything.allowances, allowsDowngrade: true))
    #expect(try file.value("SELECT count(*) FROM t WHERE a = 'a' || id") == .int(Int64(rows)))
    #expect(try file.query("SELECT * FROM t LIMIT 1").allSatisfy { $0.count == 2 })
    try file.expectSettled(at: Self.older)
  }
}
