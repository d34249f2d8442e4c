import Foundation

/// Judges what became of a mistreated file, with nothing of the product: by rows, classes, index entries and searches.
struct MistreatedOracle {
  let file: MistreatedFile
  let old: MistreatedSchema
  let new: MistreatedSchema
  let store: MistreatedStore
  /// The file before, which stays as it was.
  let before: String
  /// The columns of which some value becomes another one.
  private var columnsWithOtherValues: Set<Int> = []

  init(_ file: MistreatedFile, before: String) throws {
    self.file = file
    old = file.declared
    new = file.target
    store = try MistreatedStore()
    self.before = before
    let was = try RawSQLite(before)
    defer { was.close() }
    for origin in old.tables {
      guard let table = new.table(origin.id) else { continue }
      let rows = try MistreatedContent(of: origin, key: origin.hasRowID ? [] : origin.keyColumns, in: was).all
      for column in table.columns where column.generated == nil {
        guard let former = origin.columns.first(where: { $0.id == column.id }) else { continue }
        let isOther = try rows.contains { row in
          guard let value = row[column.id] else { return false }
          return try expected(value, from: former, in: origin, to: column, in: table)?.description != value.description
        }
        if isOther { columnsWithOtherValues.insert(column.id) }
      }
    }
  }

  /// What is wrong with the changed file.
  func problems(of path: String) throws -> [String] {
    let (was, now) = (try RawSQLite(before), try RawSQLite(path))
    defer {
      was.close()
      now.close()
    }
    var problems = try SchemaOracle.sameSchema(file: now, targetDDL: new.statements).map { "schema: " + $0 }
    for table in new.tables {
      guard let origin = old.table(table.id) else { continue }
      problems += try valueProblems(origin, table, was, now).map { "values: \(table.name) \($0)" }
      problems += try markProblems(origin, table, was, now)
      problems += try searchProblems(origin, table, was, now)
    }
    for table in old.tables where new.table(table.id) == nil && !file.keepsDropped {
      let isConsented = file.allowances.contains { $0.code == "SK101" && $0.table == table.name }
      let count = try MistreatedContent(of: table, key: key(of: table, nil), in: was).count
      if count > 0, !isConsented { problems.append("consent: \(table.name) was dropped with \(count) rows") }
    }
    problems += try integrityProblems(was, now).map { "integrity: \($0)" }
    now.close()
    problems += try indexProblems(path).map { "index: \($0)" }
    return problems
  }

  /// The columns that name a row in both forms of a table; none for the rowid.
  func key(of table: MistreatedSchema.Table, _ other: MistreatedSchema.Table?) -> [Int] {
    table.hasRowID && other?.hasRowID != false ? [] : table.keyColumns
  }

  // MARK: - Values

  private func valueProblems(
    _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table, _ was: RawSQLite, _ now: RawSQLite
  ) throws -> [String] {
    let key = key(of: origin, table)
    let old = try MistreatedContent(of: origin, key: key, in: was)
    let anew = table.columns.filter { $0.generated != nil && $0.isStored && isComputedAnew($0, origin, table) }
    let expressions = anew.map { (column: -2 - $0.id, sql: "(\(new.text(of: $0.generated ?? [])))") }
    let content = try MistreatedContent(of: table, key: key, in: now, expressions: expressions)
    if old.count != content.count { return ["had \(old.count) rows, has \(content.count)"] }
    var problems = try dropProblems(origin, table, old)
    for (name, rows) in old.rows.sorted(by: { $0.key < $1.key }) {
      guard let found = content.rows[name], found.count == rows.count else {
        problems.append("row \(name) is gone")
        continue
      }
      for (row, other) in zip(rows, found) {
        for column in table.columns where column.generated == nil || column.isStored {
          guard let actual = other[column.id] else { continue }
          let computed = other[-2 - column.id]
          if let problem = try problem(column, origin, table, from: row, to: actual, computed: computed) {
            problems.append("row \(name): \(column.name) \(problem)")
          }
        }
      }
    }
    return problems
  }

