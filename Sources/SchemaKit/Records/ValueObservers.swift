/// Wakes the observers of values, once a commit may have changed what they read.
///
/// TEMP triggers on the tables that are read note which of them a statement writes, and of an UPDATE only if it sets a column
/// that is read, or one of a unique key: `OR REPLACE` may delete another row then, for which
/// [no trigger fires](https://sqlite.org/lang_conflict.html). What is rolled back may wake them too; they read again, and
/// find the value as it was.
///
/// It has identity because it keeps the observers of one connection.
final class ValueObservers {
  /// A kind of writing to a table, with the triggers that tell of it.
  private struct Event: Hashable {
    var table: String
    var clauses: [Clause]
  }

  /// The words of a trigger before and after its table.
  private struct Clause: Hashable {
    var event: String
    var condition = ""
  }

  /// The triggers of an event, as long as anybody uses them.
  private struct Triggers {
    var number: Int64
    var users = 0
    var names: [String]
  }

  private struct Observer {
    var region: ReadRegion?
    /// The events that may change its value; nil if any commit may.
    var events: Set<Event>?
    var wake: () -> Void
  }

  private unowned let connection: SQLiteConnection
  private var observers: [Int: Observer] = [:]
  private var triggers: [Event: Triggers] = [:]
  private var written: Set<Int64> = []
  private var lastNumber = 0
  private var obsolete: [String] = []
  private var schemaVersion: Int64?

  private static let function = "_schemakit_written"

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    schemaVersion = try connection.pragmaInteger("main.schema_version")
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
    let former = observer.events
    observer.events = try events(of: region).flatMap { install($0) }
    // Without triggers the region stays unknown, so that the next read makes another attempt.
    observer.region = observer.events == nil ? nil : region
    observers[number] = observer
    release(former)
    return former != nil
  }

  /// Removes an observer.
  func remove(_ number: Int) {
    release(observers.removeValue(forKey: number)?.events)
    dropObsolete()
  }

  /// Wakes those whose tables a commit has written.
  func tell() {
    followSchema()
    dropObsolete()
    let written = written
    self.written = []
    for observer in observers.values
    where observer.events?.contains(where: { isWritten($0, written) }) ?? true { observer.wake() }
  }

  /// Wakes everybody, since others have committed.
  func tellExternal() {
    followSchema()
    for observer in observers.values { observer.wake() }
  }

  private func isWritten(_ event: Event, _ written: Set<Int64>) -> Bool {
    triggers[event].map { written.contains($0.number) } ?? true
  }

  /// Forgets the triggers once the schema is another: their tables may be gone.
  private func followSchema() {
    guard let version = try? connection.pragmaInteger("main.schema_version"), version != schemaVersion else { return }
    schemaVersion = version
    for number in observers.keys {
      release(observers[number]?.events)
      observers[number]?.region = nil
      observers[number]?.events = nil
    }
    dropObsolete()
  }

  // MARK: - What is watched

  /// Functions that give tables and store nothing, and the catalog, which changes only with the schema.
  private static let unwritten: Set<String> = [
    "json_each", "json_tree", "generate_series", "sqlite_master", "sqlite_schema",
  ]

  /// The events that may change what a region gives; nil if no trigger tells of all of them.
  private func events(of region: ReadRegion) throws -> Set<Event>? {
    guard !region.hasMore else { return nil }
    var events: Set<Event> = []
    for (name, columns) in region.tables where !Self.unwritten.contains(name.lowercased()) {
      let objects = try connection.rows(
        "SELECT type, name, rootpage FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
        [.text(name)])
      guard let object = objects.first, let table = object[1].text, !table.lowercased().hasPrefix("sqlite_") else {
        return nil
      }
      // The tables of a view are read as well.
      if object[0].text == "view" { continue }
      guard object[2].integer != 0 else { return nil }
      events.insert(Event(table: table, clauses: [Clause(event: "INSERT"), Clause(event: "DELETE")]))
      events.insert(Event(table: table, clauses: try updates(setting: columns, of: table)))
    }
    return events
  }

  /// The clauses of triggers for each UPDATE that may change some columns, or delete rows.
  private func updates(setting columns: Set<String>, of table: String) throws -> [Clause] {
    let info = try connection.rows("SELECT name, hidden FROM pragma_table_xinfo(?1)", [.text(table)])
    let keys = try connection.rows(
      """
      SELECT DISTINCT x.name FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS x
      WHERE l."unique" AND x.key
      """, [.text(table)])
    let plain = Set(info.filter { $0[1].integer == 0 }.compactMap { $0[0].text })
    let set = columns.union(keys.map { $0[0].text ?? "" })
    guard set.isSubset(of: plain) else { return [Clause(event: "UPDATE")] }
    let names = set.sorted().map(SQLQuoting.identifier).joined(separator: ", ")
    var clauses = set.isEmpty ? [] : [Clause(event: "UPDATE OF \(names)")]
    // The rowid has names that no UPDATE OF knows; a table that uses them all for columns, and one without rowids, has none.
    let taken = Set(info.compactMap { $0[0].text?.lowercased() })
    let rowID = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    let rows = "main.\(SQLQuoting.identifier(table))"
    if let rowID, (try? connection.rows("SELECT \(rowID) FROM \(rows) LIMIT 0")) != nil {
      clauses.append(Clause(event: "UPDATE", condition: "WHEN old.\(rowID) IS NOT new.\(rowID)"))
    }
    return clauses
  }

  /// Adds the triggers of some events; nil if a transaction or the table stands against one.
  private func install(_ events: Set<Event>) -> Set<Event>? {
    var installed: Set<Event> = []
    for event in events {
      guard triggers[event] != nil || (!connection.isInTransaction && (try? create(event)) != nil) else {
        release(installed)
        return nil
      }
      triggers[event]?.users += 1
      installed.insert(event)
    }
    return events
  }

  private func create(_ event: Event) throws {
    lastNumber += 1
    let names = event.clauses.indices.map { "_schemakit_values_\(lastNumber)_\($0)" }
    try connection.savepoint {
      for (name, clause) in zip(names, event.clauses) {
        try connection.execute(
          "CREATE TEMP TRIGGER \(name) AFTER \(clause.event) ON main.\(SQLQuoting.identifier(event.table)) "
            + "\(clause.condition) BEGIN SELECT \(Self.function)(\(lastNumber)); END")
      }
    }
    triggers[event] = Triggers(number: Int64(lastNumber), names: names)
  }

  private func release(_ events: Set<Event>?) {
    for event in events ?? [] {
      triggers[event]?.users -= 1
      guard let trigger = triggers[event], trigger.users == 0 else { continue }
      triggers[event] = nil
      obsolete += trigger.names
    }
  }

  /// Inside a transaction a DROP may be rolled back, and while a statement reads it is refused: then it is tried later.
  private func dropObsolete() {
    guard !connection.isInTransaction else { return }
    obsolete = obsolete.filter { (try? connection.execute("DROP TRIGGER IF EXISTS temp.\($0)")) == nil }
  }
}
