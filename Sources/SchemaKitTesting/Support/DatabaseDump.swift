import SchemaKit

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
    let isOwn = "substr(tbl_name, 1, 11) = '_schemakit_'"
    objects = try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE NOT \(isOwn) ORDER BY type, name")
    // A virtual table's rows are in tables of its own.
    let tables = objects.filter { $0[0].text == "table" && $0[3].text?.hasPrefix("CREATE VIRTUAL") != true }
    for table in tables {
      guard let name = table[1].text else { continue }
      rows[name] = try Self.rows(of: SQLName(name).quoted, on: connection)
    }
    for name in ["user_version", "application_id"] { settings += try connection.rows("PRAGMA \(name)") }
    let own = try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table' AND \(isOwn)")
    if own.contains("_schemakit_schemas") {
      ledger += try connection.rows("SELECT name, fingerprint FROM _schemakit_schemas ORDER BY name")
    }
    if own.contains("_schemakit_history") {
      ledger += try connection.rows(
        "SELECT schema, kind, from_fingerprint, to_fingerprint FROM _schemakit_history ORDER BY id")
    }
  }

  private static func rows(of table: String, on connection: SQLiteConnection) throws -> [[SQLValue]] {
    do {
      return try connection.rows("SELECT rowid, * FROM \(table)")
    } catch let error as SQLiteError where error.message.hasPrefix("no such column") {
      return try connection.rows("SELECT * FROM \(table)")
    }
  }

  /// What differs, by the names of things; empty for equal dumps.
  func differences(from other: DatabaseDump) -> [String] {
    var result: [String] = []
    let names = Set((objects + other.objects).compactMap { $0[1].text })
    for name in names.sorted() {
      let mine = objects.filter { $0[1].text == name }
      let others = other.objects.filter { $0[1].text == name }
      if mine != others { result.append("the schema of \(name)") }
      guard let rows = rows[name], let otherRows = other.rows[name], rows != otherRows else { continue }
      result.append("the rows of \(name) (\(rows.count), not \(otherRows.count))".replacingSame())
    }
    if settings != other.settings { result.append("user_version or application_id") }
    if ledger != other.ledger { result.append("the history") }
    return result
  }
}

extension String {
  /// Two equal counts say nothing.
  fileprivate func replacingSame() -> String {
    guard let match = firstMatch(of: /^(.*) \((\d+), not (\d+)\)$/), match.output.2 == match.output.3 else {
      return self
    }
    return String(match.output.1)
  }
}
