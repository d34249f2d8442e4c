/// What became of the rows of a file when they were put into a fresh target database, one by one.
package struct TargetTrial {
  package let target: RawSQLite
  /// Rows that the target refuses, with the reason.
  package var refusals: [String] = []
  /// Values that change their meaning, and rowids that can't stay.
  package var losses: [String] = []
  /// The new columns and rowid whose content the migration must reproduce, by new table.
  package var compared: [String: [String]] = [:]
}

extension SchemaOracle {
  /// Differences between the migrated rows and the same rows put into a fresh target database by hand.
  package static func sameData(before: RawSQLite, after: RawSQLite, pair: SchemaPair) throws -> [String] {
    let trial = try tryTarget(before: before, pair: pair)
    var differences = trial.refusals.map { "applied, but the target refuses a row: " + $0 }
    for (table, columns) in trial.compared.sorted(by: { $0.key < $1.key }) where differences.isEmpty {
      let query = "SELECT \((columns + ["1"]).joined(separator: ", ")) FROM main.\(quoted(table))"
      let expected = try trial.target.rows(query).map(\.description).sorted()
      let actual = try after.rows(query).map(\.description).sorted()
      if expected == actual { continue }
      let lost = expected.filter { !actual.contains($0) }
      let wrong = actual.filter { !expected.contains($0) }
      differences.append(
        "\(table) (\(columns)): \(expected.count) rows expected, \(actual.count) found; "
          + "missing \(lost.prefix(3)), unexpected \(wrong.prefix(3))"
      )
    }
    return differences + (try markDifferences(before: before, after: after, pair: pair))
  }

  /// True when a fresh target refuses one of the rows, loses part of a value or rowid, or leaves a new orphan.
  package static func targetRejects(before: RawSQLite, pair: SchemaPair) throws -> Bool {
    !(try rejections(before: before, pair: pair)).isEmpty
  }

  /// Why the target can't take the rows without loss; none when it can.
  package static func rejections(before: RawSQLite, pair: SchemaPair) throws -> [String] {
    let trial = try tryTarget(before: before, pair: pair)
    if !trial.refusals.isEmpty || !trial.losses.isEmpty { return trial.refusals + trial.losses }
    // SQLite lets a computed value of the wrong class into a STRICT table, and its integrity check complains later.
    let unsound = try integrityProblems(of: trial.target)
    return try unsound.isEmpty ? newOrphans(before: before, after: trial.target, pair: pair) : unsound
  }

  /// AUTOINCREMENT marks that moved.
  private static func markDifferences(before: RawSQLite, after: RawSQLite, pair: SchemaPair) throws -> [String] {
    let hasMarks = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'"
    guard try !before.rows(hasMarks).isEmpty, try !after.rows(hasMarks).isEmpty else { return [] }
    return try pair.tableMap.compactMap { old, new in
      let hasMark: (RawSQLite, String) throws -> Bool = { file, table in
        let sql = try file.rows("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = \(RawValue.text(table))")
        return RawTokens(sql.first?[0].string ?? "").count(of: "autoincrement") > 0
      }
      guard try hasMark(before, old), try hasMark(after, new) else { return nil }
      let mark: (RawSQLite, String) throws -> RawValue? = { file, table in
        try file.rows("SELECT seq FROM sqlite_sequence WHERE name = \(RawValue.text(table))").first?[0]
      }
      let (was, now) = (try mark(before, old), try mark(after, new))
      return (was ?? .int(0)) == (now ?? .int(0))
        ? nil : "AUTOINCREMENT mark of \(new) was \(was ?? .null), is \(now ?? .null)"
    }
  }

  // MARK: - Trying the target

