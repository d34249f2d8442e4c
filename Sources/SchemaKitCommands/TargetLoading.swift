import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// Loads schemas from what stands on the command line.
struct TargetLoading {
  var console: Console
  var output: OutputOptions

  /// A schema with the name its user gave it.
  struct Named {
    var name: String
    var target: TargetSchema
    /// The database's catalog as it was read before.
    var known: KnownCatalog?
    /// The SQL texts that the schema is read from, with the names of their files; none for everything else.
    var scripts: [(text: String, source: String)] = []
    /// True if the schema is a database's.
    var isDatabase = false
    /// The patterns of the names that are ignored on either side.
    var ignored: [String] = []
  }

  /// The schema that a database shall have, with the renames and exceptions of the command line.
  ///
  /// - Parameter database: The database, whose catalog is read first; what is wrong with it is told when it is opened.
  func target(_ options: TargetOptions, models: ModelSchema?, database: DatabaseAccess? = nil) throws -> Named {
    let progress = ProgressPrinter(console: console)
    progress.tell("reading the schema")
    defer { progress.end() }
    let known = try database.flatMap(catalog)
    var loaded = try schema(
      at: options.to, models: models, layout: options.layout, known: known?.schema,
      ignores: NamePatterns.matcher(options.ignore))
    loaded.known = known
    for text in options.rename {
      let rename = try RenameOption(text)
      try check(rename, written: text, in: loaded)
      loaded.target.hints.add(rename)
    }
    for text in options.rename { try checkTables(of: RenameOption(text), written: text, in: loaded) }
    loaded.ignored += options.ignore
    loaded.target.ignores = NamePatterns.matcher(loaded.ignored)
    guard !loaded.target.schema.isEmpty || options.allowEmpty else {
      throw CommandError.usage(
        "\(loaded.name) declares no object, so that everything would be dropped. Pass --allow-empty if that is meant.")
    }
    return loaded
  }

  /// The schema that a saved plan leads to.
  func target(of saved: SavedPlanFile, database: DatabaseAccess) throws -> Named {
    Named(
      name: saved.path, target: try saved.plan.targetSchema(source: saved.path),
      known: try catalog(of: database))
  }

  /// Reads a database's catalog; nil if it cannot be read, which is reported when the database is opened.
  private func catalog(of database: DatabaseAccess) throws -> KnownCatalog? {
    do {
      return try KnownCatalog(database.opened())
    } catch let error as RemoteError {
      // A server that was waited for is not waited for again.
      throw error
    } catch let error as SQLiteError where error.isBusy {
      // A lock that was waited for is not waited for again.
      throw FileError(path: database.path, cause: error)
    } catch {
      return nil
    }
  }

  /// Returns one schema: the models if no place is given, or what several SQL files declare together.
  ///
  /// - Parameter ignores: The objects that may be missing from it because this program cannot create them.
  func schema(
    at places: [String], models: ModelSchema?, layout: MigrationLayout? = nil, known: DatabaseSchema? = nil,
    ignores: @escaping @Sendable (SQLName) -> Bool = { _ in false }
  ) throws -> Named {
    let places = places.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard let place = places.first else {
      guard let models else {
        throw CommandError.usage(
          "--to SCHEMA is missing: name a .sql file, a database, a snapshot, a migrations folder, or - for standard input. "
            + "schemactl.toml can say it once: schema = \"schema.sql\"."
        )
      }
      if let layout {
        throw CommandError.usage("--layout \(layout.rawValue) is for a folder; name it, or the models are the schema.")
      }
      let loaded = try SchemaLoader(source: models.name).load(models.declaration(), known: known)
      console.note(loaded.notes)
      return Named(name: "the models", target: loaded.target)
    }
    if places.count > 1 {
      if let layout {
        throw CommandError.usage("--layout \(layout.rawValue) is for one folder, not for several files.")
      }
      let scripts = try places.map(script)
      let loaded = try SchemaSource.scripts(scripts).load(known: known, ignores: ignores)
      console.note(loaded.notes)
      return Named(name: Wording.list(scripts.map(\.source)), target: loaded.target, scripts: scripts)
    }
    if DatabaseAccess.scheme(of: place) != nil {
      let connection = try output.access(to: place).opened()
      return Named(name: place, target: try naming(place) { try SchemaSource.target(of: connection) }, isDatabase: true)
    }
    var source = place == "-" ? try Self.standardInput(output) : try SchemaSource.at(path: place)
    if let layout { source = try folder(source, named: place, layout: layout) }
    if case .database(let path) = source {
      return try naming(path) {
        let target = try SchemaSource.target(
          ofDatabase: path, busyTimeout: output.lockTimeout, trustsSchema: !output.untrusted)
        return Named(name: place, target: target, isDatabase: true)
      }
    }
    let loaded = try source.load(known: known, ignores: ignores)
    console.note(loaded.notes)
    var named = Named(
      name: place == "-" ? "standard input" : place, target: loaded.target, ignored: loaded.ignored)
    if case .sql(let text, let source) = source { named.scripts = [(text, source)] }
    return named
  }

