import SQLiteSchema
import SchemaKit
import SchemaKitFoundation

/// Copies a database on a server into a new file of SQLite, by reading all of it.
///
/// The copy has the same statements, rows and rowids, and the same numbers in its header. An object that SQLite here
/// cannot make as it is there is refused by name. Statistics are copied as far as this SQLite has them.
///
/// *Cost:* every row is read once, in the snapshot of one transaction, and written once.
struct ServerCopy {
  private let source: any SQLConnection
  private let path: String
  /// The tables whose rows are copied, with how many there are.
  private var counts: [String: Int] = [:]

  private struct Entry {
    var type: String
    var name: String
    var sql: String
    var noun: String { "\(type) \(name)" }
    var isVirtual: Bool {
      type == "table" && (try? SQLLexer.tokens(of: sql))?.dropFirst().first?.isKeyword("VIRTUAL") == true
    }
  }

  private init(of source: any SQLConnection, to path: String) {
    self.source = source
    self.path = path
  }

  /// Makes the copy, and gives it its name once it is whole.
  static func make(of source: any SQLConnection, toNewFile path: String) throws {
    let part = "\(path).part-\(UUID().uuidString.prefix(8).lowercased())"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) } }
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteError(code: 14, message: "\(part): \(String(cString: strerror(errno)))")
    }
    close(descriptor)
    var copy = ServerCopy(of: source, to: part)
    if source.isInTransaction { try copy.make() } else { try source.transaction(.deferred) { try copy.make() } }
    // Not every file system has hard links; where the name is taken, both fail.
    if link(part, path) != 0 { try FileManager.default.moveItem(atPath: part, toPath: path) }
  }

  private mutating func make() throws {
    let entries = try source.rows("SELECT type, name, sql FROM main.sqlite_schema ORDER BY rowid").compactMap { row in
      row[0].text.flatMap { type in
        row[1].text.map { Entry(type: type, name: $0, sql: row[2].text ?? "") }
      }
    }
    let file = try SQLiteConnection(path: path, mode: .readWrite)
    try file.execute(
      """
      PRAGMA page_size = \(try source.integer("PRAGMA main.page_size") ?? 4096); PRAGMA foreign_keys = OFF;
      PRAGMA ignore_check_constraints = ON
      """)
    try file.setAllowsDoubleQuotedText(true)
    try file.transaction {
      try copyTables(entries, to: file)
      for entry in entries where entry.type != "table" && !entry.sql.isEmpty { try create(entry, in: file) }
      for field in ["user_version", "application_id"] {
        try file.execute("PRAGMA \(field) = \(try source.integer("PRAGMA \(field)") ?? 0)")
      }
    }
    try file.close()
    try verify(entries)
  }

  private mutating func copyTables(_ entries: [Entry], to file: SQLiteConnection) throws {
    let tables = entries.filter { $0.type == "table" }
    // Their shadow tables come with them.
    for entry in tables where entry.isVirtual { try create(entry, in: file) }
    let shadows = Set(try file.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table'"))
    for entry in tables where !entry.isVirtual && !shadows.contains(entry.name) && !entry.name.hasPrefix("sqlite_") {
      try create(entry, in: file)
    }
    if tables.contains(where: { $0.name == "sqlite_sequence" }) {
      // It stays where the last table that needs it is gone.
      try file.execute(
        "CREATE TABLE schemakit_sequence (a INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE schemakit_sequence")
    }
    if tables.contains(where: { $0.name.hasPrefix("sqlite_stat") }) { try file.execute("ANALYZE main.sqlite_schema") }
    let made = Set(try file.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table'"))
    // Inserted rows change sqlite_sequence, which is therefore the last.
    let ordinary = tables.filter { !$0.isVirtual && made.contains($0.name) && $0.name != "sqlite_sequence" }
    for entry in ordinary + tables.filter({ $0.name == "sqlite_sequence" }) {
      try file.run("DELETE FROM main.\(SQLQuoting.identifier(entry.name))")
      do {
        counts[entry.name] = try RowCopy(of: entry.name, from: source, to: file).run()
      } catch is SQLiteError where !source.isInTransaction {
        throw RemoteError(reason: .connectionLost(problem: "the transaction of the copy is over"))
      }
    }
  }

  private func create(_ entry: Entry, in file: SQLiteConnection) throws {
    do {
      try file.execute(entry.sql)
    } catch is SQLiteError {
      throw RemoteError(reason: .unsupported(.copy(of: entry.noun)))
    }
  }

  /// Looks at what the file holds: the same schema, as many rows, and no damage.
  private func verify(_ entries: [Entry]) throws {
    let file = try SQLiteConnection(path: path, mode: .readWrite)
    let made = try file.rows("SELECT type, name, sql FROM main.sqlite_schema")
    for entry in entries where !entry.name.hasPrefix("sqlite_stat") {
      let isThere = made.contains { row in
        row[0].text == entry.type && row[1].text == entry.name && (row[2].text ?? "") == entry.sql
      }
      guard isThere else { throw RemoteError(reason: .unsupported(.copy(of: entry.noun))) }
    }
    guard try SchemaReader.read(file).differsNowhere(from: SchemaReader.read(source)) else {
      throw RemoteError(reason: .unsupported(.copy(of: "the schema")))
    }
    for (name, count) in counts {
      let query = "SELECT count(*) FROM main.\(SQLQuoting.identifier(name)) NOT INDEXED"
      let (here, there) = (try file.integer(query), try source.integer(query))
      guard here == Int64(count), there == here else {
        throw RemoteError(reason: .unsupported(.copy(of: "table \(name)")))
      }
    }
    guard try StorageCheck(connection: file).run().damage.isEmpty else {
      throw RemoteError(reason: .unsupported(.copy(of: "the database")))
    }
    try file.close()
  }
}

extension DatabaseSchema {
  /// True if another schema has the same objects. Which statistics there are is left alone.
  fileprivate func differsNowhere(from other: DatabaseSchema) -> Bool {
    tables == other.tables && virtualTables == other.virtualTables && indexes == other.indexes && views == other.views
      && triggers == other.triggers && shadowTables == other.shadowTables
  }
}
