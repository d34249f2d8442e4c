import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Applier")
struct ApplierTests {
  private func step(_ statements: [PlannedStatement]) -> MigrationStep {
    MigrationStep(
      strategy: .rebuild, object: ObjectReference(.table, "t"), edits: [.columnOrder], statements: statements)
  }

  private func plan(_ statements: [PlannedStatement]) -> MigrationPlan {
    MigrationPlan(
      steps: [step(statements)], hazards: [], unmanaged: [], sourceFingerprint: "", targetFingerprint: "",
      engine: SQLiteVersion(3, 40))
  }

  private func file() throws -> TemporaryDatabase {
    try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
  }

  private func applier(
    _ connection: SQLiteConnection, _ statements: [PlannedStatement], orphans: ForeignKeyGuard.Findings = [:]
  ) throws -> Applier {
    Applier(
      connection: connection, plan: plan(statements),
      baseline: ForeignKeyGuard.Baseline(schema: try SchemaReader.read(connection), orphans: orphans))
  }

  /// Runs statements as a migration would, and expects the file untouched.
  private func failure(_ statements: [PlannedStatement]) throws -> ApplyError.Reason? {
    let database = try file()
    let before = try database.bytes
    let connection = try database.connection()
    var reason: ApplyError.Reason?
    do {
      try connection.transaction {
        try applier(connection, statements).run()
      }
    } catch let error as ApplyError {
      reason = error.reason
      #expect("\(error)".hasSuffix("Everything was rolled back; nothing was changed."))
    }
    #expect(!connection.isInTransaction)
    #expect(try database.bytes == before)
    return reason
  }

  @Test("a verification that returns rows stops everything, with the keys")
  func verification() throws {
    let reason = try failure([
      PlannedStatement("UPDATE t SET a = 'z'", role: .copy),
      PlannedStatement("SELECT id FROM t WHERE a = 'z'", role: .verification),
    ])
    guard case .verification(let step, _, let keys)? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(step.object.name == "t")
    #expect(keys.count == 2)
  }

  @Test("a statement that fails is named with SQLite's cause")
  func statement() throws {
    let reason = try failure([
      PlannedStatement("DELETE FROM t", role: .copy), PlannedStatement("DROP TABLE nowhere"),
    ])
    guard case .statement(_, let sql, let cause)? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(sql == "DROP TABLE nowhere")
    #expect(cause.message.contains("nowhere"))
  }

  @Test("a new violation of a foreign key stops everything, one from before does not")
  func violations() throws {
    let statements = [
      PlannedStatement("CREATE TABLE c (t INTEGER REFERENCES t)"),
      PlannedStatement("INSERT INTO c VALUES (9)", role: .copy),
    ]
    guard case .newViolations(let child, let parent, let count)? = try failure(statements) else {
      Issue.record("the violation was not found")
      return
    }
    #expect([child, parent] == ["c", "t"])
    #expect(count == 1)
    let database = try file()
    let connection = try database.connection()
    try connection.transaction {
      let reference = ForeignKeyGuard.Reference(child: "c", columns: ["t"], parent: "t")
      let orphans = [reference: ForeignKeyGuard.Orphans(values: ["9": 1], count: 1)]
      _ = try applier(connection, statements, orphans: orphans).run()
    }
    #expect(try connection.integer("SELECT count(*) FROM c") == 1)
  }

  @Test("statements are reported as they run, and legacy_alter_table is put back")
  func reports() throws {
    let database = try file()
    let connection = try database.connection()
    var numbers: [Int] = []
    var applier = try applier(
      connection,
      [
        PlannedStatement("CREATE TABLE n (id)"), PlannedStatement("DROP TABLE n"),
        PlannedStatement("ALTER TABLE t RENAME TO u", leavesReferences: true),
      ])
    applier.onStatement = { numbers.append($0) }
    _ = try applier.run()
    #expect(numbers == [1, 2, 3])
    #expect(try connection.integer("PRAGMA legacy_alter_table") == 0)
  }
}
