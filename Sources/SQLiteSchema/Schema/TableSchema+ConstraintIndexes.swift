// The indexes of constraints, which have numbers instead of names.
extension TableSchema {
  /// The keys of the indexes that SQLite makes for UNIQUE and PRIMARY KEY, in the order of their numbers.
  ///
  /// The order is that of the statement; a constraint over the same columns as one before it has no index of its own. See
  /// [UNIQUE constraints](https://sqlite.org/lang_createtable.html#unique_constraints). The key of a table WITHOUT ROWID has
  /// a number too, though the table itself is its index. Its number is the last where the key would be the rowid otherwise.
  ///
  /// - Throws: `SQLSyntaxError` if the text of the table cannot be read.
  package func constraintIndexes() throws(SQLSyntaxError) -> [ConstraintIndex] {
    guard case .table(let statement) = try SQLParser.create(sql) else { return [] }
    let key = primaryKey?.columns ?? []
    let isMadeLast = isWithoutRowID && key.count == 1 && column(key[0].name)?.comparableType == "INTEGER"
    var indexes: [ConstraintIndex] = []
    func add(_ columns: [KeyColumn], isPrimary: Bool) {
      let terms = columns.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) }
      let isMade = indexes.contains { index in
        index.columns.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) } == terms
      }
      if !isMade { indexes.append(ConstraintIndex(columns: columns, isPrimary: isPrimary)) }
    }
    func keys(_ terms: [IndexedColumn]) -> [KeyColumn] {
      terms.map { keyColumn($0.column ?? SQLName($0.expression.text), collation: $0.collation, order: $0.order) }
    }
    for definition in statement.columns {
      for constraint in definition.constraints {
        switch constraint.kind {
        case .primaryKey(let order, _, _) where rowIDAlias == nil && (!isMadeLast || order == .descending):
          add([keyColumn(definition.name, collation: nil, order: order)], isPrimary: true)
        case .unique: add([keyColumn(definition.name, collation: nil, order: nil)], isPrimary: false)
        default: break
        }
      }
    }
    for constraint in statement.constraints {
      switch constraint.kind {
      case .primaryKey(let terms, _, _) where rowIDAlias == nil && !isMadeLast: add(keys(terms), isPrimary: true)
      case .unique(let terms, _): add(keys(terms), isPrimary: false)
      default: break
      }
    }
    if isMadeLast, !indexes.contains(where: \.isPrimary) { add(key, isPrimary: true) }
    return indexes
  }

  /// The name of the index that a key has beside the table; nil if the table itself is its index.
  package func constraintIndex(over key: [KeyColumn]) -> SQLName? {
    let indexes = (try? constraintIndexes()) ?? []
    return indexes.firstIndex { $0.columns == key && !($0.isPrimary && isWithoutRowID) }.map {
      SQLName(nameOfConstraintIndex($0 + 1))
    }
  }

  /// The columns of PRIMARY KEY and UNIQUE.
  package var constraintColumns: Set<SQLName> {
    Set((primaryKey?.columns ?? []).map(\.name) + uniques.flatMap { $0.columns.map(\.name) })
  }

  /// The place of a column in the primary key, from 1, as `PRAGMA table_info` has it; nil if it is not in it.
  ///
  /// A table WITHOUT ROWID stores a column that its key names twice once.
  package func keyOrdinal(of column: SQLName) -> Int? {
    var terms = primaryKey?.columns ?? []
    if isWithoutRowID {
      terms = terms.indices.filter { place in
        !terms[..<place].contains { $0.name == terms[place].name && $0.collation == terms[place].collation }
      }.map { terms[$0] }
    }
    return terms.firstIndex { $0.name == column }.map { $0 + 1 }
  }

  /// The columns of which a row holds a value: all but the virtual ones.
  package var holdingColumns: [ColumnSchema] { columns.filter { $0.generation?.isStored != false } }

  /// The clause behind the table's name that has SQLite read its rows, and not an index, which may lack some of them.
  ///
  /// [NOT INDEXED](https://sqlite.org/lang_indexedby.html) does not keep SQLite from reading a table WITHOUT ROWID through an
  /// index that has all columns asked for; the name of its key does.
  package var rowOrder: String {
    guard isWithoutRowID, let number = (try? constraintIndexes())?.firstIndex(where: \.isPrimary) else {
      return "NOT INDEXED"
    }
    return "INDEXED BY \(SQLName(nameOfConstraintIndex(number + 1)).quoted)"
  }

  /// The table in `main` as FROM names it, with `rowOrder`.
  package var rows: String { "\"main\".\(name.quoted) \(rowOrder)" }

  /// The name of the index of a constraint, which counts them from 1.
  package func nameOfConstraintIndex(_ number: Int) -> String { "sqlite_autoindex_\(name.text)_\(number)" }
}

/// The index of a UNIQUE or PRIMARY KEY constraint.
package struct ConstraintIndex: Sendable, Hashable {
  package var columns: [KeyColumn]
  package var isPrimary: Bool

  /// The constraint for the reader.
  package var label: String {
    "\(isPrimary ? "PRIMARY KEY" : "UNIQUE") (\(columns.map(\.name.text).joined(separator: ", ")))"
  }
}
