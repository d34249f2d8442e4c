import SQLiteSchema

extension Session {
  /// Migrates a database on a server to the schema, and works with its objects.
  ///
  /// ```swift
  /// let connection = try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
  /// let session = try Session(onServer: connection, schema: NotesModels.schema)
  /// let note = try session.save(Note(id: nil, title: "Milk"))
  /// ```
  ///
  /// Statements are compiled by SQLite in this process, against an empty copy of the server's schema, and run on the server.
  /// Where the connection is lost, what was open is rolled back and the call throws ``RemoteError``; nothing is run again by
  /// itself. Work that needs a file throws `RemoteError.Unsupported.onlyWithFile`: attachments, observers, functions and
  /// collations in Swift, backups, keys.
  ///
  /// *Cost:* reads the schema. Later, a request to the server for each statement, and for each BEGIN and COMMIT. All rows of
  /// a query are in memory at once.
  ///
  /// - Parameter connection: Used by the session alone from now on, and closed by ``close()``.
  /// - Throws: As ``init(at:schema:configure:)``, and ``RemoteError``.
  public convenience init(
    onServer connection: any ServerConnection, schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configure(&configuration)
    if let work = configuration.localWork {
      throw RemoteError(reason: .unsupported(.onlyWithFile(work)))
    }
    let report = try Self.migrate(connection, to: schema, configuration)
    try connection.execute("PRAGMA foreign_keys = ON")
    let front = try ServerFront(connection, traits: ServerFront.Traits.init(of:)) { connection in
      try CatalogClone(of: connection, schema: SchemaReader.read(connection)).connection
    }
    front.trace = configuration.trace
    try self.init(on: SQLiteConnection(onServer: front), schema: schema, openReport: report)
  }

  private static func migrate(
    _ connection: any ServerConnection, to schema: ModelSchema, _ configuration: Configuration
  ) throws -> OpenReport {
    let declaration = try schema.declaration()
    let digest = schema.known.digest(of: declaration) + configuration.undeclaredColumns.digestMark
    if try isWarm(connection, declaration, digest: digest) { return .warm }
    let target = configuration.target(try SchemaLoader(source: schema.name).load(declaration).target)
    let database = RemoteDatabase(over: connection)
    var (request, isAllowed) = configuration.request(to: target, over: connection)
    request.plan.profile = database.planProfile
    let newer = try database.retrying { [request] in
      try newerFile(Change(over: connection, to: target, request), SchemaReader.read(connection), configuration)
    }
    if let newer { return newer }
    if isAllowed { return .compared(try database.migrate(to: target, request)) }
    let plan = try database.retrying { try Change(over: connection, to: target, request).plan() }
    guard plan.isEmpty else { throw PlanError(reason: .pending(plan)) }
    return .compared(ApplyReport(plan: plan, outcome: .unchanged, milliseconds: 0))
  }
}

extension Configuration {
  /// The first setting that needs a file; nil if none does.
  fileprivate var localWork: RemoteError.LocalWork? {
    if let work = migration.permission.localWork { return work }
    if phase != .complete { return .phases }
    if case .never = backup {} else { return .backup }
    if !functions.isEmpty { return .functions }
    if !collations.isEmpty { return .collations }
    if key != nil { return .encryption }
    if seedFile != nil { return .seedFile }
    if openParameters != OpenParameters() { return .openParameters }
    if busyHandler != nil || busyTimeout != Configuration().busyTimeout { return .waitingForLocks }
    if isReadOnly { return .readOnly }
    if !trustsSchema { return .untrustedSchema }
    return trace?.showsValues == true ? .tracedValues : nil
  }
}

extension ServerFront.Traits {
  /// Reads them from a statement that SQLite has compiled.
  fileprivate init(of sql: String) {
    guard let tokens = try? SQLLexer.tokens(of: sql), let first = tokens.first else { return }
    hasAsterisk = zip([nil] + tokens, tokens).contains { before, token in
      // That of count(*) and of a product names no columns.
      guard token.isSymbol("*"), let before else { return false }
      return before.isSymbol(".") || before.isSymbol(",") || before.kind == .word && !before.isName
    }
    rollsBack = first.isKeyword("ROLLBACK")
    changesSchema = ["CREATE", "DROP", "ALTER", "ROLLBACK", "PRAGMA", "REINDEX", "ANALYZE"].contains {
      first.isKeyword($0)
    }
    guard let verb = Self.verb(of: tokens) else { return }
    changesRows = true
    guard tokens[verb].isKeyword("INSERT") || tokens[verb].isKeyword("REPLACE") else { return }
    guard let into = tokens[verb...].firstIndex(where: { $0.isKeyword("INTO") }) else { return }
    let rest = tokens[(into + 1)...]
    let name = rest.dropFirst().first?.isSymbol(".") == true ? rest.dropFirst(2).first?.name : rest.first?.name
    guard let name else { return }
    rowIDs = "SELECT rowid FROM main.\(SQLQuoting.identifier(name.text))"
    mayUpdate = zip(rest, rest.dropFirst()).contains { $0.isKeyword("DO") && $1.isKeyword("UPDATE") }
  }

  /// Where INSERT, REPLACE, UPDATE or DELETE stands, after common table expressions.
  private static func verb(of tokens: [SQLToken]) -> Int? {
    let verbs = ["INSERT", "REPLACE", "UPDATE", "DELETE"]
    if verbs.contains(where: { tokens[0].isKeyword($0) }) { return 0 }
    guard tokens[0].isKeyword("WITH") else { return nil }
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      guard depth == 0 else { continue }
      if token.isKeyword("SELECT") || token.isKeyword("VALUES") { return nil }
      if verbs.contains(where: { token.isKeyword($0) }) { return index }
    }
    return nil
  }
}
