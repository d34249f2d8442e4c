/// Why a connection cannot be used for what was asked of it, although SQLite itself reported no error.
public enum SQLiteConnectionError: Error, Sendable, Hashable {
  /// A borrowed handle belongs to a different copy of SQLite than the one SchemaKit is linked with.
  case foreignLibrary(theirs: String, ours: String)
  /// A statement on the connection has begun and not ended, so that tables cannot be changed.
  case statementOpen(sql: String)
  /// A setting that the work needs could not be made, for example foreign_keys inside an open transaction.
  case environmentNotSettable(String)
  /// A setting could not be restored after the work.
  case environmentNotRestored(String)
}
