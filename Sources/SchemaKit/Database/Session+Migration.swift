import Logging
import OrderedCollections
import SchemaKitFoundation

extension Session {
  /// Migrates a connection's database to the declared schema, as far as the configuration allows.
  static func bring(
    _ connection: SQLiteConnection, to schema: ModelSchema, configuration: Configuration
  ) throws -> OpenReport {
    try connection.sharingAdditions { try migrate(connection, to: schema, configuration: configuration) }
  }

  private static func migrate(
    _ connection: SQLiteConnection, to schema: ModelSchema, configuration: Configuration
  ) throws -> OpenReport {
    let steps = try configuration.migration.permission.applySteps(to: connection, for: schema, configuration)
    let report = try compareUnlessKnown(connection, with: schema, configuration: configuration)
    return steps.isEmpty ? report : .recorded(steps)
  }

  private static func compareUnlessKnown(
    _ connection: SQLiteConnection, with schema: ModelSchema, configuration: Configuration
  ) throws -> OpenReport {
    let declaration = try schema.declaration()
    let digest = schema.known.digest(of: declaration) + configuration.undeclaredColumns.digestMark
    if try isWarm(connection, declaration, digest: digest, configuration.phase) { return .warm }
    if let report = try verbatim(connection, declaration, digest: digest, configuration) { return report }
    return try schema.withRowFunctions(on: connection) {
      do {
        return try compare(connection, with: schema, declaration, configuration)
      } catch let error as HistoryError {
        guard case .olderProgramWrites = error.reason else { throw error }
        // It is served until it has been quiet for long enough.
        var configuration = configuration
        configuration.phase = .complete
        configuration.logger.notice("\(error)")
        return try compare(connection, with: schema, declaration, configuration)
      }
    }
  }

  /// The report for a file that has everything with exactly the declared SQL; nil if it must be compared.
  private static func verbatim(
    _ connection: SQLiteConnection, _ declaration: SchemaDeclaration, digest: String, _ configuration: Configuration
  ) throws -> OpenReport? {
    let start = WorkClock.now
    let permission = configuration.migration.permission
    guard permission.takesSameText else { return nil }
    let isWritten = permission.mayWrite && !configuration.isReadOnly
    guard try Ledger(connection: connection).expansion(of: declaration.name) == nil else { return nil }
    let check = VerbatimCheck(connection, declaration, digest: digest)
    guard let found = try check.find(areRowsExamined: !configuration.isQuick) else { return nil }
    if isWritten {
      try configuration.onPlan(found.plan)
      let isCurrent = try connection.withCancellation(check: configuration.isCancelled) { try check.remember(found) }
      guard isCurrent else { return nil }
    }
    return .compared(ApplyReport(plan: found.plan, outcome: .unchanged, milliseconds: start.milliseconds))
  }

  private static func compare(
    _ connection: SQLiteConnection, with schema: ModelSchema, _ declaration: SchemaDeclaration,
    _ configuration: Configuration
  ) throws -> OpenReport {
    let known =
      try declaration.concerned(on: connection).map { try KnownCatalog(connection, concerning: $0) }
      ?? KnownCatalog(connection)
    let loaded = try SchemaLoader(source: schema.name).load(declaration, known: known.schema)
    for note in loaded.notes { configuration.logger.notice("\(note)") }
    let target = configuration.target(loaded.target)
    let expansion = try Ledger(connection: connection).expansion(of: target.name)
    let ended = expansion.map { expansion in
      target.contracting(
        Dictionary(uniqueKeysWithValues: expansion.formerNames.map { (SQLName($0), Set($1.keys.map { SQLName($0) })) }),
        in: known.schema)
    }
    var (request, isAllowed) = configuration.request(to: target, over: connection, ending: ended)
    isAllowed = isAllowed && !configuration.isReadOnly
    request.known = known
    // A program that may change nothing uses the file as it is.
    request.phase = expansion != nil && !isAllowed ? .prepare : configuration.phase
    request.runDataStep = schema.dataStepRunner(over: connection, configuration: configuration)
    request.copy = configuration.copy(of: connection)
    let change = Change(over: connection, to: target, request)
    if let newer = try newerFile(change, known.schema, configuration) { return newer }
    guard isAllowed else {
      let plan = try change.plan()
      guard plan.isEmpty else { throw PlanError(reason: .pending(plan)) }
      return .compared(ApplyReport(plan: plan, outcome: .unchanged, milliseconds: 0))
    }
    return .compared(
      try connection.withCancellation(check: configuration.isCancelled) { try change.apply() })
  }

  /// Returns the report for a file that is ahead of the declared schema; nil if it is not.
  static func newerFile(
    _ change: Change, _ file: DatabaseSchema, _ configuration: Configuration
  ) throws -> OpenReport? {
    do {
      try change.refuseNewerFile()
      return nil
    } catch let error as HistoryError {
      guard case .newerFile = error.reason, case .openAsIs = configuration.newerFile,
        file.serves(change.target.schema)
      else { throw error }
      configuration.logger.notice("\(error)")
      return .newer(error)
    }
  }

  /// True if the ledger says that this very declaration was applied to this very schema. A conversion that was never
  /// done requires a comparison, which reports it.
  static func isWarm(
    _ connection: any SQLConnection, _ declaration: SchemaDeclaration, digest: String,
    _ phase: MigrationPhase = .complete
  ) throws -> Bool {
    let sql = """
      SELECT declaration, cookie FROM main._schemakit_schemas WHERE name = ?1 \
      AND (SELECT value FROM main._schemakit_meta WHERE key = 'format') <= \(Ledger.format)
      """
    do {
      let cookie = try connection.integer("PRAGMA main.schema_version")
      guard let row = try connection.rows(sql, [.text(declaration.name)]).first else {
        return false
      }
      let ledger = Ledger(connection: connection)
      let isLast = row[0].text == digest && row[1].integer == cookie
      let expansion = try ledger.expansion(of: declaration.name)
      if let expansion {
        var isContracting = phase == .complete && !expansion.servesOlder
        if case .contract = phase { isContracting = true }
        return !isContracting && expansion.cookie == cookie && expansion.declarations.contains(digest)
      }
      return try isLast && ledger.areApplied(declaration.hints, of: declaration.name)
    } catch let error as SQLiteError where error.isMissingName {
      // If one of our tables lacks a column, the comparison of the file examines it.
      return false
    }
  }
}

extension SchemaDeclaration {
  /// The tables and views that the declared objects are or belong to, and all that may be dropped; nil if a statement
  /// does not say what it is about.
  fileprivate func concerned(on connection: SQLiteConnection) throws -> Set<SQLName>? {
    var names = try Ledger(connection: connection).record(of: name)?.ownedObjects ?? []
    names.formUnion(hints.removedTables)
    for statement in statements {
      guard let table = statement.table ?? (try? SQLParser.create(statement.sql))?.table else { return nil }
      names.insert(table)
    }
    return names
  }
}

extension KnownDeclaration {
  /// The digest of the declaration, computed once.
  func digest(of declaration: SchemaDeclaration) -> String { digest { declaration.digest } }
}

extension DatabaseSchema {
  /// True if a program that declares another schema finds its tables and columns here.
  fileprivate func serves(_ declared: DatabaseSchema) -> Bool {
    declared.tables.values.allSatisfy { table in
      guard let present = self.table(table.name) else { return false }
      return table.columns.allSatisfy { present.column($0.name)?.affinity == $0.affinity }
    }
  }
}
