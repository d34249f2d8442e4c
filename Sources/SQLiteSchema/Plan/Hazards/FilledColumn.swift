import OrderedCollections

/// A column that becomes NOT NULL, in which a default or a fill replaces NULL.
///
/// Afterwards such a value cannot be told from others. So the rows are recorded by their keys, provided that they are
/// few and have a key by which they can be found again; `undo` then restores NULL where a row still holds the value
/// that replaced it.
package struct FilledColumn: Sendable, Hashable {
  package var table: SQLName
  package var column: SQLName
  /// The names before the change.
  package var formerTable: SQLName
  package var formerColumn: SQLName
  /// The former table as FROM names it.
  package var formerRows: String
  /// The columns that identify each row, now and before.
  package var key: [SQLName]
  package var formerKey: [SQLName]
  /// The number of rows that hold NULL; nil if they were not counted.
  package var count: Int?
  /// Keys of some of them.
  package var samples: [String]
  /// The value that replaces NULL.
  package var replacement: FilledNullsNote.Replacement
  /// The reason why NULL cannot be restored; nil if it can, as far as is known.
  package var obstacle: FilledNullsNote.Obstacle?

  /// The maximum number of rows whose keys are recorded.
  package static let mostRemembered = 10_000
}

extension FilledColumn {
  /// The same where an online copy is among the steps: which rows held NULL is known only under the lock.
  package func copiedOnline(by steps: [MigrationStep]) -> FilledColumn {
    guard steps.contains(where: { $0.strategy.isOnline && $0.object.name == table }) else { return self }
    var filled = self
    filled.obstacle = obstacle ?? .copiedOnline
    return filled
  }

  /// The note in the plan. Neither a default nor a fill requires consent.
  ///
  /// - Parameter isUndo: True if the plan undoes a change, which itself is not undone.
  package func note(isUndo: Bool) -> Hazard {
    var hazard = Hazard(
      .nullsUnderNotNull, table: table, column: column, count: count, samples: count == nil ? [] : samples,
      cause: HazardCause(FilledNullsNote(replacement: replacement, obstacle: obstacle)), isNote: true)
    hazard.isCounted = count != nil
    hazard.isUndo = isUndo
    return hazard
  }
}

extension Planner {
  /// The columns in which the plan replaces NULL.
  ///
  /// - Parameter renames: All new names, including those that a rebuild gives.
  package func filledColumns(renames: SchemaRenames) -> [FilledColumn] {
    diff.changedTables.flatMap { change -> [FilledColumn] in
      let table = change.to.name
      let projection = projection(for: change, hints: hints.tables[table] ?? TableHints())
      let formerKey = KeepRule(source: source, firstNumber: 0).stableKey(
        of: change, renames: renames, hints: hints)
      return change.to.writableColumns.compactMap { column in
        guard RowCheckSubject.filled(column, in: projection) != nil,
          let found = checkResults[table]?.findings.first(where: {
            $0.kind == .filledNulls && $0.column == column.name
          }),
          !found.isCounted || found.count > 0
        else { return nil }
        let count = found.isCounted ? found.count : nil
        return FilledColumn(
          table: table, column: column.name, formerTable: renames.formerTable(table),
          formerColumn: renames.formerColumn(column.name, of: table),
          formerRows: source.tables[renames.formerTable(table)]?.rows ?? change.from.rows,
          key: (formerKey ?? []).map { renames.newColumn($0, of: table) },
          formerKey: formerKey ?? [], count: count,
          samples: found.samples, replacement: projection.replacement(of: column),
          obstacle: obstacle(count: count, hasKey: formerKey != nil))
      }
    }
  }

  private func obstacle(count: Int?, hasKey: Bool) -> FilledNullsNote.Obstacle? {
    if recording == .omitted { return .noHistory }
    if !hasKey { return .noStableKey }
    if !dataSteps.isEmpty { return .programWork }
    guard let count, count > FilledColumn.mostRemembered else { return nil }
    return .tooManyRows
  }
}

extension RowProjection {
  /// Returns the replacement for NULL in a column.
  fileprivate func replacement(of column: ColumnSchema) -> FilledNullsNote.Replacement {
    guard let fill = hints.columns[column.name]?.backfill else {
      return .defaultValue(expression: column.defaultValue?.value.text ?? "NULL")
    }
    return ColumnHints.isSwift(fill) ? .swiftFill : .fill(expression: fill)
  }
}

extension SchemaRenames {
  /// The new name of a column of the file.
  fileprivate func newColumn(_ former: SQLName, of table: SQLName) -> SQLName {
    formerColumns[table]?.first { $0.value == former }?.key ?? former
  }
}
