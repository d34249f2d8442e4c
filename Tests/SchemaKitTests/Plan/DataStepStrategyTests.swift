import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Ways of changing tables beside a data step")
struct DataStepStrategyTests {
  private static let old = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT NOT NULL); INSERT INTO t VALUES (1, 'x', 'y');
    """
  private static let new = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> ''), b TEXT); CREATE TABLE parts (id INTEGER PRIMARY KEY);
    """

  private func migrate(_ database: TemporaryDatabase, step: String) throws -> MigrationPlan {
    let hint = DataStepHint(name: "split", moment: .tableAdded("parts"))
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    var request = ChangeRequest()
    request.runDataStep = { _ in try connection.execute(step) }
    let target = try TemporaryDatabase.target(Self.new, hints: MigrationHints(dataSteps: [hint]))
    return try Change(over: connection, to: target, request).apply().plan
  }

  @Test("a pending data step makes no copy of what the catalog alone can change")
  func catalog() throws {
    let database = try TemporaryDatabase(Self.old)
    let plan = try migrate(database, step: "INSERT INTO parts VALUES (7); INSERT INTO t VALUES (2, 'z', 'w')")
    #expect(plan.steps.filter { $0.object.name == "t" }.map(\.strategy) == [.catalog])
    #expect(try database.query("SELECT id FROM t") == [[.int(1)], [.int(2)]])
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO t VALUES (3, NULL, NULL)") }
  }

  @Test("rows that a data step leaves in breach of the new definition stop the change", arguments: ["NULL", "''"])
  func breach(value: String) throws {
    let database = try TemporaryDatabase(Self.old)
    let bytes = try database.bytes
    #expect {
      try migrate(database, step: "UPDATE t SET a = \(value)")
    } throws: {
      guard case .verification(_, _, let keys) = ($0 as? ApplyError)?.reason else { return false }
      return keys == ["1"]
    }
    #expect(try database.bytes == bytes)
  }
}
