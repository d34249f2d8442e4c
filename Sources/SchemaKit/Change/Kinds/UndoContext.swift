import OrderedCollections

/// The change that a migration undoes.
package struct UndoContext: Sendable {
  /// The history entry of the change.
  package var entry: HistoryEntry
  package var record: UndoRecord
  /// The values that the change kept, to be restored.
  package var kept: [KeptValues]
  /// The NULLs to be restored.
  package private(set) var nulls: [KeptNulls]
  /// The losses that undoing does not restore.
  package private(set) var losses: [Loss]

  package init(entry: HistoryEntry, record: UndoRecord, kept: [KeptValues]) {
    self.entry = entry
    self.record = record
    self.kept = kept
    nulls = record.nulls ?? []
    losses = record.losses
  }
}

extension UndoContext {
  /// Throws if the file's schema is not the one the change produced: undoing would then revert more than that change.
  func checkUnchanged(_ file: DatabaseSchema, objects: Set<SQLName>) throws {
    let renamed = Set(record.renames.filter { $0.column == nil }.map { SQLName($0.newTable) })
    // An object that the change itself created in place of the table is removed with it.
    for kept in kept where kept.column == nil && !renamed.contains(kept.table) && !objects.contains(kept.table) {
      guard
        file.tables[kept.table] != nil || file.views[kept.table] != nil || file.virtualTables[kept.table] != nil
          || file.indexes[kept.table] != nil
      else { continue }
      throw HistoryError(
        reason: .notUndoable(
          entry: entry.id, problem: .replacedTable(kept.table.text, storage: kept.storage.text)))
    }
    let schema = file.removing { !objects.contains($0) }
    guard Fingerprint.of(schema) != record.fingerprintAfter, Fingerprint.former(of: schema) != record.fingerprintAfter
    else { return }
    throw HistoryError(reason: .notUndoable(entry: entry.id, problem: .schemaChanged))
  }
}

extension UndoContext {
  /// The history entries after the change, oldest first.
  package typealias Later = [(entry: HistoryEntry, record: UndoRecord?)]

  /// Looks for later changes, since undone, that converted a key: values identified by that key would go to the wrong
  /// rows. In that case NULL is not restored.
  ///
  /// - Throws: `HistoryError` if values are kept by such a key.
  mutating func checkKeys(against later: Later) throws {
    for kept in kept {
      guard let column = kept.column else { continue }
      let path = KeyPath(table: kept.table, columns: Array(kept.columns.dropLast())).after(record)
      guard let (entry, table, key) = Self.conversion(of: path, in: later) else { continue }
      throw HistoryError(
        reason: .notUndoable(
          entry: self.entry.id,
          problem: .convertedKey(
            table.dotted(key), column: kept.table.dotted(column), storage: kept.storage.text, entry: entry)))
    }
    let lost = nulls.filter { nulls in
      let path = KeyPath(table: SQLName(nulls.newTable), columns: nulls.newKey.map { SQLName($0) })
      return Self.conversion(of: path, in: later) != nil
    }
    nulls.removeAll { lost.contains($0) }
    losses += lost.map(\.loss)
  }

  /// The first change that converted a column of a key, with the names that they had at that time.
  private static func conversion(
    of key: KeyPath, in later: Later
  ) -> (entry: Int, table: SQLName, column: SQLName)? {
    var path = key
    var formers: [KeyPath] = []
    for (entry, record) in later {
      if entry.kind == .undo { path = formers.popLast() ?? path }
      guard entry.kind == .apply, let record else { continue }
      if let column = path.columns.first(where: { record.hasConverted($0, of: path.table) }) {
        return (entry.id, path.table, column)
      }
      formers.append(path)
      path = path.after(record)
    }
    return nil
  }

  /// The plan of the undo, blocked where its rows would not fit.
  func checked(
    _ plan: MigrationPlan, to target: DatabaseSchema, on connection: any SQLConnection
  ) throws -> MigrationPlan {
    var plan = plan
    blockNewOrphans(in: &plan)
    try blockRefusedRows(in: &plan, to: target, on: connection)
    return plan
  }

  /// Blocks the undo of a change after which rows would refer to nothing that did not before it, as the check before the
  /// commit does. Rows that are kept may bring the missing parents back.
  private func blockNewOrphans(in plan: inout MigrationPlan) {
    if plan.hasDataSteps { return }
    for index in plan.hazards.indices {
      guard let rule = plan.hazards[index].cause.wording as? OrphansHazard, let found = plan.hazards[index].count else {
        continue
      }
      let (child, parent) = (SQLName(plan.hazards[index].table), SQLName(rule.parent))
      let column = plan.hazards[index].column.map { SQLName($0) }
      // A row of the child that comes back may refer to nothing too, which the check before the commit explains.
      if kept.contains(where: { $0.table == parent && $0.column == nil }) { continue }
      if kept.contains(where: { $0.table == child && ($0.column == nil || $0.column == column) }) { continue }
      let before = record.violations.filter { SQLName($0.child) == child && SQLName($0.parent) == parent }
      let count = found - before.reduce(0) { $0 + $1.count }
      guard count > 0 else { continue }
      plan.hazards[index].isNote = false
      plan.hazards[index].count = count
      if count < found { plan.hazards[index].samples = [] }
    }
  }

