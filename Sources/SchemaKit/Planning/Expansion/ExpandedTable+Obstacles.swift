import OrderedCollections

extension ExpandedTable {
  /// Why the table cannot serve both programs; empty where it can.
  ///
  /// - Parameters:
  ///   - file: The schema in the file.
  ///   - target: The newer program's schema.
  func obstacles(in file: DatabaseSchema, to target: DatabaseSchema) throws -> [ExpandObstacle] {
    let change = TableChange(from: former, to: table)
    var found: [ExpandObstacle] = pairs.compactMap { pair in
      problem(with: pair, in: file, to: target).map {
        .renamedColumn(table: name, from: pair.old.name.text, to: pair.new.name.text, $0)
      }
    }
    let marked = markedColumns
    found += change.changedColumns.filter { !(marked.contains($0.to.name) && $0.kinds == [.defaultValue]) }.map {
      .changedTable(name, .column($0.to.name.text))
    }
    if change.isPrimaryKeyChanged { found.append(.changedTable(name, .primaryKey)) }
    if change.isStrictnessChanged || change.isRowIDChanged { found.append(.changedTable(name, .form)) }
    let hasNewUnique = servesOlder && !change.addedUniques.allSatisfy({ isHarmless($0.columns.map(\.name)) })
    if !change.droppedUniques.isEmpty || hasNewUnique {
      found.append(.changedTable(name, .uniqueConstraint))
    }
    let own = Set(added.map(\.name))
    let twins = pairs.map { (old: $0.old.name, new: $0.new.name) }
    let hasNewKey = change.addedForeignKeys.contains { key in
      guard !key.columns.allSatisfy({ name in own.contains(name) && declared.column(name)?.isNullByDefault == true })
      else {
        return false
      }
      var former = key
      former.columns = key.columns.map { name in twins.first { $0.new == name }?.old ?? name }
      return former == key || !self.former.foreignKeys.contains(former)
    }
    if servesOlder && hasNewKey || !change.droppedForeignKeys.isEmpty || !keepsKeysOfPairs {
      found.append(.changedTable(name, .foreignKey))
    }
    if !change.droppedChecks.isEmpty { found.append(.changedTable(name, .check)) }
    if servesOlder { found += try unknown(added, of: declared, checks: change.addedChecks, to: .older) }
    let keptNames = Set(kept.map(\.name))
    let ofKept = former.checks.filter { check in check.reads(keptNames) }
    found += try unknown(kept, of: former, checks: ofKept, to: .newer)
    return found
  }

  private var name: String { table.name.text }

  // MARK: - Columns that one program does not know

  /// Whether a row of the program that does not know some columns gets values that their table allows.
  private func unknown(
    _ columns: [ColumnSchema], of table: TableSchema, checks: [CheckSchema], to program: ExpandObstacle.Program
  ) throws -> [ExpandObstacle] {
    var found: [ExpandObstacle] = []
    for column in columns {
      if fills[column.name] != nil {
        if column.takesMark(isStrict: table.isStrict) { continue }
        found.append(.filledColumn(table: name, column: column.name.text))
      } else if column.needsValue {
        found.append(.unknownColumn(table: name, column: column.name.text, to: program))
      }
    }
    let filled = Set(fills.keys)
    guard found.isEmpty, !checks.isEmpty else { return found }
    // A CHECK may read nothing but these columns, and has to allow their defaults.
    let definitions = columns.filter { $0.generation == nil && !filled.contains($0.name) }.map {
      "\($0.name.quoted) \($0.type ?? "")" + ($0.defaultValue.map { " DEFAULT \($0.expression)" } ?? "")
    }
    let conditions = checks.map { "CHECK \($0.expression.enclosed)" }
    let database = try SQLiteConnection.memory()
    do {
      try database.execute(
        "CREATE TABLE t (\((definitions + conditions).joined(separator: ", ")))\(table.isStrict ? " STRICT" : "")")
      try database.execute("INSERT INTO t DEFAULT VALUES")
    } catch is SQLiteError {
      found.append(.changedTable(name, .check))
    }
    return found
  }

