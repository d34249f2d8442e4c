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

extension SQLiteConnectionError: CustomStringConvertible {
  /// The cause and the remedy.
  public var description: String {
    switch self {
    case .foreignLibrary(let theirs, let ours):
      """
      The borrowed connection belongs to another copy of SQLite (\(theirs)) than SchemaKit's (\(ours)): two copies on \
      one file break its locks. Link both with the same library, or give SchemaKit the file's path after closing it.
      """
    case .statementOpen(let sql):
      """
      A statement is still being read on this connection, and tables cannot be changed under it: \(sql.prefix(200)). \
      Read it to its end or reset it first. Nothing was changed.
      """
    case .environmentNotSettable(let name):
      """
      The setting \(name) cannot be changed now, most likely because a transaction is open on this connection. \
      Commit or roll it back first.
      """
    case .environmentNotRestored(let name):
      """
      The setting \(name) could not be put back to what it was, because a transaction was left open. \
      Close this connection and open a new one.
      """
    }
  }
}
