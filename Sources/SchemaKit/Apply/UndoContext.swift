import OrderedCollections

/// The change that a migration undoes.
package struct UndoContext: Sendable {
  /// The history's entry of the change.
  package var entry: HistoryEntry
  package var record: UndoRecord
  /// What the change left behind, to be brought back.
  package var kept: [KeptValues]

  package init(entry: HistoryEntry, record: UndoRecord, kept: [KeptValues]) {
    self.entry = entry
    self.record = record
    self.kept = kept
  }
}

extension UndoContext {
  /// Refuses when the file's schema is not what the change made of it: the way back would undo more than that change.
  func checkUnchanged(_ file: DatabaseSchema, objects: Set<SQLName>) throws {
    let renamed = Set(record.renames.filter { $0.column == nil }.map { SQLName($0.newTable) })
    // What the change itself put in the table's place goes with it.
    for kept in kept where kept.column == nil && !renamed.contains(kept.table) && !objects.contains(kept.table) {
      guard
        file.tables[kept.table] != nil || file.views[kept.table] != nil || file.virtualTables[kept.table] != nil
          || file.indexes[kept.table] != nil
      else { continue }
      throw HistoryError(
        reason: .notUndoable(
          entry: entry.id,
          problem: "something else made another \(kept.table) since; the rows of the one before are kept in "
            + "\(kept.storage). Give the new one another name, or drop it, and undo again"))
    }
    let schema = file.removing { !objects.contains($0) }
    guard Fingerprint.of(schema) != record.fingerprintAfter, Fingerprint.former(of: schema) != record.fingerprintAfter
    else { return }
    throw HistoryError(
      reason: .notUndoable(
        entry: entry.id,
        problem: "the schema was changed since by something else than SchemaKit; apply the schema that you want instead"
      ))
  }
}

extension UndoContext {
  /// Refuses where a later change, which was undone, has converted the key that values are kept by: they would find other
  /// rows.
  ///
  /// - Parameter later: What the history has after the change, oldest first.
  func checkKeys(against later: [(entry: HistoryEntry, record: UndoRecord?)]) throws {
    for kept in kept {
      guard let column = kept.column else { continue }
      var path = KeyPath(table: kept.table, columns: Array(kept.columns.dropLast())).after(record)
      var formers: [KeyPath] = []
      for (entry, record) in later {
        if entry.kind == .undo { path = formers.popLast() ?? path }
        guard entry.kind == .apply, let record else { continue }
        if let key = path.columns.first(where: { record.hasConverted($0, of: path.table) }) {
          throw HistoryError(
            reason: .notUndoable(
              entry: self.entry.id,
              problem:
                "\(kept.table.dotted(column)) is kept in \(kept.storage) by the key \(path.table.dotted(key)), whose "
                + "values entry \(entry.id) converted. Apply the schema that you want instead, and take the values from there"
            ))
        }
        formers.append(path)
        path = path.after(record)
      }
    }
  }

  /// The columns of a key, in the names of a moment.
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
        child: SQLName(former.child), columns: former.columns?.map { SQLName($0) } ?? [],
        parent: SQLName(former.parent))
      findings[reference] = ForeignKeyGuard.Orphans(
        rows: Set(former.rows ?? []), values: former.values ?? [:], count: former.count)
    }
  }
}

extension UndoContext {
  /// Says where the rows stand that would come back to a parent which is gone since.
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

  /// The name that a table has in the file now.
  private func present(_ table: SQLName) -> SQLName {
    record.renames.first { $0.column == nil && SQLName($0.table) == table }.map { SQLName($0.newTable) } ?? table
  }
}

extension UndoRecord {
  /// What is kept of a change that was just made.
  ///
  /// - Parameters:
  ///   - before: The file's schema before the change.
  ///   - after: The file's schema now.
  ///   - former: What the ledger said before.
  init(
    of plan: MigrationPlan, target: DeclaredTarget, before: DatabaseSchema, after: DatabaseSchema,
    orphans: ForeignKeyGuard.Findings, former: Ledger.Record?, dataSteps: [String]
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
    losses =
      plan.lossesOfUndo
      + conversions.map {
        "The values of column \($0.table).\($0.column ?? "") were converted and stay as they are now."
      }
      + Self.filledColumns(of: plan, before: before, after: after)
      + Self.copiedOtherwise(by: plan, before: before, after: after)
  }

  /// Whether the change put other values into a column, under its name before.
  fileprivate func hasConverted(_ column: SQLName, of table: SQLName) -> Bool {
    let changed = "The values of column \(table).\(column) that changed in "
    return conversions?.contains { SQLName($0.table) == table && $0.column.map { SQLName($0) } == column } ?? false
      || losses.contains { $0.hasPrefix(changed) }
  }

