// A data step that waits for a column may read what the same release drops: the columns that go are dropped after it.
extension Planner {
  /// True if the program works on the rows once columns were added, and before any are dropped.
  private var readsDroppedColumns: Bool {
    dataSteps.contains { if case .columnAdded = $0.moment { true } else { false } }
  }

  /// The change of a table in two parts, where a data step between them reads the columns that go; otherwise the first
  /// part is the whole.
  ///
  /// The second part is planned by a planner that knows no former names: the first part has given the columns theirs.
  func parts(of change: TableChange) throws(SQLSyntaxError) -> (first: TableChange?, last: TableChange?) {
    let claimed = Set((columnSources[change.to.name] ?? [:]).values)
    let leaving = change.droppedColumns.filter { !claimed.contains($0.name) }
    guard readsDroppedColumns, !leaving.isEmpty else { return (change, nil) }
    let between = try change.to.appending(leaving.map { Self.definition(of: $0, leaving: change) })
    var first = TableChange(from: change.from, to: between)
    first.positionalUser = change.positionalUser
    (first.addedForeignKeys, first.droppedForeignKeys) = (change.addedForeignKeys, change.droppedForeignKeys)
    var last = TableChange(from: between, to: change.to)
    last.isOrderChanged = change.isOrderChanged
    return (first.isEmpty && forcedRebuilds[change.to.name] == nil ? nil : first, last)
  }

  /// The step for the second part of a change.
  func lateStep(for change: TableChange, after done: Set<SQLName>) throws(SQLSyntaxError) -> MigrationStep {
    var planner = self
    planner.columnSources[change.to.name] = nil
    planner.forcedRebuilds[change.to.name] = nil
    planner.renames.formerColumns[change.to.name] = nil
    // The order in which the file has the columns by then depends on how the first part was done.
    planner.profile.canEditCatalog = false
    return try planner.step(for: change, after: done)
  }

  /// The definition of a column that is about to go: as it was, unless it would stand in the way of rows that the
  /// program adds without it.
  private static func definition(of column: ColumnSchema, leaving change: TableChange) -> String {
    let probe = try? SQLParser.create("CREATE TABLE t (\(column.definition))")
    guard case .table(let table)? = probe, let constraints = table.columns.first?.constraints else {
      return column.definition
    }
    let isHarmless = constraints.allSatisfy { constraint in
      switch constraint.kind {
      case .null, .defaultValue, .collate, .generated: true
      case .notNull: column.defaultValue.map { !$0.isNull } ?? false
      case .primaryKey, .unique, .check, .references: false
      }
    }
    let fits = change.from.isStrict || !change.to.isStrict
    if isHarmless, fits { return column.definition }
    let type = fits ? column.type : "ANY"
    return ([column.name.quoted] + [type, column.collation.map { "COLLATE \($0.quoted)" }].compactMap { $0 })
      .joined(separator: " ")
  }
}
