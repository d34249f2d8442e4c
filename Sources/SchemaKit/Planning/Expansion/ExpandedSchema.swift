import OrderedCollections

/// A schema that serves an older and a newer program at once.
///
/// It has the tables, columns and indexes of both. A column that was renamed has both names, kept alike by triggers. Both
/// programs read and write it as if it were their own schema; where that cannot be exact, there is none.
package struct ExpandedSchema {
  /// The schema as a declaration, under the name of the newer one.
  package let declaration: SchemaDeclaration
  /// The names of columns that have two, the new by the former, by their tables.
  package let formerNames: [SQLName: [SQLName: SQLName]]
}

extension TargetSchema {
  /// The schema that serves the program whose schema a file has, and the one that declares this schema.
  ///
  /// - Parameters:
  ///   - file: The file's schema.
  ///   - owned: The objects that this schema declared before, according to the history.
  ///   - servesOlder: True if the program whose schema the file has is served. If not, names change at once, and only what
  ///     takes long is left for later.
  ///
  /// - Throws: `PlanError.cannotExpand`, `AmbiguousRename`.
  package func expanded(
    over file: DatabaseSchema, owned: Set<SQLName>, servesOlder: Bool
  ) throws -> ExpandedSchema {
    let effective = try effectiveSchema(over: file, owned: owned, isRenamed: false).schema
    let renames = try SchemaRenames.resolve(from: file, to: effective, hints: hints)
    let present = part(of: file, owned: owned)
    var obstacles: [ExpandObstacle] = renames.tables.compactMap {
      $0.old == $0.new || !servesOlder ? nil : .renamedTable(from: $0.old.text, to: $0.new.text)
    }
    guard obstacles.isEmpty else { throw PlanError(reason: .cannotExpand(obstacles)) }
    var shared: OrderedDictionary<SQLName, ExpandedTable> = [:]
    for table in schema.tables.values where !ignores(table.name) {
      guard let former = present.tables[renames.formerTable(table.name)] else { continue }
      do {
        let table = try ExpandedTable(
          from: former, to: table, renames: renames.formerColumns[table.name] ?? [:],
          hints: hints.tables[table.name]?.columns ?? [:], servesOlder: servesOlder)
        obstacles += try table.obstacles(in: file, to: effective)
        obstacles += table.unclearFills(hints.tables[table.table.name]?.columns ?? [:])
        shared[table.table.name] = table
      } catch let error as SQLSyntaxError {
        throw PlanError(reason: .unprovable(.statement(former.sql, message: error.description)))
      }
    }
    var objects = ExpandedObjects(
      present: present, servesOlder: servesOlder, declared: schema.removing(ignores), tables: shared)
    obstacles += servesOlder ? objects.obstacles : objects.obstaclesOfLeftTables
    if !servesOlder { obstacles += objects.obstacles(renaming: renames) }
    guard obstacles.isEmpty else { throw PlanError(reason: .cannotExpand(obstacles)) }
    var declaration = SchemaDeclaration(
      name: name, statements: [], hints: hintsWhileExpanded(shared, servesOlder: servesOlder),
      ownsWholeFile: ownsWholeFile)
    if !servesOlder { objects.postpone(renames) }
    declaration.statements = try objects.statements(schema: name).map { DeclaredStatement(sql: $0) }
    var formerNames: [SQLName: [SQLName: SQLName]] = [:]
    for (table, expanded) in shared where !expanded.pairs.isEmpty {
      formerNames[table] = Dictionary(uniqueKeysWithValues: expanded.pairs.map { ($0.old.name, $0.new.name) })
    }
    return ExpandedSchema(declaration: declaration, formerNames: formerNames)
  }

  /// The part of a file that is this schema's to change.
  func part(of file: DatabaseSchema, owned: Set<SQLName>) -> DatabaseSchema {
    let declared = objectNames
    return file.removing { ignores($0) || !(ownsWholeFile || owned.contains($0) || declared.contains($0)) }
  }

