import SchemaKit
import SchemaKitOperations

/// Everything that a database holds and that a migration may not do by half: schema, rows, settings, history.
///
/// Of SchemaKit's own tables it has what a migration says about itself, but not when it ran and how long it took.
struct DatabaseDump: Sendable, Hashable {
  /// The objects, each as its type, name, table and statement.
  private(set) var objects: [[SQLValue]] = []
  /// The rows of each table, with their rowids where there are any.
  private(set) var rows: [String: [[SQLValue]]] = [:]
  private(set) var settings: [[SQLValue]] = []
  private(set) var ledger: [[SQLValue]] = []

  init(_ connection: SQLiteConnection) throws {
    // Kept values of dropped tables and columns are data like any other.
    let isOwn = "tbl_name IN ('_schemakit_meta', '_schemakit_schemas', '_schemakit_history')"
    objects = try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE NOT \(isOwn) ORDER BY type, name")
    // A virtual table's rows are in tables of its own.
    let tables = objects.filter { $0[0].text == "table" && $0[3].text?.hasPrefix("CREATE VIRTUAL") != true }
    for table in tables {
      guard let name = table[1].text else { continue }
      rows[name] = try Self.rows(of: name, on: connection)
    }
    for name in ["user_version", "application_id"] { settings += try connection.rows("PRAGMA \(name)") }
    let own = try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table' AND \(isOwn)")
    for (table, columns) in Self.ledgerColumns where own.contains(table) {
      ledger += try connection.rows("SELECT \(columns) FROM \(table) ORDER BY 1")
    }
  }

  /// The columns of the ledger's tables that are the same whenever the same migration runs.
  private static let ledgerColumns = [
    ("_schemakit_meta", "key"), ("_schemakit_schemas", "name, fingerprint"),
    ("_schemakit_history", "id, schema, kind, from_fingerprint, to_fingerprint, live"),
  ]

  /// The rows, with the columns in the order of their names, so that a different order of columns does not count.
  private static func rows(of name: String, on connection: SQLiteConnection) throws -> [[SQLValue]] {
    if name == "sqlite_sequence" { return try connection.rows("SELECT name, seq FROM sqlite_sequence ORDER BY name") }
    let columns = try connection.texts("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1", [.text(name)])
    let list = columns.sorted().map { SQLName($0).quoted }.joined(separator: ", ")
    let table = SQLName(name).quoted
    do {
      return try connection.rows("SELECT rowid, \(list) FROM \(table) ORDER BY 1")
    } catch let error as SQLiteError where error.message.hasPrefix("no such column") {
      return try connection.rows("SELECT \(list) FROM \(table)")
    }
  }

  /// Describes the differences, by the names of things; empty for equal dumps.
  func differences(from other: DatabaseDump) -> [String] {
    var result: [String] = []
    let names = Set((objects + other.objects).compactMap { $0[1].text })
    for name in names.sorted() {
      let mine = objects.filter { $0[1].text == name }
      let others = other.objects.filter { $0[1].text == name }
      if mine != others { result.append("the schema of \(name)") }
      guard let rows = rows[name], let otherRows = other.rows[name], rows != otherRows else { continue }
      result.append(
        "the rows of \(name)" + (rows.count == otherRows.count ? "" : " (\(rows.count), not \(otherRows.count))"))
    }
    if settings != other.settings { result.append("user_version or application_id") }
    if ledger != other.ledger { result.append("the history") }
    return result
  }
}
