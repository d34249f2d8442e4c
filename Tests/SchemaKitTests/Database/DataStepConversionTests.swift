import SchemaKit
import Testing

@Suite("Conversions beside data steps")
struct DataStepConversionTests {
  @Test("a value that a step writes before the conversion is converted as well")
  func convertsWrittenValues() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE prices (id INTEGER PRIMARY KEY, net INT, gross INT);
      INSERT INTO prices VALUES (1, 7, NULL);
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO prices SELECT i, NULL, NULL FROM n;
      """)
    let schema = ModelSchema {
      Price.self
      Rate.self
      DataStep("gross", after: .tableAdded(Rate.self)) { session in
        try session.execute("UPDATE prices SET gross = 8 WHERE id = 1")
      }
    }
    _ = try Session(at: file.path, schema: schema) {
      $0.migration = .automatic(PlanPolicy(allowing: [.init(.hazardClass(.lossy))]))
    }
    #expect(try file.query("SELECT net, gross FROM prices WHERE id = 1") == [[.int(700), .int(800)]])
  }

  @Test("of two former names that are both there, one is renamed and the other kept")
  func keepsSecondFormerName() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE rates (id INTEGER PRIMARY KEY, percent INTEGER NOT NULL, share INTEGER);
      INSERT INTO rates VALUES (1, 19, 5);
      """)
    _ = try Session(at: file.path, schema: ModelSchema { RenamedRate.self }) { $0.undeclaredColumns = .keep }
    #expect(try file.query("SELECT rate, share FROM rates") == [[.int(19), .int(5)]])
  }
}

private struct Price: Model {
  let id: Int64
  var net: Int?
  var gross: Int?

  static let table = ModelTable("prices", as: Self.init) {
    Column("id", \Price.id).primaryKey()
    Column("net", \Price.net).type("BIGINT").converting(sql: "net * 100")
    Column("gross", \Price.gross).type("BIGINT").converting(sql: "gross * 100")
  }
}

private struct Rate: Model {
  let id: Int64

  static let table = ModelTable("rates", as: Self.init) { Column("id", \Rate.id).primaryKey() }
}

private struct RenamedRate: Model {
  let id: Int64
  var rate: Int

  static let table = ModelTable("rates", as: Self.init) {
    Column("id", \RenamedRate.id).primaryKey()
    Column("rate", \RenamedRate.rate).renamed(from: "percent", "share").check("rate >= 0")
  }
}
