/// Two random schemas with rows for the first, and what a judge must know of how one became the other.
package struct SchemaPair {
  package struct ColumnPath {
    package let oldTable: String
    package let oldColumn: String
    package let newTable: String
    package let newColumn: String
  }

  package let seed: Int
  package var oldDDL: [String] = []
  package var newDDL: [String] = []
  /// Statements that fill the old schema; all of them succeed there.
  package var rows: [String] = []
  package var hasForeignKeysOn = true
  /// Renames that a change has to be told, as `--rename` takes them.
  package var renames: [(old: String, new: String)] = []
  package var tableMap: [(old: String, new: String)] = []
  package var columnMap: [ColumnPath] = []
  package var mutations: [SketchMutation] = []
  /// A view of the old file that can't be read, by name.
  package var brokenView: String?
  /// Made without looking at the rows, so that the target may well refuse them.
  package var isHostile = false

  package var hints: [String] { renames.map { "\($0.old)=\($0.new)" } }
  package var oldScript: String { Self.script(oldDDL) }
  package var newScript: String { Self.script(newDDL) }
  package var foldedTableMap: [String: String] {
    Dictionary(tableMap.map { (asciiFolded($0.old), asciiFolded($0.new)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The new name of an old column, in lower case; nil where the column went.
  package func heir(of column: String, in table: String) -> String? {
    columnMap.first {
      asciiFolded($0.oldTable) == asciiFolded(table) && asciiFolded($0.oldColumn) == asciiFolded(column)
    }
    .map { asciiFolded($0.newColumn) }
  }

  /// Statements as one text; a line break before the semicolon ends a trailing comment.
  package static func script(_ statements: [String]) -> String { statements.map { $0 + "\n;\n" }.joined() }

  /// Creates the old database with its rows.
  package func fill(_ file: RawSQLite) throws {
    try file.exec("PRAGMA foreign_keys = \(hasForeignKeysOn ? "ON" : "OFF"); BEGIN")
    for sql in oldDDL { try file.exec(sql) }
    try file.exec("COMMIT; BEGIN")
    for sql in rows { try file.exec(sql) }
    try file.exec("COMMIT")
  }

  mutating func trace(from old: SchemaSketch, to new: SchemaSketch) {
    (renames, tableMap, columnMap) = ([], [], [])
    for table in old.tables {
      guard let successor = new.tables.first(where: { $0.id == table.id }) else { continue }
      tableMap.append((table.name, successor.name))
      if asciiFolded(table.name) != asciiFolded(successor.name) {
        renames.append((Self.path(table.name), Self.path(successor.name)))
      }
      for column in table.columns {
        guard let heir = successor.columns.first(where: { $0.id == column.id }) else { continue }
        columnMap.append(
          .init(oldTable: table.name, oldColumn: column.name, newTable: successor.name, newColumn: heir.name))
        if asciiFolded(column.name) != asciiFolded(heir.name) {
          renames.append((Self.path(table.name, column.name), Self.path(successor.name, heir.name)))
        }
      }
    }
  }

  /// A name path, quoted where a plain word won't do.
  private static func path(_ names: String...) -> String {
    names.map { name in
      let isWord =
        name.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 32) || $0 == 95 }
        && !(name.first?.isNumber ?? true)
      return isWord ? name : SchemaOracle.quoted(name)
    }.joined(separator: ".")
  }
}

extension SchemaPair: CustomStringConvertible {
  package var description: String {
    """
    seed \(seed), changes: \(mutations.map(\.rawValue).joined(separator: ", "))
    foreign keys \(hasForeignKeysOn ? "on" : "off")
    --- old
    \(oldScript)\(Self.script(rows))--- new
    \(newScript)--- renames: \(hints.joined(separator: "  "))
    """
  }
}