  /// The hints that count while both programs are served: nothing leaves, and what has a new name is filled from the old.
  private func hintsWhileExpanded(
    _ tables: OrderedDictionary<SQLName, ExpandedTable>, servesOlder: Bool
  ) -> MigrationHints {
    var hints = hints
    hints.removedTables = []
    for (name, table) in tables {
      guard hints.tables[name] != nil || !table.pairs.isEmpty else { continue }
      hints.tables[name, default: TableHints()].removedColumns = []
      let names = Dictionary(uniqueKeysWithValues: table.pairs.map { ($0.new.name, $0.old.name) })
      for (column, hint) in hints.tables[name]?.columns ?? [:] {
        // The rows have their values under the former names while the columns are filled.
        hints.tables[name]?.columns[column]?.backfill = hint.backfill.map { Self.renaming(names, in: $0) }
        hints.tables[name]?.columns[column]?.declaredBackfill = hint.backfill
      }
      for pair in table.pairs {
        var hint = ColumnHints(backfill: pair.old.name.quoted)
        hint.isRestored = pair.old.affinity == pair.new.affinity
        hints.tables[name, default: TableHints()].columns[pair.new.name] = hint
      }
    }
    return hints
  }

  /// An expression with other names for columns.
  private static func renaming(_ names: [SQLName: SQLName], in expression: String) -> String {
    guard !names.isEmpty, let tokens = try? SQLLexer.tokens(of: expression) else { return expression }
    let edits = tokens.enumerated().compactMap { index, token -> SQLEditing.Edit? in
      let isCall = index + 1 < tokens.count && tokens[index + 1].isSymbol("(")
      guard !isCall, token.kind != .string, let new = token.name.flatMap({ names[$0] }) else { return nil }
      return SQLEditing.Edit(span: token.span, replacement: new.quoted)
    }
    return SQLEditing.applying(edits, to: expression)
  }

  /// The hints with which the older program's part is dropped: nobody loses what has two names.
  ///
  /// - Parameters:
  ///   - formerNames: The former names whose values are the same under the new name, by their tables.
  ///   - file: The file's schema.
  package func contracting(_ formerNames: [SQLName: Set<SQLName>], in file: DatabaseSchema) -> TargetSchema {
    var target = self
    target.hints.removedTables.formUnion(
      [ExpandedTable.writesTable(of: name), ExpandedTable.formerWritesTable(of: name)].filter {
        file.tables[$0] != nil
      })
    for (table, names) in formerNames {
      target.hints.tables[table, default: TableHints()].removedColumns.formUnion(names)
      for column in (target.hints.tables[table]?.columns ?? [:]).keys {
        target.hints.tables[table]?.columns[column]?.renamedFrom.removeAll(where: names.contains)
      }
    }
    return target
  }
}

/// The objects of both programs' schemas, without their tables in common.
private struct ExpandedObjects {
  /// The part of the file that is the older program's.
  private(set) var present: DatabaseSchema
  let servesOlder: Bool
  /// The schema that the newer program declares.
  private(set) var declared: DatabaseSchema
  /// The tables that both have.
  let tables: OrderedDictionary<SQLName, ExpandedTable>

  /// Leaves for later what takes long and changes nothing that the newer program reads: indexes that are new or changed and
  /// not unique.
  mutating func postpone(_ renames: SchemaRenames) {
    let renamed = Set(renames.columns.map(\.table)).union(renames.formerTables.keys)
    for index in declared.indexes.values where !index.isUnique && tables[index.table] != nil {
      // Renames change the text of an index that is there, which is not known here.
      if let former = present.indexes[index.name], renamed.contains(index.table) || former.isEquivalent(to: index) {
        continue
      }
      declared.indexes[index.name] = nil
    }
    // One that only the older program has would refuse or replace rows.
    present.indexes.removeAll { name, index in
      index.isUnique && !(declared.indexes[name].map { $0.isEquivalent(to: index) } ?? false)
    }
    // An object that has another name by now is neither there under its former one, nor as its text says.
    for (table, former) in renames.formerTables where table != former { present.tables[former] = nil }
    present.indexes.removeAll { renamed.contains(renames.newTable($0.value.table)) }
    present.triggers.removeAll { _ in true }
    present.views.removeAll { _ in true }
  }

