/// The kind of a change of a row.
public enum RecordChangeKind: Int64, Sendable, Hashable {
  case insert
  case update
  case delete
  /// Another connection or process has committed: any row of any table may be different, so fetch again.
  case external
}

/// A committed change of one row of a model's table, or of unknown rows by others.
public struct RecordChange<M: Model>: Sendable, Hashable {
  /// The kind of the change.
  public let kind: RecordChangeKind
  /// The row's primary key, or its rowid if the table has none; without values if the change is external.
  public let key: RecordKey
}

/// Notifies observers of rows that were changed on this connection, and that others changed some, once the changes are
/// committed.
///
/// TEMP triggers write the keys into temporary tables, which take part in every transaction and savepoint: what is
/// rolled back is never reported, whoever rolled it back. Rows changed by foreign keys and by other triggers are
/// reported too; rows deleted by a REPLACE conflict clause are reported only if `recursive_triggers` is on.
/// https://sqlite.org/lang_conflict.html
///
/// It has identity because it keeps the observers of one connection.
final class ChangeObservers {
  typealias Changes = [(kind: RecordChangeKind, key: RecordKey)]

  private struct Watch {
    let table: String
    var observers: [Int: (Changes) -> Void] = [:]
  }

  private unowned let connection: SQLiteConnection
  private var watches: [String: Watch] = [:]
  private var lastNumber = 0
  /// The tables of removed observers, to be dropped as soon as possible.
  private var obsolete: [String] = []

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// True if no table is observed.
  var isEmpty: Bool { watches.isEmpty }

  /// Adds an observer of a table and returns its number.
  func add(to shape: ModelShape, _ body: @escaping (Changes) -> Void) throws -> Int {
    lastNumber += 1
    if watches[shape.name] == nil {
      let table = "_schemakit_changes_\(lastNumber)"
      try install(table, on: shape)
      watches[shape.name] = Watch(table: table)
    }
    watches[shape.name]?.observers[lastNumber] = body
    return lastNumber
  }

  /// Removes an observer, and the triggers with the last one of a table.
  func remove(_ number: Int, from shape: ModelShape) throws {
    guard var watch = watches[shape.name], watch.observers.removeValue(forKey: number) != nil else { return }
    watches[shape.name] = watch
    guard watch.observers.isEmpty else { return }
    watches[shape.name] = nil
    obsolete.append(watch.table)
    if !connection.isInTransaction { dropObsolete() }
  }

  /// Inside a transaction a DROP may be rolled back, and while a statement reads it is refused: then it is tried later.
  private func dropObsolete() {
    obsolete = obsolete.filter { table in
      do {
        for kind in ["insert", "update", "delete"] {
          try connection.execute("DROP TRIGGER IF EXISTS temp.\(table)_\(kind)")
        }
        try connection.execute("DROP TABLE IF EXISTS temp.\(table)")
        return false
      } catch {
        return true
      }
    }
  }

  private func install(_ table: String, on shape: ModelShape) throws {
    var key = shape.keyIndexes.map { shape.columns[$0].quoted }
    if key.isEmpty { key = [shape.hiddenRowID ?? "rowid"] }
    let columns = key.indices.map { "k\($0)" }.joined(separator: ", ")
    func values(_ row: String) -> String { key.map { "\(row).\($0)" }.joined(separator: ", ") }
    let isSame = key.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
    func note(_ kind: RecordChangeKind, _ row: String, when condition: String = "1") -> String {
      "INSERT INTO \(table) (kind, \(columns)) SELECT \(kind.rawValue), \(values(row)) WHERE \(condition);"
    }
    try connection.savepoint {
      try connection.execute("CREATE TEMP TABLE \(table) (number INTEGER PRIMARY KEY, kind, \(columns))")
      func trigger(_ event: String, _ body: String) throws {
        try connection.execute(
          "CREATE TEMP TRIGGER \(table)_\(event) AFTER \(event) ON \(shape.source) BEGIN \(body) END")
      }
      try trigger("insert", note(.insert, "new"))
      try trigger("delete", note(.delete, "old"))
      try trigger(
        "update",
        note(.update, "new", when: isSame) + note(.delete, "old", when: "NOT (\(isSame))")
          + note(.insert, "new", when: "NOT (\(isSame))"))
    }
  }

  /// Reports what was committed since the last call.
  func tell() {
    if !obsolete.isEmpty { dropObsolete() }
    for watch in watches.values { try? tell(watch) }
  }

  private func tell(_ watch: Watch) throws {
    let rows = try connection.rows("SELECT * FROM temp.\(watch.table) ORDER BY number")
    guard !rows.isEmpty else { return }
    try connection.run("DELETE FROM temp.\(watch.table)")
    let changes: Changes = rows.compactMap { row in
      row[1].integer.flatMap(RecordChangeKind.init).map { ($0, RecordKey(Array(row[2...]))) }
    }
    for observer in watch.observers.values { observer(changes) }
  }

  /// Reports that others have committed.
  func tellExternal() {
    for watch in watches.values {
      for observer in watch.observers.values { observer([(.external, RecordKey([]))]) }
    }
  }
}

/// An observer of a model's table that was added to a session; it ends when it is cancelled or deallocated.
public final class ChangeObservation {
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) { self.end = end }

  /// Ends the observation.
  public func cancel() {
    end?()
    end = nil
  }

  deinit { cancel() }
}

extension RecordWriter {
  /// Calls a closure with the changes of a model's rows after each commit on this connection that made any.
  ///
  /// A session has no thread of its own: commits of other connections and processes are told when
  /// ``checkForExternalChanges()`` is called.
  ///
  /// *Cost:* a row in a temporary table for every row that is written while there is an observer.
  public func observe<M: Model>(
    _ type: M.Type, _ body: @escaping ([RecordChange<M>]) -> Void
  ) throws -> ChangeObservation {
    let shape = try store.mapping(of: type).shape
    // Rolling back the transaction would remove the triggers.
    guard !connection.isInTransaction else { throw RecordError(.insideTransaction("observe")) }
    let number = try store.observe(shape) { changes in
      body(changes.map { RecordChange(kind: $0.kind, key: $0.key) })
    }
    return ChangeObservation { [weak store] in store?.endObserving(shape, number) }
  }

  /// Tells the observers if another connection or process has committed since they were told, or began to observe.
  ///
  /// ```swift
  /// let observation = try session.observe(Note.self) { _ in list.reload() }
  /// try session.checkForExternalChanges()  // from a timer, or before the list is shown
  /// ```
  ///
  /// Several commits are told as one change of the kind ``RecordChangeKind/external``; what was rolled back is not told.
  /// While a writer holds a lock the answer is false, and the commit is told by a later call. A transaction of this
  /// connection sees what was committed before it began.
  ///
  /// *Cost:* one [PRAGMA data_version](https://sqlite.org/pragma.html#pragma_data_version), some microseconds; nothing
  /// without observers. It waits for no lock.
  ///
  /// - Returns: True if there was such a commit. Without observers it is false.
  @discardableResult
  public func checkForExternalChanges() -> Bool { store.tellOthersCommits() }
}
