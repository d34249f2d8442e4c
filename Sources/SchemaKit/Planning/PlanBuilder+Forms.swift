import OrderedCollections

// The treatment of values whose column gets another Swift type or coding.
extension PlanBuilder {
  /// Finds the columns of a file that are to have another form than their values have, and what can be done about that.
  ///
  /// *Cost:* a row of the ledger. Where forms differ, a scan of the column, which ends at the first value that matters.
  mutating func settleForms(in source: DatabaseSchema) throws {
    guard target.hints.tables.contains(where: { !$0.value.forms.isEmpty }) else { return }
    if !canAskProgram {
      for (table, hints) in target.hints.tables {
        target.hints.tables[table]?.forms = hints.forms.mapValues { DeclaredForm($0.form) }
      }
    }
    let memory = try ledger.forms(of: target.name)
    if let memory, remembersAll(memory, source) { return }
    let owned = try target.droppableObjects(in: ledger)
    let quick = try target.effectiveSchema(over: source, owned: owned, isRenamed: false)
    let renames = try SchemaRenames.resolve(from: source, to: quick.schema, hints: target.hints)
    let isOfSchemaKit = try memory == nil && ledger.record(of: target.name) != nil
    for (table, hints) in target.hints.tables {
      let former = renames.formerTable(table)
      guard let declaredTable = target.schema.tables[table], let present = source.tables[former],
        renames.replacedTables[table] == nil
      else { continue }
      let isDoubtful = try memory.map { try ledger.hasChangesInSQL(of: former, since: $0) } ?? false
      for (name, declared) in hints.forms {
        let formerName = renames.formerColumn(name, of: table)
        // The column that the file has under this name may be another column's by now.
        let isClaimed = renames.formerColumns[table]?.contains { $0.key != name && $0.value == formerName } ?? false
        guard let column = declaredTable.column(name), !isClaimed, let before = present.column(formerName),
          before.generation == nil
        else { continue }
        let known = isDoubtful ? nil : memory?.column(before.name, of: former)
        let inquiry = FormInquiry(
          connection: connection, table: present, before: before, column: column, declared: declared,
          isConverted: hints.columns[name]?.conversion != nil, isQuick: request.isQuick, isUndo: target.hints.isUndo,
          isOfSchemaKit: isOfSchemaKit, canCall: callsFunctions)
        // Under another affinity the values were stored anew by somebody else.
        let form = known.flatMap { $0.affinity == before.affinity.rawValue ? $0.form : nil }
        guard var change = try inquiry.change(from: form) else { continue }
        change.keepsType = before.affinity == column.affinity
        target.hints.tables[table]?.formChanges[name] = change
      }
    }
  }

  /// The program may still make of values what its types read: they are read once more at the end.
  func leaveUnreadable(to plan: inout MigrationPlan, _ comparison: Comparison) {
    for index in plan.hazards.indices where plan.hazards[index].code == .unreadable && !plan.hazards[index].isNote {
      let (table, column) = (SQLName(plan.hazards[index].table), plan.hazards[index].column.map { SQLName($0) })
      guard let column, let declared = target.hints.tables[table]?.forms[column],
        let unread = declared.unread(column.quoted), let last = plan.steps.indices.last
      else { continue }
      let schema = comparison.target.tables[table]
      let key = schema?.rowKey ?? schema?.primaryKey?.columns.first?.name.quoted ?? "1"
      plan.hazards[index].isNote = true
      plan.steps[last].statements.append(
        PlannedStatement(
          "SELECT \(key) FROM \"main\".\(table.quoted) \(schema?.rowOrder ?? "") WHERE \(unread) LIMIT 10",
          role: .verification))
    }
  }

  /// True if the statements of the plan run where they can call functions in Swift.
  private var callsFunctions: Bool {
    connection is any LocalEngine && (profile.name == nil || profile.name == .inTransaction)
  }

  /// True if SQL can ask the program that declares the schema what its types read.
  private var canAskProgram: Bool {
    guard callsFunctions else { return false }
    return (try? connection.prepareOnly("SELECT \(FormChange.readsFunction)(0, NULL)")) != nil
  }

