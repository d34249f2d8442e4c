import Logging
import OrderedCollections

extension Session {
  /// Brings a connection's database to the declared schema, as far as the configuration allows.
  static func bring(
    _ connection: SQLiteConnection, to schema: ModelSchema, configuration: Configuration
  ) throws -> OpenReport {
    let declaration = try schema.declaration()
    if try isWarm(connection, declaration: declaration) { return .warm }
    return try schema.withRowFunctions(on: connection) {
      try compare(connection, with: schema, declaration, configuration)
    }
  }

  private static func compare(
    _ connection: SQLiteConnection, with schema: ModelSchema, _ declaration: SchemaDeclaration,
    _ configuration: Configuration
  ) throws -> OpenReport {
    let known = try KnownCatalog(connection)
    let loaded = try SchemaLoader(source: schema.name).load(declaration, known: known.schema)
    for note in loaded.notes { configuration.logger.notice("\(note)") }
    var options = Migrator.Options()
    options.known = known
    options.program = configuration.program
    options.onProgress = configuration.onProgress
    options.isCancelled = configuration.isCancelled
    options.runDataStep = schema.dataStepRunner(over: connection, configuration: configuration)
    options.verification = configuration.verification
    options.isQuick = configuration.isQuick
    let mayMigrate = configuration.migration.grant(&options, for: loaded.target)
    let policy = options.policy
    var isCopied = false
    options.onPlan = { plan in
      if !plan.isEmpty { configuration.logger.debug("\(plan.summaryLines.joined(separator: "; "))") }
      try configuration.migration.check(plan, on: connection)
      try configuration.onPlan(plan)
      guard !isCopied, plan.refusals(under: policy).isEmpty else { return }
      isCopied = try copy(connection, before: plan, configuration)
    }
    let migrator = Migrator(connection: connection, target: loaded.target, options: options)
    guard mayMigrate, !configuration.isReadOnly else {
      if let newer = try newerFile(migrator, known.schema, configuration) { return newer }
      let plan = try migrator.plan()
      guard plan.isEmpty else { throw PlanError(reason: .pending(plan)) }
      return .compared(ApplyReport(plan: plan, outcome: .unchanged, milliseconds: 0))
    }
    if let newer = try newerFile(migrator, known.schema, configuration) { return newer }
    let report = try connection.withCancellation(check: configuration.isCancelled) { try migrator.migrate() }
    return .compared(report)
  }

  /// What to do with a file that has moved on from the declared schema; nil when it has not.
  private static func newerFile(
    _ migrator: Migrator, _ file: DatabaseSchema, _ configuration: Configuration
  ) throws -> OpenReport? {
    do {
      try migrator.refuseNewerFile()
      return nil
    } catch let error as HistoryError {
      guard case .newerFile = error.reason, case .openAsIs = configuration.newerFile,
        file.serves(migrator.target.schema)
      else { throw error }
      configuration.logger.notice("\(error)")
      return .newer(error)
    }
  }

  /// Copies the database before a plan changes it, where that is due. A database in memory has no copy.
  private static func copy(
    _ connection: SQLiteConnection, before plan: MigrationPlan, _ configuration: Configuration
  ) throws -> Bool {
    guard let path = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'main'")?.text,
      !path.isEmpty, try connection.integer("PRAGMA main.page_count") != 0,
      let file = MigrationBackup(configuration.backup).destination(for: plan, of: path)
    else { return false }
    try MigrationBackup.copy(connection, to: file)
    configuration.logger.notice("The database was copied to \(file).")
    return true
  }

  /// Whether the ledger says that this very declaration was applied to this very schema.
  private static func isWarm(_ connection: SQLiteConnection, declaration: SchemaDeclaration) throws -> Bool {
    let sql = """
      SELECT declaration, cookie FROM main._schemakit_schemas WHERE name = ?1 \
      AND (SELECT value FROM main._schemakit_meta WHERE key = 'format') <= \(Ledger.format)
      """
    do {
      let cookie = try connection.integer("PRAGMA main.schema_version")
      guard let row = try connection.rows(sql, [.text(declaration.name)]).first else { return false }
      return row[0].text == declaration.digest && row[1].integer == cookie
    } catch let error as SQLiteError where error.message.hasPrefix("no such ") {
      // A table of ours that lacks a column is looked at when the file is compared.
      return false
    }
  }
}

extension DatabaseSchema {
  /// Whether a program that declares another schema finds its tables and columns here.
  fileprivate func serves(_ declared: DatabaseSchema) -> Bool {
    declared.tables.values.allSatisfy { table in
      guard let present = self.table(table.name) else { return false }
      return table.columns.allSatisfy { present.column($0.name)?.affinity == $0.affinity }
    }
  }
}