  /// One of several files that are a schema together.
  private func script(at place: String) throws -> (text: String, source: String) {
    let isElsewhere = DatabaseAccess.scheme(of: place) != nil
    guard !isElsewhere,
      case .sql(let text, let source) = place == "-" ? try Self.standardInput(output) : try SchemaSource.at(path: place)
    else {
      throw CommandError.usage("several files are one schema only where all hold SQL, and \(place) is something else.")
    }
    return (text, source)
  }

  /// True if a schema is a folder that another tool may have laid out.
  static func canBeLaidOut(_ place: String) -> Bool {
    place != "-" && FileManager.default.folderExists(atPath: place) && !MigrationLayout.isRecorded(at: place)
  }

  /// The folder that a schema is, in a layout.
  private func folder(_ source: SchemaSource, named place: String, layout: MigrationLayout) throws -> SchemaSource {
    guard case .folder(let path, _) = source else {
      throw CommandError.usage(
        "--layout \(layout.rawValue) is for a folder, which \(place == "-" ? "standard input" : place) is not.")
    }
    guard layout == .plain || !MigrationLayout.isRecorded(at: path) else {
      throw CommandError.usage(
        "--layout \(layout.rawValue): \(path) holds migrations that schemactl recorded, which have no other layout.")
    }
    return .folder(path: path, layout: layout)
  }

  /// SQL text on standard input.
  static func standardInput(_ output: OutputOptions) throws -> SchemaSource {
    if output.keyFile == "-" {
      throw CommandError.usage("--key-file - and a schema from standard input cannot be combined: name a file for one.")
    }
    guard let bytes = StandardStream.input.readToEnd() else {
      throw SchemaError(source: "standard input", problem: "cannot be read: \(String(cString: strerror(errno)))")
    }
    return .sql(try SourceText.read(bytes, source: "standard input"), source: "standard input")
  }

  /// A rename to a name that the schema does not have can only be a slip.
  private func check(_ rename: RenameOption, written text: String, in loaded: Named) throws {
    guard let table = loaded.target.schema.table(rename.newTable) else {
      let isVirtual = loaded.target.schema.virtualTable(rename.newTable) != nil
      let problem =
        isVirtual
        ? "\(rename.newTable) is a virtual table; --rename is for tables and their columns."
        : "\(loaded.name) has no table \(rename.newTable)."
      throw CommandError.usage("--rename \(text): \(problem)")
    }
    if let column = rename.newColumn, table.column(column) == nil {
      throw CommandError.usage("--rename \(text): table \(table.name) of \(loaded.name) has no column \(column).")
    }
    try checkFormerName(rename, of: table, in: loaded)
  }

  /// Refuses a former name in double quotes, which SQLite would take for a text, as the loader does for hints.
  private func checkFormerName(_ rename: RenameOption, of table: TableSchema, in loaded: Named) throws {
    guard let old = rename.oldColumn, let new = rename.newColumn, table.column(old) == nil else { return }
    let statements = [table.sql] + loaded.target.schema.indexes(on: table.name).map(\.sql)
    for sql in statements {
      guard let tokens = try? SQLLexer.tokens(of: sql),
        tokens.contains(where: { $0.text.hasPrefix("\"") && $0.name == old })
      else { continue }
      throw CommandError(
        code: .failed,
        sentence:
          "\(loaded.name): \"\(old)\" is the former name of column \(new) of \(table.name); write the new name there, or a text "
          + "in single quotes.")
    }
  }

  /// A column stays in its table, unless that table is renamed too.
  private func checkTables(of rename: RenameOption, written text: String, in loaded: Named) throws {
    let former = loaded.target.hints.tables[rename.newTable]?.renamedFrom ?? []
    guard rename.oldColumn != nil, rename.oldTable != rename.newTable, !former.contains(rename.oldTable) else { return }
    throw CommandError.usage(
      "--rename \(text): a column cannot move to another table. If \(rename.oldTable) is renamed too, say so with "
        + "--rename \(rename.oldTable)=\(rename.newTable).")
  }

  /// Warns of renames of tables whose old name is not in the file; a rename that has happened already is quietly done. The
  /// plan has a note on columns.
  func warnOfIdleRenames(_ renames: [String], in file: DatabaseSchema) throws {
    for rename in renames {
      let option = try RenameOption(rename)
      let new = file.table(option.newTable)
      let old = file.table(option.oldTable)
      if option.oldColumn == nil, old == nil, new == nil {
        console.warn("--rename \(rename) does nothing: the database has no table \(option.oldTable).")
      }
    }
  }
}
