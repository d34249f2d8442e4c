import SQLiteSchema
import SchemaKit

/// Copies the rows of one table into a table of the same statement, with their rowids.
///
/// Texts travel as their bytes, since a libSQL server sends no text that is not UTF-8; after the values, a row has the initials
/// of their types.
struct RowCopy {
  private let name: String
  private let source: any SQLConnection
  private let target: SQLiteConnection
  /// The columns that rows store, as SQL names them, and before them the rowid where there is one.
  private let columns: [String]
  private let hasRowID: Bool
  /// The number of types in one text: a longer expression would be too deep for SQLite.
  private static let group = 50
  /// The approximate number of bytes of values that are asked for at once.
  private static let pageBytes = 4 << 20

  init(of name: String, from source: any SQLConnection, to target: SQLiteConnection) throws {
    self.name = name
    self.source = source
    self.target = target
    let literal = SQLQuoting.literal(name)
    let rows = try target.rows("SELECT name, hidden, type, pk FROM pragma_table_xinfo(\(literal)) ORDER BY cid")
    // Generated columns are hidden, with 2 or 3.
    let stored = rows.filter { $0[1] == .integer(0) }.compactMap { $0[0].text }
    let taken = Set(rows.compactMap { $0[0].text.map { SQLName($0) } })
    let isRowless = try target.rows("PRAGMA main.index_list(\(literal))").contains { row in
      guard row[3].text == "pk", let index = row[1].text else { return false }
      // The index of a key without rowids is the table itself, and has no entry in the catalog.
      return try target.rows("SELECT 1 FROM main.sqlite_schema WHERE name = ?1", [.text(index)]).isEmpty
    }
    // Where columns took all three names, nobody can read a rowid, or tell another one from it.
    let rowID = ["rowid", "oid", "_rowid_"].first { !taken.contains(SQLName($0)) }
    hasRowID = !isRowless && rowID != nil
    columns = (hasRowID ? [rowID].compactMap { $0 } : []) + stored.map { SQLQuoting.identifier($0) }
  }

  /// Copies all rows, and returns how many there were.
  func run() throws -> Int {
    var count = 0
    var limit = 200
    var last = Int64.min
    var isFirst = true
    var types = columns.map { _ in [UInt8: Int]() }
    while true {
      let (query, bindings) = page(after: isFirst ? nil : last, offset: count, limit: limit)
      let rows = try source.rows(query, bindings)
      var bytes = 1
      for row in rows {
        let letters = row.dropFirst(columns.count).compactMap(\.text).joined().utf8.map { $0 }
        guard letters.count == columns.count else { throw RemoteError(reason: .malformed) }
        for (index, letter) in letters.enumerated() { types[index][letter, default: 0] += 1 }
        try insert(row, letters)
        bytes += row.reduce(0) { $0 + $1.byteCount }
      }
      count += rows.count
      isFirst = false
      if hasRowID, let key = rows.last?[0].integer { last = key }
      guard rows.count == limit else { break }
      limit = min(max(1, rows.count * Self.pageBytes / bytes), 20_000)
    }
    try check(types)
    return count
  }

  private func page(after last: Int64?, offset: Int, limit: Int) -> (String, [SQLValue]) {
    let values = columns.map { "CASE typeof(\($0)) WHEN 'text' THEN CAST(\($0) AS BLOB) ELSE +\($0) END" }
    let types = stride(from: 0, to: columns.count, by: Self.group).map { start in
      columns[start..<min(start + Self.group, columns.count)].map { "substr(typeof(\($0)), 1, 1)" }
        .joined(separator: " || ")
    }
    let query =
      "SELECT \((values + types).joined(separator: ", ")) FROM main.\(SQLQuoting.identifier(name)) NOT INDEXED"
    guard hasRowID else {
      // The same query in the same snapshot has its rows in the same order: that of the table itself.
      return ("\(query) LIMIT ?1 OFFSET ?2", [.integer(Int64(limit)), .integer(Int64(offset))])
    }
    guard let last else { return ("\(query) ORDER BY \(columns[0]) LIMIT ?1", [.integer(Int64(limit))]) }
    return (
      "\(query) WHERE \(columns[0]) > ?2 ORDER BY \(columns[0]) LIMIT ?1",
      [.integer(Int64(limit)), .integer(last)]
    )
  }

  private func insert(_ row: [SQLValue], _ letters: [UInt8]) throws {
    let isText = letters.map { $0 == UInt8(ascii: "t") }
    let values = isText.enumerated().map { $1 ? "CAST(?\($0 + 1) AS TEXT)" : "?\($0 + 1)" }
    do {
      try target.run(
        "INSERT INTO main.\(SQLQuoting.identifier(name)) (\(columns.joined(separator: ", "))) "
          + "VALUES (\(values.joined(separator: ", ")))", Array(row.prefix(columns.count)))
    } catch let error as SQLiteError where error.isConstraint || error.resultCode == 1 || error.resultCode == 20 {
      throw RemoteError(reason: .unsupported(.copy(of: "table \(name)")))
    }
  }

  /// Refuses a copy whose columns have made other types of values.
  private func check(_ types: [[UInt8: Int]]) throws {
    for (column, counts) in zip(columns, types) {
      let query =
        "SELECT substr(typeof(\(column)), 1, 1), count(*) FROM main.\(SQLQuoting.identifier(name)) "
        + "NOT INDEXED GROUP BY 1"
      for row in try target.rows(query) {
        guard let letter = row[0].text?.utf8.first, row[1].integer == counts[letter].map(Int64.init) else {
          throw RemoteError(reason: .unsupported(.copy(of: "table \(name)")))
        }
      }
    }
  }
}

extension SQLValue {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count + 4
    case .blob(let bytes): bytes.count + 4
    default: 9
    }
  }
}
