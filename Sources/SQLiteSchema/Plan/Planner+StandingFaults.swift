import OrderedCollections

// The faults of the rows before anything is changed.
extension Planner {
  /// The most rows of a table of which all columns are examined although its rows stay as they are.
  private static let wholeTableRows = 100_000

  /// The questions about tables whose rows a step copies or updates, or that SQLite reads for it.
  package func standingChecks(for steps: [MigrationStep]) -> [StandingChecks] {
    var updated: [SQLName: Bool] = [:]
    var copied: Set<SQLName> = []
    // The columns that are read otherwise, or sorted into an index, of tables whose rows stay as they are.
    var partly: [SQLName: Set<SQLName>] = [:]
    for step in steps where step.object.kind == .table {
      let written = updatedTables(by: step)
      var read = written
      if step.strategy.copiesRows || step.strategy.altersTable && step.strategy.updatesRows || examinesRows(step)
        || roundsNumbers(step)
      {
        read.insert(step.object.name)
      }
      let columns = step.sortedColumns.union(step.reading?.affinities ?? [])
      if !columns.isEmpty { partly[step.object.name, default: []].formUnion(columns) }
      // A copy that has its definition from the start computes stored columns anew.
      let isTyped = step.strategy.copiesRows && !step.statements.contains(where: \.editsCatalog)
      if step.strategy.copiesRows { copied.formUnion(step.copiedChildren.union([step.object.name])) }
      for table in read.union(step.copiedChildren) {
        updated[table] = (updated[table] ?? false) || isTyped || written.contains(table)
      }
    }
    return Set(updated.keys).union(partly.keys).sorted().compactMap { name in
      guard let table = source.tables[renames.formerTable(name)], checkResults[name]?.countedRows != 0 else {
        return nil
      }
      let isUpdated = updated[name] ?? false
      // Where rows stay as they are, those of a large table are not read for columns that nothing sorts.
      let isWhole = updated[name] != nil || rowCount(of: name) <= Self.wholeTableRows
      var checks = StandingChecks(
        of: table, as: name, asksStoredValues: isUpdated || !recomputedColumns(of: name).isEmpty,
        reading: isWhole ? nil : partly[name].map { Set($0.map { renames.formerColumn($0, of: name) }) },
        dropping: isUpdated ? [] : columnsThatGo(from: name, by: steps), knowing: knownClasses(of: name))
      let isRemade = steps.contains { $0.object.name == name && $0.strategy.remakesTable }
      let own = steps.filter { $0.object.name == name }
      let (adopted, remade) = (own.flatMap(\.adoptedIndexes), own.flatMap(\.remadeIndexes))
      let indexes =
        (isUpdated || copied.contains(name) ? stayingIndexes(on: table) : [])
        + source.indexes(on: table.name).filter { adopted.contains($0.name) }
      checks.ask(
        about: indexes, keys: isRemade ? stayingKeys(of: table, as: name) : [], on: table,
        changing: isRemade ? changedColumns(of: name) : [], nullable: nullableColumns(of: name),
        isRemade: { isRemade || remade.contains($0.name) })
      return checks
    }
  }

  /// The columns, by the names of the file, of which a copy of the table carries nothing and no step puts anything aside.
  private func columnsThatGo(from name: SQLName, by steps: [MigrationStep]) -> Set<SQLName> {
    let own = steps.filter { $0.object.name == name && $0.object.kind == .table }
    let change = diff.changedTables.first { $0.to.name == name }
    let isKept = steps.contains { $0.strategy.putsAside }
    guard !isKept, own.allSatisfy({ $0.strategy.copiesRows }), let change else { return [] }
    return Set(change.droppedColumns.map { renames.formerColumn($0.name, of: name) })
  }

  /// The classes that hold all values of columns, by the names of the file, as far as the questions of the change tell.
  private func knownClasses(of name: SQLName) -> [SQLName: Set<StoredClasses>] {
    let known = (checkResults[name]?.stored ?? [:]).map { (renames.formerColumn($0.key, of: name), $0.value) }
    return Dictionary(known) { $0.union($1) }
  }

