import Foundation

/// What a table holds, read by SQLite alone and from the table itself: no index, no question that the declaration answers.
struct MistreatedContent {
  /// The values of each row by column, under its rowid or key.
  var rows: [String: [[Int: RawValue]]] = [:]

  var count: Int { rows.values.reduce(0) { $0 + $1.count } }
  var all: [[Int: RawValue]] { rows.values.flatMap { $0 } }

  /// - Parameter key: The columns that name a row; none for the rowid.
  init(
    of table: MistreatedSchema.Table, key: [Int], in file: RawSQLite,
    expressions: [(column: Int, sql: String)] = []
  ) throws {
    let stored = table.columns.filter { $0.generated == nil || $0.isStored }
    var selected = stored.map { (column: $0.id, sql: $0.name) } + expressions
    if key.isEmpty { selected.append((-1, "rowid")) }
    let list = selected.map(\.sql).joined(separator: ", ")
    // A table without rowids is read by whatever index covers the query, unless its own is named.
    let own = try table.hasRowID ? nil : file.rows("PRAGMA index_list(\(table.name))").first { $0[3] == .text("pk") }
    let source = own?[1].string.map { "INDEXED BY \(SchemaOracle.quoted($0))" } ?? "NOT INDEXED"
    for row in try file.rows("SELECT \(list) FROM main.\(table.name) \(source)") {
      var values: [Int: RawValue] = [:]
      for (column, value) in zip(selected.map(\.column), row) { values[column] = value }
      let name = (key.isEmpty ? [-1] : key).map { Self.name(values[$0] ?? .null) }.joined(separator: " ")
      rows[name, default: []].append(values)
    }
  }

  /// A value as part of a key, in which both zeros are one.
  private static func name(_ value: RawValue) -> String {
    if case .real(0) = value { return RawValue.real(0).description }
    return value.description
  }
}

/// What SQLite makes of values when it stores them.
final class MistreatedStore {
  private let database: RawSQLite
  private var tables: [String: String] = [:]

  init() throws { database = try RawSQLite() }

  /// The value as a column of a type stores it; nil where a STRICT table refuses it.
  func stored(_ value: RawValue, as type: String, isStrict: Bool) throws -> RawValue? {
    let key = "\(type) \(isStrict)"
    let name: String
    if let known = tables[key] {
      name = known
    } else {
      name = "x\(tables.count)"
      try database.exec("CREATE TABLE \(name) (c \(type))\(isStrict ? " STRICT" : "")")
      tables[key] = name
    }
    try database.exec("DELETE FROM \(name)")
    do { try database.run("INSERT INTO \(name) VALUES (?)", binding: [[value]]) } catch { return nil }
    return try database.rows("SELECT c FROM \(name)").first?.first
  }

  func value(of constant: String) throws -> RawValue { try database.rows("SELECT \(constant)").first?.first ?? .null }
}

/// Reads the trees of indexes as if they were tables, on a copy of the file.
enum MistreatedIndexes {
  struct Entry {
    let name: String
    let isAutomatic: Bool
    /// Names of plain columns that are its terms.
    let columns: [String?]
    var entries: [String]
  }

  /// - Parameter isFresh: Makes the indexes anew before they are read; one that cannot be is left out.
  static func entries(of path: String, tables: [MistreatedSchema.Table], isFresh: Bool = false) throws -> [Entry] {
    let copy = path + ".indexes"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
    }
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let file = try RawSQLite(copy)
    defer { file.close() }
    try file.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    var found: [Entry] = []
    var termsWithReals: [Set<Int>] = []
    for table in tables {
      let reals = Set(table.columns.filter { table.affinity(of: $0) == .real }.map(\.name))
      for index in try file.rows("PRAGMA index_list(\(table.name))") {
        guard let name = index[1].string else { continue }
        if isFresh, (try? file.exec("REINDEX \(SchemaOracle.quoted(name))")) == nil { continue }
        let terms = try file.rows("PRAGMA index_xinfo(\(SchemaOracle.quoted(name)))")
        let isAutomatic = name.hasPrefix("sqlite_")
        // The tree of WITHOUT ROWID is the table itself.
        if try file.rows("SELECT 1 FROM sqlite_master WHERE name = \(RawValue.text(name))").isEmpty { continue }
        found.append(
          .init(
            name: name, isAutomatic: isAutomatic,
            columns: terms.filter { $0[5] == .int(1) }.map { $0[2].string }, entries: []))
        termsWithReals.append(Set(terms.indices.filter { reals.contains(terms[$0][2].string ?? "") }))
        let columns = (0..<terms.count).map { "k\($0)" }.joined(separator: ", ")
        try file.exec(
          """
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) SELECT 'table', 'zz\(found.count)', 'zz\(found.count)',
          rootpage, 'CREATE TABLE zz\(found.count) (\(columns), PRIMARY KEY (\(columns))) WITHOUT ROWID'
          FROM sqlite_master WHERE name = \(RawValue.text(name));
          PRAGMA writable_schema = OFF
          """)
      }
    }
    try file.exec("PRAGMA schema_version = 77000")
    file.close()
    let reader = try RawSQLite(copy)
    defer { reader.close() }
    for at in found.indices {
      found[at].entries = try reader.rows("SELECT * FROM zz\(at + 1)").map { row in
        "\(row.indices.map { termsWithReals[at].contains($0) ? withoutFraction(row[$0]) : row[$0] })"
      }.sorted()
    }
    return found
  }

  /// A whole number of a REAL column, which a tree may hold as an integer: SQLite gives it back as a real number either way.
  private static func withoutFraction(_ value: RawValue) -> RawValue {
    guard case .real(let number) = value, abs(number) < 0x1p53, let integer = Int64(exactly: number) else {
      return value
    }
    return .int(integer)
  }
}
