import OrderedCollections

// The steps that drop objects: before anything changes, or once nothing needs them any more.
extension Planner {
  /// Indexes that the plan drops by name before it changes tables.
  package var droppedIndexes: Set<SQLName> {
    Set(diff.indexes.compactMap(\.old).filter { !isNeededByKeys($0) }.map(\.name))
  }

  /// - Returns: The steps that come first, and those of tables that wait until nothing refers to them.
  func dropSteps(
    aside: Set<SQLName>, adopted: Set<SQLName>, except redeclared: Set<SQLName>
  ) -> (early: [MigrationStep], late: [MigrationStep]) {
    var steps: [MigrationStep] = []
    func drop(
      _ kind: ObjectReference.Kind, _ name: SQLName, _ edits: [SchemaEdit], motive: Motive? = nil,
      onBehalfOf: SQLName? = nil
    ) {
      // A module that misses a table of its own may refuse DROP TABLE.
      let sql = (lostShadows[name] ?? []) + ["DROP \(kind.rawValue.uppercased()) \"main\".\(name.quoted)"]
      steps.append(
        .dropping(ObjectReference(kind, name), edits, sql.map { PlannedStatement($0) }, motive: motive).onBehalf(
          of: onBehalfOf))
    }
    let changedTriggers = diff.triggers.compactMap(\.old)
    for trigger in source.triggers.values where changedTriggers.contains(where: { $0.name == trigger.name }) {
      drop(.trigger, trigger.name, target.triggers[trigger.name] == nil ? [] : [.replace])
    }
    for trigger in source.triggers.values
    where aside.contains(trigger.name) && !changedTriggers.contains(where: { $0.name == trigger.name }) {
      drop(
        .trigger, trigger.name, [.suspend],
        motive: Motive(suspendedObjects.contains(trigger.name) ? .rereadBySQLite : .updateMustNotFireIt),
        onBehalfOf: trigger.table)
    }
    let changedViews = diff.views.compactMap(\.old)
    for view in source.views.values where changedViews.contains(where: { $0.name == view.name }) {
      drop(.view, view.name, target.views[view.name] == nil ? [] : [.replace])
    }
    for view in source.views.values
    where aside.contains(view.name) && !changedViews.contains(where: { $0.name == view.name }) {
      drop(
        .view, view.name, [.suspend], motive: Motive(.rereadBySQLite),
        onBehalfOf: view.name)
    }
    let droppedTables = Set(diff.droppedTables.map(\.name))
    for index in diff.indexes.compactMap(\.old)
    where !droppedTables.contains(index.table) && !isNeededByKeys(index) { steps.append(dropStep(of: index, adopted)) }
    func drop(_ table: TableSchema) {
      let rows = checkResults[table.name]?.countedRows ?? 0
      drop(.table, renames.formerTable(table.name), rows > 0 ? [.rows(count: rows)] : [])
    }
    let tables = droppedTablesInOrder
    for table in tables.early {
      drop(table)
      steps[steps.count - 1].dropsReferencedTable = !keepsForeignKeysOn || isReferredTo(table)
    }
    for table in diff.virtualTables.compactMap(\.old) where !redeclared.contains(table.name) {
      let isReplaced = target.virtualTables[table.name] != nil
      drop(.table, renames.formerTable(table.name), isReplaced ? [.virtualTable, .replace] : [.virtualTable])
    }
    let count = steps.count
    for table in tables.late {
      drop(table)
      steps[steps.count - 1].statements.insert(contentsOf: verificationOfDrop(of: table.name), at: 0)
    }
    return (Array(steps[..<count]), Array(steps[count...]))
  }

  /// The steps that drop indexes once no foreign key needs them any more. The indexes of a copied table have gone with it.
  func lateIndexDrops(made: Set<SQLName>, rebuilt: Set<SQLName>) -> [MigrationStep] {
    let gone = Set(diff.droppedTables.map(\.name)).union(rebuilt)
    return diff.indexes.compactMap(\.old).filter { index in
      isNeededByKeys(index) && !gone.contains(index.table) && !made.contains(index.name)
    }.map { dropStep(of: $0) }
  }

  /// - Parameter adopted: The indexes that become those of constraints instead.
  func dropStep(of index: IndexSchema, _ adopted: Set<SQLName> = []) -> MigrationStep {
    let isAdopted = adopted.contains(index.name)
    return .dropping(
      ObjectReference(.index, index.name), target.indexes[index.name] == nil ? [] : [.replace],
      isAdopted ? [] : [PlannedStatement("DROP INDEX \"main\".\(index.name.quoted)")],
      motive: isAdopted ? Motive(.becomesConstraint) : nil)
  }

  /// The dropped tables, children first, and those that must wait until other tables have let go of them.
  var droppedTablesInOrder: (early: [TableSchema], late: [TableSchema]) {
    guard keepsForeignKeysOn else { return (diff.droppedTables, []) }
    var left = diff.droppedTables
    var ordered: [TableSchema] = []
    while !left.isEmpty {
      let index =
        left.firstIndex { table in !left.contains { $0.name != table.name && $0.refers(to: table.name) } } ?? 0
      ordered.append(left.remove(at: index))
    }
    let dropped = Set(ordered.map(\.name))
    let survivors = renamed.tables.values.filter { !dropped.contains($0.name) }
    var late: Set<SQLName> = []
    // A table that a waiting table refers to waits as well.
    for table in ordered
    where !isNameTaken(table.name)
      && (survivors.contains { $0.refers(to: table.name) }
        || ordered.contains { late.contains($0.name) && $0.refers(to: table.name) })
    {
      late.insert(table.name)
    }
    return (ordered.filter { !late.contains($0.name) }, ordered.filter { late.contains($0.name) })
  }

  /// True if something else has the name of a dropped table afterwards.
  private func isNameTaken(_ name: SQLName) -> Bool {
    renames.replacedTables[name] != nil || target.hasObject(name) || renames.tables.contains { $0.new == name }
  }

  /// Finds rows that refer to a table which is dropped, and which would be changed or deleted with it.
  func verificationOfDrop(of table: SQLName) -> [PlannedStatement] {
    target.tables.values.flatMap { child in
      child.foreignKeys.filter { $0.parent == table }.map { key in
        let condition = key.columns.map { "\($0.quoted) IS NOT NULL" }.joined(separator: " AND ")
        return PlannedStatement(
          "SELECT \(child.rowKey ?? "1") FROM \"main\".\(child.name.quoted) \(child.rowOrder) WHERE \(condition) LIMIT 10",
          role: .verification)
      }
    }
  }

  /// True if a table that stays refers to one that is dropped before anything changes: its rows would follow.
  func isReferredTo(_ table: TableSchema) -> Bool {
    let dropped = Set(diff.droppedTables.map(\.name))
    return renamed.tables.values.contains { !dropped.contains($0.name) && $0.refers(to: table.name) }
  }
}
