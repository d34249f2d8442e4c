import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Documented strategies")
struct StrategyTableTests {
  /// A change of a table with 40 rows: what of the definition changes, and what is done to the rows first.
  private struct Change {
    var from: String
    var to: String
    var rows = ""
    var isWithoutRowID = false
    var hasIndex = false
    var key = "id INTEGER PRIMARY KEY"
    var newKey = "id INTEGER PRIMARY KEY"
  }

  private static let changes: [String: Change] = [
    "add a column": Change(from: "b INT", to: "b INT, c TEXT DEFAULT 'x'"),
    "add a column with a computed default": Change(from: "b INT", to: "b INT, c TEXT DEFAULT CURRENT_TIMESTAMP"),
    "add a UNIQUE column": Change(from: "b INT", to: "b INT, c TEXT UNIQUE"),
    "drop a UNIQUE column": Change(from: "b INT, c TEXT UNIQUE", to: "b INT"),
    "drop a column": Change(from: "b INT, c TEXT", to: "b INT"),
    "drop columns at the end": Change(from: "b INT, c TEXT, d INT, e TEXT", to: "b INT"),
    "drop a column that a table's CHECK reads": Change(from: "b INT, c TEXT, CHECK (b > 0 OR c > '')", to: "b INT"),
    "drop NOT NULL": Change(from: "b INT NOT NULL", to: "b INT"),
    "add NOT NULL where no row holds NULL": Change(from: "b INT", to: "b INT NOT NULL"),
    "add NOT NULL with a default where few rows hold NULL": Change(
      from: "b INT DEFAULT 0", to: "b INT NOT NULL DEFAULT 0", rows: "UPDATE t SET b = NULL WHERE id < 4"),
    "add NOT NULL with a default where many rows hold NULL": Change(
      from: "b INT DEFAULT 0", to: "b INT NOT NULL DEFAULT 0", rows: "UPDATE t SET b = NULL WHERE id < 30"),
    "add NOT NULL with a backfill where few rows hold NULL": Change(
      from: "b INT", to: "b INT NOT NULL /* schemakit: fill id * 10 */", rows: "UPDATE t SET b = NULL WHERE id < 4"),
    "convert few values to a type of the same affinity": Change(
      from: "b VARCHAR(9)", to: "b TEXT /* schemakit: convert iif(id < 4, b || '!', b) */"),
    "convert few values of a column in a unique index": Change(
      from: "b VARCHAR(9) UNIQUE", to: "b TEXT UNIQUE /* schemakit: convert iif(id < 4, b || '!', b) */"),
    "add a CHECK": Change(from: "b INT", to: "b INT, CHECK (b > 0)"),
    "drop a CHECK that has a name": Change(from: "b INT CONSTRAINT positive CHECK (b > 0)", to: "b INT"),
    "drop a CHECK without a name": Change(from: "b INT CHECK (b > 0)", to: "b INT"),
    "add, change or drop a foreign key": Change(
      from: "b INT REFERENCES t (id) ON DELETE CASCADE", to: "b INT, FOREIGN KEY (b) REFERENCES t (id)"),
    "another type of the same affinity": Change(from: "b INT", to: "b BIGINT"),
    "another affinity": Change(from: "b INT", to: "b TEXT"),
    "INTEGER becomes REAL, and all values are kept": Change(from: "b INTEGER", to: "b REAL"),
    "another affinity, with an index on other columns": Change(from: "b INT", to: "b TEXT", hasIndex: true),
    "another default where no row shows the old one": Change(from: "b INT DEFAULT 0", to: "b INT DEFAULT -1"),
    "another default where few rows show the old one": Change(from: "b INT DEFAULT 7", to: "b INT DEFAULT 8"),
    "another collation": Change(from: "b TEXT", to: "b TEXT COLLATE NOCASE"),
    "another rowid": Change(
      from: "b INT", to: "b INTEGER PRIMARY KEY", newKey: "id INTEGER NOT NULL"),
    "another primary key that is not the rowid": Change(
      from: "b INT PRIMARY KEY", to: "b INT, PRIMARY KEY (id, b)", key: "id INT", newKey: "id INT"),
    "AUTOINCREMENT": Change(from: "b INT", to: "b INT", newKey: "id INTEGER PRIMARY KEY AUTOINCREMENT"),
    "add or drop UNIQUE": Change(from: "b INT", to: "b INT UNIQUE"),
    "WITHOUT ROWID": Change(from: "b INT", to: "b INT", isWithoutRowID: true),
    "another computed value": Change(from: "b INT, c AS (b + 1)", to: "b INT, c AS (b + 2)"),
  ]

  /// The rows of the table in the document: the change, and a strategy for each range of versions.
  private static func documented() throws -> [[String]] {
    let text = try String(contentsOf: SourceTree.root.appendingPathComponent("docs/strategies.md"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
    return lines.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
  }

  @Test("the table has every change that is tried here, and no other")
  func isComplete() throws {
    #expect(Set(try Self.documented().map { $0[0] }) == Set(Self.changes.keys))
  }

  @Test("each change takes the way that the table says for this SQLite", arguments: changes.keys.sorted())
  func strategies(name: String) throws {
    let change = try #require(Self.changes[name])
    let row = try #require(try Self.documented().first { $0[0] == name })
    let version = SQLiteVersion(number: try SQLiteConnection.memory().engineVersionNumber)
    let column = version < SQLiteVersion(3, 35) ? 1 : version < SQLiteVersion(3, 53) ? 2 : 3
    let index = change.hasIndex ? "; CREATE INDEX i ON t (id, id DESC);" : ""
    let file = try TemporaryDatabase(
      "CREATE TABLE t (\(change.key), \(change.from));"
        + rows(40) { "INSERT INTO t (id, b) VALUES (\($0), \($0))" }
        + change.rows + index)
    let ending = change.isWithoutRowID ? " WITHOUT ROWID" : ""
    let plan = try file.plan(to: "CREATE TABLE t (\(change.newKey), \(change.to))\(ending)\(index)")
    let step = try #require(plan.steps.first { $0.onBehalfOf == nil })
    #expect(step.strategy.rawValue == row[column], "\(step.reason ?? "")")
  }
}
