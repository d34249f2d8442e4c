@testable import SQLiteSchema
@testable import SchemaKit

/// What SQLite's pragmas tell of a table, either asked of SQLite or worked out from a parsed statement.
struct TableDigest: Equatable {
  /// Name, type, NOT NULL, default, place in the key and hidden kind of each column.
  var columns: [[String]] = []
  /// The columns and collations of each automatic index.
  var indexes: Set<[String]> = []
  /// Each foreign key's table, columns and actions.
  var foreignKeys: [[String]] = []
  var isWithoutRowID = false
}

extension TableDigest {
  init(of name: String, in database: RawSQLite) throws {
    let literal = SQLQuoting.literal(name)
    columns = try database.rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(literal)) ORDER BY cid"
    ).map { row in
      var type = Self.words(row[1].string ?? "").uppercased()
      // Only a text that is long enough for both words loses them.
      if !Engine.has(.typesWithoutGenerated), row[1].string?.utf8.count ?? 0 >= 16 {
        type = type.replacing(#/ ?(GENERATED ?)?ALWAYS$/#, with: "")
      }
      let value = row[3].string.map(Self.words) ?? "none"
      return [row[0].string ?? "", type, "\(row[2])", value, "\(row[4])", "\(row[5])"]
    }
    for index in try database.rows("SELECT name, origin FROM pragma_index_list(\(literal))") {
      let terms = try database.rows(
        "SELECT name, upper(coll) FROM pragma_index_xinfo(\(SQLQuoting.literal(index[0].string ?? ""))) "
          + "WHERE key ORDER BY seqno"
      )
      indexes.insert(terms.flatMap { row in row.map { SQLName.fold($0.string ?? "") } })
    }
    foreignKeys = try database.rows(
      "SELECT \"table\", \"from\", \"to\", on_update, on_delete "
        + "FROM pragma_foreign_key_list(\(literal)) ORDER BY id DESC"
    ).map { row in row.map { $0.string.map(SQLName.fold) ?? "none" } }
    // Older versions have no pragma that tells. No generated column is named like the rowid.
    isWithoutRowID = (try? database.compiles("SELECT rowid FROM \(SQLQuoting.identifier(name))")) == nil
  }

  init(of table: CreateTableStatement) {
    isWithoutRowID = table.isWithoutRowID
    var key = table.columns.flatMap { column in
      column.constraints.compactMap { constraint -> IndexedColumn? in
        guard case .primaryKey(let order, _, _) = constraint.kind else { return nil }
        let expression = SQLExpression(tokens: [], text: "", span: column.nameSpan)
        return IndexedColumn(expression: expression, column: column.name, collation: nil, order: order)
      }
    }
    let isInline = !key.isEmpty
    for constraint in table.constraints {
      if case .primaryKey(let columns, _, _) = constraint.kind { key = columns }
      if case .unique(let columns, _) = constraint.kind { indexes.insert(Self.terms(columns, of: table)) }
    }
    var keyColumns: [SQLName] = []
    for case let name? in key.map(\.column) where !keyColumns.contains(name) { keyColumns.append(name) }
    let isIntegerKey =
      key.count == 1 && !(isInline && key[0].order == .descending)
      && table.columns.contains { $0.name == key[0].column && SQLName($0.effectiveType ?? "") == "INTEGER" }
    let isAlias = isIntegerKey && !table.isWithoutRowID
    // SQLite forgets the collation of such a key when it turns it into that of a table without rowids.
    if isIntegerKey { key[0].collation = nil }
    if !key.isEmpty, !isAlias { indexes.insert(Self.terms(key, of: table)) }
    for column in table.columns {
      add(column, keyPlace: keyColumns.firstIndex(of: column.name).map { $0 + 1 } ?? 0, in: table)
    }
    for constraint in table.constraints {
      guard case .foreignKey(let columns, let clause) = constraint.kind else { continue }
      for (index, column) in columns.enumerated() {
        add(clause, from: column, to: clause.columns.isEmpty ? nil : clause.columns[index])
      }
    }
  }

  private mutating func add(_ column: ColumnDefinition, keyPlace: Int, in table: CreateTableStatement) {
    var isNotNull = keyPlace > 0 && table.isWithoutRowID
    var value = "none"
    var hidden = 0
    for constraint in column.constraints {
      switch constraint.kind {
      case .notNull: isNotNull = true
      case .defaultValue(let expression):
        let text = expression.text
        value = Self.words(text.hasPrefix("(") ? String(text.dropFirst().dropLast()) : text)
      case .generated(_, let isStored): hidden = isStored ? 3 : 2
      case .unique:
        let expression = SQLExpression(tokens: [], text: "", span: column.nameSpan)
        indexes.insert(Self.terms([IndexedColumn(expression: expression, column: column.name)], of: table))
      case .references(let clause): add(clause, from: column.name, to: clause.columns.first)
      default: break
      }
    }
    let type = Self.words(column.effectiveType ?? "").uppercased()
    columns.append([column.name.text, type, isNotNull ? "1" : "0", value, "\(keyPlace)", "\(hidden)"])
  }

  private mutating func add(_ clause: ForeignKeyClause, from column: SQLName, to parent: SQLName?) {
    let update = SQLName.fold((clause.onUpdate ?? .noAction).rawValue)
    let delete = SQLName.fold((clause.onDelete ?? .noAction).rawValue)
    foreignKeys.append([clause.table.folded, column.folded, parent?.folded ?? "none", update, delete])
  }

  private static func terms(_ terms: [IndexedColumn], of table: CreateTableStatement) -> [String] {
    terms.flatMap { term -> [String] in
      var collation: SQLName = "BINARY"
      for constraint in table.columns.first(where: { $0.name == term.column })?.constraints ?? [] {
        if case .collate(let name) = constraint.kind { collation = name }
      }
      return [term.column?.folded ?? "", (term.collation ?? collation).folded]
    }
  }

  /// The tokens of a text with one space between them.
  private static func words(_ text: String) -> String {
    // A type that was in quotes may hold anything.
    (try? SQLLexer.tokens(of: text).map(\.text).joined(separator: " ")) ?? text
  }
}
