/// What the changes of a database kept so that undoing them brings it back, and the way to be rid of it.
///
/// ```swift
/// let kept = try KeptData(at: "notes.db")
/// print(kept.items.map { "\($0.rows) rows of \($0.object)" })
/// try kept.discard()
/// ```
public struct KeptData {
  /// What one dropped table or column left behind.
  public struct Item: Sendable, Hashable {
    /// What it was: a table, or a column as `table.column`.
    public let object: String
    /// The number of rows, or of values of the column.
    public let rows: Int
    /// The table that holds them.
    public let storage: String
    /// The number of the entry in the history that left them behind.
    public let entry: Int?
  }

  private let connection: SQLiteConnection
  package let values: [KeptValues]

  /// Looks for what a database keeps.
  ///
  /// *Cost:* counts the rows of every table of kept values.
  ///
  /// - Throws: `HistoryError` when what is kept was damaged, `SQLiteError` from the engine.
  public init(at path: String, busyTimeout: Double = 10) throws {
    try self.init(over: SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout))
  }

  /// Looks for what a database keeps, over a connection of yours.
  public init(over connection: SQLiteConnection) throws {
    self.connection = connection
    values = try connection.savepoint {
      try Ledger(connection: connection).checkFormat()
      return try KeptTables(connection: connection).values(of: nil)
    }
  }

  /// What is kept, oldest first.
  public var items: [Item] {
    values.map { Item(object: $0.object, rows: $0.rowCount, storage: $0.storage.text, entry: $0.entry) }
  }

  /// Throws away all that was found, in one transaction. Undoing its changes then brings back what they would have
  /// without `PlanPolicy.keepsDropped`, and says so; the history says what was discarded.
  ///
  /// The file does not get smaller; [VACUUM](https://sqlite.org/lang_vacuum.html) gives the room back to the disk.
  ///
  /// - Throws: `HistoryError` when something else is kept by now, `SQLiteError` when the file cannot be locked or
  ///   written; then everything stays.
  public func discard() throws {
    guard !values.isEmpty else { return }
    let body = {
      let kept = KeptTables(connection: connection)
      guard try kept.values(of: nil) == values else { throw HistoryError(reason: .keptDataChanged) }
      try kept.discardForGood(values)
    }
    if connection.isInTransaction {
      try connection.savepoint(body)
    } else {
      try connection.transaction(.immediate, body)
    }
  }
}