  /// The columns of a key, by their names at some point in the history.
  private struct KeyPath {
    var table: SQLName
    var columns: [SQLName]

    func after(_ record: UndoRecord) -> KeyPath {
      let own = record.renames.filter { SQLName($0.table) == table }
      let columns = columns.map { column in
        own.first { $0.column.map { SQLName($0) } == column }?.newColumn.map { SQLName($0) } ?? column
      }
      return KeyPath(table: own.first { $0.column == nil }.map { SQLName($0.newTable) } ?? table, columns: columns)
    }
  }

  /// The orphans that the file had before the change: they may come back with their rows, or with their foreign key.
  var returningOrphans: ForeignKeyGuard.Findings {
    record.violations.reduce(into: [:]) { findings, former in
      let reference = ForeignKeyGuard.Reference(
        child: SQLName(former.child), columns: Set(former.columns?.map { SQLName($0) } ?? []),
        parent: SQLName(former.parent))
      findings[reference] = ForeignKeyGuard.Orphans(
        rows: Set(former.rows ?? []), values: former.values ?? [:], count: former.count)
    }
  }
}

extension UndoContext {
  /// Adds where the rows are stored that would refer to a parent which no longer exists.
  ///
  /// - Parameter schema: The schema before the change, which has the foreign keys.
  func explaining(_ error: ApplyError, in schema: DatabaseSchema) -> ApplyError {
    guard case .newViolations(let child, let parent, _) = error.reason, let table = schema.table(SQLName(child)) else {
      return error
    }
    let columns = table.foreignKeys.filter { $0.parent == SQLName(parent) }.flatMap(\.columns)
    let places = kept.filter { $0.table == table.name }.flatMap { kept in
      // Of a column's values, the key stands beside them and was in the file all the time.
      zip(kept.storedNames, kept.columns).filter { columns.contains($1) && (kept.column == nil || kept.column == $1) }
        .map { "\(kept.storage), where \($0) is \(table.name).\($1)" }
    }
    guard !places.isEmpty else { return error }
    let kept = kept.first { $0.column == nil && $0.table == SQLName(parent) }
    let now = kept?.storage ?? present(SQLName(parent))
    return ApplyError(
      reason: error.reason,
      advice:
        "What was kept stands in \(Wording.list(places)). Insert the rows that are missing into \(now), or give what was "
        + "kept others to refer to, with UPDATE there.")
  }

  /// The current name of a table in the file.
  private func present(_ table: SQLName) -> SQLName {
    record.renames.first { $0.column == nil && SQLName($0.table) == table }.map { SQLName($0.newTable) } ?? table
  }
}

extension UndoRecord {
  /// Creates the record of a change that was just made.
  ///
  /// - Parameters:
  ///   - before: The file's schema before the change.
  ///   - after: The file's schema now.
  ///   - former: The ledger's record from before.
  ///   - nulls: The NULLs that were replaced: those that are kept, and the losses.
  init(
    of plan: MigrationPlan, target: TargetSchema, before: DatabaseSchema, after: DatabaseSchema,
    orphans: ForeignKeyGuard.Findings, former: Ledger.Record?, dataSteps: [String], nulls: NullKeeper.Gathered
  ) {
    let unmanaged = Set(plan.unmanaged.map { SQLName($0) })
    statements = before.removing { unmanaged.contains($0) }.creationStatements
    var renames: [Rename] = []
    for (new, old) in plan.renames.formerTables { renames.append(Rename(table: old.text, newTable: new.text)) }
    for (table, columns) in plan.renames.formerColumns {
      let old = plan.renames.formerTable(table)
      for (new, former) in columns {
        renames.append(Rename(table: old.text, column: former.text, newTable: table.text, newColumn: new.text))
      }
    }
    self.renames = renames.sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
    self.former = former.map {
      FormerRecord(
        fingerprint: $0.fingerprint, declaration: $0.declarationDigest, objects: $0.ownedObjects.sorted().map(\.text))
    }
    let objects = target.objectNames
    fingerprintAfter = Fingerprint.of(after.removing { !objects.contains($0) })
    violations = orphans.filter { $0.value.count > 0 }.sorted { "\($0.key)" < "\($1.key)" }.map {
      Violation($0.key, $0.value)
    }
    self.dataSteps = dataSteps
    let conversions = Self.conversions(of: plan, target: target, before: before)
    self.conversions = conversions
    self.nulls = nulls.kept.isEmpty ? nil : nulls.kept
    losses =
      plan.lossesOfUndo
      + conversions.map {
        Loss(.convertedValues, table: SQLName($0.table), column: $0.column.map { SQLName($0) })
          .renamed(table: SQLName($0.newTable), column: $0.newColumn.map { SQLName($0) })
      }
      + nulls.losses + Self.forgottenMarks(of: plan, before: before, after: after)
      + Self.widenedIntegers(of: plan, before: before, after: after, but: conversions)
  }