  /// The objects in which the two schemas differ so that both cannot be had.
  var obstacles: [ExpandObstacle] {
    var found: [ExpandObstacle] = []
    for table in declared.virtualTables.values {
      guard let former = present.virtualTables[table.name], !former.isEquivalent(to: table) else { continue }
      found.append(.changedObject(ObjectReference(.table, table.name)))
    }
    for view in declared.views.values {
      guard let former = present.views[view.name], !former.isEquivalent(to: view) else { continue }
      found.append(.changedObject(ObjectReference(.view, view.name)))
    }
    // A trigger of one program alone would change the rows of the other.
    for name in Set(declared.triggers.keys).union(present.triggers.keys).sorted() {
      let (old, new) = (present.triggers[name], declared.triggers[name])
      if let old, let new, old.isEquivalent(to: new) { continue }
      guard let table = (new ?? old)?.table, tables[table] != nil || present.views[table] != nil else { continue }
      found.append(.changedObject(ObjectReference(.trigger, name)))
    }
    for (mine, others) in [(declared, present), (present, declared)] {
      for table in mine.tables.values where others.tables[table.name] == nil {
        found += table.foreignKeys.filter { others.tables[$0.parent] != nil && !$0.follows }.map {
          .foreignKey(table: table.name.text, parent: $0.parent.text)
        }
      }
    }
    // SQLite refuses to delete parents of a foreign key that fits no key of theirs.
    for table in present.tables.values where declared.tables[table.name] == nil {
      found += table.foreignKeys.filter { declared.tables[$0.parent] != nil && !present.hasKey(for: $0) }.map {
        .foreignKey(table: table.name.text, parent: $0.parent.text)
      }
    }
    for index in Array(declared.indexes.values) + present.indexes.values where index.isUnique && !isHarmless(index) {
      found.append(.changedObject(ObjectReference(.index, index.name)))
    }
    return Array(OrderedSet(found))
  }

  /// The foreign keys of what goes whose parents have other names at once: their texts would name what is not there.
  func obstacles(renaming renames: SchemaRenames) -> [ExpandObstacle] {
    let changed = Set(renames.columns.map(\.table)).union(renames.formerTables.keys)
    let former = changed.union(changed.map(renames.formerTable))
    let left = present.tables.values.filter { declared.tables[renames.newTable($0.name)] == nil }.flatMap { table in
      table.foreignKeys.map { (table: table.name, key: $0) }
    }
    let kept = tables.values.flatMap { table in
      table.former.foreignKeys.filter { key in key.columns.contains { name in table.kept.contains { $0.name == name } }
      }
      .map { (table: table.table.name, key: $0) }
    }
    return (left + kept).filter { former.contains($0.key.parent) }.map {
      .foreignKey(table: $0.table.text, parent: $0.key.parent.text)
    }
  }

  /// The foreign keys of tables that go, which the newer program does not know.
  var obstaclesOfLeftTables: [ExpandObstacle] {
    present.tables.values.filter { declared.tables[$0.name] == nil }.flatMap { table in
      table.foreignKeys.filter { declared.tables[$0.parent] != nil && !$0.follows }.map {
        .foreignKey(table: table.name.text, parent: $0.parent.text)
      }
    }
  }

