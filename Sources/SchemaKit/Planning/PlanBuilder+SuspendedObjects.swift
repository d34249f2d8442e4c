import OrderedCollections

// What keeps a plan from running, beside the rows.
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

  /// What is said of names that are declared as exchanged and are left as they are.
  static func declinedExchanges(_ renames: SchemaRenames) -> [Hazard] {
    renames.declinedExchanges.map { exchange in
      let names = exchange.names.sorted().map(\.text)
      let list = names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
      let subject = exchange.table.map { "Columns \(list) of table \($0)" } ?? "Tables \(list)"
      return Hazard(
        .unusedHint, table: exchange.table ?? SQLName(names[0]),
        column: exchange.table == nil ? nil : SQLName(names[0]),
        message: "\(subject) are declared as renamed from each other and are not exchanged: they match the declaration "
          + "better as they are.",
        remedy: "If this file still needs the exchange, rename them through a third name in a recorded migration. "
          + "Otherwise remove the hints.", isNote: true)
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

  /// What is said of a step that fails whatever the rows are.
  static func failed(_ step: MigrationStep, _ error: SQLiteError, hints: MigrationHints) -> Hazard {
    if let limit = SQLiteLimit.words(for: error.message) {
      return Hazard(
        .brokenObject, table: step.object.name,
        message: "The step for \(step.object.kind) \(step.object) exceeds a limit of SQLite, \(limit).",
        remedy: SQLiteLimit.remedy)
    }
    let columns = hints.tables[step.object.name]?.columns.values
    let hasExpressions = columns?.contains { $0.conversion != nil || $0.backfill != nil } ?? false
    return Hazard(
      .brokenObject, table: step.object.name,
      message: "The step for \(step.object.kind) \(step.object) fails: \(error.message).",
      remedy: hasExpressions
        ? "Fix the conversion or fill that has this in the declared schema, or what else it depends on."
        : "Change or drop what it depends on in the declared schema as well.")
  }

  /// A full-text index that is to be filled and that this connection cannot use, with what SQLite says: it may need a
  /// tokenizer that only a program of the author's has, and the clone of the catalog would not tell.
  func unusableIndex(filledBy steps: [MigrationStep], in source: DatabaseSchema) throws -> (SQLName, String)? {
    for index in steps.filter(\.fillsIndex).map(\.object.name) where source.virtualTables[index] != nil {
      do {
        try connection.prepareOnly("SELECT 1 FROM main.\(index.quoted)")
      } catch let error as SQLiteError where !error.isEnvironmental {
        return (index, error.message)
      }
    }
    return nil
  }

  /// What is said of a full-text index that SQLite could not fill.
  static func unfilled(_ index: SQLName, problem: String) -> Hazard {
    Hazard(
      .brokenObject, table: index,
      message: "Full-text index \(index) cannot be filled from its content: \(problem). It is left as it is.",
      remedy:
        "Declare it with the names of a table and columns that are there; or fill it from a program that can, with "
        + "INSERT INTO \(index.quotedIfNeeded) (\(index.quotedIfNeeded)) VALUES ('rebuild').", isNote: true)
  }
}

extension RowCheckResults {
  /// Whether the rows showed an error already: a condition that cannot be evaluated on them.
  func tell(of error: SQLiteError) -> Bool {
    findings.contains { finding in
      if case .unprovable(_, let problem) = finding.kind { problem == error.message } else { false }
    }
  }
}
