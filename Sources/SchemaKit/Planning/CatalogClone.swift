import OrderedCollections

/// An in-memory database with the catalog of a file and none of its rows, on which a plan is validated.
///
/// Collating sequences and functions that the catalog names but this process lacks are stubbed here: what they
/// compute does not matter where there are no rows.
///
/// *Cost:* writes the rows of the catalog in memory and has SQLite read them once. If SQLite cannot do that, each
/// CREATE statement is run instead; for each of them, SQLite then searches the catalog built so far.
struct CatalogClone {
  let connection: SQLiteConnection
  /// Objects that could not be created here, with SQLite's error: for example, virtual tables whose module is not
  /// loaded.
  private(set) var missing: [SQLName: String] = [:]

  /// Opens the connection of an empty clone, ready for statements.
  private init(for database: any SQLConnection) throws {
    connection = try SQLiteConnection.memory()
    try connection.installCollationStubs()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.trustSchema(asMuchAs: database)
  }

  /// Clones the catalog of a database.
  ///
  /// - Parameter schema: The schema read from the database's catalog, or a part of it, whose tables and views are cloned alone.
  init(of database: any SQLConnection, schema: DatabaseSchema) throws {
    try self.init(of: database, schema: schema, writesCatalog: SQLiteConnection.canLoadImages)
  }

  /// - Parameter writesCatalog: True if the rows of the catalog may be written instead of running its statements.
  init(of database: any SQLConnection, schema: DatabaseSchema, writesCatalog: Bool) throws {
    let shadows = schema.shadowTables
    let entries = try CatalogReader(connection: database).entries().filter {
      let table = SQLName($0.table)
      return !shadows.contains(table) && (schema.hasRelation(table) || table.isOutsideSchemas || table.isOfSQLite)
    }
    if writesCatalog, let rows = CatalogRows(entries, schema: schema) {
      try self.init(for: database)
      if (try? rows.write(
        to: connection, functions: schema.calledFunctions.values.reduce(into: []) { $0.formUnion($1) })) != nil
      {
        try finish(entries, creating: schema.isVirtualTable)
        return
      }
    }
    // Run one by one, so that SQLite reports an error for each statement.
    try self.init(for: database)
    try finish(entries, creating: { _ in true })
  }

  /// Runs the statements of some entries, and creates the statistics tables.
  private mutating func finish(
    _ entries: [CatalogReader.Entry], creating isCreated: (CatalogReader.Entry) -> Bool
  ) throws {
    for type in ["table", "index", "view", "trigger"] {
      for entry in entries where entry.type == type && isCreated(entry) {
        guard let sql = entry.sql, !SQLName(entry.name).folded.hasPrefix("sqlite_") else { continue }
        create(sql, name: SQLName(entry.name))
      }
    }
    guard entries.contains(where: { SQLName($0.name) == "sqlite_stat1" }) else { return }
    // The clone has no rows to gather statistics on; this only creates the tables for them.
    try connection.execute("ANALYZE main.sqlite_master")
  }

  private mutating func create(_ sql: String, name: SQLName) {
    do {
      try connection.runStubbing(sql)
    } catch {
      missing[name] = "\((error as? SQLiteError)?.message ?? "\(error)")"
    }
  }
}

/// Rows of a catalog with b-trees of their own, for an empty database.
private struct CatalogRows {
  private var rows: [[SQLValue]] = []
  private var image = EmptyDatabaseImage()

  /// Includes everything but virtual tables, which create tables of their own, and the statistics tables.
  ///
  /// Returns nil if SQLite itself would not have written one of the entries.
  init?(_ entries: [CatalogReader.Entry], schema: DatabaseSchema) {
    for entry in entries {
      let name = SQLName(entry.name)
      if schema.isVirtualTable(entry) || name.folded.hasPrefix("sqlite_stat") { continue }
      let isOwn = name.folded.hasPrefix("sqlite_")
      var page: Int64 = 0
      switch entry.type {
      case "table":
        guard let tree = Self.tree(of: entry, name, schema: schema) else { return nil }
        page = image.add(tree)
      case "index":
        guard isOwn == (entry.sql == nil) else { return nil }
        page = image.add(.keys)
      case "view", "trigger":
        guard !isOwn, entry.sql != nil else { return nil }
      default: return nil
      }
      rows.append([
        .text(entry.type), .text(entry.name), .text(entry.table), .integer(page), entry.sql.map { .text($0) } ?? .null,
      ])
    }
    let countsUp = schema.tables.values.contains { $0.primaryKey?.isAutoincrement == true }
    guard !countsUp || schema.systemTables.contains("sqlite_sequence") else { return nil }
  }

  private static func tree(
    of entry: CatalogReader.Entry, _ name: SQLName, schema: DatabaseSchema
  ) -> EmptyDatabaseImage.Tree? {
    if let table = schema.tables[name] { return table.isWithoutRowID ? .keys : .rows }
    if name == "sqlite_sequence" { return .rows }
    guard name.isOutsideSchemas, let sql = entry.sql, case .table(let table)? = try? SQLParser.create(sql) else {
      return nil
    }
    return table.isWithoutRowID ? .keys : .rows
  }

  /// Makes this the catalog of a new in-memory database, and has SQLite read it.
  ///
  /// - Parameter functions: The functions that the statements call, which SQLite resolves as it reads them.
  /// - Throws: SQLite's error for the first row that it does not accept.
  func write(to connection: SQLiteConnection, functions: Set<String>) throws {
    try connection.load(image: image.bytes)
    for name in functions.sorted() {
      // Any other error in the call is irrelevant.
      try? connection.stubbing { try connection.prepareOnly("SELECT \(SQLQuoting.identifier(name))()") }
    }
    try connection.transaction {
      try connection.withWritableCatalog("OFF") {
        for row in rows {
          try connection.run(
            "INSERT INTO main.sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)", row)
        }
      }
    }
    try connection.execute("PRAGMA writable_schema = RESET")
    try connection.prepareOnly("SELECT 1 FROM main.sqlite_master")
  }
}

extension DatabaseSchema {
  /// True if an entry is a virtual table, rather than a trigger of the same name.
  fileprivate func isVirtualTable(_ entry: CatalogReader.Entry) -> Bool {
    entry.type == "table" && virtualTables[SQLName(entry.name)] != nil
  }
}
