import OrderedCollections

// The ledger's memory of the forms of columns.
extension TargetSchema {
  /// The forms to be remembered once a plan has been carried out; nil for a schema that says nothing of forms.
  ///
  /// - Parameters:
  ///   - before: The forms that were remembered.
  ///   - entry: The last entry of the history.
  func forms(after plan: MigrationPlan, knowing before: FormMemory?, entry: Int) -> FormMemory? {
    var columns: [FormMemory.Column] = []
    for (table, hints) in hints.tables.sorted(by: { $0.key < $1.key }) {
      guard let declared = schema.tables[table] else { continue }
      for (name, form) in hints.forms.sorted(by: { $0.key < $1.key }) {
        guard let column = declared.column(name) else { continue }
        let known = before?.column(plan.renames.formerColumn(name, of: table), of: plan.renames.formerTable(table))
        columns.append(
          FormMemory.Column(
            table: table.text, column: name.text, form: form.form, affinity: column.affinity.rawValue,
            former: formerForms(
              of: known, change: plan.formChanges[table]?[name], now: form.form, affinity: column.affinity)))
      }
    }
    return columns.isEmpty ? nil : FormMemory(declaration: digest, entry: entry, columns: columns)
  }

  /// The forms that a program may declare which knows a file from before. Under another affinity the definition tells them
  /// apart.
  private func formerForms(
    of known: FormMemory.Column?, change: FormChange?, now: ValueForm, affinity: Affinity
  ) -> [ValueForm]? {
    var forms = known?.former ?? []
    if let change {
      if change.way != .keep, change.keepsType { forms.append(change.from) }
    } else if let known, known.affinity == affinity.rawValue, known.form.isStoredOtherwise(than: now) {
      // No row had a value yet.
      forms.append(known.form)
    }
    // The former forms end at the form that is declared again.
    if let place = forms.firstIndex(of: now) { forms.removeSubrange(place...) }
    return forms.isEmpty ? nil : forms
  }
}

extension ValueForm {
  /// True if the same Swift value is another value in SQLite.
  fileprivate func isStoredOtherwise(than other: ValueForm) -> Bool {
    guard type == other.type else { return false }
    if let cases = CaseNames(self), let others = CaseNames(other) { return !cases.keepsValues(in: others) }
    if coding != other.coding { return true }
    guard coding == Self.ownCoding, let shape, let otherShape = other.shape else { return false }
    return shape != otherShape
  }
}

extension MigrationPlan {
  /// The forms that the values had before the plan: those that were remembered, and those that the rows themselves told.
  func formsBefore(knowing known: FormMemory?, in source: DatabaseSchema) -> FormMemory? {
    var memory = known ?? .untold
    for (table, changes) in formChanges.sorted(by: { $0.key < $1.key }) {
      let former = renames.formerTable(table)
      for (name, change) in changes.sorted(by: { $0.key < $1.key }) where change.way == .recode {
        let column = renames.formerColumn(name, of: table)
        guard memory.column(column, of: former) == nil, let before = source.table(former)?.column(column) else {
          continue
        }
        memory.columns.append(
          FormMemory.Column(
            table: former.text, column: before.name.text, form: change.from, affinity: before.affinity.rawValue))
      }
    }
    return memory.columns.isEmpty ? known : memory
  }
}

extension UndoContext {
  /// The forms that were remembered before the change.
  func forms(entry: Int) -> FormMemory? {
    guard var forms = record.forms, !forms.isUntold, let former = record.former else { return nil }
    forms.declaration = former.declaration
    forms.entry = entry
    return forms
  }
}

extension Change {
  /// A column whose values have been stored anew since the declared coding was theirs; nil where none has.
  func newerForm(_ ledger: Ledger) throws -> (column: String, declared: ValueForm, current: ValueForm)? {
    guard let memory = try ledger.forms(of: target.name) else { return nil }
    for (table, hints) in target.hints.tables.sorted(by: { $0.key < $1.key }) {
      for (name, declared) in hints.forms.sorted(by: { $0.key < $1.key }) {
        guard let known = memory.column(name, of: table), known.form != declared.form, let former = known.former,
          former.contains(declared.form)
        else { continue }
        return (table.dotted(name), declared.form, known.form)
      }
    }
    return nil
  }
}
