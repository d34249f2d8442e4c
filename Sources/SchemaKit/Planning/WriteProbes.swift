import OrderedCollections

/// Compiles a SELECT from every view and an INSERT, UPDATE and DELETE on every table, to find views and triggers that
/// a change has broken before anyone's next write does.
///
/// SQLite compiles triggers only when a statement fires them, so a trigger that reads a dropped column survives the
/// change and fails later.
///
/// *Cost:* compiles statements; runs none.
struct WriteProbes {
  let connection: any SQLConnection
  /// True if an unmatched name in double quotes is a string literal, as it is for the programs that use the file.
  var allowsDoubleQuotedText = true

  /// The object and action that a probe is about.
  struct Probe: Sendable, Hashable {
    var object: SQLName
    var action: String
  }

  /// The reason a probe fails.
  struct Failure: Sendable, Hashable {
    /// SQLite's error.
    var message: String
    /// The function, collation or module that this program lacks and another may have, as text: then nothing is known about the
    /// probe.
    var lacked: String?
    /// True if an expression that reads the clock is computed for rows that are there, too; nil for any other failure.
    var clockIsReadForRows: Bool?
    /// True if SQLite could not hold the statement.
    var isOutOfMemory = false

    /// SQLite calls a statement that is compiled to too many instructions out of memory.
    func explained(by profile: EngineProfile?) -> Failure {
      guard isOutOfMemory, let limits = profile?.limits else { return self }
      var failure = self
      failure.message =
        "it takes more than the \(limits.instructions) instructions of \(profile?.name?.rawValue ?? "the engine")"
      return failure
    }

    init(_ clock: ClockReads.Finding) {
      message = clock.problem
      clockIsReadForRows = clock.isComputedForRows
    }

    init(_ error: any Error) {
      let error = error as? SQLiteError
      message = error?.message ?? "it cannot be compiled"
      isOutOfMemory = error?.isOutOfMemory == true
      lacked = error?.lackedStub.map { "\($0.kind.rawValue) \($0.name)" } ?? error?.lackedModule.map { "module \($0)" }
    }
  }

  /// Returns the probes that fail.
  ///
  /// - Parameter objects: The tables and views to probe; nil for all.
  func failures(in schema: DatabaseSchema, objects: Set<SQLName>? = nil) -> [Probe: Failure] {
    let local = connection as? any LocalEngine
    let allowed = try? local?.allowsDoubleQuotedQueries
    try? local?.setAllowsDoubleQuotedQueries(allowsDoubleQuotedText)
    defer { if let allowed { try? local?.setAllowsDoubleQuotedQueries(allowed) } }
    var failures: [Probe: Failure] = [:]
    func probe(_ object: SQLName, _ action: String, _ sql: String) {
      do {
        try connection.prepareOnly(sql)
      } catch {
        failures[Probe(object: object, action: action)] = Failure(error)
      }
    }
    for table in schema.tables.values where objects?.contains(table.name) ?? true {
      let name = "\"main\".\(table.name.quoted)"
      probe(table.name, "INSERT", "EXPLAIN INSERT INTO \(name) DEFAULT VALUES")
      let insert = Probe(object: table.name, action: "INSERT")
      if failures[insert] == nil, let clock = ClockReads.finding(in: table, indexes: schema.indexes(on: table.name)) {
        failures[insert] = Failure(clock)
      }
      let columns = table.writableColumns.map { "\($0.name.quoted) = \($0.name.quoted)" }.joined(separator: ", ")
      if !columns.isEmpty { probe(table.name, "UPDATE", "EXPLAIN UPDATE \(name) SET \(columns)") }
      probe(table.name, "DELETE", "EXPLAIN DELETE FROM \(name)")
    }
    for view in schema.views.values where objects?.contains(view.name) ?? true {
      let name = "\"main\".\(view.name.quoted)"
      probe(view.name, "SELECT", "EXPLAIN SELECT * FROM \(name)")
      let events = Set(schema.triggers(on: view.name).map(\.event))
      if events.contains("INSERT") { probe(view.name, "INSERT", "EXPLAIN INSERT INTO \(name) DEFAULT VALUES") }
      if events.contains("DELETE") { probe(view.name, "DELETE", "EXPLAIN DELETE FROM \(name)") }
      if events.contains("UPDATE"), let column = try? firstColumn(of: view.name) {
        probe(view.name, "UPDATE", "EXPLAIN UPDATE \(name) SET \(column.quoted) = \(column.quoted)")
      }
    }
    return failures
  }

  /// The tables and views that a change of some tables could break: those tables, their parents and children, whatever
  /// has triggers, and every view.
  ///
  /// An index counts as its table: a foreign key may require a unique one. A table without triggers and without such
  /// relatives compiles to the same program before and after.
  static func suspects(in schema: DatabaseSchema, touching objects: Set<SQLName>) -> Set<SQLName> {
    let touched = objects.union(objects.compactMap { schema.indexes[$0]?.table })
    var suspects = touched.union(schema.views.keys).union(schema.triggers.values.map(\.table))
    for table in schema.tables.values {
      let parents = table.foreignKeys.map(\.parent)
      if touched.contains(table.name) { suspects.formUnion(parents) }
      if parents.contains(where: { touched.contains($0) }) { suspects.insert(table.name) }
    }
    return suspects
  }

  private func firstColumn(of view: SQLName) throws -> SQLName? {
    try connection.rows("PRAGMA main.table_xinfo(\(view.quoted))").first?[1].text.map { SQLName($0) }
  }
}
