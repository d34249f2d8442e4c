import OrderedCollections

/// Reads the schema of a database: what its stored statements say, held against what SQLite's pragmas say.
///
/// The same reader serves the real file and the in-memory database of a declared schema, so that no difference can
/// come from two ways of reading.
///
/// *Cost:* reads the catalog, never a row of a table.
package struct SchemaReader {
  let catalog: CatalogReader

  init(_ connection: any SQLConnection) { catalog = CatalogReader(connection: connection) }

  /// Reads the main schema of a connection.
  ///
  /// - Throws: `IntrospectionError` for a statement that would be half-read, `SQLiteError` from the engine.
  package static func read(_ connection: any SQLConnection) throws -> DatabaseSchema {
    try SchemaReader(connection).read()
  }

  private func read() throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    var statements: [(entry: CatalogReader.Entry, statement: CreateStatement)] = []
    for entry in try catalog.entries() {
      let name = SQLName(entry.name)
      if name.folded.hasPrefix("sqlite_") {
        if entry.type == "table" { schema.systemTables.insert(name) }
      } else if SQLName(entry.table).isReserved {
        if entry.type == "table" { schema.ownTables.insert(name) }
      } else if let sql = entry.sql {
        statements.append((entry, try parse(sql, of: "\(entry.type) \(entry.name)")))
      }
    }

    schema.shadowTables = try shadowTables(among: statements.map(\.statement))
    for (entry, statement) in statements where !schema.shadowTables.contains(SQLName(entry.table)) {
      if case .table(let table) = statement {
        let read = TableSchema(table, sql: entry.sql ?? "")
        schema.tables[read.name] = read
      }
    }
    let modules = try schema.hasVirtualTables(in: statements.map(\.statement)) ? catalog.modules() : []
    for (entry, statement) in statements where !schema.shadowTables.contains(SQLName(entry.table)) {
      let sql = entry.sql ?? ""
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
    let indexes = Dictionary(grouping: schema.indexes.values, by: \.table)
    for table in schema.tables.values { try check(table, indexes: indexes[table.name] ?? []) }
    return schema
  }

  private func parse(_ sql: String, of object: String) throws -> CreateStatement {
    do {
      return try SQLParser.create(sql)
    } catch {
      throw IntrospectionError(reason: .unreadableStatement(object: object, problem: "\(error)"))
    }
  }

  /// Shadow tables as SQLite names them; where it cannot (an old version, a module that is not loaded), those that
  /// SQLite's own modules would make, and for another module every table whose name begins with the virtual table's
  /// name and an underscore.
  private func shadowTables(among statements: [CreateStatement]) throws -> Set<SQLName> {
    let virtual = statements.compactMap { if case .virtualTable(let table) = $0 { table } else { nil } }
    guard !virtual.isEmpty else { return [] }
    let modules = try catalog.modules()
    let knowsShadows = Capabilities(version: SQLiteVersion(number: catalog.connection.engineVersionNumber)).hasTableList
    var shadows = try catalog.shadowTables()
    for table in virtual where !knowsShadows || !modules.contains(table.module) {
      let prefix = table.name.folded + "_"
      let known = Self.shadowSuffixes[table.module.folded]
      for case .table(let other) in statements where other.name.folded.hasPrefix(prefix) {
        if known?.contains(String(other.name.folded.dropFirst(prefix.count))) != false { shadows.insert(other.name) }
      }
    }
    return shadows
  }

  /// What the modules of SQLite itself add to the name of a virtual table for their own tables.
  private static let shadowSuffixes: [String: Set<String>] = {
    let fts3: Set = ["content", "docsize", "segdir", "segments", "stat"]
    let rtree: Set = ["node", "parent", "rowid"]
    return [
      "fts3": fts3, "fts4": fts3, "fts5": ["config", "content", "data", "docsize", "idx"], "rtree": rtree,
      "rtree_i32": rtree, "geopoly": rtree,
    ]
  }()

  /// Holds what was read from the text against SQLite's pragmas.
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
      let ordinal = table.primaryKey?.columns.firstIndex { $0.name == read.name }.map { $0 + 1 } ?? 0
      try require(column.keyOrdinal == ordinal, "place of column \(read.name) in the primary key")
    }
    let parents = try catalog.foreignKeys(of: table.name)
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
  /// Whether SQLite names a type that was read from the text, white space, comments and case apart.
  ///
  /// It leaves the words GENERATED and ALWAYS in the type of a generated column when a comment stands between them; old
  /// versions always leave them in.
  fileprivate func hasType(_ read: String, isGenerated: Bool) -> Bool {
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

extension DatabaseSchema {
  fileprivate func hasVirtualTables(in statements: [CreateStatement]) -> Bool {
    statements.contains { if case .virtualTable = $0 { true } else { false } }
  }
}

extension SQLName {
  /// Whether a name belongs to SchemaKit's own tables.
  package var isReserved: Bool { folded.hasPrefix("_schemakit_") }
}
