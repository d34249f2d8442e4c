import SQLiteSchema

/// Wakes the observers of values, once a commit may have changed what they read.
///
/// TEMP triggers on the tables that are read note which of them a statement writes, and of an UPDATE only if it sets a column
/// that is read, or one of a unique key: `OR REPLACE` may delete another row then, for which
/// [no trigger fires](https://sqlite.org/lang_conflict.html). Where rows are read by their key, the triggers note the keys
/// that are written. What is rolled back may wake observers too; they read again, and find the value as it was.
///
/// It has identity because it keeps the observers of one connection.
final class ValueObservers {
  /// A kind of writing to a table, with the triggers that tell of it.
  private struct Event: Hashable {
    var table: String
    var clauses: [Clause]
  }

  /// A trigger of an event.
  private struct Clause: Hashable {
    var time = "AFTER"
    var event: String
    var condition = ""
    /// The keys that it tells, each as the rest of a query that calls the function; it tells only of the table without any.
    var keys = [")"]

    func statement(creating name: String, on table: String, telling number: Int) -> String {
      let body = keys.map { "SELECT \(ValueObservers.function)(\(number)\($0);" }.joined(separator: " ")
      return "CREATE TEMP TRIGGER \(name) \(time) \(event) ON \(table) \(condition) BEGIN \(body) END"
    }
  }

  /// Rows of a table: those that an observer reads, or those that were written.
  private enum Rows {
    case all
    case keys(Set<[SQLValue]>)

    /// Keys above this number are not remembered.
    static let most = 1000

    func meets(_ other: Rows) -> Bool {
      guard case .keys(let one) = self, case .keys(let two) = other else { return true }
      return !one.isDisjoint(with: two)
    }

    mutating func insert(_ key: [SQLValue]) {
      guard case .keys(var keys) = self else { return }
      self = .all
      guard !key.isEmpty, keys.count < Self.most else { return }
      keys.insert(key)
      self = .keys(keys)
    }
  }

  /// The triggers of an event, as long as anybody uses them.
  private struct Triggers {
    var number: Int64
    var users = 0
    var names: [String]
  }

  private struct Observer {
    var region: ReadRegion?
    /// The events that may change its value, with the rows that it reads; nil if any commit may.
    var events: [Event: Rows]?
    var wake: () -> Void
  }

  private unowned let connection: SQLiteConnection
  private var observers: [Int: Observer] = [:]
  private var triggers: [Event: Triggers] = [:]
  private var written: [Int64: Rows] = [:]
  private var lastNumber = 0
  private var obsolete: [String] = []
  private var schemaVersion: Int64?

  private static let function = "_schemakit_written"

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    schemaVersion = try connection.pragmaInteger("main.schema_version")
    try connection.install(function: Self.function, arity: -1) { [weak self] values in
      if let number = values.first?.integer {
        self?.written[number, default: .keys([])].insert(values.dropFirst().map(\.asNumber))
      }
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
    observer.events = try events(of: region).flatMap { install($0) ? $0 : nil }
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
    self.written = [:]
    for observer in observers.values
    where observer.events?.contains(where: { isWritten($0, $1, written) }) ?? true { observer.wake() }
  }

  /// Wakes everybody, since others have committed.
  func tellExternal() {
    followSchema()
    for observer in observers.values { observer.wake() }
  }

