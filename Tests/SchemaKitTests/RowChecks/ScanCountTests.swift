import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: how often rows are read")
struct ScanCountTests {
  private static let before = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c TEXT, d REAL, gone INT); CREATE TABLE u (x INT);
    """

  /// The statements that go through the whole of a table of the file, or of a temporary one.
  private func scans(
    _ after: String, rows: Int = 500, values: String = "i, i, 'b' || i, 'c', i / 2.0, NULL",
    columns: Int = 2_000
  ) throws -> (scans: [String], checkResults: [SQLName: RowCheckResults], progress: [String]) {
    let scene = RowCase(
      name: "", before: Self.before,
      fill: ["INSERT INTO t SELECT \(values) FROM n", "INSERT INTO u SELECT i FROM n"], after: after,
      code: .orphans, object: "", offending: "")
    let file = try scene.file(rows: rows, journalMode: "delete")
    let connection = NotingConnection(try file.connection())
    let source = try SchemaText.schema(Self.before)
    let target = try TemporaryDatabase.target(after)
    let questions = RowCheckPlanner.questions(
      source: source, target: target.schema, diff: SchemaDiff(from: source, to: target.schema),
      renames: SchemaRenames(), hints: target.hints, profile: SchemaText.newest)
    var progress: [String] = []
    var profile = SchemaText.newest
    profile.maximumColumns = columns
    let reader = RowCheckReader(connection: connection, profile: profile) { name, done, total in
      progress.append("\(name) \(done)/\(total) after \(connection.statements.count { $0.hasPrefix("INSERT") })")
    }
    let checkResults = try reader.answer(questions)
    let scans = connection.statements.filter { sql in
      (sql.contains("\"t\"") || sql.contains("probe")) && !sql.contains("LIMIT") && !sql.contains("EXISTS")
        && (sql.hasPrefix("SELECT") || sql.hasPrefix("INSERT"))
    }
    return (scans, checkResults, progress)
  }

  private static let many = """
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, a INT NOT NULL CHECK (a > 0), b TEXT NOT NULL CHECK (b <> ''),
      c TEXT CHECK (length(c) < 9), d REAL NOT NULL, CHECK (a + d > 0)
    ) STRICT; CREATE TABLE u (x INT);
    """

  @Test("all that asks about single rows is answered by one scan, which counts the rows as well")
  func oneScan() throws {
    let (scans, checkResults, _) = try scans(Self.many)
    #expect(scans.count == 1, "\(scans)")
    #expect(checkResults["t"]?.rowCount == 500)
    #expect(checkResults["t"]?.findings.count == 12)
    #expect(checkResults["t"]?.findings.allSatisfy { $0.count == 0 && $0.samples.isEmpty } == true)
    #expect(checkResults["u"] == nil)
  }

  @Test("where a result may have few columns, the rows are read once for each part of the questions")
  func fewColumns() throws {
    let (scans, checkResults, _) = try scans(Self.many, columns: 6)
    #expect(scans.count == 3, "\(scans)")
    #expect(checkResults["t"]?.rowCount == 500)
    #expect(checkResults["t"]?.findings.count == 12)
  }

  @Test("where values change, the rows are read once and their new form once")
  func oneProbe() throws {
    let (scans, checkResults, _) = try scans(Self.many.replacing("a INT NOT NULL", with: "a TEXT NOT NULL"))
    #expect(scans.map { $0.prefix(6) } == ["INSERT", "SELECT"], "\(scans)")
    #expect(checkResults["t"]?.rowCount == 500)
  }

  private static let convertible = before.replacing("b TEXT, c TEXT", with: "b INTEGER NOT NULL, c INT DEFAULT 7")

  @Test("values that are sure to come back from their new type are read once, where they are")
  func prefilter() throws {
    let (scans, checkResults, _) = try scans(Self.convertible, values: "i, i, '' || i, NULL, i / 2.0, NULL")
    #expect(scans.map { $0.prefix(6) } == ["SELECT"], "\(scans)")
    #expect(checkResults["t"]?.rowCount == 500)
    #expect(checkResults["t"]?.findings.filter { $0.count > 0 }.map(\.kind) == [.showsDefault])
  }

  @Test("where a value may be lost, SQLite is asked to store all of them, and only for the questions in doubt")
  func doubt() throws {
    let (scans, checkResults, _) = try scans(Self.convertible, values: "i, i, '0' || i, CAST(i AS TEXT), 1, NULL")
    #expect(scans.map { $0.prefix(6) } == ["SELECT", "INSERT", "SELECT"], "\(scans)")
    #expect(scans.last?.contains("\"_schemakit_was_c\"") == false)
    let losses = checkResults["t"]?.findings.filter { $0.count > 0 && $0.kind != .showsDefault } ?? []
    #expect(losses.map(\.column) == ["b"])
    #expect(losses.map(\.count) == [500])
    #expect(losses.first?.samples.count == 10)
    #expect(checkResults["t"]?.rowCount == 500)
  }

  @Test("a table of which nothing is asked is not counted")
  func nothingToCount() throws {
    let after = Self.before.replacing("b TEXT", with: "b CLOB")
    let (scans, checkResults, _) = try scans(after)
    #expect(scans.isEmpty, "\(scans)")
    #expect(checkResults["t"]?.countedRows == nil)
  }

  @Test("values that change without anyone asking are not read")
  func nothingAsked() throws {
    let after = Self.before.replacing("gone INT", with: "gone INT, more TEXT DEFAULT 'x'")
    #expect(try scans(after).scans.count <= 1)
    #expect(try scans(after).scans.allSatisfy { !$0.contains("probe") })
  }

  @Test("a new column with a plain default is asked about where the rows are, also in a unique index")
  func constantColumn() throws {
    let after = Self.before.replacing(
      "gone INT",
      with: """
        gone INT, n INT NOT NULL DEFAULT 3 CHECK (n IN (1, 3)), yes TEXT CHECK (yes <> 'no'), CHECK (n < a AND yes IS NULL)
        """)
    let (scans, checkResults, _) = try scans(after + "CREATE UNIQUE INDEX i ON t (n, c, a % 250)")
    #expect(scans.allSatisfy { !$0.contains("probe") }, "\(scans)")
    #expect(checkResults["t"]?.rowCount == 500)
    let found = checkResults["t"]?.findings.filter { $0.count > 0 } ?? []
    #expect(found.map(\.count) == [3, 500])
    #expect(found.first?.samples == ["1", "2", "3"])
  }

  @Test("samples are fetched for what was found only")
  func samples() throws {
    let (scans, checkResults, _) = try scans(Self.many, values: "i, CASE WHEN i > 2 THEN i END, 'b', 'c', i, i")
    #expect(scans.count == 1)
    let found = checkResults["t"]?.findings.filter { $0.count > 0 } ?? []
    #expect(found.map(\.count) == [500, 2])
    #expect(found.map(\.samples.count) == [10, 2])
  }

  @Test("a question that cannot be answered is found out, and the others are answered")
  func attribution() throws {
    let after = Self.many.replacing("CHECK (b <> '')", with: "CHECK (json_extract(b, '$') > 0)")
    let (_, checkResults, _) = try scans(after, values: "i, nullif(i, 3), 'b', 'c', i, NULL")
    let findings = checkResults["t"]?.findings ?? []
    #expect(findings.count == 12)
    #expect(checkResults["t"]?.rowCount == 500)
    let problems = findings.compactMap { finding -> String? in
      if case .unprovable(let condition, _) = finding.kind { return condition }
      return nil
    }
    #expect(problems == ["The new CHECK (json_extract(b, '$') > 0)"])
    #expect(findings.filter { $0.count > 0 }.map(\.samples) == [["3"]])
  }

  @Test("an empty table is not asked")
  func emptyTable() throws {
    let (scans, checkResults, _) = try scans(Self.many.replacing("a INT NOT NULL", with: "a TEXT NOT NULL"), rows: 0)
    #expect(scans.isEmpty, "\(scans)")
    #expect(checkResults["t"]?.rowCount == 0)
    #expect(checkResults["t"]?.findings.isEmpty == false)
  }

  @Test("each table is announced before any of its rows is read")
  func progress() throws {
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> ''), b TEXT, c TEXT, d REAL, gone INT);
      CREATE TABLE u (x TEXT NOT NULL CHECK (x <> ''));
      """
    #expect(try scans(after).progress == ["t 0/2 after 0", "u 1/2 after 1"])
  }
}
