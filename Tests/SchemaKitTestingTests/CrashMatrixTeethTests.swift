import SchemaKit
import SchemaKitTesting
import Testing

@Suite("A migration that is not all or nothing")
struct CrashMatrixTeethTests {
  private static func matrix(
    _ journal: CrashMatrix.Journal, _ migrate: @escaping @Sendable (SQLiteConnection) throws -> Void
  ) -> CrashMatrix {
    CrashMatrix(journal: journal, faults: [.failing]) { connection in
      try connection.execute("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'), ('y')")
    } migrate: { connection in
      if try connection.integer("SELECT count(*) FROM pragma_table_info('t') WHERE name = 'b'") == 0 {
        try migrate(connection)
      }
    }
  }

  private static func violations(of matrix: CrashMatrix) async throws -> [String] {
    do {
      _ = try await matrix.run()
      return []
    } catch CrashMatrixError.violated(let report) {
      #expect(!report.violations.isEmpty)
      #expect("\(CrashMatrixError.violated(report))".contains(report.violations[0].problem))
      return report.violations.map(\.description)
    }
  }

  private static let whole = "BEGIN IMMEDIATE; ALTER TABLE t ADD COLUMN b; UPDATE t SET b = a; COMMIT"
  private static let journals = [CrashMatrix.Journal.rollback, .wal]

  @Test("passes when it is one transaction", arguments: journals)
  func whole(journal: CrashMatrix.Journal) async throws {
    #expect(try await Self.violations(of: Self.matrix(journal) { try $0.execute(Self.whole) }) == [])
  }

  @Test("is caught in two transactions, by crash and by fault", arguments: journals)
  func half(journal: CrashMatrix.Journal) async throws {
    let found = try await Self.violations(
      of: Self.matrix(journal) { try $0.execute("ALTER TABLE t ADD COLUMN b; UPDATE t SET b = a") })
    #expect(
      found.contains { $0.hasPrefix("stopped after operation") && $0.contains("not the new one in the rows of t") })
    #expect(found.contains { $0.hasPrefix("fault failing at operation") })
  }

  @Test("is caught without syncs, when the file overtakes its journal")
  func unsynced() async throws {
    let found = try await Self.violations(
      of: Self.matrix(.rollback) { try $0.execute("PRAGMA synchronous = OFF; \(Self.whole)") })
    #expect(found.contains { $0.contains("journals lost what was not synced") })
    #expect(!found.contains { $0.contains("everything written arrived") })
  }

  @Test("is caught without a journal")
  func withoutJournal() async throws {
    let found = try await Self.violations(
      of: Self.matrix(.rollback) { try $0.execute("PRAGMA journal_mode = OFF; \(Self.whole)") })
    #expect(found.contains { $0.contains("everything written arrived") })
  }

  @Test("is caught when it hides an error")
  func hidden() async throws {
    let found = try await Self.violations(of: Self.matrix(.rollback) { try? $0.execute(Self.whole) })
    #expect(found.contains { $0.contains("returned without an error, and the file is still the old one") })
  }

  @Test("is caught when it does not run again")
  func onlyOnce() async throws {
    let matrix = CrashMatrix(faults: []) {
      try $0.execute("CREATE TABLE t (a TEXT)")
    } migrate: {
      try $0.execute("ALTER TABLE t ADD COLUMN b")
    }
    #expect(try await Self.violations(of: matrix).contains { $0.contains("does not run again") })
  }

  @Test("is caught when what stands beside the file is wrong")
  func verified() async throws {
    let matrix = CrashMatrix(faults: []) {
      try $0.execute("CREATE TABLE t (a TEXT)")
    } migrate: {
      try $0.execute("CREATE TABLE IF NOT EXISTS u (a TEXT)")
    } verify: { _, ending in
      throw SQLiteError(code: 1, message: "beside it, after it \(ending)")
    }
    #expect(try await Self.violations(of: matrix).contains { $0.contains("beside it, after it crashed") })
  }

  @Test("that writes nothing, or that fails by itself, is not a test")
  func nothing() async throws {
    let same = CrashMatrix(schema: "CREATE TABLE t (a)", to: "CREATE TABLE t (a)")
    await #expect(throws: CrashMatrixError.nothingWritten) { try await same.run() }
    let refused = CrashMatrix(
      schema: "CREATE TABLE t (a, b)", rows: ["INSERT INTO t VALUES (1, 2)"], to: "CREATE TABLE t (a)")
    await #expect(throws: PlanError.self) { try await refused.run() }
  }
}
