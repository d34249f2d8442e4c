import OrderedCollections

/// Reads the schema of a database from its stored statements, and compares it with what SQLite's pragmas say.
///
/// The same reader is used for the real file and for the in-memory database of a declared schema, so that no difference
/// can come from two ways of reading.
///
/// *Cost:* reads the catalog, never a row of a table.
package struct SchemaReader {
  let catalog: CatalogReader
  /// The schema that the same SQLite read from another catalog: an object with the same statement need not be read again.
  private let known: DatabaseSchema?

  init(_ connection: any SQLConnection, known: DatabaseSchema? = nil) {
    catalog = CatalogReader(connection: connection)
    // It takes all statements together to tell which tables are shadows.
    self.known = known.flatMap { $0.virtualTables.isEmpty && $0.shadowTables.isEmpty ? $0 : nil }
  }

  /// Reads the main schema of a connection.
  ///
  /// - Parameter known: A schema that was read in this process before, from a largely identical catalog. Objects whose
  ///   SQL is unchanged are taken from it.
  /// The catalog takes many queries. Outside of a transaction they see one state of a file; of a server, only the caller's
  /// transaction keeps others out.
  ///
  /// - Throws: `IntrospectionError` for a statement that can only be read in part, `SQLiteError` from the engine.
  package static func read(
    _ connection: any SQLConnection, known: DatabaseSchema? = nil
  ) throws -> DatabaseSchema {
    let reader = SchemaReader(connection, known: known)
    let read = { try reader.read(reader.catalog.entries()) }
    return try connection is any ServerConnection ? read() : connection.snapshot(read)
  }

  /// Reads some entries of a connection's catalog. The entries of a table are adjacent.
  static func read(_ entries: [CatalogReader.Entry], of connection: any SQLConnection) throws -> DatabaseSchema {
    try SchemaReader(connection).read(entries)
  }

  private func read(_ entries: [CatalogReader.Entry]) throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    // The statement is nil if the object is known.
    var found: [(entry: CatalogReader.Entry, statement: CreateStatement?)] = []
    for entry in entries {
      let name = SQLName(entry.name)
      if name.folded.hasPrefix("sqlite_") {
        if entry.type == "table" { schema.systemTables.insert(name) }
      } else if SQLName(entry.table).isOutsideSchemas {
        if entry.type == "table" { schema.ownTables.insert(name) }
      } else if let sql = entry.sql {
        found.append((entry, known?.has(entry) == true ? nil : try parse(sql, of: "\(entry.type) \(entry.name)")))
      }
    }

    schema.shadowTables = try shadowTables(
      among: found.compactMap { entry, statement in statement.map { (sql: entry.sql ?? "", statement: $0) } })
    if !schema.shadowTables.isEmpty { found.removeAll { schema.shadowTables.contains(SQLName($0.entry.table)) } }
    for (entry, statement) in found {
      if let statement {
        if case .table(let table) = statement {
          let read = TableSchema(table, sql: entry.sql ?? "")
          schema.tables[read.name] = read
        }
      } else if entry.type == "table", let table = known?.tables[SQLName(entry.name)] {
        schema.tables[table.name] = table
      }
    }
    try schema.refuseCrashingNames(on: EngineProfile(versionOf: catalog.connection))
    let modules = try schema.hasVirtualTables(in: found.compactMap(\.statement)) ? catalog.modules() : []
    var changedTables: Set<SQLName> = []
    for (entry, statement) in found {
      guard let statement else {
        schema.take(entry, from: known)
        continue
      }
      let sql = entry.sql ?? ""
      changedTables.insert(SQLName(entry.table))
      switch statement {
      case .table: break
      case .index(let index):
        schema.indexes[index.name] = IndexSchema(index, on: schema.tables[index.table], sql: sql)
      case .view(let view): schema.views[view.name] = ViewSchema(view, sql: sql)
      case .trigger(let trigger): schema.triggers[trigger.name] = TriggerSchema(trigger, sql: sql)
      case .virtualTable(let table):
        schema.virtualTables[table.name] = VirtualTableSchema(
          table, isModuleLoaded: modules.contains(table.module), sql: sql)
      }
    }
    if let known { readAnew(&schema, changedTables: &changedTables, known: known) }
    let indexes = Dictionary(grouping: schema.indexes.values, by: \.table)
    for table in schema.tables.values where known == nil || changedTables.contains(table.name) {
      try check(table, indexes: indexes[table.name] ?? [])
    }
    return schema
  }

  /// Reads the known indexes of changed tables again, whose columns determine the meaning of an index's terms.
  ///
  /// - Parameter changedTables: Also receives the tables that have lost an index.
  private func readAnew(
    _ schema: inout DatabaseSchema, changedTables: inout Set<SQLName>, known: DatabaseSchema
  ) {
    for index in known.indexes.values where schema.indexes[index.name] == nil { changedTables.insert(index.table) }
    for index in schema.indexes.values where changedTables.contains(index.table) {
      schema.indexes[index.name] = schema.tables[index.table].map { index.read(on: $0) } ?? index
    }
  }

  private func parse(_ sql: String, of object: String) throws -> CreateStatement {
    do {
      return try SQLParser.create(sql)
    } catch {
      throw IntrospectionError(reason: .unreadableStatement(object: object, problem: "\(error)"))
    }
  }

  /// Shadow tables as SQLite reports them; if it cannot (an old version, a module that is not loaded), those that
  /// SQLite's own modules would create, and for another module every table whose name begins with the virtual table's
  /// name and an underscore. A module may mark only some of its own: those that it makes with a table in memory count too.
  private func shadowTables(among found: [(sql: String, statement: CreateStatement)]) throws -> Set<SQLName> {
    let former = known?.shadowTables ?? []
    let virtual = found.compactMap { found in
      if case .virtualTable(let table) = found.statement { (table: table, sql: found.sql) } else { nil }
    }
    guard !virtual.isEmpty else { return former }
    let modules = try catalog.modules()
    let knowsShadows = EngineProfile(versionOf: catalog.connection).hasTableList
    var shadows = try former.union(catalog.shadowTables())
    for (table, sql) in virtual {
      let prefix = table.name.folded + "_"
      let suffixes = Self.shadowSuffixes[table.module.folded]
      let others = found.compactMap { found in
        if case .table(let other) = found.statement, other.name.folded.hasPrefix(prefix) { other.name } else { nil }
      }.filter { !shadows.contains($0) }
      if !knowsShadows || !modules.contains(table.module) {
        shadows.formUnion(
          others.filter { suffixes?.contains(String($0.folded.dropFirst(prefix.count))) != false })
      } else if suffixes == nil, !others.isEmpty {
        shadows.formUnion(ModuleTables(of: sql)?.names.intersection(others) ?? [])
      }
    }
    return shadows
  }

  /// The suffixes that SQLite's own modules add to the name of a virtual table for their own tables.
  private static let shadowSuffixes: [String: Set<String>] = {
    let fts3: Set = ["content", "docsize", "segdir", "segments", "stat"]
    let rtree: Set = ["node", "parent", "rowid"]
    return [
      "fts3": fts3, "fts4": fts3, "fts5": ["config", "content", "data", "docsize", "idx"], "rtree": rtree,
      "rtree_i32": rtree, "geopoly": rtree,
    ]
  }()

  /// Compares what was read from the text with SQLite's pragmas.
  private func check(_ table: TableSchema, indexes: [IndexSchema]) throws {
    func require(_ isTrue: Bool, _ problem: @autoclosure () -> String) throws {
      guard isTrue else {
        throw IntrospectionError(reason: .disagreement(object: "table \(table.name)", problem: problem()))
      }
    }
    let columns = try catalog.columns(of: table.name)
    try require(
      columns.map { SQLName($0.name) } == table.columns.map(\.name),
      "columns \(columns.map(\.name)) against \(table.columns.map(\.name.text))")
    for (column, read) in zip(columns, table.columns) {
      try require(column.isNotNull == read.isNotNull, "NOT NULL of column \(read.name)")
      let hidden = read.generation.map { $0.isStored ? 3 : 2 } ?? 0
      try require(column.hidden == hidden, "whether column \(read.name) is generated")
      try require(
        column.hasType(read.comparableType, isGenerated: read.generation != nil),
        "type of column \(read.name), \(column.type) against \(read.comparableType)")
      try require(
        column.keyOrdinal == table.keyOrdinal(of: read.name) ?? 0, "place of column \(read.name) in the primary key")
    }
    let keys = table.foreignKeys.isEmpty && !table.hasWord("references") ? [] : try catalog.foreignKeys(of: table.name)
    let parents =
      keys
      .map { ([SQLName($0.parent)] + $0.columns.map { SQLName($0) }).map(\.folded) }.sorted {
        $0.lexicographicallyPrecedes($1)
      }
    let read = table.foreignKeys.map { ([$0.parent] + $0.columns).map(\.folded) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    try require(parents == read, "its foreign keys")
    try checkIndexes(of: table, indexes: indexes, require: require)
  }

  private func checkIndexes(
    of table: TableSchema, indexes: [IndexSchema], require: (Bool, @autoclosure () -> String) throws -> Void
  ) throws {
    if indexes.isEmpty, !table.hasWord("unique"), !table.hasWord("primary") { return }
    let listed = try catalog.indexes(of: table.name)
    let created = listed.filter { $0.origin == "c" }
    try require(Set(created.map { SQLName($0.name) }) == Set(indexes.map(\.name)), "its indexes")
    for index in indexes {
      guard let listedIndex = created.first(where: { SQLName($0.name) == index.name }) else { continue }
      try require(
        listedIndex.isUnique == index.isUnique && listedIndex.isPartial == (index.predicate != nil),
        "index \(index.name)")
      let terms = try catalog.terms(of: index.name.text)
      try require(terms.count == index.terms.count, "the terms of index \(index.name)")
      for (term, readTerm) in zip(terms, index.terms) {
        try require(term.isDescending == readTerm.isDescending, "the order of index \(index.name)")
        if let column = term.column {
          try require(
            readTerm.column == SQLName(column) && SQLName(term.collation) == readTerm.collation ?? "BINARY",
            "a term of index \(index.name)")
        }
      }
    }
    let hasConstraints = !table.uniques.isEmpty || table.primaryKey != nil
    try require(hasConstraints || !listed.contains { $0.origin != "c" }, "its unique constraints")
  }
}

