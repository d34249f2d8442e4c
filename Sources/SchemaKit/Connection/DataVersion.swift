/// A value that stays the same until somebody writes to a database, or changes its schema over this connection.
struct DataVersion: Sendable, Hashable {
  private let others: Int64
  private let cookie: Int64

  /// Reads it from [PRAGMA data_version](https://sqlite.org/pragma.html#pragma_data_version), which other connections
  /// change by writing, and from the schema cookie, which every change of the schema changes.
  ///
  /// Returns nil if SQLite does not say.
  init?(of connection: any SQLConnection) throws {
    guard let others = try connection.integer("PRAGMA main.data_version"),
      let cookie = try connection.integer("PRAGMA main.schema_version")
    else { return nil }
    self.others = others
    self.cookie = cookie
  }
}