  private func dropProblems(
    _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table, _ content: MistreatedContent
  ) throws -> [String] {
    if file.keepsDropped { return [] }
    return origin.columns.compactMap { column in
      if column.generated != nil || table.columns.contains(where: { $0.id == column.id }) { return nil }
      if file.allowances.contains(where: { $0.code == "SK102" && $0.column == column.name }) { return nil }
      let count = content.all.count { $0[column.id]?.isNull == false }
      return count == 0 ? nil : "\(column.name) was dropped with \(count) values without consent"
    }
  }

  private func problem(
    _ column: MistreatedSchema.Column, _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table,
    from row: [Int: RawValue], to actual: RawValue, computed: RawValue?
  ) throws -> String? {
    let was = row[column.id]
    let expected: RawValue?
    if let computed {
      // Not checked by class where a STRICT table lets any computed value in.
      expected = try store.stored(computed, as: column.type, isStrict: false)
      if table.isStrict { return nil }
    } else if let was, let former = origin.columns.first(where: { $0.id == column.id }) {
      let result = try self.expected(was, from: former, in: origin, to: column, in: table)
      expected = result
      if let result, result.description != was.description, result.description == actual.description,
        try !isHarmless(was, result, former, column, origin),
        try !(isZeroOfReal(was, column) && isZeroOfReal(result, column))
      {
        return "was \(was), is \(actual) without consent"
      }
    } else {
      expected = try store.stored(
        store.value(of: column.defaultText ?? "NULL"), as: column.type, isStrict: table.isStrict)
    }
    // SQLite 3.33 computes from whole numbers of a REAL column as from integers.
    if computed != nil, let expected, expected.isSameNumber(as: actual) { return nil }
    // Of a NULL under NOT NULL, SQLite computes what the declaration says: IS NULL is false.
    if computed != nil, was?.description == actual.description, readsNullUnderNotNull(column, table, row) { return nil }
    // What is computed from a negative zero under REAL is computed from the zero that the column stores.
    if column.generated != nil, let expected, case .real(0) = expected, case .real(0) = actual,
      try readsZeroOfReal(column, table, row)
    {
      return nil
    }
    guard let expected else { return "was \(was ?? .null), is \(actual), and the new type refuses it" }
    if try isZeroOfReal(expected, column), try isZeroOfReal(actual, column) { return nil }
    if let was, isTypedByConsent(column),
      try store.stored(was, as: column.type, isStrict: table.isStrict)?.description == actual.description
    {
      return nil
    }
    return expected.description == actual.description ? nil : "was \(was ?? .null), is \(actual), not \(expected)"
  }

  private func readsNullUnderNotNull(
    _ column: MistreatedSchema.Column, _ table: MistreatedSchema.Table, _ row: [Int: RawValue]
  ) -> Bool {
    let inputs = table.inputs(of: column.generated ?? [])
    return table.columns.contains { $0.isRequired && inputs.contains($0.id) && row[$0.id]?.isNull == true }
  }

  private func readsZeroOfReal(
    _ column: MistreatedSchema.Column, _ table: MistreatedSchema.Table, _ row: [Int: RawValue]
  ) throws -> Bool {
    let inputs = table.inputs(of: column.generated ?? [])
    return try table.columns.contains { try inputs.contains($0.id) && isZeroOfReal(row[$0.id] ?? .null, $0) }
  }

  /// True if the way of copying gives a column its type, and what this makes of its values has consent.
  private func isTypedByConsent(_ column: MistreatedSchema.Column) -> Bool {
    [.alter, .transaction, .script].contains(file.way)
      && file.allowances.contains { $0.code == "SK103" && ($0.column == nil || $0.column == column.name) }
  }

  /// True for a zero in a REAL column, which stores no sign: SQL cannot tell that an edit of the catalog left one there.
  func isZeroOfReal(_ value: RawValue, _ column: MistreatedSchema.Column) throws -> Bool {
    guard case .real(let number) = value, number == 0 else { return false }
    return try store.stored(.real(-0.0), as: column.type, isStrict: false)?.description == RawValue.real(0).description
  }

