import OrderedCollections
package import SchemaKit

/// A comparison of the schema that a program was written for with one that its database is going to have.
///
/// It asks what statements of the program need: names, values that may be left out, rules, and the order of columns. What
/// the program says is not known, so that a note tells which statements fail, and not that there are any.
package struct RunningComparison {
  let old: DatabaseSchema
  let new: DatabaseSchema
  let renames: SchemaRenames
  let recoded: [SQLName: Set<SQLName>]

  /// - Parameters:
  ///   - old: The schema that the program was written for.
  ///   - new: The schema that the database is going to have.
  ///   - renames: The objects that have another name in it.
  ///   - recoded: The columns whose values get another form, by their new names.
  package init(
    from old: DatabaseSchema, to new: DatabaseSchema, renames: SchemaRenames = SchemaRenames(),
    recoded: [SQLName: Set<SQLName>] = [:]
  ) {
    self.old = old
    self.new = new
    self.renames = renames
    self.recoded = recoded
  }

  /// The notes, in the order of the program's schema.
  package func notes() throws -> [RunningNote] {
    var notes: [RunningNote] = []
    for table in old.tables.values {
      let name = renames.newTable(table.name)
      if let present = new.tables[name], isSuccessor(present.name, of: table.name) {
        // A view may stand under the former name.
        if name != table.name, new.views[table.name] == nil {
          notes.append(RunningNote(.renamedTable(to: present.name), table: table.name))
        }
        notes += try RunningTable(old: table, new: present, in: self).notes()
      } else if !isReadable(table.name) {
        notes.append(RunningNote(.missing(.table), table: table.name))
      } else {
        notes += columnsMissing(from: table)
      }
    }
    notes += old.virtualTables.keys.filter { !isReadable($0) }.map { RunningNote(.missing(.table), table: $0) }
    for view in old.views.values {
      if !isReadable(view.name) {
        notes.append(RunningNote(.missing(.view), table: view.name))
      } else if new.views[view.name]?.definition != view.definition {
        notes.append(RunningNote(.otherView, table: view.name))
      }
    }
    return notes + triggerNotes
  }

  /// The triggers that writes of the program fire from now on, or do not fire any more.
  private var triggerNotes: [RunningNote] {
    func note(_ trigger: TriggerSchema, _ edit: RunningNote.ObjectEdit) -> RunningNote {
      RunningNote(.otherTrigger(trigger.name, edit, event: trigger.event), table: trigger.table)
    }
    // A table that is not found under its name has a note.
    func isWritten(_ trigger: TriggerSchema, in schema: DatabaseSchema) -> Bool {
      !trigger.name.isReserved && (schema.tables[trigger.table] != nil || schema.views[trigger.table] != nil)
    }
    let former = old.triggers.values.filter { isWritten($0, in: new) }.compactMap { trigger -> RunningNote? in
      guard let present = new.triggers[trigger.name] else { return note(trigger, .dropped) }
      return present.definition == trigger.definition ? nil : note(trigger, .changed)
    }
    let added = new.triggers.values.filter { old.triggers[$0.name] == nil && isWritten($0, in: old) }
    return former + added.map { note($0, .added) }
  }

  /// True if a table of the new schema has the rows of one of the old schema.
  private func isSuccessor(_ new: SQLName, of old: SQLName) -> Bool { renames.formerTable(new) == old }

  /// True if something can be read by a name, which may be a view in the place of a table.
  private func isReadable(_ name: SQLName) -> Bool {
    new.tables[name] != nil || new.virtualTables[name] != nil || new.views[name] != nil
  }

  /// The columns that another table of the same name does not have.
  private func columnsMissing(from table: TableSchema) -> [RunningNote] {
    guard let other = new.tables[table.name] else {
      return [RunningNote(.missing(.table), table: table.name)]
    }
    return table.columns.filter { other.column($0.name) == nil }.map {
      RunningNote(.missingColumn, table: table.name, column: $0.name)
    }
  }
}

extension RunningProgram {
  /// The notes about a program after a plan.
  ///
  /// - Parameters:
  ///   - name: The name of the place that its schema is from.
  ///   - schema: Its schema; nil for that of the file itself.
  ///   - outcome: The schema that the plan leaves.
  package init(named name: String, _ schema: DatabaseSchema?, after outcome: PlanOutcome) throws {
    let old = (schema ?? outcome.former).removing(outcome.ignores)
    /// The renames that lead to a schema, of which the plan knows those from the file's.
    func renames(to new: DatabaseSchema) -> SchemaRenames {
      (try? SchemaRenames.resolve(from: old, to: new, hints: outcome.hints)) ?? SchemaRenames()
    }
    let isOwn = schema == nil || schema == outcome.former
    var notes = try RunningComparison(
      from: old, to: outcome.schema, renames: isOwn ? outcome.renames : renames(to: outcome.schema),
      recoded: outcome.recoded
    ).notes()
    if outcome.isContraction {
      for index in notes.indices { notes[index].way = .wait }
    } else if let expanded = outcome.expanded, !notes.isEmpty {
      let left = try RunningComparison(from: old, to: expanded).notes()
      let open = Set(left.map { RunningNote.Subject($0) })
      for index in notes.indices where !open.contains(RunningNote.Subject(notes[index])) { notes[index].way = .expand }
    }
    self.init(schema: name, notes: notes)
  }
}

extension RunningProgram {
  /// The notes about a program that meets another schema than its own.
  ///
  /// - Parameters:
  ///   - name: The name of the place that its schema is from.
  ///   - hints: The hints of the other schema.
  package init(
    named name: String, _ schema: DatabaseSchema, meeting other: DatabaseSchema, hints: MigrationHints
  ) throws {
    let renames = try SchemaRenames.resolve(from: schema, to: other, hints: hints)
    self.init(schema: name, notes: try RunningComparison(from: schema, to: other, renames: renames).notes())
  }
}

extension RunningNote {
  /// The statement that a note is about, whatever the values in its sentence are.
  fileprivate struct Subject: Hashable {
    let code: RunningCode
    let table: SQLName
    let column: SQLName?

    init(_ note: RunningNote) { (code, table, column) = (note.code, note.table, note.column) }
  }
}
