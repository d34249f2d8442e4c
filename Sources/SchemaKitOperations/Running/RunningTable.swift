import SchemaKit

/// A table that a program knows, and the one that has its rows in another schema.
struct RunningTable {
  /// The table by the names that the program knows.
  private let old: TableSchema
  /// The same, by the columns' new names.
  private let former: TableSchema
  private let new: TableSchema
  private let comparison: RunningComparison
  /// The former names of columns, by their new ones.
  private let formerNames: [SQLName: SQLName]
  private let newNames: [SQLName: SQLName]

  init(old: TableSchema, new: TableSchema, in comparison: RunningComparison) {
    (self.old, self.new, self.comparison) = (old, new, comparison)
    formerNames = (comparison.renames.formerColumns[new.name] ?? [:]).filter { $0.key != $0.value }
    newNames = Dictionary(formerNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    former = old.renamingColumns(formerNames)
  }

  func notes() throws -> [RunningNote] {
    let columns = old.columns.flatMap(notes(on:))
    return try columns + notesOnNewColumns() + notesOnKeys() + notesOnChecks() + notesOnForeignKeys() + notesOnForm()
      + notesOnPositions()
  }

  private func note(_ cause: RunningNote.Cause, _ column: SQLName? = nil) -> RunningNote {
    RunningNote(cause, table: old.name, column: column)
  }

  // MARK: - Columns

  /// The notes on one column that the program knows.
  private func notes(on column: ColumnSchema) -> [RunningNote] {
    let name = newNames[column.name] ?? column.name
    // A column that has the name by now may be another one.
    guard let present = new.column(name), (formerNames[name] ?? name) == column.name else {
      return [note(.missingColumn, column.name)]
    }
    var causes: [RunningNote.Cause] = name == column.name ? [] : [.renamedColumn(to: present.name)]
    if present.generation != nil {
      if column.generation == nil { causes.append(.computedColumn) }
      return causes.map { note($0, column.name) }
    }
    let wasNullRefused = refusesNull(in: column, of: old)
    if requiresValue(present), !requiresValue(in: column, of: old) {
      causes.append(.requiredValue(refusesNull: !wasNullRefused))
    } else if refusesNull(in: present, of: new), !wasNullRefused {
      causes.append(.refusedNull)
    }
    if column.affinity != present.affinity {
      causes.append(.otherType(from: column.type ?? "", to: present.type ?? ""))
    } else if comparison.recoded[new.name]?.contains(name) == true {
      causes.append(.otherForm)
    }
    if column.defaultValue?.value != present.defaultValue?.value, column.generation == nil,
      !requiresValue(present), !requiresValue(in: column, of: old), !haveNull(column, present)
    {
      causes.append(
        .otherDefault(from: column.defaultValue?.expression, to: present.defaultValue?.expression))
    }
    if column.collation != present.collation {
      causes.append(
        .otherCollation(from: column.collation?.text ?? "BINARY", to: present.collation?.text ?? "BINARY"))
    }
    if old.rowIDAlias?.name == column.name, new.rowIDAlias?.name != name, !requiresValue(present) {
      causes.append(.missingNumber)
    }
    return causes.map { note($0, column.name) }
  }

  /// True if neither column has another default than NULL.
  private func haveNull(_ first: ColumnSchema, _ second: ColumnSchema) -> Bool {
    (first.defaultValue?.isNull ?? true) && (second.defaultValue?.isNull ?? true)
  }

  private func requiresValue(_ column: ColumnSchema) -> Bool { requiresValue(in: column, of: new) }

  /// True if an INSERT that does not name the column fails.
  private func requiresValue(in column: ColumnSchema, of table: TableSchema) -> Bool {
    guard table.rowIDAlias?.name != column.name else { return false }
    return column.needsValue
      || (table.isWithoutRowID && table.refusesNull(in: column) && column.defaultValue.map(\.isNull) ?? true)
  }

  /// True if NULL is refused rather than stored or replaced.
  private func refusesNull(in column: ColumnSchema, of table: TableSchema) -> Bool {
    guard table.rowIDAlias?.name != column.name else { return false }
    return table.refusesNull(in: column) && column.notNullConflict != .replace
  }

  /// The columns that the program does not know and cannot leave out.
  private func notesOnNewColumns() -> [RunningNote] {
    addedColumns.filter(requiresValue).map { note(.requiredValue(refusesNull: false), $0.name) }
  }

  private var addedColumns: [ColumnSchema] { new.columns.filter { former.column($0.name) == nil } }

  // MARK: - Rules

  /// A unique key of a table: its columns, each with its collation, and what else decides.
  private struct Key: Hashable {
    var columns: Set<[String]>
    var predicate: String?
    /// The terms of the index that are expressions rather than columns.
    var expressions: [String]
  }

  private func key(of columns: [KeyColumn], in table: TableSchema) -> Key {
    Key(
      columns: Set(
        columns.map { column in
          [
            column.name.folded,
            (column.collation ?? table.column(column.name)?.collation)?.folded ?? "binary",
          ]
        }), expressions: [])
  }

  private func key(of index: IndexSchema, names: [SQLName: SQLName]) -> Key {
    Key(
      columns: Set(
        index.terms.compactMap { term in
          term.column.map { [(names[$0] ?? $0).folded, term.collation?.folded ?? "binary"] }
        }),
      predicate: index.predicate.map { words(of: $0.text, names) },
      expressions: index.terms.filter { $0.column == nil }.map { words(of: $0.expression.text, names) })
  }

  /// The keys of a table, each with the columns and the index that have it.
  private func keys(
    of table: TableSchema, in schema: DatabaseSchema, named name: SQLName, names: [SQLName: SQLName]
  ) -> [(key: Key, columns: [SQLName], index: SQLName?)] {
    var keys = (table.uniques.map(\.columns) + [table.primaryKey?.columns].compactMap { $0 }).map {
      (key: key(of: $0, in: table), columns: $0.map(\.name), index: SQLName?.none)
    }
    for index in schema.indexes(on: name) where index.isUnique {
      keys.append((key(of: index, names: names), index.terms.compactMap(\.column), index.name))
    }
    return keys
  }

  private func notesOnKeys() -> [RunningNote] {
    let oldKeys = keys(of: former, in: comparison.old, named: old.name, names: newNames)
    let newKeys = keys(of: new, in: comparison.new, named: new.name, names: [:])
    let (had, has) = (Set(oldKeys.map(\.key)), Set(newKeys.map(\.key)))
    let nullByDefault = Set(addedColumns.filter(\.isNullByDefault).map(\.name))
    var seen: Set<Key> = []
    let missing = oldKeys.filter { entry in
      // ON CONFLICT names columns that are there under their old names.
      let isNamed = entry.columns.allSatisfy { formerNames[$0] == nil && new.column($0) != nil }
      return !has.contains(entry.key) && entry.key.expressions.isEmpty && isNamed && seen.insert(entry.key).inserted
    }
    let added = newKeys.filter { entry in
      // Two rows that differ in some of the columns differ in all of them. NULL never equals another NULL.
      let isCovered = had.contains {
        $0.predicate == nil && $0.expressions.isEmpty && $0.columns.isSubset(of: entry.key.columns)
      }
      return !had.contains(entry.key) && !isCovered && !entry.columns.contains(where: nullByDefault.contains)
        && seen.insert(entry.key).inserted
    }
    return missing.map { note(.missingKey($0.columns)) } + added.map { note(.uniqueKey($0.columns, index: $0.index)) }
  }

  private func notesOnChecks() throws -> [RunningNote] {
    let known = Set(old.checks.map { words(of: $0.expression.text, newNames) })
    let added = new.checks.filter { !known.contains(words(of: $0.expression.text, [:])) }
    return try added.filter { try !new.allowsDefaults(of: addedColumns, under: [$0]) }.map {
      note(.check($0.expression.text))
    }
  }

  private func notesOnForeignKeys() -> [RunningNote] {
    let renames = comparison.renames
    let known = former.foreignKeys.map { key in
      var key = key
      let parent = renames.newTable(key.parent)
      let names = renames.formerColumns[parent] ?? [:]
      key.parentColumns = key.parentColumns.map { column in names.first { $0.value == column }?.key ?? column }
      key.parent = parent
      return comparison.new.withoutImpliedColumns(key)
    }
    let own = Set(addedColumns.filter(\.isNullByDefault).map(\.name))
    return new.foreignKeys.filter { key in
      !key.columns.contains(where: own.contains)
        && !known.contains { $0.hasSameReference(as: comparison.new.withoutImpliedColumns(key)) }
    }.map { note(.foreignKey($0.columns, parent: $0.parent)) }
  }

  private func notesOnForm() -> [RunningNote] {
    var causes: [RunningNote.Cause] = []
    if new.isWithoutRowID, !old.isWithoutRowID { causes.append(.missingRowID) }
    if new.isStrict, !old.isStrict { causes.append(.strictTypes) }
    return causes.map { note($0) }
  }

  /// The words of an expression by which two are compared, with other names for columns.
  private func words(of expression: String, _ names: [SQLName: SQLName]) -> String {
    guard let tokens = try? SQLLexer.tokens(of: expression) else { return expression }
    return tokens.map { token in
      guard token.kind != .string, let name = token.name else { return token.text }
      return (names[name] ?? name).folded
    }.joined(separator: " ")
  }

  // MARK: - Columns by position

  private func notesOnPositions() -> [RunningNote] {
    var notes: [RunningNote] = []
    let (given, taken) = (former.writableColumns.map(\.name), new.writableColumns.map(\.name))
    if given != taken { notes.append(note(.listlessInsert(given: given.count, taken: taken.count))) }
    if former.columns.map(\.name) != new.columns.map(\.name) {
      notes.append(note(.selectStar(from: old.columns.count, to: new.columns.count)))
    }
    return notes
  }
}
