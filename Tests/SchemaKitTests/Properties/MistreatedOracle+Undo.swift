extension MistreatedOracle {
  /// What is not as it was, although the change was taken back and consent to losses was not asked for.
  ///
  /// - Parameters:
  ///   - areLossesTold: Undo says that some values stay, which may be those in place of NULL.
  ///   - filled: The columns in which undo says that it replaces NULL, with their tables.
  func undoProblems(of path: String, areLossesTold: Bool, filled: Set<[String]>) throws -> [String] {
    let (was, now) = (try RawSQLite(before), try RawSQLite(path))
    defer {
      was.close()
      now.close()
    }
    var problems: [String] = []
    for origin in old.tables {
      guard let table = new.table(origin.id) else { continue }
      let key = key(of: origin, table)
      let (before, after) = (
        try MistreatedContent(of: origin, key: key, in: was), try MistreatedContent(of: origin, key: key, in: now)
      )
      problems += try searchProblems(origin, origin, was, now)
      let columns = Set(origin.columns.filter { isRestored($0, origin, table) }.map(\.id))
      for (name, rows) in before.rows.sorted(by: { $0.key < $1.key }) {
        guard let found = after.rows[name], found.count == rows.count else {
          problems.append("values: row \(name) of \(origin.name) is gone")
          continue
        }
        for (row, other) in zip(rows, found) {
          for (column, value) in row
          where try columns.contains(column) && !isEqual(value, other[column], origin.columns.first { $0.id == column })
          {
            let words = old.names[column] ?? ""
            if value.isNull, areLossesTold || filled.contains([origin.name, words]) { continue }
            // What is computed from a NULL follows the value that took its place.
            let generated = origin.columns.first { $0.id == column }?.generated ?? []
            let replaced = origin.inputs(of: generated).filter { row[$0]?.isNull == true }
            if replaced.contains(where: { filled.contains([origin.name, old.names[$0] ?? ""]) }) { continue }
            if try isTold(value, other[column], column, origin, table) { continue }
            problems.append("values: row \(name): \(words) was \(value), is \(other[column] ?? .null)")
          }
        }
      }
      if before.count != after.count {
        problems.append("values: \(origin.name) had \(before.count), has \(after.count)")
      }
    }
    return problems + (try integrityProblems(was, now).map { "integrity: \($0)" })
  }

  /// True if the values of a column must be back: it was kept, or nothing that was consented to changed them.
  private func isRestored(
    _ column: MistreatedSchema.Column, _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table
  ) -> Bool {
    if column.generated != nil {
      let computed = table.columns.first { $0.id == column.id }
      // What another expression replaced is computed by the former one.
      let isReplaced = file.changes.contains { if case .express(column.id, _) = $0 { true } else { false } }
      return computed != nil && column.isStored && !isReplaced && !isComputedAnew(column, origin, table)
    }
    guard table.columns.contains(where: { $0.id == column.id }) else { return false }
    return !file.changes.contains { change in
      switch change {
      case .retype(column.id, _, isConsented: true): true
      default: false
      }
    }
  }

  /// True for a value of another class than its type had, which the way there and back gives that class.
  private func isTold(
    _ value: RawValue, _ other: RawValue?, _ id: Int, _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table
  ) throws -> Bool {
    guard let former = origin.columns.first(where: { $0.id == id }),
      let column = table.columns.first(where: { $0.id == id }),
      isConverted(former, origin, column, table),
      let there = try store.stored(value, as: column.type, isStrict: table.isStrict),
      let back = try store.stored(there, as: former.type, isStrict: origin.isStrict)
    else { return false }
    let isSound = try store.stored(value, as: former.type, isStrict: origin.isStrict)?.description == value.description
    return !isSound && back.description == other?.description
  }

  private func isEqual(_ value: RawValue, _ other: RawValue?, _ column: MistreatedSchema.Column?) throws -> Bool {
    guard let other else { return false }
    if value.description == other.description { return true }
    if let column, try isZeroOfReal(value, column), try isZeroOfReal(other, column) { return true }
    return value.isSameNumber(as: other)
  }
}

extension RawValue {
  /// True for one number, also as an integer and a real, or with the sign that zero may have.
  func isSameNumber(as other: RawValue) -> Bool {
    switch (self, other) {
    case (.int(let integer), .real(let real)), (.real(let real), .int(let integer)): Double(integer) == real
    case (.real(let number), .real(let other)): number == other
    default: false
    }
  }
}
