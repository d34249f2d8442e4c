/// A ``ModelTable`` without its model's type, with every property replaced by its column.
struct TableDeclaration: Sendable {
  let model: String
  let name: String
  var columns: [DeclaredColumn]
  var constraints: [DeclaredConstraint]
  var indexes: [DeclaredIndex]
  var triggers: [Trigger]
  var isStrict: Bool
  var isWithoutRowID: Bool
  var formerNames: [SQLName]
  var removedColumns: Set<SQLName>
  /// Two columns that are mixed up, or a mistake in the model's own functions.
  var orderMistake: @Sendable () -> DeclarationError.Reason?

  init<M: Model>(_ type: M.Type) {
    let table = M.table
    model = "\(M.self)"
    name = table.name
    columns = table.group.columns
    constraints = table.constraints
    indexes = table.indexes
    triggers = table.triggers
    isStrict = table.isStrict
    isWithoutRowID = table.isWithoutRowID
    formerNames = table.formerNames
    removedColumns = table.removedColumns
    orderMistake = {
      if let mistake = table.codingMistake() { return mistake }
      return table.columnsOutOfOrder().map { .columnsOutOfOrder(first: $0.first, second: $0.second) }
    }
  }
}

extension TableDeclaration {
  func error(_ reason: DeclarationError.Reason) -> DeclarationError {
    DeclarationError(reason, model: model, table: name)
  }

  /// The columns of properties, which a constraint or an index names.
  func columnNames(_ paths: [any AnyKeyPath & Sendable], in place: String) throws(DeclarationError) -> [String] {
    guard !paths.isEmpty else { throw error(.noColumns(in: place)) }
    var names: [String] = []
    for path in paths { names.append(try columnName(path, in: place)) }
    return names
  }

  /// The column of a property, which a constraint or an index names.
  func columnName(_ path: AnyKeyPath, in place: String) throws(DeclarationError) -> String {
    guard let column = columns.first(where: { $0.path() == path }) else {
      let spelling = Self.spelling(of: path)
      guard let other = columns.first(where: \.isInOptionalFragment) else {
        throw error(.unknownKeyPath(spelling, in: place))
      }
      throw error(.unknownKeyPathBesideOptional(spelling, in: place, example: Self.spelling(of: other.path())))
    }
    return column.name
  }

  /// A key path as written in source, as far as the running program knows it: computed properties lose their names.
  static func spelling(of path: AnyKeyPath) -> String {
    let text = "\(path)"
    return text.contains("<") ? "a property of type \(type(of: path).valueType)" : text
  }

  /// True if a column is an alias of the rowid, which is never NULL and gets its value from SQLite.
  ///
  /// See [ROWIDs and the INTEGER PRIMARY KEY](https://sqlite.org/lang_createtable.html#rowid).
  func isRowID(_ column: DeclaredColumn) -> Bool {
    guard !isWithoutRowID, SQLName(column.typeName) == "INTEGER" else { return false }
    if let key = column.primaryKey { return key.order != .descending }
    return constraints.contains {
      guard case .primaryKey(let paths, _) = $0.kind, paths.count == 1 else { return false }
      return paths[0] == column.path()
    }
  }

  /// The parent sides of all foreign keys.
  var references: [DeclaredReference] {
    columns.compactMap(\.reference)
      + constraints.compactMap { if case .foreignKey(_, let reference) = $0.kind { reference } else { nil } }
  }

  /// The declared hints about migrating to this table.
  var hints: TableHints {
    var hints = TableHints(renamedFrom: formerNames, removedColumns: removedColumns)
    for column in columns {
      if column.hints != ColumnHints() { hints.columns[SQLName(column.name)] = column.hints }
      if column.exactType == nil { hints.looseTypes.insert(SQLName(column.name)) }
    }
    return hints
  }
}
