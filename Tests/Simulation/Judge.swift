import RandomSchemas
import SchemaKit
import SchemaKitTesting

/// Says of the file that a disturbed change left what is wrong with it, by SQLite alone.
struct Judge {
  enum State: String {
    case old, new, between
    /// The old schema is the new one, but for what has no effect.
    case both

    /// True if a file in this state is what another one says.
    func agrees(with other: State) -> Bool { self == other || self == .both || other == .both }
  }

  let scene: Scene
  let world: World
  let before: RawSQLite
  var writers: [WriterProgram] = []
  /// The losses that the undo names beforehand.
  var losses: [Loss] = []

  // MARK: - Which schema the file has

  /// Finds out whether the file is wholly old or wholly new.
  func state(of file: RawSQLite, problems: inout [String]) throws -> State {
    problems += try SchemaOracle.integrityProblems(of: file).map { "integrity: \($0)" }
    let fromOld = try differencesFromOld(file, isUndone: scene.entry == .undo)
    let fromNew = try differencesFromNew(file)
    if fromOld.isEmpty { return fromNew.isEmpty ? .both : .old }
    if fromNew.isEmpty { return .new }
    if scene.entry != .expandAndContract {
      problems.append("neither the old file (\(fromOld[0])) nor the new one (\(fromNew[0]))")
    }
    return .between
  }

  /// - Parameter isUndone: True if a table may have got other rowids where none of its columns shows them, as one does that
  ///   had none meanwhile.
  func differencesFromOld(_ file: RawSQLite, isUndone: Bool = false) throws -> [String] {
    try SchemaOracle.sameSchema(file: file, targetDDL: scene.oldDDL) + rowDifferences(file, isUndone: isUndone)
  }

  func differencesFromNew(_ file: RawSQLite) throws -> [String] {
    let schema = try SchemaOracle.sameSchema(file: file, targetDDL: scene.newDDL)
    if !schema.isEmpty { return schema }
    return try SchemaOracle.sameData(before: before, after: file, pair: scene.pair)
      + SchemaOracle.newOrphans(before: before, after: file, pair: scene.pair)
  }

  /// The tables whose rows differ from those of the file before, but for the witness.
  private func rowDifferences(_ file: RawSQLite, isUndone: Bool) throws -> [String] {
    let tables = try before.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'witness'")
    // The highest key that AUTOINCREMENT gave is forgotten with it, as the undo says.
    return try tables.compactMap { $0[0].string }.filter { !isUndone || $0 != "sqlite_sequence" }.compactMap { table in
      let hasRowIDs = !isUndone && table != "sqlite_sequence"
      if isUndone, try hasOnlyNamedLosses(table, in: file) { return nil }
      let was = try rows(of: table, in: before, withRowIDs: hasRowIDs)
      let now = try rows(of: table, in: file, withRowIDs: hasRowIDs)
      if was == now { return nil }
      let lost = was.first { !now.contains($0) }
      let new = now.first { !was.contains($0) }
      return "the rows of \(table) differ: \(lost.map { "\($0)" } ?? "none") became \(new.map { "\($0)" } ?? "none")"
    }
  }

  /// True if the undo names a loss of the table, and all values are there but in the columns and in as many rows as it says.
  private func hasOnlyNamedLosses(_ table: String, in file: RawSQLite) throws -> Bool {
    let kinds: [Loss.Kind] = [.replacedNulls, .changedValues, .convertedValues, .widenedIntegers]
    let named = losses.filter { kinds.contains($0.kind) && asciiFolded($0.table ?? "") == asciiFolded(table) }
    guard !named.isEmpty else { return false }
    let columns = named.map { asciiFolded($0.column ?? "") }
    let was = try rows(of: table, in: before, withRowIDs: false, without: columns)
    guard try was == rows(of: table, in: file, withRowIDs: false, without: columns) else { return false }
    var whole = Dictionary(try rows(of: table, in: file, withRowIDs: false).map { ($0, 1) }, uniquingKeysWith: +)
    let changed = try rows(of: table, in: before, withRowIDs: false).count { row in
      whole[row, default: 0] -= 1
      return whole[row, default: 0] < 0
    }
    return changed <= named.reduce(0) { $0 + ($1.count ?? was.count) }
  }

  private func rows(
    of table: String, in file: RawSQLite, withRowIDs: Bool, without lost: [String] = []
  ) throws -> [[RawValue]] {
    // Generated columns follow those that they are computed from.
    let kinds = lost.isEmpty ? "hidden <> 1" : "hidden = 0"
    let columns = try file.rows("SELECT name FROM pragma_table_xinfo(\(RawValue.text(table))) WHERE \(kinds)")
      .compactMap { $0[0].string }.filter { !lost.contains(asciiFolded($0)) }.sorted().map(SchemaOracle.quoted)
      .joined(separator: ", ")
    if columns.isEmpty { return [] }
    let name = SchemaOracle.quoted(table)
    if withRowIDs, let rows = try? file.rows("SELECT _rowid_, \(columns) FROM \(name) NOT INDEXED ORDER BY 1") {
      return rows
    }
    return try file.rows("SELECT \(columns) FROM \(name)").sorted { "\($0)" < "\($1)" }
  }

  // MARK: - What programs have written

  /// Finds acknowledged writes that are missing, and rows that nobody wrote.
  func witnessProblems(_ file: RawSQLite, _ state: State) throws -> [String] {
    if state == .between { return [] }
    let witness = scene.witness
    let table = state == .new ? witness.newName : "witness"
    let amount = state == .new ? witness.newAmount : "amount"
    var found: [String: Int?] = [:]
    var problems: [String] = []
    for row in try file.rows("SELECT mark, \(amount) FROM \(table) NOT INDEXED") {
      guard let mark = row[0].string else {
        problems.append("witness: a row has no mark")
        continue
      }
      if found.updateValue(row[1].whole, forKey: mark) != nil { problems.append("witness: \(mark) is there twice") }
    }
    for (mark, value) in witness.amounts(scene.witnessRows) {
      let expected = value ?? (state == .new && witness.change == .required ? 0 : nil)
      if found[mark] != .some(expected) {
        problems.append("witness: \(mark) has \(String(describing: found[mark])), not \(String(describing: expected))")
      }
      found[mark] = nil
    }
    for writer in writers {
      for mark in writer.marks.sorted() {
        let value = found.removeValue(forKey: mark).flatMap { $0 }
        if !writer.allows(value, for: mark) {
          problems.append(
            "witness: \(mark) has \(String(describing: value)), acknowledged was \(String(describing: writer.amounts[mark]))"
          )
        }
      }
    }
    problems += found.keys.sorted().map { "witness: nobody wrote \($0)" }
    return problems
  }

  // MARK: - What is left over

  func leftovers(_ file: RawSQLite) throws -> [String] {
    let known = ["_schemakit_meta", "_schemakit_schemas", "_schemakit_history", "_schemakit_nulls"]
    let objects = try file.rows(
      "SELECT name, tbl_name FROM sqlite_master WHERE name LIKE '\\_schemakit\\_%' ESCAPE '\\'")
    return objects.filter { !known.contains($0[1].string ?? "") && scene.entry != .undone && scene.entry != .undo }.map
    {
      "left over: \($0[0])"
    }
  }
}

extension RawValue {
  /// The whole number that the value is, stored as an integer or as a real.
  fileprivate var whole: Int? {
    switch self {
    case .int(let value): Int(value)
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }
}