  /// The indexes of a table of the file that are declared as they are.
  private func stayingIndexes(on table: TableSchema) -> [IndexSchema] {
    let changed = Set(diff.indexes.compactMap { $0.old?.name })
    return source.indexes(on: table.name).filter { !changed.contains($0.name) }
  }

  /// The columns of a table that get other values or definitions, by the names of the file.
  private func changedColumns(of name: SQLName) -> Set<SQLName> {
    guard let change = diff.changedTables.first(where: { $0.to.name == name }) else { return [] }
    let converted = hints.tables[name]?.columns.filter { $0.value.conversion != nil || $0.value.backfill != nil }.map(
      \.key)
    return Set((change.changedColumns.map(\.to.name) + (converted ?? [])).map { renames.formerColumn($0, of: name) })
  }

  /// The stored columns of a table that are computed anew by the expression that they have.
  func recomputedColumns(of name: SQLName) -> Set<SQLName> {
    guard let change = diff.changedTables.first(where: { $0.to.name == name }) else { return [] }
    return projection(for: change, hints: hints.tables[name] ?? TableHints()).recomputedColumns
  }

  /// The columns of a table that cease to be NOT NULL, by the names of the file.
  private func nullableColumns(of name: SQLName) -> Set<SQLName> {
    let changed = diff.changedTables.first { $0.to.name == name }?.changedColumns ?? []
    let loosened = changed.filter { $0.kinds.contains(.nullability) && !$0.to.isNotNull }.map(\.to.name)
    return Set(loosened.map { renames.formerColumn($0, of: name) })
  }

  /// The keys of a table of the file that are declared as they are, and have an index.
  private func stayingKeys(of table: TableSchema, as name: SQLName) -> [[KeyColumn]] {
    let change = diff.changedTables.first { $0.to.name == name }
    let uniques = change.map { change in
      zip(table.uniques, change.from.uniques).filter { pair in
        change.to.uniques.contains { $0.columns == pair.1.columns }
      }.map(\.0)
    }
    let hasKey = table.rowIDAlias == nil && change?.isPrimaryKeyChanged != true
    return (uniques ?? table.uniques).map(\.columns) + (hasKey ? [table.primaryKey?.columns].compactMap(\.self) : [])
  }

  /// True for a step by which SQLite examines all rows of a table.
  private func examinesRows(_ step: MigrationStep) -> Bool {
    guard step.strategy.kind == .change, !step.strategy.updatesRows,
      let change = diff.changedTables.first(where: { $0.to.name == step.object.name })
    else { return false }
    return change.addedColumns.contains { AddColumnRule.readsRows(adding: $0, in: change, profile: profile) }
  }

  /// True for a step by which SQLite writes every row anew, with numbers that an index may hold with more digits.
  private func roundsNumbers(_ step: MigrationStep) -> Bool {
    guard step.dropsColumns, !step.strategy.copiesRows,
      let table = source.tables[renames.formerTable(step.object.name)]
    else { return false }
    let numbers = Set(table.columns.filter { $0.affinity == .real }.map(\.name))
    return !numbers.isDisjoint(with: table.constraintColumns)
      || source.indexes(on: table.name).contains { $0.reads(numbers) }
  }

  /// The reasons against ALTER TABLE in rows that break the rules of before: ADD COLUMN may examine them, and DROP COLUMN
  /// rounds numbers that an index has with all digits.
  func rejectionsByFaults(of change: TableChange, keeping indexes: [IndexSchema]) -> [Rejection] {
    let name = change.to.name
    var rejections: [Rejection] = []
    if isTouchedByUpdate(name),
      change.addedColumns.contains(where: { AddColumnRule.readsRows(adding: $0, in: change, profile: profile) })
    {
      rejections.append(Rejection(.addingReadsFaults, name.text))
    }
    if tablesWithLeftoverFields.contains(name), change.addedColumns.contains(where: { $0.generation == nil }) {
      rejections.append(Rejection(.leftoverFields, name.text))
    }
    guard !change.droppedColumns.isEmpty else { return rejections }
    let keys = change.from.constraintColumns
    let column = columnsOfLargeNumbers(in: name).sorted().first { name in
      keys.contains(name) || indexes.contains { $0.reads([name]) }
    }
    return rejections + (column.map { [Rejection(isQuick ? .droppingMayRound : .droppingRounds, $0.text)] } ?? [])
  }

