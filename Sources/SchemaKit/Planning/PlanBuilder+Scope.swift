import OrderedCollections

// The part of a file that a plan is made for and proved on: planning costs what changes, not all that the file has beside it.
extension PlanBuilder {
  /// The schemas whose parts are compared.
  struct Whole {
    /// The file's schema.
    var source: DatabaseSchema
    /// The declared schema.
    var declared: DatabaseSchema
    /// The declared schema, with what the file has beside it before renames.
    var effective: DatabaseSchema
    /// Objects that the declared schema does not own.
    var unmanaged: [SQLName]
    var scope: ChangeScope

    /// The schema that the file will have, with a part that was compared.
    func effective(with part: DatabaseSchema) -> DatabaseSchema {
      var effective = effective
      effective.tables.removeAll { scope.names.contains($0.key) }
      effective.virtualTables.removeAll { scope.names.contains($0.key) }
      effective.tables.merge(part.tables) { $1 }
      effective.virtualTables.merge(part.virtualTables) { $1 }
      return effective
    }

    /// The objects that the declared schema does not own, with those of a part that was compared.
    func unmanaged(with part: [SQLName]) -> [SQLName] {
      let (known, found) = (Set(unmanaged), Set(part))
      return unmanaged.filter { found.contains($0) || !isInScope($0) } + part.filter { !known.contains($0) }
    }

    private func isInScope(_ name: SQLName) -> Bool {
      scope.names.contains(name) || source.indexes[name].map { scope.names.contains($0.table) } == true
        || source.triggers[name] != nil
    }
  }

  /// The builder for the part of a file that a difference reaches.
  func limited(
    to difference: SchemaDiff, renames: SchemaRenames, source: DatabaseSchema,
    effective: (schema: DatabaseSchema, unmanaged: [SQLName])
  ) -> (builder: PlanBuilder, source: DatabaseSchema) {
    var changed = difference.allNames
    changed.formUnion(renames.tables.flatMap { [$0.old, $0.new] } + renames.columns.map(\.table))
    changed.formUnion(renames.replacedTables.flatMap { [$0.key, $0.value] })
    changed.formUnion(target.hints.formChanges.map(\.table))
    // An old SQLite renames columns in computed ones of other tables too.
    let others = source.tables.values.filter { NameRegister($0) != nil || !$0.generatedColumns.isEmpty }.map(\.name)
    let hints = target.hints.tables.values.flatMap(\.columns.values)
    let scope = ChangeScope(
      of: changed, besides: Set(others).union(tablesLackingSomething(in: source)),
      expressions: hints.flatMap { [$0.conversion, $0.backfill, $0.nullCondition] }.compactMap(\.self),
      in: [source, effective.schema])
    var builder = self
    builder.whole = Whole(
      source: source, declared: target.schema, effective: effective.schema, unmanaged: effective.unmanaged, scope: scope
    )
    builder.target.schema = target.schema.limited(to: scope)
    return (builder, source.limited(to: scope))
  }

  /// The tables with a collation or a function that this connection lacks: ALTER TABLE may fail for any of them.
  private func tablesLackingSomething(in source: DatabaseSchema) -> [SQLName] {
    var known: [StubRegistry.Stub: Bool] = [:]
    func isLacking(_ stub: StubRegistry.Stub) -> Bool {
      if let isThere = known[stub] { return !isThere }
      let isThere = connection.has(stub)
      known[stub] = isThere
      return !isThere
    }
    var users: [SQLName] = []
    for table in source.tables.values {
      let keys = (table.primaryKey?.columns ?? []) + table.uniques.flatMap(\.columns)
      let collations = table.columns.compactMap(\.collation) + keys.compactMap(\.collation)
      if collations.contains(where: { isLacking(.init(kind: .collation, name: $0.text)) }) { users.append(table.name) }
    }
    for index in source.indexes.values {
      let collations = index.terms.compactMap(\.collation)
      if collations.contains(where: { isLacking(.init(kind: .collation, name: $0.text)) }) { users.append(index.table) }
    }
    for (table, functions) in source.calledFunctions
    where functions.contains(where: { isLacking(.init(kind: .function, name: $0)) }) {
      users.append(table)
    }
    return users
  }
}

extension SchemaDiff {
  /// The names of all objects that differ, before and after.
  fileprivate var allNames: Set<SQLName> {
    Set(names).union(virtualTables.compactMap(\.old?.name)).union(indexes.compactMap(\.old?.name))
      .union(views.compactMap(\.old?.name)).union(triggers.compactMap(\.old?.name))
      .union(changedTables.map(\.from.name)).union(indexes.compactMap(\.old?.table)).union(
        indexes.compactMap(\.new?.table))
  }
}

extension DatabaseSchema {
  /// The names of called functions by tables, in what SQLite resolves while it reads a table or an index.
  var calledFunctions: [SQLName: Set<String>] {
    var names: [SQLName: Set<String>] = [:]
    func note(_ expression: CanonicalSQL?, of table: SQLName) {
      guard let expression, let tokens = try? SQLLexer.tokens(of: expression.text) else { return }
      for (token, next) in zip(tokens, tokens.dropFirst()) {
        if token.isKeyword("REGEXP") { names[table, default: []].insert("regexp") }
        if next.isSymbol("("), let name = token.name { names[table, default: []].insert(name.text) }
      }
    }
    for table in tables.values {
      for check in table.checks { note(check.expression, of: table.name) }
      for column in table.columns { note(column.generation?.expression, of: table.name) }
    }
    for index in indexes.values {
      for term in index.terms where term.column == nil { note(term.expression, of: index.table) }
      note(index.predicate, of: index.table)
    }
    return names
  }
}