  /// True if a unique index takes nothing from the program that does not have it.
  private func isHarmless(_ index: IndexSchema) -> Bool {
    guard let table = tables[index.table] else { return true }
    let (old, new) = (present.indexes[index.name], declared.indexes[index.name])
    if let old, let new, old.isEquivalent(to: new) { return true }
    let columns = index.terms.compactMap(\.column)
    if index.predicate == nil, let pair = twins(of: index, table), columns.count == 1 {
      return table.uniqueKeys(of: pair.old.name, in: present, table.former)
        == table.uniqueKeys(of: pair.new.name, in: declared, table.declared)
    }
    // A key with NULL is never a duplicate.
    let alone = table.added + table.kept
    return columns.contains { name in
      alone.contains {
        $0.name == name && !$0.isNotNull && $0.generation == nil && $0.defaultValue.map(\.isNull) ?? true
      }
    }
  }

  /// The renamed column that is all of an index's key.
  private func twins(of index: IndexSchema, _ table: ExpandedTable) -> ExpandedTable.Pair? {
    guard index.terms.count == 1, let column = index.terms[0].column else { return nil }
    return table.pairs.first { [$0.old.name, $0.new.name].contains(column) }
  }

  /// The statements that create everything, each after what it needs.
  func statements(schema: String) throws -> [String] {
    var statements = declared.tables.values.map { tables[$0.name]?.sql ?? $0.sql }
    let left = present.tables.values.filter { declared.tables[$0.name] == nil }
    statements += left.map(\.sql)
    func both<Object>(
      _ old: OrderedDictionary<SQLName, Object>, _ new: OrderedDictionary<SQLName, Object>, _ sql: (Object) -> String
    ) -> [String] {
      new.values.map(sql) + old.filter { new[$0.key] == nil }.map { sql($0.value) }
    }
    statements += both(present.virtualTables, declared.virtualTables, \.sql)
    statements += both(present.indexes, declared.indexes, \.sql)
    // The older program's index of a renamed column has the name of the newer one's.
    for index in present.indexes.values where index.terms.count == 1 {
      guard let table = tables[index.table], let pair = twins(of: index, table), index.terms[0].column == pair.old.name,
        let new = declared.indexes[index.name], !new.isEquivalent(to: index)
      else { continue }
      let name = SQLName("\(SQLName.expansionPrefix) \(index.name)")
      let term = index.terms[0]
      statements.append(
        "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(index.table.quoted) "
          + "(\(pair.old.name.quoted) COLLATE \((term.collation ?? "BINARY").quoted)\(term.isDescending ? " DESC" : ""))"
          + (index.predicate.map { " WHERE \($0.text)" } ?? ""))
    }
    statements += both(present.views, declared.views, \.sql)
    statements += both(present.triggers, declared.triggers, \.sql)
    let own =
      try tables.values.flatMap { try $0.triggers(schema: schema) }
      + (servesOlder ? left.flatMap { ExpandedTable.triggers(noticing: $0, schema: schema) } : [])
    if !own.isEmpty { statements.append(ExpandedTable.writesTableSQL(of: schema)) }
    return statements + own
  }
}

extension DatabaseSchema {
  /// True if the parent of a foreign key has a key that fits it.
  ///
  /// See [Required and Suggested Database Indexes](https://sqlite.org/foreignkeys.html#fk_indexes).
  fileprivate func hasKey(for reference: ForeignKeySchema) -> Bool {
    guard let parent = tables[reference.parent] else { return false }
    let primary = parent.primaryKey?.columns.map(\.name) ?? []
    let columns = reference.parentColumns.isEmpty ? primary : reference.parentColumns
    guard columns.count == reference.columns.count else { return false }
    let unique = indexes(on: parent.name).filter { $0.isUnique && $0.predicate == nil }.map {
      $0.terms.compactMap(\.column)
    }
    return ([primary] + parent.uniques.map { $0.columns.map(\.name) } + unique).contains { Set($0) == Set(columns) }
  }
}

extension ForeignKeySchema {
  /// True if the row does not keep its parent from being deleted.
  fileprivate var follows: Bool { [.cascade, .setNull, .setDefault].contains(onDelete) }
}
