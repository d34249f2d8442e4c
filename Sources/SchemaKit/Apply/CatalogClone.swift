/// An in-memory database with the catalog of a file and none of its rows, on which a plan is proved.
///
/// Collating sequences and functions that the catalog names but this process lacks are stubbed here: what they
/// compute does not matter where there are no rows.
///
/// *Cost:* runs every CREATE statement of the catalog once, in memory.
struct CatalogClone {
  let connection: SQLiteConnection
  /// Objects that could not be made here, with what SQLite said: virtual tables whose module is not loaded, say.
  private(set) var missing: [SQLName: String] = [:]

  /// Makes an empty clone's connection, ready for statements.
  private init() throws {
    connection = try SQLiteConnection.memory()
    try connection.installCollationStubs()
    try connection.execute("PRAGMA foreign_keys = OFF")
  }

  /// Clones the catalog of a database.
  ///
  /// - Parameter schema: What the database's catalog says.
  init(of database: any SQLConnection, schema: DatabaseSchema) throws {
    try self.init()
    try connection.trustSchema(asMuchAs: database)
    let entries = try CatalogReader(connection: database).entries()
    let shadows = schema.shadowTables
    for type in ["table", "index", "view", "trigger"] {
      for entry in entries where entry.type == type {
        guard let sql = entry.sql, !SQLName(entry.name).folded.hasPrefix("sqlite_"),
          !shadows.contains(SQLName(entry.table))
        else { continue }
        create(sql, name: SQLName(entry.name))
      }
    }
    if entries.contains(where: { SQLName($0.name) == "sqlite_stat1" }) { try connection.execute("ANALYZE") }
  }

  private mutating func create(_ sql: String, name: SQLName) {
    do {
      try connection.runStubbing(sql)
    } catch {
      missing[name] = "\((error as? SQLiteError)?.message ?? "\(error)")"
    }
  }
}
