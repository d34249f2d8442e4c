import OrderedCollections

/// Determines which views and triggers of a file need something that a change drops, renames or retypes.
///
/// A pure function: what each of them needs is passed as dependencies.
package struct ImpactInquiry {
  /// The file's schema, with its current names.
  package var source: DatabaseSchema
  /// The file's schema after the renames, as SQLite itself rewrites it.
  package var renamed: DatabaseSchema
  /// The difference once the renames have been carried out.
  package var diff: SchemaDiff
  package var renames: SchemaRenames

  package init(source: DatabaseSchema, renamed: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames) {
    self.source = source
    self.renamed = renamed
    self.diff = diff
    self.renames = renames
  }

  /// The affected views and triggers, by kind and name.
  package func impacts(_ dependencies: Dependencies) -> [PlanImpact] {
    let changed = changedReferences
    guard !changed.isEmpty else { return [] }
    func impact(_ kind: String, _ name: SQLName, _ outcome: PlanImpact.Outcome) -> PlanImpact? {
      let needed = dependencies.all(of: name).filter { changed.contains($0) }
      guard !needed.isEmpty else { return nil }
      let needs = needed.sorted().map { "\($0.table)" + ($0.column.map { ".\($0)" } ?? "") }
      return PlanImpact(kind: kind, object: name.text, needs: needs, outcome: outcome)
    }
    let views = source.views.values.compactMap { view in
      impact(
        "view", view.name,
        outcome(
          of: view.name, in: diff.views.map { ($0.old?.name, $0.new?.name) },
          isRewritten: renamed.views[view.name].map { $0.sql != view.sql }))
    }
    let triggers = source.triggers.values.compactMap { trigger in
      impact(
        "trigger", trigger.name,
        outcome(
          of: trigger.name, in: diff.triggers.map { ($0.old?.name, $0.new?.name) },
          isRewritten: renamed.triggers[trigger.name].map { $0.sql != trigger.sql }))
    }
    return views + triggers
  }

  /// Adds to a hazard about something broken the views and triggers that need what is dropped.
  package func naming(_ impacts: [PlanImpact], in hazard: Hazard) -> Hazard {
    guard hazard.code == .brokenObject else { return hazard }
    let concerned = impacts.filter { impact in
      let trigger = impact.kind == "trigger" ? source.triggers[SQLName(impact.object)] : nil
      let isAbout = SQLName(impact.object) == SQLName(hazard.table) || trigger?.table == SQLName(hazard.table)
      return isAbout && impact.outcome == .kept
    }
    var hazard = hazard
    hazard.readers = concerned
    return hazard
  }

  /// Every column and table of the file that is dropped, is renamed, or has different values afterwards.
  private var changedReferences: Set<ColumnReference> {
    var changed: Set<ColumnReference> = []
    func add(_ table: TableSchema) {
      changed.insert(ColumnReference(table.name))
      changed.formUnion(table.columns.map { ColumnReference(table.name, $0.name) })
    }
    for table in diff.droppedTables { add(source.tables[renames.formerTable(table.name)] ?? table) }
    for (new, former) in renames.formerTables where new != former { source.tables[former].map(add) }
    for (table, columns) in renames.formerColumns {
      for (new, former) in columns where new != former {
        changed.insert(ColumnReference(renames.formerTable(table), former))
      }
    }
    for change in diff.changedTables {
      let table = renames.formerTable(change.to.name)
      let others = change.changedColumns.filter { column in
        column.from.affinity != column.to.affinity || !column.kinds.isDisjoint(with: [.collation, .generation])
      }.map(\.to.name)
      for column in change.droppedColumns.map(\.name) + others {
        changed.insert(ColumnReference(table, renames.formerColumn(column, of: change.to.name)))
      }
    }
    return changed
  }

  private func outcome(
    of name: SQLName, in changes: [(old: SQLName?, new: SQLName?)], isRewritten: Bool?
  ) -> PlanImpact.Outcome {
    if let change = changes.first(where: { $0.old == name }) { return change.new == nil ? .dropped : .replaced }
    return isRewritten ?? false ? .rewritten : .kept
  }
}
