extension TableSchema {
  /// Reads a table from its CREATE TABLE statement.
  ///
  /// Column and table constraints are collected in the same lists: where a constraint is written makes no difference.
  package init(_ statement: CreateTableStatement, sql: String) {
    let columnNames = Set(statement.columns.map(\.name))
    let canonical = { (expression: SQLExpression) in
      CanonicalSQL(
        text: expression.text(withoutSchemaOf: statement.name),
        tokens: expression.canonical(
          droppingQualifier: statement.name, columns: columnNames, hasRowID: !statement.isWithoutRowID))
    }

    self.init(
      name: statement.name,
      columns: statement.columns.map { definition in
        ColumnSchema(definition, in: sql, isStrict: statement.isStrict, canonical: canonical)
      },
      isStrict: statement.isStrict, isWithoutRowID: statement.isWithoutRowID, sql: sql)

    for definition in statement.columns {
      for constraint in definition.constraints {
        add(constraint, of: definition, canonical: canonical)
      }
    }
    for constraint in statement.constraints { add(constraint, canonical: canonical) }
    markNotNullKeys()
  }

  private mutating func add(
    _ constraint: ColumnConstraint, of definition: ColumnDefinition, canonical: (SQLExpression) -> CanonicalSQL
  ) {
    switch constraint.kind {
    case .primaryKey(let order, let conflict, let isAutoincrement):
      primaryKey = PrimaryKeySchema(
        columns: [keyColumn(definition.name, collation: nil, order: order)],
        isAutoincrement: isAutoincrement,
        conflict: conflict.unlessAbort,
        // `INTEGER PRIMARY KEY DESC` on the column itself is SQLite's one exception.
        isRowIDAlias: isRowIDAlias([definition.name]) && order != .descending)
    case .unique(let conflict):
      uniques.append(
        UniqueSchema(
          columns: [keyColumn(definition.name, collation: nil, order: nil)], conflict: conflict.unlessAbort))
    case .check(let expression, _):
      checks.append(CheckSchema(name: constraint.name, expression: canonical(expression)))
    case .references(let clause):
      foreignKeys.append(ForeignKeySchema([definition.name], clause))
    case .notNull, .null, .defaultValue, .collate, .generated:
      break
    }
  }

  private mutating func add(_ constraint: TableConstraint, canonical: (SQLExpression) -> CanonicalSQL) {
    switch constraint.kind {
    case .primaryKey(let terms, let conflict, let isAutoincrement):
      let keys = terms.map {
        keyColumn($0.column ?? SQLName($0.expression.text), collation: $0.collation, order: $0.order)
      }
      primaryKey = PrimaryKeySchema(
        columns: keys, isAutoincrement: isAutoincrement, conflict: conflict.unlessAbort,
        isRowIDAlias: isRowIDAlias(keys.map(\.name)))
    case .unique(let terms, let conflict):
      let keys = terms.map {
        keyColumn($0.column ?? SQLName($0.expression.text), collation: $0.collation, order: $0.order)
      }
      uniques.append(UniqueSchema(columns: keys, conflict: conflict.unlessAbort))
    case .check(let expression, _):
      checks.append(CheckSchema(name: constraint.name, expression: canonical(expression)))
    case .foreignKey(let columns, let clause):
      foreignKeys.append(ForeignKeySchema(columns, clause))
    }
  }

  func keyColumn(_ name: SQLName, collation: SQLName?, order: SortDirection?) -> KeyColumn {
    KeyColumn(
      name: name, collation: (collation ?? column(name)?.collation).unlessBinary, isDescending: order == .descending)
  }

  private func isRowIDAlias(_ keys: [SQLName]) -> Bool {
    guard !isWithoutRowID, keys.count == 1, let column = column(keys[0]) else { return false }
    return column.comparableType == "INTEGER"
  }

  /// Keys of WITHOUT ROWID and STRICT tables implicitly reject NULL.
  ///
  /// See [WITHOUT ROWID](https://sqlite.org/withoutrowid.html) and [STRICT](https://sqlite.org/stricttables.html).
  private mutating func markNotNullKeys() {
    guard let primaryKey, isWithoutRowID || (isStrict && !primaryKey.isRowIDAlias) else { return }
    let keys = Set(primaryKey.columns.map(\.name))
    columns = columns.map { column in
      var column = column
      if keys.contains(column.name) { column.isNotNull = true }
      return column
    }
  }
}

extension ColumnSchema {
  package init(
    _ definition: ColumnDefinition, in sql: String, isStrict: Bool, canonical: (SQLExpression) -> CanonicalSQL
  ) {
    name = definition.name
    type = definition.effectiveType
    affinity = Affinity(declaredType: definition.affinityType, isStrict: isStrict)
    isNotNull = false
    self.definition = SQLEditing.text(at: definition.span, in: sql)
    for constraint in definition.constraints {
      switch constraint.kind {
      case .notNull(let conflict):
        isNotNull = true
        notNullConflict = conflict.unlessAbort
      case .defaultValue(let expression):
        defaultValue = DefaultValue(expression)
      case .collate(let name):
        collation = Optional(name).unlessBinary
      case .generated(let expression, let isStored):
        generation = Generation(expression: canonical(expression), isStored: isStored)
      case .primaryKey, .null, .unique, .check, .references:
        break
      }
    }
  }
}

extension ForeignKeySchema {
  package init(_ columns: [SQLName], _ clause: ForeignKeyClause) {
    self.columns = columns
    parent = clause.table
    parentColumns = clause.columns
    onDelete = clause.onDelete ?? .noAction
    onUpdate = clause.onUpdate ?? .noAction
    match = clause.match
    isDeferrable = clause.deferral?.isDeferrable ?? false
    isInitiallyDeferred = isDeferrable && (clause.deferral?.isInitiallyDeferred ?? false)
  }
}

extension ConflictClause? {
  /// ABORT is the default.
  package var unlessAbort: ConflictClause? { self == .abort ? nil : self }
}

extension SQLName? {
  /// BINARY is the default collating sequence.
  package var unlessBinary: SQLName? { self == "BINARY" ? nil : self }
}
