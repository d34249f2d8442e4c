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
    case .closed(let path):
      "The database\(path.map { " \($0)" } ?? "") was closed. Open it again to use it."
    case .inUse(.transaction):
      "The database cannot be closed inside a transaction. Commit it or roll it back first. Nothing was changed."
    case .inUse(.call):
      """
      The database cannot be closed inside a call that uses it, such as a closure of Database.run or of forEach. Close it \
      after the call. Nothing was changed.
      """
    }
  }
}
