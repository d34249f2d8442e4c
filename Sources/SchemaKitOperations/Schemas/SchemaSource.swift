package import SchemaKitFoundation

/// The origin of a schema: SQL text, a database file, a snapshot or a folder of recorded migrations.
package enum SchemaSource: Sendable {
  /// SQL text with the name of its origin.
  case sql(String, source: String)
  /// Several such texts, which are one schema.
  case scripts([(text: String, source: String)])
  case database(path: String)
  case snapshot(Data, source: String)
  /// A folder of migrations; without a layout, that is recognised.
  case folder(path: String, layout: MigrationLayout? = nil)
  /// The first steps of such a folder.
  case steps([Migration])

  /// Determines what a path contains: a folder; a file that begins as SQLite files do, is empty or is no text; `.json`; else
  /// SQL, which must be UTF-8.
  ///
  /// - Throws: `SchemaError` if it does not exist or cannot be read.
  package static func at(path: String) throws(SchemaError) -> SchemaSource {
    guard FileManager.default.fileExists(atPath: path) else {
      throw SchemaError(source: path, problem: "there is no such file; a schema must exist")
    }
    if FileManager.default.folderExists(atPath: path) { return .folder(path: path) }
    // A pipe, such as <(command) of the shell, gives its text once.
    let isPipe = FileManager.default.pipeExists(atPath: path)
    let contents =
      isPipe ? FileManager.default.bytes(ofPipe: path).map { Data($0) } : FileManager.default.contents(atPath: path)
    guard let data = contents else {
      throw SchemaError(source: path, problem: "cannot be read; check its permissions")
    }
    if data.starts(with: Array("SQLite format 3".utf8)) {
      guard !isPipe else {
        throw SchemaError(source: path, problem: "a database cannot be read from a pipe; name its file")
      }
      return .database(path: path)
    }
    if path.hasSuffix(".json") {
      try MergeConflict.check(data, source: path)
      return .snapshot(data, source: path)
    }
    if !isPipe, let error = ProgramSchema.error(at: path, data) { throw error }
    if data.isEmpty, !isPipe, !path.hasSuffix(".sql") { return .database(path: path) }
    // An encrypted file begins with its salt; opening it says what is the matter.
    if !isPipe, !SourceText.isText(data) { return .database(path: path) }
    return .sql(try SourceText.read(data, source: path), source: path)
  }

  /// Loads the schema.
  ///
  /// - Parameters:
  ///   - known: The schema of the file that it will be compared with, if that has been read already.
  ///   - ignores: The objects that may be left out where this program lacks what creates them.
  package func load(
    known: DatabaseSchema? = nil, ignores: @escaping @Sendable (SQLName) -> Bool = { _ in false }
  ) throws -> SchemaLoader.Loaded {
    switch self {
    case .sql(let text, let source):
      let (declaration, notes) = try SQLSchemaParser.parse(text, source: source)
      var loaded = try SchemaLoader(source: source, ignores: ignores).load(declaration, known: known)
      loaded.notes = notes + loaded.notes
      return loaded
    case .scripts(let scripts):
      let (declaration, notes) = try SQLSchemaParser.parse(scripts)
      var loaded = try SchemaLoader(ignores: ignores).load(declaration, known: known)
      loaded.notes = notes + loaded.notes
      return loaded
    case .snapshot(let data, let source):
      if let room = try RoomSchema(data, source: source) { return try Self.load(room, known: known, ignores: ignores) }
      return try SchemaLoader(source: source, ignores: ignores).load(
        SchemaSnapshot.parse(data, source: source), known: known)
    case .database(let path): return SchemaLoader.Loaded(target: try Self.target(ofDatabase: path), notes: [])
    case .folder(let path, let given):
      let layout = try given ?? .recognised(at: path)
      if layout == .room {
        return try Self.load(RoomSchema(latestIn: path), known: known, ignores: ignores)
      }
      guard layout == .plain else {
        return try Self.load(layout.migrations(at: path), of: layout, at: path, isRecognised: given == nil)
      }
      let folder = try MigrationFolder(reading: path)
      guard !folder.steps.isEmpty else { throw SchemaError(source: path, problem: "the folder holds no .sql file") }
      return try SchemaSource.steps(folder.steps).load(known: known)
    case .steps(let steps): return try Self.load(MigrationReplay(steps), of: steps)
    }
  }

  /// The schema of a database, which may be encrypted or not, whatever the database is that it is for.
  package static func target(
    ofDatabase path: String, busyTimeout: Double = 10, trustsSchema: Bool = true
  ) throws -> TargetSchema {
    func read() throws -> TargetSchema {
      let connection = try SQLiteConnection.openedForInspection(
        path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema)
      return try target(of: connection)
    }
    return try SQLiteConnection.opening(with: nil) {
      try SQLiteConnection(path: path, mode: .readOnly).isPlainFile ? try read() : nil
    } ?? read()
  }

  /// The schema of the database of a connection.
  package static func target(of connection: any SQLConnection) throws -> TargetSchema {
    let schema = try connection.transaction(.deferred) { try SchemaReader.read(connection) }
    var target = TargetSchema(
      name: SQLSchemaParser.ledgerName, schema: schema, ownsWholeFile: true, digest: Fingerprint.of(schema))
    target.lastWriter = (connection as? any LocalEngine)?.lastWriterVersionNumber.map { SQLiteVersion(number: $0) }
    return target
  }

  private static func load(_ replay: MigrationReplay, of steps: [Migration]) throws -> SchemaLoader.Loaded {
    let target = TargetSchema(
      name: SQLSchemaParser.ledgerName, schema: replay.schema, hints: try replay.hints(of: steps),
      ownsWholeFile: true, digest: Fingerprint.of(replay.schema))
    return SchemaLoader.Loaded(target: target, notes: replay.notes)
  }

  /// Loads a schema that Room exported, whose tables of its own are ignored.
  private static func load(
    _ room: RoomSchema, known: DatabaseSchema?, ignores: @escaping @Sendable (SQLName) -> Bool
  ) throws -> SchemaLoader.Loaded {
    let declaration = SchemaDeclaration(
      name: SQLSchemaParser.ledgerName,
      statements: room.statements.map { DeclaredStatement(sql: $0, table: (try? SQLParser.create($0))?.table) },
      ownsWholeFile: true)
    var loaded = try SchemaLoader(source: room.source, ignores: ignores).load(declaration, known: known)
    loaded.ignored = leftAlone(by: .room, besides: loaded.target.schema)
    loaded.target.ignores = NamePatterns.matcher(loaded.ignored)
    loaded.notes =
      ["\(room.source) is read as version \(room.version) of a schema of Room."] + notes(on: loaded.ignored)
      + loaded.notes
    return loaded
  }

  /// The tables of a tool's own that a schema does not have.
  private static func leftAlone(by layout: MigrationLayout, besides schema: DatabaseSchema) -> [String] {
    layout.bookkeepingTables.filter { schema.table(SQLName($0)) == nil }
  }

  private static func notes(on ignored: [String]) -> [String] {
    guard !ignored.isEmpty else { return [] }
    return ["\(Wording.list(ignored)) \(ignored.count == 1 ? "is" : "are") left alone, as with --ignore."]
  }

  /// Loads the migrations of another tool, whose tables of its own are ignored.
  private static func load(
    _ steps: [Migration], of layout: MigrationLayout, at path: String, isRecognised: Bool
  ) throws -> SchemaLoader.Loaded {
    let replay = try MigrationReplay(steps, content: .anything)
    var loaded = try load(replay, of: steps)
    loaded.ignored = leftAlone(by: layout, besides: replay.schema)
    loaded.target.ignores = NamePatterns.matcher(loaded.ignored)
    var notes: [String] = []
    if isRecognised {
      notes.append("\(path) is read as a folder of \(layout.rawValue); --layout none reads it as plain SQL.")
    }
    notes += Self.notes(on: loaded.ignored)
    loaded.notes = notes + loaded.notes
    return loaded
  }
}