  /// What a value becomes: the same, unless the type asks for another or a new NOT NULL fills it.
  func expected(
    _ value: RawValue, from former: MistreatedSchema.Column, in origin: MistreatedSchema.Table,
    to column: MistreatedSchema.Column, in table: MistreatedSchema.Table
  ) throws -> RawValue? {
    if value.isNull, column.isRequired, !former.isRequired, let text = column.defaultText {
      return try store.stored(store.value(of: text), as: column.type, isStrict: table.isStrict)
    }
    if !isConverted(former, origin, column, table) { return value }
    return try store.stored(value, as: column.type, isStrict: table.isStrict)
  }

  func isConverted(
    _ former: MistreatedSchema.Column, _ origin: MistreatedSchema.Table, _ column: MistreatedSchema.Column,
    _ table: MistreatedSchema.Table
  ) -> Bool {
    if column.generated != nil { return false }
    if origin.affinity(of: former) != table.affinity(of: column) { return true }
    if !table.isStrict { return false }
    return !origin.isStrict || isOfOtherStrictType(former, column)
  }

  private func isOfOtherStrictType(_ former: MistreatedSchema.Column, _ column: MistreatedSchema.Column) -> Bool {
    former.type != column.type && Set([former.type, column.type]) != ["INT", "INTEGER"]
  }

  /// True if a change of a value needs no consent, or has it.
  private func isHarmless(
    _ was: RawValue, _ now: RawValue, _ former: MistreatedSchema.Column, _ column: MistreatedSchema.Column,
    _ origin: MistreatedSchema.Table
  ) throws -> Bool {
    if was.isNull { return true }
    let isConsented = file.changes.contains { change in
      if case .retype(column.id, _, isConsented: true) = change { true } else { false }
    }
    return try isConsented || isLossless(was, now, former, origin)
  }

  func isLossless(
    _ was: RawValue, _ now: RawValue, _ former: MistreatedSchema.Column, _ origin: MistreatedSchema.Table
  ) throws -> Bool {
    if was.description == now.description { return true }
    // Negative zeros under REAL are 0.0 to SQL.
    if try isZeroOfReal(was, former), was.description != RawValue.real(0).description {
      return try isLossless(.real(0), now, former, origin)
    }
    // A value that STRICT refuses would not come back into its column as it is.
    let fits = try store.stored(was, as: former.type, isStrict: origin.isStrict) != nil
    let back = try store.stored(now, as: former.type, isStrict: origin.isStrict && fits)
    if back?.description == was.description { return true }
    if case .int(let integer) = was, case .real(let real) = now {
      return Double(integer) == real && Int64(exactly: real) == integer
    }
    return false
  }

  // MARK: - Generated columns

  /// True if a stored column holds another expression's values now, or reads what has changed.
  func isComputedAnew(
    _ column: MistreatedSchema.Column, _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table
  ) -> Bool {
    guard let former = origin.columns.first(where: { $0.id == column.id }), former.isStored,
      former.generated == column.generated, origin.affinity(of: former) == table.affinity(of: column)
    else { return true }
    return !table.inputs(of: column.generated ?? []).isDisjoint(with: changedColumns(origin, table))
  }

  /// The columns whose values, or what an expression or an index makes of them, may be others than before.
  func changedColumns(_ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table) -> Set<Int> {
    var changed: Set<Int> = []
    for column in table.columns {
      guard let former = origin.columns.first(where: { $0.id == column.id }) else {
        changed.insert(column.id)
        continue
      }
      if columnsWithOtherValues.contains(column.id) || former.collation != column.collation
        || former.generated != column.generated || former.isStored != column.isStored
        || origin.affinity(of: former) != table.affinity(of: column)
      {
        changed.insert(column.id)
      }
    }
    while true {
      let more = table.columns.filter { column in
        !changed.contains(column.id) && !(column.generated?.ids.isDisjoint(with: changed) ?? true)
      }
      if more.isEmpty { return changed }
      changed.formUnion(more.map(\.id))
    }
  }
}
