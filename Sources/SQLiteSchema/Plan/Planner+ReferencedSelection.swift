import OrderedCollections

/// A strategy for a table that others refer to, while foreign keys are on.
struct ReferencedCandidate {
  var strategy: MigrationStep.Strategy
  var rejection: Rejection?
  /// The rows that are read and written: a row of the table that others refer to counts more, since every reference is
  /// looked up.
  var cost = 0
  /// The rows that are copied, and those of other tables that change.
  var rows = 0
  var motive: Motive?
  var copiedChildren: [SQLName] = []
  var updatedChildren: [SQLName] = []
  var createdIndexes: [SQLName] = []
  var statements: () throws(SQLSyntaxError) -> [PlannedStatement] = { () throws(SQLSyntaxError) in [] }
}

/// The change of a table that others refer to.
struct ReferencedChange {
  var change: TableChange
  var projection: RowProjection
  var inbound: [InboundKey]
  /// The reason against ADD COLUMN and DROP COLUMN where the change needs them.
  var columnRejection: Rejection?
  var table: ReferencedTable
  /// The tables that were changed before.
  var done: Set<SQLName>
}

// The choice among the strategies that lose no row of a table's children while foreign keys are on: the one that writes least.
extension Planner {
  /// The step that changes a table to which foreign keys refer; nil if there are none, so that any way is safe, or if its
  /// new version could not take its name without a rewrite of others.
  ///
  /// - Parameters:
  ///   - rebuild: The step that would do it with foreign keys off.
  ///   - columnRejection: The reason against ADD COLUMN and DROP COLUMN where the change needs them.
  func referencedStep(
    _ rebuild: MigrationStep, for change: TableChange, projection: RowProjection, columnRejection: Rejection?,
    after done: Set<SQLName>
  ) throws(SQLSyntaxError) -> MigrationStep? {
    let current = columnSources[change.to.name] == nil ? change.from : renamed.tables[change.to.name] ?? change.from
    let inbound = inboundKeys(to: current, after: done)
    let inserting = rejection(toInsertingInto: change.to)
    guard !inbound.isEmpty || change.to.refers(to: change.to.name) || !profile.canLeaveReferences || inserting != nil
    else {
      return nil
    }
    let table = try referencedTable(change, current: current, projection: projection, inbound: inbound)
    var ways = try candidates(
      for: ReferencedChange(
        change: change, projection: projection, inbound: inbound, columnRejection: columnRejection, table: table,
        done: done))
    let emptying = inserting ?? rejection(toEmptying: table)
    for index in ways.indices where ways[index].rejection == nil {
      let refusal = refused[change.to.name]?[ways[index].strategy].map { Rejection(.refusedBySQLite, $0) }
      // A closure looks at its members itself.
      let leavesOthers = ways[index].strategy.copiesRows && !ways[index].strategy.copiesChildren
      ways[index].rejection = leavesOthers ? emptying ?? refusal : refusal
      if !profile.canIgnoreChecks, try ways[index].statements().contains(where: \.ignoresChecks) {
        ways[index].rejection = ways[index].rejection ?? Rejection(.checksCannotBeIgnored)
      }
    }
    var step = rebuild
    step.passedOver += ways.compactMap { way in
      way.rejection.map { MigrationStep.PassedOver(strategy: way.strategy, rejections: [$0]) }
    }
    let possible = ways.filter { $0.rejection == nil }
    guard let best = possible.min(by: { $0.cost < $1.cost }) else {
      step.dropsReferencedTable = true
      return step
    }
    step.passedOver += possible.filter { $0.strategy != best.strategy && $0.cost > best.cost }.map { way in
      MigrationStep.PassedOver(
        strategy: way.strategy, rejections: [Rejection(.dearer, "\(way.cost)", "\(best.cost)")])
    }
    step.strategy = best.strategy
    step.motive = best.motive
    step.statements = try best.statements()
    let rows = rowCount(of: change.to.name)
    step.rows = checkResults[change.to.name]?.isCounted == true ? best.rows : nil
    // The rows of other tables are taken to be as long.
    step.bytes = step.bytes.flatMap { rows > 0 ? $0 / rows * best.rows : best.rows == 0 ? $0 : nil }
    step.copiedChildren = Set(best.copiedChildren)
    step.updatedChildren = Set(best.updatedChildren)
    step.createdIndexes = Set(best.createdIndexes)
    return step
  }

  /// The change of a table that is copied along, which is made with it; nil if it does not change any more.
  func mergedChange(of name: SQLName, after done: Set<SQLName>) -> TableChange? {
    guard !done.contains(name), dataSteps.isEmpty else { return nil }
    return diff.changedTables.first { $0.to.name == name }
  }

