/// The values that the changes of a database kept for undoing, and a way to discard them.
///
/// ```swift
/// let kept = try KeptData(at: "notes.db")
/// print(kept.items.map { "\($0.rows) rows of \($0.object)" })
/// try kept.discard()
/// ```
public struct KeptData {
  /// The values that one dropped table or column left behind.
  public struct Item: Sendable, Hashable {
    /// The dropped object: a table, or a column as `table.column`.
    public let object: String
    /// The number of rows, or of values of the column.
    public let rows: Int
    /// The table that holds them.
    public let storage: String
    /// The number of the history entry that left them behind.
    public let entry: Int?
  }

  private let connection: any SQLConnection
  package let values: [KeptValues]

  /// Finds what a database keeps.
  ///
  /// *Cost:* counts the rows of every table of kept values.
  ///
  /// - Parameter key: The key of an encrypted file.
  /// - Throws: `HistoryError` if the kept values are damaged, `SQLiteError` from the engine.
  public init(at path: String, busyTimeout: Double = 10, key: EncryptionKey? = nil) throws {
    try self.init(over: SQLiteConnection.probed(path: path, busyTimeout: busyTimeout, key: key))
  }

  /// Finds what a database keeps, over a connection of yours.
  public init(over connection: any SQLConnection) throws {
    self.connection = connection
    values = try connection.savepoint {
      try Ledger(connection: connection).checkFormat()
      return try KeptTables(connection: connection).values(of: nil)
    }
  }

  /// The kept values, oldest first.
  public var items: [Item] {
    values.map { Item(object: $0.object, rows: $0.rowCount, storage: $0.storage.text, entry: $0.entry) }
  }

  /// Discards everything that was found, in one transaction. Undoing those changes then restores only what it would
  /// without `PlanPolicy.keepsDropped`, and says so; the history records what was discarded.
  ///
  /// The file does not shrink; [VACUUM](https://sqlite.org/lang_vacuum.html) returns the space to the disk.
  ///
  /// - Throws: `HistoryError` if the kept values have changed since, `SQLiteError` if the file cannot be locked or
  ///   written; then everything is left unchanged.
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
