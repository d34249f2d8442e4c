import SchemaKit

extension SwiftModelWriter {
  /// Writes a constraint that stands behind the columns.
  mutating func add(_ constraint: TableConstraint) {
    switch constraint.kind {
    case .primaryKey(let terms, let conflict, _):
      if !isKeyOfColumn { addKey(Self.columns(terms), conflict, constraint.name) }
    case .unique(let terms, let conflict):
      addUnique(Self.columns(terms), conflict, constraint.name)
    case .check(let expression, _):
      constraints.append(
        SwiftText.call("Constraint.check", [(nil, .text(Self.bare(expression)))] + named(constraint.name), indent: 4))
    case .foreignKey(let columns, let clause):
      addForeignKey(columns, clause, constraint.name)
    }
  }

  private static func columns(_ terms: [IndexedColumn]) -> [SQLName] {
    terms.map { $0.column ?? SQLName($0.expression.text) }
  }

  mutating func addKey(_ columns: [SQLName], _ conflict: ConflictClause?, _ name: SQLName?) {
    let arguments = paths(columns) + Self.onConflict(conflict) + named(name)
    constraints.append(SwiftText.call("Constraint.primaryKey", arguments, indent: 4))
  }

  mutating func addUnique(_ columns: [SQLName], _ conflict: ConflictClause?, _ name: SQLName?) {
    let arguments = paths(columns) + Self.onConflict(conflict) + named(name)
    constraints.append(SwiftText.call("Constraint.unique", arguments, indent: 4))
  }

  mutating func addForeignKey(_ columns: [SQLName], _ clause: ForeignKeyClause, _ name: SQLName?) {
    let model = parent(of: clause, for: columns)
    var target: [(label: String?, value: SwiftText.Value)] = [("references", Self.parent(model, of: clause))]
    for (index, column) in clause.columns.enumerated() {
      let label = index == 0 ? "columns" : nil
      if let path = model?.path(column) {
        target.append((label, .code(path)))
      } else {
        target.append((label, .name(column.text)))
      }
    }
    let arguments = paths(columns) + target + Self.actions(clause) + named(name)
    constraints.append(SwiftText.call("Constraint.foreignKey", arguments, indent: 4))
  }

  /// The arguments of `references` for one column.
  func reference(
    _ clause: ForeignKeyClause, of child: SQLName
  ) -> [(label: String?, value: SwiftText.Value)] {
    let model = parent(of: clause, for: [child])
    var arguments: [(label: String?, value: SwiftText.Value)] = [(nil, Self.parent(model, of: clause))]
    if let column = clause.columns.first {
      if let path = model?.path(column) {
        arguments.append(("column", .code(path)))
      } else {
        arguments.append(("column", .name(column.text)))
      }
    }
    return arguments + Self.actions(clause)
  }

  /// The parent: its model, or its name where it has none.
  private static func parent(_ model: SwiftTable?, of clause: ForeignKeyClause) -> SwiftText.Value {
    model.map { .code($0.type + ".self") } ?? .name(clause.table.text)
  }

  /// The model of the parent; nil where it has none, or where a declaration would refuse to refer to it.
  private func parent(of clause: ForeignKeyClause, for columns: [SQLName]) -> SwiftTable? {
    guard let model = surroundings.models[clause.table] else { return nil }
    let key = model.schema.primaryKey?.columns.map(\.name) ?? []
    let names = clause.columns.isEmpty ? key : clause.columns
    let unique = [key] + model.schema.uniques.map { $0.columns.map(\.name) }
    guard names.count == columns.count, unique.contains(where: { Set($0) == Set(names) }) else { return nil }
    func kind(_ name: SQLName, in table: SwiftTable) -> String? {
      switch table.columns.first(where: { $0.schema.name == name })?.type {
      case "Int64", "Bool", "Double": "number"
      case let other: other
      }
    }
    let isAlike = zip(columns, names).allSatisfy { child, parent in
      let kinds: Set = [kind(child, in: table), kind(parent, in: model)]
      return kinds.count == 1 || kinds.contains("SQLValue")
    }
    return isAlike ? model : nil
  }

  private func paths(_ columns: [SQLName]) -> [(label: String?, value: SwiftText.Value)] {
    table.paths(columns).map { (label: nil, value: .code($0)) }
  }

  private static func actions(_ clause: ForeignKeyClause) -> [(label: String?, value: SwiftText.Value)] {
    var arguments: [(label: String?, value: SwiftText.Value)] = []
    for (label, action) in [("onDelete", clause.onDelete), ("onUpdate", clause.onUpdate)] {
      switch action {
      case .noAction, nil: break
      case .restrict: arguments.append((label, .code(".restrict")))
      case .setNull: arguments.append((label, .code(".setNull")))
      case .setDefault: arguments.append((label, .code(".setDefault")))
      case .cascade: arguments.append((label, .code(".cascade")))
      }
    }
    if let deferral = clause.deferral, deferral.isDeferrable {
      let isDeferred = deferral.isInitiallyDeferred ?? false
      arguments.append(("deferrable", .code(isDeferred ? ".initiallyDeferred" : ".initiallyImmediate")))
    }
    return arguments
  }

  /// The indexes of the table.
  var indexes: [String] {
    surroundings.indexes.compactMap { index in
      guard case .index(let statement)? = try? SQLParser.create(index.sql) else { return nil }
      var pieces = [
        SwiftText.call("Index", [(nil, .name(index.name.text))] + terms(of: statement), indent: 4)
      ]
      if statement.isUnique { pieces.append(".unique()") }
      if let predicate = statement.predicate { pieces.append(call(".where", [(nil, .text(predicate.text))])) }
      return SwiftText.chain(pieces, indent: 4)
    }
  }

  private func terms(of index: CreateIndexStatement) -> [(label: String?, value: SwiftText.Value)] {
    let paths = index.columns.map { $0.column.flatMap(table.path) }
    let isPlain = zip(index.columns, paths).allSatisfy { term, path in
      path != nil && term.collation == nil && term.order != .descending
    }
    if isPlain { return labelled(paths.compactMap { $0 }) }
    if index.columns.count == 1, index.columns[0].collation == nil, let path = paths[0] {
      return [("on", .code(path)), (nil, .code(".descending"))]
    }
    return labelled(zip(index.columns, paths).map { term, path in self.term(term, path) })
  }

  private func labelled(_ terms: [String]) -> [(label: String?, value: SwiftText.Value)] {
    terms.enumerated().map { ($0 == 0 ? "on" : nil, .code($1)) }
  }

  private func term(_ term: IndexedColumn, _ path: String?) -> String {
    var arguments: [(label: String?, value: SwiftText.Value)] = [
      (nil, path.map { .code($0) } ?? .text(term.expression.text))
    ]
    if term.order == .descending { arguments.append((nil, .code(".descending"))) }
    if let collation = term.collation { arguments.append(("collate", .code(Self.collation(collation)))) }
    return SwiftText.call(path == nil ? ".sql" : ".column", arguments, indent: 6)
  }
}
