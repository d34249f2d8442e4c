import OrderedCollections

// The changes of tables that others refer to while foreign keys are on: inside a transaction that is open already, and
// on engines that never switch them off.
extension Planner {
  /// True if foreign keys stay on while the plan runs.
  package var keepsForeignKeysOn: Bool { !profile.canSuspendForeignKeys }

  // MARK: - Order

  /// The changed tables, those that others refer to first where foreign keys stay on: a new foreign key needs its parent's
  /// new key, and one that goes needs the old key until then.
  var changesInOrder: [TableChange] {
    guard keepsForeignKeysOn else { return diff.changedTables }
    var left = diff.changedTables
    var ordered: [TableChange] = []
    while !left.isEmpty {
      let names = Set(left.map(\.to.name))
      let ready = left.indices.filter { index in
        left[index].to.foreignKeys.allSatisfy { $0.parent == left[index].to.name || !names.contains($0.parent) }
      }
      // In a circle, the first one as declared.
      let index = ready.first { !takesKey(left[$0], from: left) } ?? ready.first ?? 0
      ordered.append(left.remove(at: index))
    }
    return ordered
  }

  /// True if a change takes away the key that another table refers to until it is changed itself.
  private func takesKey(_ change: TableChange, from others: [TableChange]) -> Bool {
    others.contains { other in
      guard other.to.name != change.to.name, let child = renamed.tables[other.to.name] else { return false }
      return child.foreignKeys.contains { key in
        guard key.parent == change.to.name else { return false }
        let columns = InboundKey(child: child, key: key, parent: change.from).parentColumns
        return !change.to.isUnique(columns, indexes: target.indexes(on: change.to.name))
      }
    }
  }

  /// The tables that are there before others are changed, and do not change themselves. Empty with foreign keys off.
  var unchangedTables: [SQLName] {
    guard keepsForeignKeysOn else { return [] }
    let changed = Set(diff.changedTables.map(\.to.name))
    return target.tables.keys.filter { !changed.contains($0) }
  }

  /// The steps that create the unique indexes of a table which foreign keys refer to: with foreign keys on, the tables that
  /// have these keys can be neither filled nor changed before.
  ///
  /// - Parameter made: The indexes that are there already; those of the steps are added.
  func keyIndexSteps(
    on table: SQLName, among made: inout Set<SQLName>, rebuilt: Set<SQLName>
  ) throws(SQLSyntaxError) -> [MigrationStep] {
    guard keepsForeignKeysOn, target.tables.values.contains(where: { $0.refers(to: table) }) else { return [] }
    var steps: [MigrationStep] = []
    for index in target.indexes(on: table) where index.isUnique && !made.contains(index.name) {
      guard rebuilt.contains(table) || diff.indexes.contains(where: { $0.new?.name == index.name }) else { continue }
      made.insert(index.name)
      if let old = renamed.indexes[index.name], isNeededByKeys(old), isReplaced(old), !rebuilt.contains(old.table) {
        steps.append(dropStep(of: old))
      }
      steps.append(try step(creating: index))
    }
    return steps
  }

  /// True if an index is what makes the parent columns of a foreign key unique while tables are changed: without it, each
  /// statement that writes to either table is an error
  /// ([Required and Suggested Indexes](https://sqlite.org/foreignkeys.html#fk_indexes)).
  func isNeededByKeys(_ index: IndexSchema) -> Bool {
    guard keepsForeignKeysOn, index.isUnique else { return false }
    let columns = Set(index.terms.compactMap(\.column))
    return renamed.tables.values.contains { child in
      child.foreignKeys.contains { $0.parent == index.table && Set($0.parentColumns) == columns }
    }
  }

  private func isReplaced(_ index: IndexSchema) -> Bool { diff.indexes.contains { $0.old?.name == index.name } }

  /// The tables whose rows a step updates where they are.
  func updatedTables(by step: MigrationStep) -> Set<SQLName> {
    step.strategy.updatesRows
      ? step.copiedChildren.union(step.updatedChildren).union([step.object.name]) : []
  }

