/// Saves a database before a change of it.
///
/// A change asks for the copy once its plan is known and nothing stands against it, says when it begins under the lock, and
/// names the copy in the history.
package protocol ChangeCopy: AnyObject {
  /// The name of the copy for the history; nil where none was made.
  var name: String? { get }
  /// Makes the copy, if one is due before a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan; nil where it depends on work that comes first.
  ///   - losesRows: True if rows may be lost that the plan does not know about.
  func make(before plan: MigrationPlan?, losesRows: Bool) throws
  /// Called under the lock before the first statement of a plan, when nobody else can write.
  ///
  /// - Parameter isRenewing: True if a copy that others have made stale is made again.
  func begin(_ plan: MigrationPlan?, isRenewing: Bool) throws
  /// Called when a change has nothing left to do, because another program has done it.
  func discardIfIdle()
}

/// The copy of a file that is made before the file is changed.
package final class FileCopy: ChangeCopy {
  /// Watches the making of a copy in a file: calls what makes it, with a function for the progress.
  package typealias Making = (
    _ file: String, _ make: (_ progress: (BackupProgress) throws -> Void) throws -> DatabaseCopy
  )
    throws -> DatabaseCopy

  private let path: String
  private let connection: SQLiteConnection
  private let backup: MigrationBackup
  private let making: Making
  private let onDiscard: (DatabaseCopy) -> Void
  /// True if the work is done inside a transaction of somebody else, whose writes only the connection itself sees.
  private let isInside: Bool
  /// True if the file had nothing when a copy was first asked for. Then no step of the run needs one.
  private var hadNothing: Bool?
  /// The copy; nil where none was made.
  package private(set) var made: DatabaseCopy?
  /// True once a change has begun. The writes of the change do not make the copy stale.
  package private(set) var hasBegun = false

  /// - Parameters:
  ///   - path: The file, as it is named to people. The copy is made beside it.
  ///   - connection: The connection that changes the file.
  ///   - making: Watches the making of the copy.
  ///   - onDiscard: Called when the copy was removed, because there was nothing left to do.
  package init(
    of path: String, on connection: SQLiteConnection, _ policy: BackupPolicy,
    making: @escaping Making = { _, make in try make { _ in } }, onDiscard: @escaping (DatabaseCopy) -> Void = { _ in }
  ) {
    self.path = path
    self.connection = connection
    self.making = making
    self.onDiscard = onDiscard
    backup = MigrationBackup(policy)
    isInside = connection.isInTransaction
  }

  package var name: String? {
    guard let made, let database = connection.filePath else { return nil }
    return made.name(beside: database)
  }

  package func make(before plan: MigrationPlan?, losesRows: Bool = false) throws {
    guard made == nil, let database = connection.filePath else { return }
    let hasNothing = try hadNothing ?? (connection.integer("PRAGMA main.page_count") == 0)
    hadNothing = hasNothing
    guard !hasNothing else { return }
    let destination = { [backup, path, connection] in
      try backup.destination(for: plan, of: path, on: connection, losesRows: losesRows)
    }
    guard let file = try destination() else { return }
    // SQLite does not copy through a connection that holds the write lock. What a caller has written under it can be in no copy.
    hasBegun = connection.isInTransaction && !isInside
    let source =
      hasBegun ? try SQLiteConnection(path: database, mode: .readOnly, connection.options) : connection
    made = try making(file) { [backup] progress in
      try backup.makeFolder()
      return try MigrationBackup.copy(source, to: file, or: destination, progress: progress)
    }
  }

  package func begin(_ plan: MigrationPlan?, isRenewing: Bool) throws {
    guard !hasBegun else { return }
    if isRenewing { try made?.renewIfStale(for: connection) }
    hasBegun = made != nil
  }

  package func discardIfIdle() {
    guard !hasBegun, let copy = made else { return }
    discard()
    onDiscard(copy)
  }

  /// Removes the copy.
  package func discard() {
    made?.remove()
    made = nil
  }
}