  /// True if all values have the declared forms, by their present names.
  private func remembersAll(_ memory: FormMemory, _ source: DatabaseSchema) -> Bool {
    target.hints.tables.allSatisfy { table, hints in
      hints.forms.allSatisfy { name, declared in
        guard let column = memory.column(name, of: table), let present = source.tables[table]?.column(name),
          present.affinity == target.schema.tables[table]?.column(name)?.affinity
        else { return source.tables[table] == nil && hints.renamedFrom.isEmpty }
        return column.form == declared.form && column.affinity == present.affinity.rawValue
      }
    }
  }
}

/// Finds out how the values of one column of a file get a declared form.
struct FormInquiry {
  let connection: any SQLConnection
  /// The table as the file calls it.
  let table: TableSchema
  let before: ColumnSchema
  let column: ColumnSchema
  let declared: DeclaredForm
  /// True if the author has declared a conversion that was not done yet.
  let isConverted: Bool
  /// True if no row is to be looked at.
  let isQuick: Bool
  let isUndo: Bool
  /// True if the file was written by a program that declared the schema, and remembered no forms.
  let isOfSchemaKit: Bool
  /// True if SQL can call functions in Swift.
  let canCall: Bool

  /// The change of the column; nil where its values can stay as they are.
  ///
  /// - Parameter known: The form that its values have; nil where nobody has recorded it.
  func change(from known: ValueForm?) throws -> FormChange? {
    guard let known else { return try assumedChange() }
    guard known != declared.form else { return nil }
    if let change = change(from: known, isAssumed: false) { return try isNeeded(change) ? change : nil }
    // Another type reads what is there; only a value that it does not read is a change.
    let kept = FormChange(from: known, to: declared.form, way: .keep)
    if isConverted, !isUndo { return FormChange(from: known, to: declared.form, way: .convert) }
    guard canCall, !known.isNarrower(than: declared.form), let unread = declared.unread(value) else { return nil }
    // The effect of a change of type on the values is asked about with that change.
    if before.affinity != column.affinity { return kept }
    return try isQuick || exists(unread) ? kept : nil
  }

  private var value: String { before.name.quoted }

  /// The change between two codings; nil where the values stay whatever they are.
  private func change(from known: ValueForm, isAssumed: Bool) -> FormChange? {
    guard known.type == declared.form.type else { return nil }
    func change(_ way: FormChange.Way) -> FormChange {
      FormChange(from: known, to: declared.form, way: way, isAssumed: isAssumed)
    }
    if known.coding == declared.form.coding {
      if let old = CaseNames(known), let new = CaseNames(declared.form) {
        if old.keepsValues(in: new) { return nil }
        return change(isConverted ? .convert : canCall ? .recode : .unknown)
      }
      // A type that reads more or less than before is asked about each value.
      guard known.coding == ValueForm.ownCoding, let old = known.shape, let new = declared.form.shape, old != new else {
        return nil
      }
    }
    if isConverted, !isUndo { return change(.convert) }
    if canCall, Recoder.from(known, to: declared.form) != nil { return change(.recode) }
    // Nobody can declare more about the past.
    return isUndo ? nil : change(.unknown)
  }

  /// True if a change does anything to the values, or its definition changes with it.
  private func isNeeded(_ change: FormChange) throws -> Bool {
    if isQuick || before.affinity != column.affinity { return true }
    return try exists("\(value) IS NOT NULL")
  }

  func exists(_ condition: String) throws -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table.rows) WHERE \(condition))") == 1
  }
}

extension ValueForm {
  /// True if another type reads all values of this one, as a wider integer does.
  fileprivate func isNarrower(than other: ValueForm) -> Bool {
    guard coding == nil, other.coding == nil else { return false }
    let ranges: [String: (lower: Int, upper: Int)] = [
      "Int8": (7, 7), "Int16": (15, 15), "Int32": (31, 31), "Int64": (63, 63), "Int": (63, 63), "UInt8": (0, 8),
      "UInt16": (0, 16), "UInt32": (0, 32), "UInt64": (0, 63), "UInt": (0, 63),
    ]
    guard let own = ranges[type], let wider = ranges[other.type] else { return false }
    return own.lower <= wider.lower && own.upper <= wider.upper
  }
}
