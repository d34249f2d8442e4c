import OrderedCollections
import SQLiteSchema

/// The tables that a virtual table's module makes for the virtual table, as they are at first.
///
/// See [Shadow Tables](https://sqlite.org/vtab.html#xshadowname).
///
/// *Cost:* creates the virtual table in memory.
package struct ModuleTables {
  /// The statements that make each table with its first rows, and change nothing where the table is there.
  private let statements: OrderedDictionary<SQLName, [String]>

  /// The names of the tables.
  package var names: Set<SQLName> { Set(statements.keys) }

  /// Nil where the virtual table cannot be created in memory.
  ///
  /// - Parameter sql: The statement that creates the virtual table.
  package init?(of sql: String) {
    guard let database = try? SQLiteConnection.memory(),
      (try? database.denyingDangerousStatements({ try database.run(sql) })) != nil,
      let statements = try? Self.statements(of: database)
    else { return nil }
    self.statements = statements
  }

  /// Returns the tables that a file has lost, with the statements that make each anew; none if it has them all.
  ///
  /// A module that misses one of its tables may refuse to read the virtual table, and even to drop it.
  package func lost(in connection: any SQLConnection) throws -> [(name: SQLName, statements: [String])] {
    let present = Set(try connection.texts("SELECT name FROM main.sqlite_master").map { SQLName($0) })
    return statements.filter { !present.contains($0.key) }.map { ($0.key, $0.value) }
  }

  private static func statements(of database: SQLiteConnection) throws -> OrderedDictionary<SQLName, [String]> {
    let make = "CREATE TABLE "
    var statements: OrderedDictionary<SQLName, [String]> = [:]
    for row in try database.rows("SELECT name, sql FROM main.sqlite_master WHERE type = 'table' ORDER BY rowid") {
      guard let name = row[0].text.map({ SQLName($0) }), let sql = row[1].text, sql.hasPrefix(make) else { continue }
      let columns = try CatalogReader(connection: database).columns(of: name).map { SQLName($0.name).quoted }
      let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
      let rows = try database.texts("SELECT \(values) FROM main.\(name.quoted)")
      statements[name] =
        ["\(make)IF NOT EXISTS \(sql.dropFirst(make.count))"]
        + rows.map { "INSERT OR IGNORE INTO main.\(name.quoted) VALUES (\($0))" }
    }
    return statements
  }
}