  /// The columns that the author's conversions changed.
  private static func conversions(of plan: MigrationPlan, target: DeclaredTarget, before: DatabaseSchema) -> [Rename] {
    target.hints.conversions.compactMap { conversion -> Rename? in
      guard let new = target.schema.table(conversion.table)?.column(conversion.column) else { return nil }
      let former = plan.renames.formerTable(conversion.table)
      let column = plan.renames.formerColumn(conversion.column, of: conversion.table)
      guard let old = before.table(former)?.column(column), !old.hasSameType(as: new) else { return nil }
      return Rename(
        table: former.text, column: old.name.text, newTable: conversion.table.text, newColumn: conversion.column.text)
    }.sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }
}

extension UndoRecord.Violation {
  /// Of more orphans than this, only their number is kept.
  private static let limit = 10_000

  init(_ reference: ForeignKeyGuard.Reference, _ orphans: ForeignKeyGuard.Orphans) {
    self.init(child: reference.child.text, parent: reference.parent.text, count: orphans.count)
    guard orphans.count <= Self.limit else { return }
    columns = reference.columns.map(\.text)
    rows = orphans.rows.sorted()
    values = orphans.values
  }
}

extension UndoRecord {
  /// The columns that NULL was driven out of, a sentence each: what took its place cannot be told from other values.
  private static func filledColumns(
    of plan: MigrationPlan, before: DatabaseSchema, after: DatabaseSchema
  ) -> [String] {
    plan.steps.filter { ($0.strategy.copiesRows || $0.strategy == .update) && ($0.rows ?? 0) > 0 }.flatMap {
      step -> [String] in
      guard let new = after.table(SQLName(step.object)) else { return [] }
      let former = plan.renames.formerTable(new.name)
      return new.writableColumns.compactMap { column in
        guard column.isNotNull, new.rowIDAlias?.name != column.name,
          let old = before.table(former)?.column(plan.renames.formerColumn(column.name, of: new.name)),
          !old.isNotNull, old.generation == nil
        else { return nil }
        return "Where column \(former).\(old.name) was NULL, it keeps the value that it got."
      }
    }
  }
}

extension UndoRecord {
  /// What a copy made of a table that no value shows to have been otherwise, a sentence each: numbers of texts in a column
  /// without a type, which the way back takes for numbers, and an AUTOINCREMENT mark that is gone.
  private static func copiedOtherwise(
    by plan: MigrationPlan, before: DatabaseSchema, after: DatabaseSchema
  ) -> [String] {
    plan.steps.filter { $0.kind == "table" && $0.strategy.copiesRows }.flatMap { step -> [String] in
      guard let new = after.table(SQLName(step.object)),
        let old = before.table(plan.renames.formerTable(new.name))
      else { return [] }
      let countedUp = old.primaryKey?.isAutoincrement == true && new.primaryKey?.isAutoincrement != true
      let forgotten =
        countedUp ? ["Table \(old.name) gives keys of deleted rows again: AUTOINCREMENT begins anew."] : []
      guard step.rows ?? 0 > 0 else { return forgotten }
      return forgotten
        + new.writableColumns.compactMap { column in
          guard let former = old.column(plan.renames.formerColumn(column.name, of: new.name)), former.affinity == .blob,
            former.generation == nil, [.integer, .real, .numeric].contains(column.affinity)
          else { return nil }
          return "Where column \(old.name).\(former.name) was a text of a number, it stays the number."
        }
    }
  }
}

extension MigrationPlan {
  /// What undoing the plan would not bring back, a sentence each.
  package var lossesOfUndo: [String] {
    let losses = hazards.compactMap { hazard -> String? in
      guard !hazard.isNote, let count = hazard.isCounted ? hazard.count : 1, count > 0 else { return nil }
      let rows = hazard.isCounted ? count.counted("row") : "an unknown number of rows"
      let isKept = keptValues.contains {
        $0.table == renames.formerTable(SQLName(hazard.table)) && $0.column == hazard.column.map { SQLName($0) }
      }
      switch hazard.code {
      case .droppedTable where !isKept: return "\(rows) of table \(hazard.table) are gone."
      case .droppedColumn where !isKept: return "The values of column \(hazard.object) in \(rows) are gone."
      case .lossyConversion:
        return "The values of column \(hazard.object) that changed in \(rows) stay as they are now."
      case .renumberedRows: return "The former rowids of \(rows) of table \(hazard.table) are gone."
      default: return nil
      }
    }
    return losses + steps.filter { $0.strategy == .data }.map { "What data step \($0.object) did to the rows stays." }
  }
}