  /// A table and all that refer to it, directly or not, parents first. Where they refer to each other in a circle, it is
  /// opened where references can be NULL.
  func descendants(of change: TableChange, after done: Set<SQLName>) -> [SQLName] {
    var found = [change.to.name]
    var next = 0
    while next < found.count {
      for child in tables(named: found[next], after: done).flatMap({ inboundKeys(to: $0, after: done) }).map(
        \.child.name)
      where !found.contains(child) { found.append(child) }
      // A new foreign key makes a child of a table as well.
      for table in target.tables.values where table.refers(to: found[next]) && !found.contains(table.name) {
        if mergedChange(of: table.name, after: done) != nil { found.append(table.name) }
      }
      next += 1
    }
    func parents(of name: SQLName) -> Set<SQLName> {
      let now = tables(named: name, after: done).flatMap(\.foreignKeys)
      let then = done.contains(name) || !dataSteps.isEmpty ? [] : target.tables[name]?.foreignKeys ?? []
      return Set((now + then).map(\.parent)).intersection(found).subtracting([name])
    }
    var ordered: [SQLName] = []
    var left = found
    /// The references to tables that are still left which cannot be NULL.
    func obstacles(_ name: SQLName) -> Int {
      tables(named: name, after: done).flatMap { table in
        table.foreignKeys.filter {
          $0.parent != name && left.contains($0.parent) && table.nullableColumn(of: $0) == nil
        }
      }.count
    }
    while !left.isEmpty {
      let next =
        left.first { parents(of: $0).isSubset(of: ordered) } ?? left.min { obstacles($0) < obstacles($1) } ?? left[0]
      left.removeAll { $0 == next }
      ordered.append(next)
    }
    return ordered
  }

  func tables(named name: SQLName, after done: Set<SQLName>) -> [TableSchema] {
    if done.contains(name), let table = target.tables[name] { return [table] }
    return [renamed.tables[name] ?? target.tables[name]].compactMap(\.self)
  }

  // MARK: - Parts

  /// The indexes that a table has while tables are changed.
  func currentIndexes(of table: SQLName) -> [IndexSchema] {
    renamed.indexes(on: table).filter { !droppedIndexes.contains($0.name) }
  }

  func referencedTable(
    _ change: TableChange, current: TableSchema, projection: RowProjection, inbound: [InboundKey]
  ) throws(SQLSyntaxError) -> ReferencedTable {
    let name = change.to.name
    var stash = StashBuilder(
      projection: projection, name: temporaryName(for: name), systemTables: source.systemTables)
    stash.verificationLevel = verificationLevel
    stash.converted = columnsConvertedByCopy(of: name)
    stash.keepsConstraintIndexes =
      !change.isPrimaryKeyChanged && change.from.uniques.map(\.columns) == change.to.uniques.map(\.columns)
    let ownKeys = change.to.foreignKeys.filter { $0.parent == name }
    let early = target.indexes(on: name).filter { index in
      index.isUnique || ownKeys.contains { key in index.terms.first?.column.map(key.columns.contains) ?? false }
    }
    var keyIndexes: [(name: SQLName, sql: String)] = []
    for index in early { keyIndexes.append((name: index.name, sql: try statement(creating: index))) }
    let own = ownKeys.map { InboundKey(child: change.to, key: $0, parent: change.to) }
    return ReferencedTable(
      change: change, current: current, stash: stash, indexes: currentIndexes(of: name), inbound: inbound,
      keyIndexes: keyIndexes,
      lookups: lookups(for: inbound, of: current, named: "_schemakit_lookup_", indexes: currentIndexes),
      ownLookups: lookups(for: own, of: change.to, named: "_schemakit_own_", isKept: true) { _ in early })
  }

  /// Indexes for foreign keys whose rows could not be found without: each deleted or inserted parent row would read all
  /// rows of the child. See [Required and Suggested Indexes](https://sqlite.org/foreignkeys.html#fk_indexes).
  ///
  /// - Parameter isKept: True if the table itself stays until they are dropped; otherwise its indexes go with it.
  func lookups(
    for keys: [InboundKey], of table: TableSchema, named base: String, isKept: Bool = false,
    indexes: (SQLName) -> [IndexSchema]
  ) -> (create: [PlannedStatement], drop: [PlannedStatement]) {
    var made: [(name: SQLName, sql: String, isOwn: Bool)] = []
    for inbound in keys {
      let collations = inbound.parentColumns.map { table.column($0)?.collation }
      guard inbound.key.columns.count == collations.count,
        !inbound.child.finds(inbound.key.columns, collations: collations, indexes: indexes(inbound.child.name))
      else { continue }
      let terms = zip(inbound.key.columns, collations).map { "\($0.quoted) COLLATE \(($1 ?? "BINARY").quoted)" }
      let name = freeName("\(base)\(table.name.text)_\(made.count + 1)")
      made.append(
        (
          name: name,
          sql:
            "CREATE INDEX \"main\".\(name.quoted) ON \(inbound.child.name.quoted) (\(terms.joined(separator: ", ")))",
          isOwn: inbound.isOwn
        ))
    }
    return (
      create: made.map { PlannedStatement($0.sql) },
      drop: made.filter { !$0.isOwn || isKept }.map { PlannedStatement("DROP INDEX \"main\".\($0.name.quoted)") }
    )
  }
}