  // MARK: - Unique keys

  /// Whether a new unique key takes nothing from the older program: it is over new columns that are NULL in its rows, or
  /// it is the key of a renamed column.
  private func isHarmless(_ key: [SQLName]) -> Bool {
    if key.contains(where: { name in added.contains { $0.name == name && $0.isNullByDefault } }) { return true }
    guard key.count == 1, let pair = pairs.first(where: { $0.new.name == key[0] }) else { return false }
    return former.uniques.contains { $0.columns.map(\.name) == [pair.old.name] }
  }

  /// Whether each foreign key of a former name is one of the new name as well.
  private var keepsKeysOfPairs: Bool {
    former.foreignKeys.allSatisfy { key in
      guard key.columns.contains(where: { name in pairs.contains { $0.old.name == name } }) else { return true }
      var new = key
      new.columns = key.columns.map { name in pairs.first { $0.old.name == name }?.new.name ?? name }
      return declared.foreignKeys.contains(new)
    }
  }

  // MARK: - Renamed columns

  private func problem(
    with pair: Pair, in file: DatabaseSchema, to target: DatabaseSchema
  ) -> ExpandObstacle.RenameProblem? {
    let (old, new) = (pair.old.name, pair.new.name)
    func isInKey(_ table: TableSchema, _ name: SQLName) -> Bool {
      table.primaryKey?.columns.contains { $0.name == name } ?? false
    }
    if isInKey(former, old) || isInKey(declared, new) { return .primaryKey }
    if pair.old.generation != nil || pair.new.generation != nil { return .generated }
    if !pair.old.differences(from: pair.new).isEmpty { return .definition }
    if isParentKey(old, of: former.name, in: file) || isParentKey(new, of: declared.name, in: target) {
      return .parentKey
    }
    if former.checks.contains(where: { $0.reads([old]) }) || declared.checks.contains(where: { $0.reads([new]) }) {
      return .check
    }
    func keys(_ table: TableSchema, _ name: SQLName) -> Set<[SQLName]> {
      Set(table.uniques.map { $0.columns.map(\.name) }.filter { $0.contains(name) })
    }
    let (oldKeys, newKeys) = (keys(former, old), keys(declared, new))
    if oldKeys.contains(where: { $0.count > 1 }) || newKeys.contains(where: { $0.count > 1 })
      || oldKeys.isEmpty != newKeys.isEmpty
    {
      return .uniqueKey
    }
    let indexes = file.indexes(on: former.name) + target.indexes(on: declared.name)
    let isUnique = !oldKeys.isEmpty || indexes.contains { $0.isUnique && ($0.mentions(old) || $0.mentions(new)) }
    if isUnique, pair.new.defaultValue.map({ !$0.isNull }) ?? false { return .uniqueDefault }
    if pair.new.defaultValue.map({ !$0.isConstant }) ?? false { return .computedDefault }
    if pair.isMarked, !pair.new.takesMark(isStrict: table.isStrict) { return .strictType }
    if table.rowKey == nil { return .noRowID }
    let triggers = file.triggers(on: former.name) + target.triggers(on: declared.name)
    return triggers.first.map { .trigger($0.name.text) }
  }

  private func isParentKey(_ column: SQLName, of table: SQLName, in schema: DatabaseSchema) -> Bool {
    schema.tables.values.contains { child in
      child.foreignKeys.contains { $0.parent == table && $0.parentColumns.contains(column) }
    }
  }
}

extension CheckSchema {
  /// Whether the expression names one of some columns.
  func reads(_ columns: Set<SQLName>) -> Bool {
    ((try? SQLLexer.tokens(of: expression.text)) ?? []).contains { $0.name.map(columns.contains) ?? false }
  }
}

extension ColumnSchema {
  /// Whether a row that does not name the column has NULL there.
  fileprivate var isNullByDefault: Bool { generation == nil && defaultValue.map(\.isNull) ?? true && !isNotNull }
}