extension CatalogReader.ColumnRow {
  /// True if SQLite reports the type that was read from the text, ignoring white space, comments and case.
  ///
  /// It leaves the words GENERATED and ALWAYS in the type of a generated column if a comment separates them; old
  /// versions always leave them in.
  fileprivate func hasType(_ read: String, isGenerated: Bool) -> Bool {
    if type.utf8.elementsEqual(read.utf8) { return true }
    let wanted = read.filter { $0 != " " }
    func isWanted(_ text: String) -> Bool { text.filter { $0 != " " }.uppercased() == wanted }
    if isWanted(type) { return true }
    guard var words = try? SQLLexer.tokens(of: type) else { return false }
    if isWanted(words.map(\.text).joined()) { return true }
    if isWanted(SQLParser.withoutGeneratedAlways(type)) { return true }
    guard isGenerated else { return false }
    if words.last?.isKeyword("ALWAYS") == true { words.removeLast() }
    if words.last?.isKeyword("GENERATED") == true { words.removeLast() }
    return isWanted(words.map(\.text).joined())
  }
}

extension TableSchema {
  /// True if a word, given in lower case, occurs anywhere in the statement: if it does not, not even in a comment,
  /// SQLite has not read it either.
  fileprivate func hasWord(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      var sql = sql
      return sql.withUTF8 { text in
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
          text[start] | 0x20 == word[0] && word.indices.allSatisfy { text[start + $0] | 0x20 == word[$0] }
        }
      }
    }
  }
}

extension DatabaseSchema {
  /// True if an object exists here with the same SQL.
  fileprivate func has(_ entry: CatalogReader.Entry) -> Bool {
    let name = SQLName(entry.name)
    let sql: String? =
      switch entry.type {
      case "table": tables[name]?.sql
      case "index": indexes[name]?.sql
      case "view": views[name]?.sql
      case "trigger": triggers[name]?.sql
      default: nil
      }
    guard let sql, let found = entry.sql else { return false }
    return sql.utf8.elementsEqual(found.utf8)
  }

  /// Copies an object that is not a table.
  fileprivate mutating func take(_ entry: CatalogReader.Entry, from known: DatabaseSchema?) {
    let name = SQLName(entry.name)
    switch entry.type {
    case "index": indexes[name] = known?.indexes[name]
    case "view": views[name] = known?.views[name]
    case "trigger": triggers[name] = known?.triggers[name]
    default: break
    }
  }

  fileprivate func hasVirtualTables(in statements: [CreateStatement]) -> Bool {
    statements.contains { if case .virtualTable = $0 { true } else { false } }
  }
}
