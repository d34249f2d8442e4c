extension ModelSchema {
  /// Finds foreign keys that could never be satisfied, or that SQLite would refuse at the first row.
  ///
  /// See [Required and suggested database indexes](https://sqlite.org/foreignkeys.html#fk_indexes). If the declaration
  /// gives the name of a table, only certain mistakes are reported: the table may be created by something else.
  func validateParents(of tables: [TableDeclaration], and objects: [CreateStatement]) throws(DeclarationError) {
    let models = Dictionary(tables.map { (SQLName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    let others = Set(objects.filter(\.isTable).map(\.name))
    let indexed = Set(objects.filter { !$0.isTable && !$0.isTrigger }.map(\.table))
    for table in tables {
      for key in try table.foreignKeys() {
        let name = SQLName(key.reference.table())
        guard let parent = models[name] else {
          guard let model = key.reference.model, !others.contains(name) else { continue }
          throw table.error(
            .parentNotInSchema(columns: key.columns.map(\.name), parent: model, table: name.text))
        }
        try table.validate(key, to: parent, mayHaveOtherIndexes: indexed.contains(name))
      }
    }
  }
}

extension TableDeclaration {
  /// A foreign key with the columns that it is declared on.
  fileprivate struct ForeignKey {
    let columns: [DeclaredColumn]
    let reference: DeclaredReference
  }

  fileprivate func foreignKeys() throws(DeclarationError) -> [ForeignKey] {
    var keys: [ForeignKey] = []
    for column in columns {
      if let reference = column.reference { keys.append(ForeignKey(columns: [column], reference: reference)) }
    }
    for case .foreignKey(let paths, let reference) in constraints.map(\.kind) {
      let names = try columnNames(paths, in: "a foreign key")
      keys.append(ForeignKey(columns: names.compactMap(column), reference: reference))
    }
    return keys
  }

  private func column(_ name: String) -> DeclaredColumn? {
    columns.first { SQLName($0.name) == SQLName(name) }
  }

  fileprivate func validate(
    _ key: ForeignKey, to parent: TableDeclaration, mayHaveOtherIndexes: Bool
  ) throws(DeclarationError) {
    let named = key.reference.columns().compactMap { $0 }
    for name in named where parent.column(name) == nil {
      throw error(.unknownParentColumn(parent: key.reference.table(), column: name))
    }
    guard let model = key.reference.model else { return }
    let names = named.isEmpty ? parent.primaryKey : named
    guard parent.isUnique(names) || (mayHaveOtherIndexes && !names.isEmpty) else {
      throw error(.parentNotUnique(columns: key.columns.map(\.name), parent: model, parentColumns: names))
    }
    guard names.count == key.columns.count else {
      throw error(.foreignKeyCount(columns: key.columns.count, parentColumns: names.count))
    }
    for (child, column) in zip(key.columns, names.compactMap(parent.column)) where !child.isStored(like: column) {
      throw error(
        .parentTypeMismatch(
          column: child.name, type: child.storage, parent: model, parentColumn: column.name,
          parentType: column.storage))
    }
  }

  /// The columns of the primary key; empty if there is none.
  private var primaryKey: [String] {
    if let column = columns.first(where: { $0.primaryKey != nil }) { return [column.name] }
    for case .primaryKey(let paths, _) in constraints.map(\.kind) { return names(of: paths) }
    return []
  }

  /// True if no two rows can have the same values in some columns.
  private func isUnique(_ names: [String]) -> Bool {
    let wanted = Set(names.map { SQLName($0) })
    var unique = [primaryKey]
    unique += columns.filter { $0.unique != nil }.map { [$0.name] }
    for case .unique(let paths, _) in constraints.map(\.kind) { unique.append(self.names(of: paths)) }
    for index in indexes where index.isUnique && index.predicate == nil {
      let paths = index.terms.compactMap { term -> (any AnyKeyPath & Sendable)? in
        guard case .column(let path) = term.source, term.collation == nil else { return nil }
        return path
      }
      if paths.count == index.terms.count { unique.append(self.names(of: paths)) }
    }
    return !wanted.isEmpty && unique.contains { Set($0.map { SQLName($0) }) == wanted }
  }

  private func names(of paths: [any AnyKeyPath & Sendable]) -> [String] {
    paths.compactMap { path in columns.first { $0.path() == path }?.name }
  }
}

extension DeclaredColumn {
  /// True if a value of one column can be found in the other.
  fileprivate func isStored(like other: DeclaredColumn) -> Bool {
    if swiftType == other.swiftType { return coding?.name == other.coding?.name }
    guard let kind, let otherKind = other.kind else { return true }
    return kind == otherKind
  }

  /// The kind of values for comparisons: integers and reals are one kind; nil for a column without a type, which may hold
  /// anything.
  private var kind: Affinity? {
    guard !valueType.name.isEmpty else { return nil }
    let affinity = Affinity(declaredType: valueType.name, isStrict: false)
    return [.integer, .real].contains(affinity) ? .numeric : affinity
  }

  /// The storage as named in messages.
  fileprivate var storage: String {
    let type = valueType.name.isEmpty ? "any type" : valueType.name
    return coding?.name.map { "\(type) with \($0)" } ?? type
  }
}