  /// The step of a table that another step has changed already, together with what it refers to.
  func mergedStep(for change: TableChange, among steps: [MigrationStep]) -> MigrationStep? {
    let name = change.to.name
    guard keepsForeignKeysOn, dataSteps.isEmpty, steps.contains(where: { $0.copiedChildren.contains(name) }) else {
      return nil
    }
    return .copiedWithParent(ObjectReference(.table, name), change.edits(hints.tables[name]))
  }

  // MARK: - Foreign keys

  /// The tables as they are once some of the changes were made.
  private func tables(after done: Set<SQLName>) -> [TableSchema] {
    let gone = Set(droppedTablesInOrder.early.map(\.name)).union(renames.replacedTables.keys)
    return renamed.tables.values.filter { !gone.contains($0.name) }.map { table in
      done.contains(table.name) ? target.tables[table.name] ?? table : table
    } + diff.addedTables.filter { !lateAdditions.contains($0.name) }
  }

  /// The foreign keys to a table once some of the changes were made.
  package func inboundKeys(to table: TableSchema, after done: Set<SQLName>) -> [InboundKey] {
    tables(after: done).flatMap { child in
      // A table's own keys are those that it has now.
      let child = child.name == table.name ? table : child
      return child.foreignKeys.filter { $0.parent == table.name }.map {
        InboundKey(child: child, key: $0, parent: table)
      }
    }
  }

  /// The changed tables and all that refer to them, directly or not.
  package var tablesToCount: Set<SQLName> {
    var found = diff.changedTables.map(\.to.name)
    var next = 0
    while next < found.count {
      for table in renamed.tables.values where table.refers(to: found[next]) && !found.contains(table.name) {
        found.append(table.name)
      }
      next += 1
    }
    return Set(found)
  }

  /// The number of rows in a table, as far as is known.
  func rowCount(of table: SQLName) -> Int { checkResults[table]?.countedRows ?? rowCounts[table] ?? 0 }

  // MARK: - Names

  /// A name that no object has.
  func freeName(_ base: String) -> SQLName {
    var name = SQLName(base)
    var number = 1
    while source.ownTables.contains(name) || source.hasObject(name) || target.hasObject(name) {
      number += 1
      name = SQLName("\(base)_\(number)")
    }
    return name
  }
}

extension TableSchema {
  /// True if a foreign key refers to a table.
  func refers(to table: SQLName) -> Bool { foreignKeys.contains { $0.parent == table } }

  /// True if some columns are a key that foreign keys can refer to.
  func isUnique(_ columns: [SQLName], indexes: [IndexSchema]) -> Bool {
    let keys = uniques.map(\.columns) + [primaryKey?.columns ?? []]
    return keys.contains { Set($0.map(\.name)) == Set(columns) }
      || indexes.contains { $0.isUnique && $0.predicate == nil && Set($0.terms.compactMap(\.column)) == Set(columns) }
  }

  /// True if rows can be found by some columns: an index, a UNIQUE or the primary key begins with them.
  func finds(_ columns: [SQLName], collations: [SQLName?], indexes: [IndexSchema]) -> Bool {
    let wanted = Set(zip(columns, collations).map { KeyColumn(name: $0, collation: $1, isDescending: false) })
    func begins(_ keys: [KeyColumn]) -> Bool {
      Set(keys.prefix(wanted.count).map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) })
        == wanted
    }
    if columns.count == 1, rowIDAlias?.name == columns[0] { return true }
    return (uniques.map(\.columns) + [primaryKey?.columns ?? []]).contains(where: begins)
      || indexes.contains { index in
        index.predicate == nil
          && begins(
            index.terms.prefix(wanted.count).compactMap { term in
              term.column.map { KeyColumn(name: $0, collation: term.collation, isDescending: false) }
            })
      }
  }
}