  /// The faults of a table that are there; nil if the rows were not examined.
  func standingFaults(of table: SQLName) -> [(fault: StandingFault, column: SQLName?)]? {
    standing[table].map { findings in
      findings.compactMap { finding in
        guard case .standing(let fault) = finding.kind, finding.count > 0 else { return nil }
        return (fault, finding.column.map { currentName($0, in: table) })
      }
    }
  }

  /// The columns with values that their type would change; nil if the rows were not examined.
  func mismatches(in table: SQLName) -> Set<SQLName>? {
    standingFaults(of: table).map { faults in
      Set(faults.compactMap { if case .mismatch = $0.fault { $0.column } else { nil } })
    }
  }

  /// The columns with values that a copy with types may store otherwise: those that rows were found for, and all of them
  /// where the plan asks for consent to that without a look at the rows.
  func columnsConvertedByCopy(of table: SQLName) -> Set<SQLName> {
    if isQuick, !assumesRows {
      let columns = renamed.tables[table]?.columns.filter { $0.affinity != .blob || $0.generation?.isStored == true }
      return Set((columns ?? []).map(\.name))
    }
    let stale = (standingFaults(of: table) ?? []).compactMap { $0.fault == .staleValue ? $0.column : nil }
    return (mismatches(in: table) ?? []).union(stale)
  }

  /// The indexes without an entry for some rows.
  func lackingIndexes(on table: SQLName) -> Set<SQLName> {
    Set(
      (standingFaults(of: table) ?? []).compactMap { if case .lackingIndex(let name) = $0.fault { name } else { nil } })
  }

  /// The columns with NULL under a NOT NULL that stands already.
  func columnsOfNulls(in table: SQLName) -> Set<SQLName> {
    Set((standingFaults(of: table) ?? []).compactMap { $0.fault == .null ? $0.column : nil })
  }

  /// The REAL columns whose indexes may hold more digits than the rows give: all of them where nobody looks at the rows.
  func columnsOfLargeNumbers(in table: SQLName) -> Set<SQLName> {
    if isQuick {
      let numbers = source.tables[renames.formerTable(table)]?.columns.filter { $0.affinity == .real } ?? []
      return Set(numbers.map { currentName($0.name, in: table) })
    }
    return Set((standingFaults(of: table) ?? []).compactMap { $0.fault == .largeNumber ? $0.column : nil })
  }

  /// A table whose rows an UPDATE would change beyond the columns that it names, among some; nil if there is none.
  func fragileTable(among tables: some Sequence<SQLName>) -> SQLName? {
    tables.first { isTouchedByUpdate($0) || indexesLargeNumbers(of: $0) }
  }

  private func isTouchedByUpdate(_ table: SQLName) -> Bool {
    standingFaults(of: table)?.contains { $0.fault.isTouchedByUpdate } == true
  }

  /// True if an index has more digits of a number than its row gives. An UPDATE of the row, whatever it sets, rounds the number
  /// there, and leaves the entry.
  private func indexesLargeNumbers(of table: SQLName) -> Bool {
    guard !isQuick, let former = source.tables[renames.formerTable(table)] else { return false }
    let numbers = Set(columnsOfLargeNumbers(in: table).map { renames.formerColumn($0, of: table) })
    return !numbers.isDisjoint(with: former.constraintColumns)
      || source.indexes(on: former.name).contains { $0.reads(numbers) }
  }

  /// The name that a column of the file has once the renames are done.
  private func currentName(_ column: SQLName, in table: SQLName) -> SQLName {
    renames.formerColumns[table]?.first { $0.value == column }?.key ?? column
  }
}
