import OrderedCollections

// Rows that name what a plan renames or drops.
extension PlanBuilder {
  /// Returns a note for each table and column that is renamed or dropped while rows of a register name it.
  ///
  /// *Cost:* a scan of each register for each of them.
  func notesOfRegisters(_ comparison: Comparison) -> [Hazard] {
    guard !request.isForRecording else { return [] }
    let registers = comparison.source.tables.values.compactMap { NameRegister($0) }
    guard !registers.isEmpty else { return [] }
    let renames = comparison.renames
    var notes: [Hazard?] = []
    func add(
      _ table: SQLName, _ former: SQLName, column: (former: SQLName, new: SQLName?)? = nil, isDropped: Bool = false
    ) {
      var named: [SQLName] = []
      var count = 0
      for register in registers {
        guard let condition = register.names(former, column: column?.former),
          let rows = try? connection.integer("SELECT count(*) FROM main.\(register.table.quoted) WHERE \(condition)"),
          rows > 0
        else { continue }
        named.append(register.table)
        count += Int(rows)
      }
      guard count > 0 else { return }
      let note = RegisteredNameNote(
        registers: named, former: column?.former ?? former, new: column.map(\.new) ?? (isDropped ? nil : table))
      notes.append(
        Hazard(
          .registeredName, table: table, column: column.map { $0.new ?? $0.former }, count: count,
          cause: HazardCause(note), isNote: true))
    }
    for table in comparison.diff.droppedTables { add(table.name, renames.formerTable(table.name), isDropped: true) }
    let views = comparison.diff.views.compactMap { $0.new == nil ? $0.old?.name : nil }
    let virtual = comparison.diff.virtualTables.compactMap { $0.new == nil ? $0.old?.name : nil }
    for name in views + virtual { add(name, renames.formerTable(name), isDropped: true) }
    for (new, former) in renames.formerTables.sorted(by: { $0.key < $1.key }) where new != former { add(new, former) }
    for (table, columns) in renames.formerColumns.sorted(by: { $0.key < $1.key }) {
      for (new, former) in columns.sorted(by: { $0.key < $1.key }) where new != former {
        add(table, renames.formerTable(table), column: (former, new))
      }
    }
    for change in comparison.diff.changedTables {
      for column in change.droppedColumns {
        add(change.to.name, renames.formerTable(change.to.name), column: (column.name, nil))
      }
    }
    return notes.compactMap(\.self)
  }
}
