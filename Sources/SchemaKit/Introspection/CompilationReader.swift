import OrderedCollections

/// Has SQLite's compiler check the views and triggers of a schema, in an empty database created from it.
///
/// Collating sequences and functions that this process lacks are stubbed there: users of the schema may have them.
///
/// *Cost:* creates the schema in memory, and compiles a statement or two for each view and trigger.
package struct CompilationReader {
  private let schema: DatabaseSchema
  private let connection: SQLiteConnection
  /// The objects that could not be created, such as virtual tables of a module that is not loaded.
  private let missing: Set<SQLName>

  /// SQLite's errors for the views and triggers of a schema, and for expressions that read the clock.
  package static func faults(of schema: DatabaseSchema) throws -> [CompilationFault] {
    let clocks = schema.tables.values.compactMap { table in
      ClockReads.finding(in: table, indexes: schema.indexes(on: table.name)).map {
        CompilationFault(kind: .table, name: table.name, table: table.name, cause: .doesNotCompile, problem: $0.problem)
      }
    }
    guard !schema.views.isEmpty || !schema.triggers.isEmpty else { return clocks }
    return try clocks + CompilationReader(schema, withTriggers: true).faults()
  }

  private init(_ schema: DatabaseSchema, withTriggers: Bool) throws {
    self.schema = schema
    let connection = try SQLiteConnection.memory()
    try connection.installCollationStubs()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.setAllowsDoubleQuotedText(true)
    var missing: Set<SQLName> = []
    func create(_ sql: String, _ name: SQLName) {
      if (try? connection.runStubbing(sql)) == nil { missing.insert(name) }
    }
    try connection.denyingDangerousStatements {
      try connection.transaction {
        for table in schema.tables.values { create(table.sql, table.name) }
        for table in schema.virtualTables.values { create(table.sql, table.name) }
        for index in schema.indexes.values { create(index.sql, index.name) }
        for view in schema.views.values { create(view.sql, view.name) }
        // A trigger that cannot be created is reported below.
        if withTriggers { for trigger in schema.triggers.values { try? connection.runStubbing(trigger.sql) } }
      }
    }
    self.connection = connection
    self.missing = missing
  }

  private func faults() throws -> [CompilationFault] {
    var faults: [CompilationFault] = []
    for view in schema.views.values {
      let probe = "EXPLAIN SELECT * FROM main.\(view.name.quoted)"
      if let (cause, problem) = try fault(in: probe) {
        faults.append(
          CompilationFault(kind: .view, name: view.name, table: view.name, cause: cause, problem: problem))
      }
    }
    let broken = Set(faults.filter { $0.cause == .doesNotCompile }.map(\.name))
    // Most triggers are valid, which a single check per table confirms.
    var suspects: [TriggerSchema] = []
    var probed: [String: Bool] = [:]
    for trigger in schema.triggers.values where !broken.contains(trigger.table) && !missing.contains(trigger.table) {
      guard let probe = try probe(trigger) else { continue }
      let isSuspect = try probed[probe] ?? (fault(in: probe) != nil)
      probed[probe] = isSuspect
      if isSuspect { suspects.append(trigger) }
    }
    guard !suspects.isEmpty else { return faults }
    let empty = try CompilationReader(schema, withTriggers: false)
    return faults + (try suspects.compactMap { try empty.fault(in: $0) })
  }

  /// The fault in a trigger, tested without any others: SQLite does not say which one an error is about.
  private func fault(in trigger: TriggerSchema) throws -> CompilationFault? {
    guard let probe = try probe(trigger) else { return nil }
    if let problem = problem(in: trigger.sql, isRun: true) { return fault(trigger, .doesNotCompile, problem) }
    let found = try fault(in: probe)
    try connection.run("DROP TRIGGER main.\(trigger.name.quoted)")
    // An error that also occurs without the trigger is not the trigger's fault.
    let isOwn = schema.views[trigger.table] != nil || problem(in: probe, isRun: false) == nil
    guard let (cause, problem) = found, isOwn else { return nil }
    return fault(trigger, cause, problem)
  }

  private func fault(
    _ trigger: TriggerSchema, _ cause: CompilationFault.Cause, _ problem: String
  ) -> CompilationFault {
    CompilationFault(kind: .trigger, name: trigger.name, table: trigger.table, cause: cause, problem: problem)
  }

  /// A statement that fires the trigger; nil if there is no column to update.
  private func probe(_ trigger: TriggerSchema) throws -> String? {
    let table = "main.\(trigger.table.quoted)"
    switch trigger.event {
    case "INSERT": return "EXPLAIN INSERT INTO \(table) DEFAULT VALUES"
    case "DELETE": return "EXPLAIN DELETE FROM \(table)"
    default:
      let columns =
        try schema.tables[trigger.table]?.writableColumns.map(\.name)
        ?? connection.rows("PRAGMA main.table_xinfo(\(trigger.table.quoted))").compactMap { row in
          row[1].text.map { SQLName($0) }
        }
      guard !columns.isEmpty else { return nil }
      return "EXPLAIN UPDATE \(table) SET \(columns.map { "\($0.quoted) = \($0.quoted)" }.joined(separator: ", "))"
    }
  }

  private func fault(in probe: String) throws -> (CompilationFault.Cause, String)? {
    if let problem = problem(in: probe, isRun: false) {
      return missing.contains { problem.contains($0.text) } ? nil : (.doesNotCompile, problem)
    }
    try connection.setAllowsDoubleQuotedQueries(false)
    defer { try? connection.setAllowsDoubleQuotedQueries(true) }
    return problem(in: probe, isRun: false).map { (.doubleQuotedText, $0) }
  }

  /// SQLite's error for a statement; nil if it is accepted.
  private func problem(in sql: String, isRun: Bool) -> String? {
    do {
      try connection.stubbing {
        if isRun { try connection.run(sql) } else { try connection.prepareOnly(sql) }
      }
      return nil
    } catch {
      return (error as? SQLiteError)?.message ?? "\(error)"
    }
  }
}
