/// Wakes those who keep values fresh, once a commit may have changed what they read.
///
/// TEMP triggers on the tables that are read note which of them a statement writes, and of an UPDATE only if it sets a column
/// that is read. What is rolled back may wake them too; they read again, and find the value as it was.
///
/// It has identity because it keeps the observers of one connection.
final class ValueObservers {
  /// What is written to a table.
  private struct Event: Hashable {
    var table: String
    /// The columns that an UPDATE sets; all if there are none. Nil for INSERT and DELETE.
    var columns: Set<String>?
  }

  private struct Trigger {
    var number: Int64
    var users = 0
    /// The names of its triggers.
    var names: [String]
  }

  private struct Observer {
    var region: ReadRegion?
    var events: Set<Event> = []
    /// True if any commit may change what it reads.
    var isOfEverything = true
    var wake: () -> Void
  }

  private unowned let connection: SQLiteConnection
  private var observers: [Int: Observer] = [:]
  private var triggers: [Event: Trigger] = [:]
  private var written: Set<Int64> = []
  private var lastNumber = 0
  private var obsolete: [String] = []

  private static let function = "_schemakit_written"

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    try connection.install(function: Self.function, arity: 1) { [weak self] values in
      if let number = values.first?.integer { self?.written.insert(number) }
      return .null
    }
  }

  /// True if nobody observes.
  var isEmpty: Bool { observers.isEmpty }

  /// Adds an observer, which is woken after each commit until it says what it reads, and returns its number.
  func add(_ wake: @escaping () -> Void) -> Int {
    lastNumber += 1
    observers[lastNumber] = Observer(wake: wake)
    return lastNumber
  }

  /// Says what an observer reads from now on; returns true if a commit since it was read may have gone unnoticed.
  func observe(_ region: ReadRegion, for number: Int) throws -> Bool {
    guard var observer = observers[number], observer.region != region else { return false }
    let events = try events(of: region)
    for event in (events ?? []).subtracting(observer.events) { try install(event) }
    let (former, missesNone) = (observer.events, observer.isOfEverything)
    (observer.region, observer.events, observer.isOfEverything) = (region, events ?? [], events == nil)
    observers[number] = observer
    for event in former.subtracting(observer.events) { release(event) }
    return !missesNone
  }

  /// Removes an observer.
  func remove(_ number: Int) {
    guard let observer = observers.removeValue(forKey: number) else { return }
    for event in observer.events { release(event) }
    if !connection.isInTransaction { dropObsolete() }
  }

  /// Wakes those whose tables a commit has written.
  func tell() {
    if !obsolete.isEmpty { dropObsolete() }
    let written = written
    self.written = []
    for observer in observers.values
    where observer.isOfEverything || observer.events.contains(where: { isWritten($0, written) }) { observer.wake() }
  }

  /// Wakes everybody, since others have committed.
  func tellExternal() {
    for observer in observers.values { observer.wake() }
  }

  private func isWritten(_ event: Event, _ written: Set<Int64>) -> Bool {
    triggers[event].map { written.contains($0.number) } ?? false
  }

  // MARK: - What is watched

  /// The events that may change what a region gives; nil if no trigger tells of all of them.
  private func events(of region: ReadRegion) throws -> Set<Event>? {
    guard !region.hasMore else { return nil }
    var events: Set<Event> = []
    for (table, columns) in region.tables {
      let row = try connection.rows(
        "SELECT type, rootpage, sql FROM main.sqlite_master WHERE name = ?1 AND type IN ('table', 'view')",
        [.text(table)]
      ).first
      // The tables of a view are read as well; functions that give tables, such as json_each, store nothing.
      guard let row, row[0].text == "table" else {
        if table.lowercased().hasPrefix("sqlite_") { return nil }
        continue
      }
      guard row[1].integer != 0, !table.lowercased().hasPrefix("sqlite_") else { return nil }
      events.insert(Event(table: table, columns: nil))
      if !columns.isEmpty { events.insert(Event(table: table, columns: try settable(columns, of: table))) }
    }
    return events
  }

  /// The columns by which an UPDATE tells that it sets one of some; none if any column may change them.
  private func settable(_ columns: Set<String>, of table: String) throws -> Set<String> {
    let info = try connection.rows("SELECT name, hidden FROM pragma_table_xinfo(?1)", [.text(table)])
    let plain = Set(info.filter { $0[1].integer == 0 }.compactMap { $0[0].text })
    return columns.isSubset(of: plain) ? columns : []
  }

  private func install(_ event: Event) throws {
    if triggers[event] == nil {
      guard !connection.isInTransaction else { throw RecordError(.insideTransaction("values")) }
      lastNumber += 1
      let columns = event.columns?.sorted().map(SQLQuoting.identifier).joined(separator: ", ")
      let clauses = columns.map { [$0.isEmpty ? "UPDATE" : "UPDATE OF \($0)"] } ?? ["INSERT", "DELETE"]
      let names = clauses.indices.map { "_schemakit_values_\(lastNumber)_\($0)" }
      try connection.savepoint {
        for (name, clause) in zip(names, clauses) {
          try connection.execute(
            "CREATE TEMP TRIGGER \(name) AFTER \(clause) ON main.\(SQLQuoting.identifier(event.table)) "
              + "BEGIN SELECT \(Self.function)(\(lastNumber)); END")
        }
      }
      triggers[event] = Trigger(number: Int64(lastNumber), names: names)
    }
    triggers[event]?.users += 1
  }

  private func release(_ event: Event) {
    triggers[event]?.users -= 1
    guard let trigger = triggers[event], trigger.users == 0 else { return }
    triggers[event] = nil
    obsolete += trigger.names
  }

  /// Inside a transaction a DROP may be rolled back, and while a statement reads it is refused: then it is tried later.
  private func dropObsolete() {
    obsolete = obsolete.filter { (try? connection.execute("DROP TRIGGER IF EXISTS temp.\($0)")) == nil }
  }
}