  private func isWritten(_ event: Event, _ rows: Rows, _ written: [Int64: Rows]) -> Bool {
    triggers[event].map { written[$0.number]?.meets(rows) ?? false } ?? true
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

  /// The events that may change what a region gives, with the rows of each; nil if no trigger tells of all of them.
  private func events(of region: ReadRegion) throws -> [Event: Rows]? {
    guard !region.hasMore else { return nil }
    var events: [Event: Rows] = [:]
    for (name, columns) in region.tables where !Self.unwritten.contains(name.lowercased()) {
      switch try object(name) {
      case .view: continue
      case .table(let table): for event in try self.events(reading: columns, of: table) { events[event] = .all }
      case nil: return nil
      }
    }
    for (name, rows) in region.rows {
      guard case .table(let table) = try object(name) else { return nil }
      if let event = try event(reading: rows, of: table) {
        events[event] = .keys(rows.values)
      } else {
        for event in try self.events(reading: rows.columns, of: table) { events[event] = .all }
      }
    }
    return events
  }

  private enum Object {
    case table(String)
    /// The tables of a view are read as well.
    case view
  }

  /// Returns the table or view that a query means by a name; nil if triggers cannot tell of every write to it.
  private func object(_ name: String) throws -> Object? {
    let objects = try connection.rows(
      "SELECT type, name, rootpage FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
      [.text(name)])
    guard let object = objects.first, let table = object[1].text, !table.lowercased().hasPrefix("sqlite_") else {
      return nil
    }
    if object[0].text == "view" { return .view }
    return object[2].integer != 0 ? .table(table) : nil
  }

  private func events(reading columns: Set<String>, of table: String) throws -> [Event] {
    [
      Event(table: table, clauses: [Clause(event: "INSERT"), Clause(event: "DELETE")]),
      Event(table: table, clauses: try updates(setting: columns, of: table)),
    ]
  }

  /// The event by which triggers tell the keys that are written; nil where two keys may mean one row, or where a statement
  /// may delete a row of another key.
  private func event(reading rows: ReadRegion.Rows, of table: String) throws -> Event? {
    let columns = try connection.rows("SELECT name, type, hidden, pk FROM pragma_table_xinfo(?1)", [.text(table)])
    let unique = try connection.rows(
      """
      SELECT l.origin, x.coll FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS x WHERE l."unique" AND x.key
      """, [.text(table)])
    let key = columns.filter { $0[3].integer != 0 }
    guard Set(key.compactMap { $0[0].text }) == Set(rows.key), key.count == rows.key.count,
      unique.allSatisfy({ $0[0].text == "pk" && $0[1].text == "BINARY" })
    else { return nil }
    let affinities = rows.key.map { name in
      Affinity(declaredType: key.first { $0[0].text == name }?[1].text, isStrict: false)
    }
    guard rows.values.allSatisfy({ zip($0, affinities).allSatisfy { $0.isFound(under: $1) } }) else { return nil }
    let names = rows.key.map(SQLQuoting.identifier)
    func told(_ row: String) -> String { names.map { ", \(row).\($0)" }.joined() + ")" }
    let plain = Set(columns.filter { $0[2].integer == 0 }.compactMap { $0[0].text })
    let set = rows.columns.union(rows.key)
    let updated =
      set.isSubset(of: plain) ? " OF \(set.sorted().map(SQLQuoting.identifier).joined(separator: ", "))" : ""
    var clauses = [
      Clause(event: "INSERT", keys: [told("new")]), Clause(event: "DELETE", keys: [told("old")]),
      Clause(event: "UPDATE\(updated)", keys: [told("old"), told("new")]),
    ]
    guard let rowID = rowID(of: table, Set(columns.compactMap { $0[0].text })) else {
      return Event(table: table, clauses: clauses)
    }
    let isMoved = "WHEN old.\(rowID) IS NOT new.\(rowID)"
    if unique.isEmpty {
      clauses.append(Clause(event: "UPDATE", condition: isMoved, keys: [told("old"), told("new")]))
    } else {
      // A row of another key may be replaced by its rowid.
      let rows = "main.\(SQLQuoting.identifier(table))"
      let replaced = names.map { ", \($0)" }.joined() + ") FROM \(rows) WHERE \(rowID) = new.\(rowID)"
      clauses.append(Clause(event: "UPDATE", condition: isMoved))
      clauses.append(Clause(time: "BEFORE", event: "INSERT", keys: [replaced]))
    }
    return Event(table: table, clauses: clauses)
  }

  /// A name of the rowid, which no UPDATE OF knows; nil for a table that uses them all for columns, and one without rowids.
  private func rowID(of table: String, _ columns: Set<String>) -> String? {
    let taken = Set(columns.map { $0.lowercased() })
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else { return nil }
    let rows = "main.\(SQLQuoting.identifier(table))"
    return (try? connection.rows("SELECT \(name) FROM \(rows) LIMIT 0")) == nil ? nil : name
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
    if let rowID = rowID(of: table, Set(info.compactMap { $0[0].text })) {
      clauses.append(Clause(event: "UPDATE", condition: "WHEN old.\(rowID) IS NOT new.\(rowID)"))
    }
    return clauses
  }

  /// Adds the triggers of some events; false if a transaction or the table stands against one.
  private func install(_ events: [Event: Rows]) -> Bool {
    var installed: [Event: Rows] = [:]
    for (event, rows) in events {
      guard triggers[event] != nil || (!connection.isInTransaction && (try? create(event)) != nil) else {
        release(installed)
        return false
      }
      triggers[event]?.users += 1
      installed[event] = rows
    }
    return true
  }

  private func create(_ event: Event) throws {
    lastNumber += 1
    let table = "main.\(SQLQuoting.identifier(event.table))"
    let names = event.clauses.indices.map { "_schemakit_values_\(lastNumber)_\($0)" }
    try connection.savepoint {
      for (name, clause) in zip(names, event.clauses) {
        try connection.execute(clause.statement(creating: name, on: table, telling: lastNumber))
      }
    }
    triggers[event] = Triggers(number: Int64(lastNumber), names: names)
  }

  private func release(_ events: [Event: Rows]?) {
    for event in (events ?? [:]).keys {
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

extension SQLValue {
  /// True if a search for the value finds it alone, as it is or as the same number of another class.
  fileprivate func isFound(under affinity: Affinity) -> Bool {
    switch self {
    case .integer: affinity != .text
    case .text: affinity == .text || affinity == .blob
    case .blob: true
    case .real, .null: false
    }
  }

  /// The value, as an integer if it is a whole number.
  fileprivate var asNumber: SQLValue {
    if case .real(let number) = self, let whole = Int64(exactly: number) { .integer(whole) } else { self }
  }
}
