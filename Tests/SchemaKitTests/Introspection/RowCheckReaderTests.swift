import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("RowCheckReader")
struct RowCheckReaderTests {
  private func questions(_ old: String, _ new: String) throws -> RowChecks {
    let (source, target) = (try SchemaText.schema(old), try SchemaText.schema(new))
    return RowCheckPlanner.questions(
      source: source, target: target, diff: SchemaDiff(from: source, to: target), renames: SchemaRenames(),
      hints: MigrationHints(), profile: SchemaText.newest)
  }

  static let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
  static let new = "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT NOT NULL);"

  @Test("it leaves no temporary table behind and puts query_only back", arguments: [0, 1])
  func leavesNothing(queryOnly: Int64) throws {
    let database = try TemporaryDatabase(Self.old + "INSERT INTO t VALUES (1, '01'), (2, NULL)")
    let before = try database.bytes
    let connection = try database.connection()
    try connection.execute("PRAGMA query_only = \(queryOnly)")
    let questions = try questions(Self.old, Self.new)
    #expect(!questions.preparations.isEmpty)
    let checkResults = try RowCheckReader(connection: connection, profile: SchemaText.newest).answer(questions)
    #expect(checkResults["t"]?.rowCount == 2)
    #expect(checkResults["t"]?.findings.filter { $0.count > 0 }.map(\.samples) == [["1"], ["2"]])
    #expect(try connection.integer("PRAGMA query_only") == queryOnly)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_temp_master") == 0)
    #expect(try database.bytes == before)
  }

  @Test("it puts them back after a failure too")
  func leavesNothingAfterFailure() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(Self.old + "INSERT INTO t VALUES (1, 'x')")
    try connection.execute("PRAGMA query_only = ON")
    var questions = try questions(Self.old, Self.new)
    questions.preparations[0].statements.append("SELECT no_such_function()")
    let checkResults = try RowCheckReader(connection: connection, profile: SchemaText.newest).answer(questions)
    guard case .unprovable(_, let problem)? = checkResults["t"]?.findings.first?.kind else {
      Issue.record("the failure is not among the findings")
      return
    }
    #expect(problem.contains("no_such_function"))
    #expect(try connection.integer("PRAGMA query_only") == 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_temp_master") == 0)
  }

  @Test("rows are counted and their size is guessed from their contents")
  func sizes() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(Self.old + "INSERT INTO t VALUES (1, '\(String(repeating: "9", count: 1000))'), (2, '8')")
    let checkResults = try #require(
      try RowCheckReader(connection: connection, profile: SchemaText.newest).answer(questions(Self.old, Self.new))["t"])
    #expect(checkResults.rowCount == 2)
    #expect((1000...1100).contains(checkResults.byteCount))
  }
}