/// Where objects and their columns begin in SQL text.
package struct DefinitionPlaces: Sendable {
  private var objects: [SQLName: TextPlace] = [:]
  private var columns: [SQLName: [SQLName: TextPlace]] = [:]

  package init() {}

  package init(of text: String) {
    let lines = TextLines(text)
    for statement in (try? SQLScript.statements(in: text)) ?? [] {
      guard let parsed = try? SQLParser.create(statement.text), objects[parsed.name] == nil else { continue }
      objects[parsed.name] = lines.place(of: statement.span.start)
      guard case .table(let table) = parsed else { continue }
      for column in table.columns {
        columns[table.name, default: [:]][column.name] = lines.place(of: statement.span.start + column.span.start)
      }
    }
  }

  package var isEmpty: Bool { objects.isEmpty }

  /// The place of the first column that is there, or that of the object; nil if that is not there either.
  package func place(of object: SQLName, columns names: [SQLName] = []) -> TextPlace? {
    names.lazy.compactMap { columns[object]?[$0] }.first ?? objects[object]
  }
}

extension MigrationReplay {
  /// The combined hints of all steps, for a database that has an older schema.
  package func hints(of steps: [Migration]) throws -> MigrationHints {
    var hints = MigrationHints()
    for (step, state) in zip(steps, states) {
      let script = (try? SQLScript.statements(in: step.sql)) ?? []
      hints.add(newer: try CommentHints(text: step.sql, source: step.path).hints(of: script))
      hints.add(newer: state.hints)
    }
    return hints
  }
}

extension MigrationHints {
  /// Adds the hints of a later step: a table or column that is renamed again keeps all its former names.
  fileprivate mutating func add(newer: MigrationHints) {
    for (table, hints) in newer.tables {
      for former in hints.renamedFrom where table != former {
        guard var moved = tables.removeValue(forKey: former) else { continue }
        moved.renamedFrom = [former] + moved.renamedFrom
        tables[table] = moved
      }
      var merged = tables[table] ?? TableHints()
      merged.renamedFrom += hints.renamedFrom.filter { !merged.renamedFrom.contains($0) }
      let older = merged.columns
      for (column, hint) in hints.columns {
        let former = hint.renamedFrom.flatMap { older[$0]?.renamedFrom ?? [] }
        var entry = merged.columns[column] ?? ColumnHints()
        entry.renamedFrom = hint.renamedFrom + former + entry.renamedFrom.filter { !hint.renamedFrom.contains($0) }
        entry.backfill = hint.backfill ?? entry.backfill
        entry.conversion = hint.conversion ?? entry.conversion
        merged.columns[column] = entry
      }
      merged.removedColumns.formUnion(hints.removedColumns)
      tables[table] = merged
    }
    removedTables.formUnion(newer.removedTables)
    rules.formUnion(newer.rules)
  }
}
