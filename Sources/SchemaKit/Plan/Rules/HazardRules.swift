/// Turns what was found in the rows into hazards, in words that name the object, the cause and the way out.
struct HazardRules {
  var diff: SchemaDiff
  var hints: MigrationHints
  /// Whether the engine tests rows against a CHECK that ALTER TABLE adds.
  var engineChecksRows = true

  /// The hazards of one table.
  func hazards(of table: SQLName, facts: TableFacts) -> [Hazard] {
    facts.findings.compactMap { $0.isCounted ? hazard(for: $0, table: table) : uncounted($0, table: table) }
  }

  private func hazard(for finding: TableFacts.Finding, table: SQLName) -> Hazard? {
    let count = finding.count
    let rows = count.counted("row")
    func verb(_ plural: String) -> String { count == 1 ? plural + "s" : plural }
    let column = finding.column
    let object = column.map { "\(table).\($0)" } ?? table.text
    func hazard(_ code: HazardCode, _ message: String, _ remedy: String, consented: Bool = false) -> Hazard {
      Hazard(
        code, table: table, column: column, count: count, samples: finding.samples, message: message, remedy: remedy,
        isConsentedByDeclaration: consented)
    }
    switch finding.kind {
    case .droppedTable:
      let guess = RenameGuess.table(table, in: diff)
      var found = hazard(
        .droppedTable,
        count == 0 ? "Table \(table) is dropped; it is empty here." : "Table \(table) is dropped with \(rows).",
        guess.asRemedy + "Allow the drop with --allow SK101:\(table.quotedIfNeeded).",
        consented: hints.removedTables.contains(table))
      found.isPotential = count == 0
      return found
    case .droppedColumn:
      let guess = column.flatMap { RenameGuess.column($0, of: table, in: diff) }
      let isConsented = column.map { hints.tables[table]?.removedColumns.contains($0) ?? false } ?? false
      var found = hazard(
        .droppedColumn,
        count == 0
          ? "Column \(object) is dropped; it holds no value here."
          : "Column \(object) is dropped with its values in \(rows).",
        guess.asRemedy
          + "Allow the drop with --allow SK102:\(table.quotedIfNeeded).\(column?.quotedIfNeeded ?? "").",
        consented: isConsented)
      found.isPotential = count == 0
      return found
    case .lossyConversion(let from, let to):
      var found = hazard(
        .lossyConversion,
        count == 0
          ? "Column \(object) changes from \(from.typeName) to \(to.typeName); every value here survives."
          : "\(rows) of \(object) \(verb("hold")) a value that changes when \(from.typeName) becomes \(to.typeName).",
        "Give a conversion, or allow it with --allow SK103:\(table.quotedIfNeeded).\(column?.quotedIfNeeded ?? "").")
      found.isPotential = count == 0
      return found
    case .emptiedByConversion where count > 0:
      return hazard(
        .lossyConversion,
        "The conversion of \(object) gives NULL for the \(count == 1 ? "value" : "values") of \(rows).",
        "Let the conversion keep them, mend these rows first, or allow it with "
          + "--allow SK103:\(table.quotedIfNeeded).\(column?.quotedIfNeeded ?? "").")
    case .nulls where count > 0:
      return hazard(
        .nullsUnderNotNull, "\(object) becomes NOT NULL, but \(rows) would have NULL there.",
        "Declare a default or a backfill for the column, or give these rows a value first.")
    case .duplicates(let of) where count > 0:
      return hazard(
        .duplicates, "\(rows) of \(table) are not distinct in \(of).", "Make them distinct first.")
    case .orphans(let parent) where count > 0:
      return hazard(
        .orphans,
        "\(rows) of \(table) \(verb("refer")) through \(column?.text ?? "a foreign key") to a row of \(parent) that is not there.",
        "Add the missing rows of \(parent), or clear the references first.")
    case .failingCheck(let expression) where count > 0:
      return hazard(
        .failingCheck, "\(rows) of \(table) \(verb("fail")) the new CHECK (\(expression)).", "Mend these rows first.")
    case .notStorable(let type) where count > 0:
      return hazard(
        .notStorable, "\(rows) of \(object) \(verb("hold")) a value that \(type.typeName) cannot store.",
        "Declare a conversion for the column, or mend these rows first.")
    case .renumberedRows(let wasKey) where count > 0:
      var found = hazard(
        .renumberedRows,
        wasKey
          ? "The key of \(table) becomes its rowid; \(rows) had another one."
          : "\(rows) of \(table) \(verb("get")) another rowid.",
        wasKey
          ? "Nothing in the file keeps rowids of \(table); a program that does must look them up again."
          : "If nothing refers to them, allow it with --allow SK205:\(table.quotedIfNeeded).")
      found.isNote = wasKey
      return found
    case .droppedRowIDs(let isFollowed) where count > 0:
      var found = hazard(
        .renumberedRows, "The rowids of \(rows) go: \(table) becomes WITHOUT ROWID.",
        "If nothing refers to them, allow it with --allow SK205:\(table.quotedIfNeeded).")
      found.isNote = !isFollowed
      return found
    case .unprovable(let condition, let problem):
      return Hazard(
        .failingCheck, table: table, column: column,
        message: "\(condition) cannot be evaluated on the rows of \(table): \(problem).",
        remedy: "Mend the expression or the rows that it fails on.")
    case .filledNulls, .showsDefault, .nulls, .emptiedByConversion, .duplicates, .orphans, .failingCheck, .computed,
      .notStorable, .renumberedRows,
      .droppedRowIDs:
      return nil
    }
  }
}

/// Guesses that something dropped and something added are one thing with a new name, to say so and never to act on it.
enum RenameGuess {
  /// The hint that would make a dropped column the former name of an added one, or nil.
  static func column(_ column: SQLName, of table: SQLName, in diff: SchemaDiff) -> String? {
    guard let change = diff.changedTables.first(where: { $0.to.name == table }),
      let dropped = change.from.column(column),
      let added = change.addedColumns.first(where: { $0.affinity == dropped.affinity && $0.generation == nil })
    else { return nil }
    return "\"-- schemakit: renamed from \(column.quotedIfNeeded)\" on the line of \(added.name) "
      + "(or --rename \(table.quotedIfNeeded).\(column.quotedIfNeeded)=\(table.quotedIfNeeded).\(added.name.quotedIfNeeded))"
  }

  /// The hint that would make a dropped table the former name of an added one, or nil.
  static func table(_ table: SQLName, in diff: SchemaDiff) -> String? {
    guard let dropped = diff.droppedTables.first(where: { $0.name == table }) else { return nil }
    let names = Set(dropped.columns.map(\.name))
    let likely = diff.addedTables.max { left, right in
      names.intersection(left.columns.map(\.name)).count < names.intersection(right.columns.map(\.name)).count
    }
    guard let likely, names.intersection(likely.columns.map(\.name)).count * 2 >= max(names.count, 1) else {
      return nil
    }
    return "\"-- schemakit: renamed from \(table.quotedIfNeeded)\" on the CREATE TABLE line of \(likely.name) "
      + "(or --rename \(table.quotedIfNeeded)=\(likely.name.quotedIfNeeded))"
  }
}

extension SQLName {
  /// The name as a person would write it: in quotes only where it needs them.
  package var quotedIfNeeded: String { SQLKeywords.needsQuoting(text) ? quoted : text }
}

extension String {
  /// A declared type in words.
  var typeName: String { isEmpty ? "no type" : self }
}

extension String? {
  /// A guessed hint as the beginning of a remedy.
  var asRemedy: String { map { "If it was renamed, say so: \($0). " } ?? "" }
}
