import OrderedCollections

/// Tells the author about hints that ask for something that a plan does not do.
///
/// A hint that has been used is not reported, however long it stays: a rename whose old name is gone, and a conversion
/// or a fill that the ledger knows.
struct IdleHints {
  /// The file's schema.
  let source: DatabaseSchema
  /// The declared schema, without what is ignored.
  let declared: DatabaseSchema
  /// The schema that the file will have.
  let effective: DatabaseSchema
  let renames: SchemaRenames
  /// The hints that have not been applied.
  let hints: MigrationHints

  /// The notes, for each table in order.
  func notes() -> [Hazard] {
    let columns =
      hints.conversions.compactMap { note(onConversion: $0) }
      + hints.fills.compactMap { note(onFill: $0) }
    let removals = hints.tables.flatMap { table, hint in
      hint.removedColumns.compactMap { note(onRemoving: $0, from: table) }
    }
    let renames = hints.tables.flatMap { table, hint in
      hint.columns.compactMap { note(onRenaming: $0.key, of: table, from: $0.value.renamedFrom) }
    }
    return (hints.removedTables.compactMap { note(onRemoving: $0) } + columns + removals + renames).sorted {
      ($0.table, $0.column ?? "", $0.code.rawValue) < ($1.table, $1.column ?? "", $1.code.rawValue)
    }
  }

  private func note(onConversion conversion: ColumnConversion) -> Hazard? {
    guard let (old, new) = columns(of: conversion) else { return nil }
    guard let old else { return hint(.lossyConversion, conversion.table, conversion.column, .conversionOfNewColumn) }
    let isOtherForm = hints.tables[conversion.table]?.formChanges[conversion.column]?.way == .convert
    guard old.hasSameType(as: new), !isOtherForm else { return nil }
    let type = new.type.flatMap { $0.isEmpty ? nil : $0 }
    return hint(.lossyConversion, conversion.table, conversion.column, .conversionOfSameType(type: type))
  }

  private func note(onFill fill: ColumnConversion) -> Hazard? {
    guard let (former, new) = columns(of: fill), let old = former,
      let hint = hints.tables[fill.table]?.columns[fill.column],
      !hint.isBackfillApplied
    else { return nil }
    let isConverted = hint.conversion != nil && !old.hasSameType(as: new)
    let wasRequired = source.table(renames.formerTable(fill.table))?.refusesNull(in: old) == true
    let isRequired = effective.table(fill.table)?.refusesNull(in: new) == true
    if isRequired, !wasRequired || isConverted { return nil }
    return self.hint(.nullsUnderNotNull, fill.table, fill.column, .fillOfOldColumn(isNotNull: new.isNotNull))
  }

  /// A rename in a table of the file in which there is neither the old column nor the new one.
  private func note(onRenaming column: SQLName, of table: SQLName, from formers: [SQLName]) -> Hazard? {
    guard let former = formers.last, let old = source.table(renames.formerTable(table)),
      let new = effective.table(table), new.column(column) != nil,
      (formers + [column]).allSatisfy({ old.column($0) == nil })
    else { return nil }
    let others = old.columns.map(\.name.text).filter { new.column(SQLName($0)) == nil }
    let likely = NearestName.of(former.text, among: others).map { SQLName($0) }
    return hint(.unusedHint, table, column, .renameOfMissing(former: former, likely: likely))
  }

  private func note(onRemoving column: SQLName, from table: SQLName) -> Hazard? {
    guard effective.table(table)?.column(column) != nil else { return nil }
    return hint(.droppedColumn, table, column, .removalOfDeclared)
  }

  private func note(onRemoving table: SQLName) -> Hazard? {
    guard effective.table(table) != nil || effective.virtualTables[table] != nil else { return nil }
    let isDeclared = declared.table(table) != nil || declared.virtualTables[table] != nil
    return hint(.droppedTable, table, nil, isDeclared ? .removalOfDeclared : .removalOfIgnored)
  }

  /// The columns before and after, if the table is not new; the former one is nil if the column is new.
  private func columns(of conversion: ColumnConversion) -> (old: ColumnSchema?, new: ColumnSchema)? {
    guard source.table(renames.formerTable(conversion.table)) != nil,
      let new = effective.table(conversion.table)?.column(conversion.column), new.generation == nil
    else { return nil }
    return (ConversionUse(source: source, renames: renames).old(of: conversion), new)
  }

  private func hint(_ code: HazardCode, _ table: SQLName, _ column: SQLName?, _ note: UnusedHintNote) -> Hazard {
    Hazard(code, table: table, column: column, cause: HazardCause(note), isNote: true)
  }
}

extension PlanBuilder {
  /// The notes on hints that are not followed.
  func idleHints(from source: DatabaseSchema, effective: DatabaseSchema, renames: SchemaRenames)
    -> [Hazard]
  {
    guard !target.hints.isUndo else { return [] }
    return Self.declinedExchanges(renames)
      + IdleHints(
        source: source, declared: (whole?.declared ?? target.schema).removing(target.ignores), effective: effective,
        renames: renames,
        hints: target.hints
      ).notes()
  }
}

extension MigrationPlan {
  /// Adds notes on hints to the hazards.
  mutating func note(_ hints: [Hazard]) {
    idleHints = hints
    hazards += hints
  }
}