  /// Creates the target schema in an empty database and puts every surviving row into it; triggers are left out.
  package static func tryTarget(before: RawSQLite, pair: SchemaPair, in path: String = ":memory:") throws -> TargetTrial
  {
    var trial = TargetTrial(target: try RawSQLite(path))
    for sql in pair.newDDL { try trial.target.exec(sql) }
    for row in try trial.target.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try trial.target.exec("DROP TRIGGER \(quoted(row[0].string ?? ""))")
    }
    // Without a transaction, so that a row refused by ON CONFLICT ROLLBACK takes no other with it.
    for (old, new) in pair.tableMap {
      try copy(
        TableShape(old, in: before), from: before, to: TableShape(new, in: trial.target), pair: pair, into: &trial)
    }
    return trial
  }

  private static func copy(
    _ old: TableShape, from before: RawSQLite, to new: TableShape, pair: SchemaPair, into trial: inout TargetTrial
  ) throws {
    var pairs: [(old: TableShape.Column, new: TableShape.Column)] = []
    for map in pair.columnMap where map.oldTable == old.name {
      guard let from = old.columns.first(where: { $0.name == map.oldColumn }), !from.isGenerated,
        let to = new.columns.first(where: { $0.name == map.newColumn }), !to.isGenerated
      else { continue }
      pairs.append((from, to))
    }
    let keyAt = pairs.firstIndex { $0.new.name == new.rowIDColumn }
    let keepsRowID = keyAt == nil && old.rowIDName != nil && new.rowIDName != nil
    let read = (old.rowIDName.map { [$0] } ?? ["NULL"]) + pairs.map { quoted($0.old.name) }
    let rows = try before.rows("SELECT \(read.joined(separator: ", ")) FROM main.\(quoted(old.name))")

    var targets = pairs.map { quoted($0.new.name) }
    var values: [String] = []
    for (at, item) in pairs.enumerated() {
      let fills = item.new.isRequired && item.new.defaultText != nil
      values.append(fills ? "coalesce(?\(at + 1), (\(item.new.defaultText ?? "NULL")))" : "?\(at + 1)")
    }
    if keepsRowID, let name = new.rowIDName {
      targets.append(name)
      values.append("?\(pairs.count + 1)")
    }
    let list =
      targets.isEmpty
      ? "DEFAULT VALUES" : "(\(targets.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    let insert = "INSERT OR ABORT INTO main.\(quoted(new.name)) " + list
    for row in rows {
      if let keyAt, row[keyAt + 1].isNull { trial.refusals.append("\(new.name): NULL would become an invented key") }
      if let keyAt, old.rowIDName != nil, row[keyAt + 1] != row[0], trial.losses.isEmpty {
        trial.losses.append("\(new.name): rowid \(row[0]) becomes \(row[keyAt + 1])")
      }
      do {
        try trial.target.run(insert, binding: [Array(row.dropFirst()) + (keepsRowID ? [row[0]] : [])])
      } catch let error as RawSQLiteError {
        trial.refusals.append("\(new.name): \(error.message)")
      }
    }
    for (at, item) in pairs.enumerated() where item.old.affinity != item.new.affinity {
      let present = rows.map { $0[at + 1] }.filter { !$0.isNull }
      trial.losses += try losses(present, from: item.old.affinity, to: item.new.affinity).map {
        "\(new.name).\(item.new.name): \($0)"
      }
    }
    let common = Set(pairs.map(\.new.name))
    let kept = new.columns.filter { column in
      (common.contains(column.name) || !old.hasForerunner(of: column.name, pair)) && !column.isVolatile
        && (column.name != new.rowIDColumn || keyAt != nil || keepsRowID)
    }
    trial.compared[new.name] = kept.map { quoted($0.name) } + (keepsRowID ? [new.rowIDName ?? "NULL"] : [])
  }

  /// Values that don't come back when they are stored under the new affinity and put back under the old one.
  private static func losses(_ values: [RawValue], from old: RawAffinity, to new: RawAffinity) throws -> [String] {
    if values.isEmpty { return [] }
    let scratch = try RawSQLite()
    try scratch.exec("CREATE TABLE s (v BLOB, w \(new.rawValue), b \(old.rawValue))")
    try scratch.run("INSERT INTO s (v, w) VALUES (?1, ?1)", binding: values.map { [$0] })
    try scratch.exec("UPDATE s SET b = w")
    return try scratch.rows("SELECT v, w, b FROM s").compactMap { row in
      isSame(row[0], as: row[2]) ? nil : "\(row[0]) becomes \(row[1])"
    }
  }

  /// An integer may become the same number as a real; a real that became an integer does not come back.
  private static func isSame(_ value: RawValue, as returned: RawValue) -> Bool {
    if case (.int(let whole), .real(let real)) = (value, returned) { return Int64(exactly: real) == whole }
    return value == returned
  }
}

/// A table as raw pragmas describe it.
package struct TableShape {
  package struct Column {
    let name: String
    let affinity: RawAffinity
    let isRequired: Bool
    let defaultText: String?
    let isGenerated: Bool
    /// The default differs from one moment to the next, so that values can't be compared.
    var isVolatile: Bool { RawTokens(defaultText ?? "").tokens.contains { $0.hasPrefix("current_") || $0 == "random" } }
  }

  package let name: String
  package var columns: [Column] = []
  /// A name that reaches the rowid, if the table has one and its columns leave one of the three names free.
  package var rowIDName: String?
  /// The column that stands for the rowid.
  package var rowIDColumn: String?

  package init(_ name: String, in file: RawSQLite) throws {
    self.name = name
    let literal = RawValue.text(name)
    let info = try file.rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(literal), 'main')")
    // Before 3.37 only a table without rowids has its key listed under its own name.
    let options = try file.rows(
      Engine.has(.tableList)
        ? "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = \(literal)"
        : "SELECT count(*) > 0, 0 FROM pragma_index_info(\(literal))")
    let hasRowID = options.first?[0] == .int(0)
    let isStrict = options.first?[1] == .int(1)
    columns = info.map { row in
      let type = row[1].string ?? ""
      return Column(
        name: row[0].string ?? "", affinity: isStrict && asciiFolded(type) == "any" ? .blob : RawAffinity(of: type),
        isRequired: row[2] != .int(0), defaultText: row[3].string, isGenerated: (row[5].integer ?? 0) >= 2)
    }
    guard hasRowID else { return }
    let taken = Set(columns.map { asciiFolded($0.name) })
    rowIDName = ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    let keys = info.filter { $0[4] != .int(0) }
    let hasKeyIndex =
      try file.rows("SELECT 1 FROM pragma_index_list(\(literal), 'main') WHERE origin = 'pk'").isEmpty == false
    if keys.count == 1, asciiFolded(keys[0][1].string ?? "") == "integer", !hasKeyIndex {
      rowIDColumn = keys[0][0].string
    }
  }

  /// True when the old table already holds the new column in some form, generated or not.
  package func hasForerunner(of column: String, _ pair: SchemaPair) -> Bool {
    pair.columnMap.contains { $0.oldTable == name && $0.newColumn == column }
  }
}
