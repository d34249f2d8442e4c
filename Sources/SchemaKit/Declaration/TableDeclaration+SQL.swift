extension TableDeclaration {
  /// The CREATE TABLE statement.
  func createTable() throws(DeclarationError) -> DeclaredStatement {
    var names = ConstraintNames(table: name)
    var lines: [String] = []
    for column in columns { lines.append("  " + (try definition(of: column, names: &names))) }
    for constraint in constraints { lines.append("  " + (try definition(of: constraint, names: &names))) }
    let options = [isStrict ? "STRICT" : nil, isWithoutRowID ? "WITHOUT ROWID" : nil].compactMap { $0 }
    let tail = options.isEmpty ? "" : " " + options.joined(separator: ", ")
    let sql = "CREATE TABLE \(SQLQuoting.identifier(name)) (\n\(lines.joined(separator: ",\n"))\n)\(tail)"
    return DeclaredStatement(sql: sql, table: SQLName(name))
  }

  /// The CREATE INDEX statements.
  func createIndexes() throws(DeclarationError) -> [DeclaredStatement] {
    var statements: [DeclaredStatement] = []
    for index in indexes {
      let place = "the index \(index.name)"
      guard !index.terms.isEmpty else { throw error(.noColumns(in: place)) }
      var terms: [String] = []
      for term in index.terms {
        var words: [String] = []
        switch term.source {
        case .column(let path): words.append(SQLQuoting.identifier(try columnName(path, in: place)))
        case .sql(let sql): words.append(sql)
        }
        if let collation = term.collation { words.append(collation.clause) }
        if let order = term.order, order == .descending { words.append(order.rawValue) }
        terms.append(words.joined(separator: " "))
      }
      var sql = "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLQuoting.identifier(index.name))"
      sql += " ON \(SQLQuoting.identifier(name)) (\(terms.joined(separator: ", ")))"
      if let predicate = index.predicate { sql += " WHERE \(predicate)" }
      statements.append(DeclaredStatement(sql: sql, table: SQLName(name)))
    }
    return statements
  }

  private func definition(
    of column: DeclaredColumn,
    names: inout ConstraintNames
  ) throws(DeclarationError) -> String {
    var words = [SQLQuoting.identifier(column.name)]
    if !column.typeName.isEmpty { words.append(column.typeName) }
    if let notNull = column.notNull {
      words.append("NOT NULL" + notNull.conflict.clause)
    } else if !column.valueType.isOptional, !isRowID(column) {
      // A rowid is never NULL, and inserting NULL requests a new number.
      words.append("NOT NULL")
    }
    if let key = column.primaryKey {
      words.append("PRIMARY KEY" + (key.order == .descending ? " DESC" : "") + key.conflict.clause)
      if key.isAutoincrement { words.append("AUTOINCREMENT") }
    }
    switch column.defaultValue {
    case .literal(let literal): words.append("DEFAULT \(literal)")
    case .expression(let sql): words.append("DEFAULT (\(sql))")
    case .unrepresentable(let why): throw error(.unrepresentableDefault(column: column.name, why: why))
    case nil: break
    }
    if let generated = column.generated {
      words.append("GENERATED ALWAYS AS (\(generated.sql)) \(generated.kind.rawValue)")
    }
    if let collation = column.collation { words.append(collation.clause) }
    if let unique = column.unique {
      words.append(names.clause(for: unique.name, [column.name], "key") + " UNIQUE" + unique.conflict.clause)
    }
    for check in column.checks {
      words.append(names.clause(for: check.name, [column.name], "check") + " CHECK (\(check.sql))")
    }
    if let reference = column.reference {
      words.append(names.clause(for: reference.name, [column.name], "fkey"))
      words.append(try clause(for: reference, columnCount: 1))
    }
    return words.joined(separator: " ")
  }

  private func definition(
    of constraint: DeclaredConstraint,
    names: inout ConstraintNames
  ) throws(DeclarationError) -> String {
    switch constraint.kind {
    case .primaryKey(let paths, let conflict):
      let columns = try columnNames(paths, in: "the primary key")
      return names.clause(for: constraint.name, [], "pkey") + " PRIMARY KEY \(list(columns))" + conflict.clause
    case .unique(let paths, let conflict):
      let columns = try columnNames(paths, in: "a unique constraint")
      return names.clause(for: constraint.name, columns, "key") + " UNIQUE \(list(columns))" + conflict.clause
    case .check(let sql):
      return names.clause(for: constraint.name, [], "check") + " CHECK (\(sql))"
    case .foreignKey(let paths, let reference):
      let columns = try columnNames(paths, in: "a foreign key")
      let target = try clause(for: reference, columnCount: columns.count)
      return names.clause(for: constraint.name, columns, "fkey") + " FOREIGN KEY \(list(columns)) \(target)"
    }
  }

  private func clause(for reference: DeclaredReference, columnCount: Int) throws(DeclarationError) -> String {
    let parent = reference.table()
    var columns: [String] = []
    for column in reference.columns() {
      guard let column else { throw error(.unknownParentColumn(parent: parent, column: nil)) }
      columns.append(column)
    }
    guard columns.isEmpty || columns.count == columnCount else {
      throw error(.foreignKeyCount(columns: columnCount, parentColumns: columns.count))
    }
    var words = ["REFERENCES \(SQLQuoting.identifier(parent))" + (columns.isEmpty ? "" : " \(list(columns))")]
    if let action = reference.onDelete { words.append("ON DELETE \(action.rawValue)") }
    if let action = reference.onUpdate { words.append("ON UPDATE \(action.rawValue)") }
    if let deferrable = reference.deferrable { words.append(deferrable.rawValue) }
    return words.joined(separator: " ")
  }

  private func list(_ names: [String]) -> String {
    "(" + names.map(SQLQuoting.identifier).joined(separator: ", ") + ")"
  }
}

/// Names constraints, so that later statements and SQLite's messages can say which one they mean.
///
/// The names depend on the table and its columns alone: the same declaration always gets the same names.
private struct ConstraintNames {
  let table: String
  private var used: Set<SQLName> = []

  init(table: String) { self.table = table }

  /// The CONSTRAINT clause with the given name, or with one derived from the table, the columns and the kind.
  mutating func clause(for name: String?, _ columns: [String], _ kind: String) -> String {
    "CONSTRAINT " + SQLQuoting.identifier(name ?? unused(([table] + columns + [kind]).joined(separator: "_")))
  }

  private mutating func unused(_ stem: String) -> String {
    var name = stem
    var number = 2
    while !used.insert(SQLName(name)).inserted {
      name = "\(stem)\(number)"
      number += 1
    }
    return name
  }
}

extension Collation {
  var clause: String {
    let isKnown = [Collation.binary, .nocase, .rtrim].contains(self)
    return "COLLATE " + (isKnown ? name : SQLQuoting.identifier(name))
  }
}

extension ConflictClause? {
  fileprivate var clause: String { map { " ON CONFLICT \($0.rawValue)" } ?? "" }
}
