import OrderedCollections

// What virtual tables stand in the way of, or lose.
extension PlanBuilder {
  /// Virtual tables that read another table by a name which that table would no longer have.
  func followers(source: DatabaseSchema, target: DatabaseSchema, renames: SchemaRenames) -> [Hazard] {
    target.virtualTables.values.flatMap { table -> [Hazard] in
      guard let before = source.virtualTables[table.name], before.isEquivalent(to: table) else { return [] }
      let followed = source.tables.values.filter { table.mentions($0.name) }
      return followed.compactMap { content in
        let name = renames.formerTables.first { $0.value == content.name }?.key ?? content.name
        let lost =
          target.tables[name] == nil || name != content.name
          ? content.name
          : content.columns.map(\.name).first { column in
            table.mentions(column) && target.tables[name]?.column(column) == nil
          }
        guard let lost else { return nil }
        return Hazard(
          .brokenObject, table: table.name,
          message: "Virtual table \(table.name) reads \(lost) of \(content.name) by name and would no longer find it.",
          remedy: "Declare \(table.name) anew for the new name as well, or keep the old one.")
      }
    }
  }

  func unsupported(_ diff: SchemaDiff) -> [Hazard] {
    let unloaded = diff.virtualTables.compactMap { change -> VirtualTableSchema? in
      let table = change.old ?? change.new
      return table?.isModuleLoaded == false ? table : nil
    }
    return unloaded.map { table in
      Hazard(
        .unsupportedEngine, table: table.name,
        message: "Virtual table \(table.name) needs the module \(table.module), which is not loaded.",
        remedy: "Use a SQLite that has it, or keep the table as it is.")
    }
  }

  /// What is said of a full-text index that SQLite could not fill.
  static func unfilled(_ index: SQLName, problem: String) -> Hazard {
    Hazard(
      .brokenObject, table: index,
      message: "Full-text index \(index) cannot be filled from its content: \(problem). It is left as it is.",
      remedy: "Declare it with the names of a table and columns that are there.", isNote: true)
  }
}