  /// True if the change converted the values of a column, given its former name.
  fileprivate func hasConverted(_ column: SQLName, of table: SQLName) -> Bool {
    conversions?.contains { SQLName($0.table) == table && $0.column.map { SQLName($0) } == column }
      ?? false
      || losses.contains { $0.replacesValues(of: column, in: table) }
  }

  /// The columns that the declared conversions changed.
  private static func conversions(of plan: MigrationPlan, target: TargetSchema, before: DatabaseSchema) -> [Rename] {
    target.hints.conversions.compactMap { conversion -> Rename? in
      guard let new = target.schema.table(conversion.table)?.column(conversion.column) else { return nil }
      let former = plan.renames.formerTable(conversion.table)
      let column = plan.renames.formerColumn(conversion.column, of: conversion.table)
      guard let old = before.table(former)?.column(column),
        !old.hasSameType(as: new) || plan.changesForm(of: conversion.column, in: conversion.table)
      else { return nil }
      return Rename(
        table: former.text, column: old.name.text, newTable: conversion.table.text, newColumn: conversion.column.text)
    }.sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }
}

extension UndoRecord.Violation {
  /// Above this number of orphans, only their count is kept.
  private static let limit = 10_000

  init(_ reference: ForeignKeyGuard.Reference, _ orphans: ForeignKeyGuard.Orphans) {
    self.init(child: reference.child.text, parent: reference.parent.text, count: orphans.count)
    guard orphans.count <= Self.limit else { return }
    columns = reference.columns.sorted().map(\.text)
    rows = orphans.rows.sorted()
    values = orphans.values
  }
}

extension UndoRecord {
  /// The tables that lost AUTOINCREMENT, and with it the highest key ever given, which no value shows.
  private static func forgottenMarks(
    of plan: MigrationPlan, before: DatabaseSchema, after: DatabaseSchema
  ) -> [Loss] {
    after.tables.values.compactMap { new in
      guard let old = before.table(plan.renames.formerTable(new.name)), old.primaryKey?.isAutoincrement == true,
        new.primaryKey?.isAutoincrement != true
      else { return nil }
      return Loss(.autoincrement, table: old.name).renamed(table: new.name)
    }
  }
}

extension UndoRecord {
  /// The columns without affinity that became columns of reals: their type of before takes a real as it is.
  private static func widenedIntegers(
    of plan: MigrationPlan, before: DatabaseSchema, after: DatabaseSchema, but conversions: [Rename]
  ) -> [Loss] {
    after.tables.values.flatMap { new -> [Loss] in
      guard let old = before.table(plan.renames.formerTable(new.name)) else { return [] }
      return new.columns.compactMap { column in
        let former = plan.renames.formerColumn(column.name, of: new.name)
        guard column.affinity == .real, column.generation == nil, let was = old.column(former), was.affinity == .blob,
          was.generation == nil,
          !conversions.contains(where: { $0.table == old.name.text && $0.column == was.name.text })
        else { return nil }
        return Loss(.widenedIntegers, table: old.name, column: was.name).renamed(table: new.name, column: column.name)
      }
    }
  }
}

extension MigrationPlan {
  /// The losses that undoing the plan would not restore.
  package var lossesOfUndo: [Loss] {
    hazards.compactMap { loss(by: $0) }
      + steps.filter { $0.strategy.isProgramWork }.map { Loss(.dataStep, name: $0.object.name.text) }
  }

  private func loss(by hazard: Hazard) -> Loss? {
    guard !hazard.isNote, let count = hazard.isCounted ? hazard.count : 1, count > 0 else { return nil }
    let (table, column) = (SQLName(hazard.table), hazard.column.map { SQLName($0) })
    let former = renames.formerTable(table)
    let rows = hazard.isCounted ? count : nil
    let isKept = keptValues.contains { $0.table == former && $0.column == column }
    switch hazard.code {
    case .droppedTable where !isKept: return Loss(.droppedRows, table: table, count: rows)
    case .droppedColumn where !isKept:
      return Loss(.droppedValues, table: former, column: column, count: rows).renamed(table: table)
    case .lossyConversion:
      return Loss(
        .changedValues, table: former, column: column.map { renames.formerColumn($0, of: table) },
        count: rows
      ).renamed(table: table, column: column)
    case .newlyFoundRows: return Loss(.foundRows, table: table, count: rows)
    case .renumberedRows: return Loss(.rowIDs, table: former, count: rows).renamed(table: table)
    default: return nil
    }
  }
}
