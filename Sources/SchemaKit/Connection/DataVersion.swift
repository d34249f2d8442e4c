/// What stays the same as long as nobody has written to a database, and nobody has changed its schema over this connection.
struct DataVersion: Sendable, Hashable {
  private let others: Int64
  private let cookie: Int64

  /// Reads it: of [PRAGMA data_version](https://sqlite.org/pragma.html#pragma_data_version), which other connections
  /// change by writing, and of the schema cookie, which every change of the schema changes.
  ///
  /// Returns nil where SQLite does not tell.
  init?(of connection: any SQLConnection) throws {
    guard let others = try connection.integer("PRAGMA main.data_version"),
      let cookie = try connection.integer("PRAGMA main.schema_version")
    else { return nil }
    self.others = others
    self.cookie = cookie
  }
}
