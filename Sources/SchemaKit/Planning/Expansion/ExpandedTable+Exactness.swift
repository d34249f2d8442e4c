import OrderedCollections

extension ExpandedTable {
  /// The obstacles that keep the table from serving both programs; empty where there are none.
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
    let keptUniques = former.uniques.filter { unique in
      unique.columns.contains { key in kept.contains { $0.name == key.name } }
    }
    let hasKeptUnique = !keptUniques.allSatisfy { unique in
      unique.columns.contains { key in kept.contains { $0.name == key.name && $0.isNullByDefault } }
    }
    let hasNewUnique = servesOlder && !change.addedUniques.allSatisfy({ isHarmless($0.columns.map(\.name)) })
    if !change.droppedUniques.isEmpty || hasNewUnique || hasKeptUnique {
      found.append(.changedTable(name, .uniqueConstraint))
    }
    if !change.droppedForeignKeys.isEmpty || !keepsKeysOfPairs || servesOlder && hasOtherNewKey(change) {
      found.append(.changedTable(name, .foreignKey))
    }
    // Both programs see the rows: none may go, or keep its parent, by a key that one of them does not know.
    found += keysOfOneProgram.filter { $0.onDelete != .setNull }.map {
      .foreignKey(table: name, parent: $0.parent.text)
    }
    if !change.droppedChecks.isEmpty { found.append(.changedTable(name, .check)) }
    let hasTriggers = !(file.triggers(on: former.name) + target.triggers(on: declared.name)).isEmpty
    let indexes = file.indexes(on: former.name) + target.indexes(on: declared.name)
    func canFill(_ column: SQLName) -> Bool {
      !hasTriggers && table.rowKey != nil && !isComputedFrom(column, indexes: indexes)
    }
    if servesOlder {
      found += try unknown(added, of: declared, checks: change.addedChecks, to: .older, canFill: canFill)
    }
    let keptNames = Set(kept.map(\.name))
    let ofKept = former.checks.filter { check in check.reads(keptNames) }
    found += try unknown(kept, of: former, checks: ofKept, to: .newer, canFill: canFill)
    return found
  }

  /// Fills that read other rows, in a table where columns have two names: which of them a query means is not known here.
  func unclearFills(_ hints: [SQLName: ColumnHints]) -> [ExpandObstacle] {
    guard !pairs.isEmpty else { return [] }
    return added.filter { column in
      let tokens = hints[column.name]?.backfill.flatMap { try? SQLLexer.tokens(of: $0) } ?? []
      return tokens.contains { $0.isKeyword("SELECT") }
    }.map { .filledColumn(table: name, column: $0.name.text) }
  }

  private var name: String { table.name.text }

  // MARK: - Columns that one program does not know

  /// True if a row of the program that does not know some columns gets values that their table allows.
  private func unknown(
    _ columns: [ColumnSchema], of table: TableSchema, checks: [CheckSchema], to program: ExpandObstacle.Program,
    canFill: (SQLName) -> Bool
  ) throws -> [ExpandObstacle] {
    var found: [ExpandObstacle] = []
    for column in columns {
      if column.isNotNull, column.generation != nil {
        found.append(.unknownColumn(table: name, column: column.name.text, to: program))
      } else if fills[column.name] != nil {
        if canFill(column.name), column.takesMark(isStrict: table.isStrict) {
          if column.isNotNull, try givesNull(fills[column.name] ?? "", besides: columns, of: table) {
            found.append(.fillOfNull(table: name, column: column.name.text))
          }
          continue
        }
        found.append(.filledColumn(table: name, column: column.name.text))
      } else if column.needsValue {
        found.append(.unknownColumn(table: name, column: column.name.text, to: program))
      }
    }
    let filled = Set(fills.keys)
    guard found.isEmpty, !checks.isEmpty else { return found }
    if try !table.allowsDefaults(of: columns.filter { !filled.contains($0.name) }, under: checks) {
      found.append(.changedTable(name, .check))
    }
    return found
  }

  /// True if an expression is NULL for a row with NULL where the table allows it, and is not for one with values there.
  ///
  /// - Parameter unknown: The columns that the row's program does not know.
  private func givesNull(_ fill: String, besides unknown: [ColumnSchema], of table: TableSchema) throws -> Bool {
    let names = Set(unknown.map(\.name))
    let known = table.columns.filter { $0.generation == nil && !names.contains($0.name) }
    let nullable = known.filter { !$0.isNotNull && table.rowIDAlias?.name != $0.name }.map(\.name)
    let rules = table.checks.filter { check in !names.contains { check.expression.mentions($0) } }
    let allowed = rules.map { " AND coalesce(\($0.expression.enclosed), 1)" }.joined()
    let database = try SQLiteConnection.memory()
    func isNull(where empty: Set<SQLName>) throws -> Bool {
      let row = known.map { "\(empty.contains($0.name) ? "NULL" : "'1'") AS \($0.name.quoted)" }
      let sql = "SELECT (\(fill)) IS NULL\(allowed) FROM (SELECT \(row.joined(separator: ", ")))"
      return try database.integer(sql) == 1
    }
    do {
      guard try !known.isEmpty && !isNull(where: []) else { return false }
      return try ([Set(nullable)] + nullable.map { [$0] }).contains { try isNull(where: $0) }
    } catch is SQLiteError {
      // It calls a function of the program, or reads another table.
      return false
    }
  }

  // MARK: - Unique keys

  /// True if a new unique key takes nothing from the older program: it is over new columns that are NULL in its rows, or
  /// it is the key of a renamed column.
  private func isHarmless(_ key: [SQLName]) -> Bool {
    if key.contains(where: { name in added.contains { $0.name == name && $0.isNullByDefault } }) { return true }
    guard key.count == 1, let pair = pairs.first(where: { $0.new.name == key[0] }) else { return false }
    return former.uniques.contains { $0.columns.map(\.name) == [pair.old.name] }
  }

  /// The ways in which rows are told apart by a column alone: the collation and the conflict clause of each key.
  func uniqueKeys(of column: SQLName, in schema: DatabaseSchema, _ table: TableSchema) -> Set<[String]> {
    let constraints = table.uniques.filter { $0.columns.map(\.name) == [column] }.map {
      [$0.columns[0].collation?.folded ?? "", $0.conflict.map { "\($0)" } ?? ""]
    }
    let indexes = schema.indexes(on: table.name).filter {
      $0.isUnique && $0.predicate == nil && $0.terms.map(\.column) == [column]
    }
    return Set(constraints + indexes.map { [$0.terms[0].collation?.folded ?? "", ""] })
  }

  // MARK: - Foreign keys

  /// True if there is a new foreign key that the older program could violate, or that only the new name of a column has.
  private func hasOtherNewKey(_ change: TableChange) -> Bool {
    let own = Set(added.filter(\.isNullByDefault).map(\.name))
    return change.addedForeignKeys.contains { key in
      if key.columns.allSatisfy(own.contains) { return false }
      var former = key
      former.columns = key.columns.map { name in pairs.first { $0.new.name == name }?.old.name ?? name }
      return former == key || !self.former.foreignKeys.contains(former)
    }
  }

  /// The foreign keys over columns that only one program knows.
  private var keysOfOneProgram: [ForeignKeySchema] {
    let keptNames = Set(kept.map(\.name))
    let addedNames = servesOlder ? Set(added.map(\.name)) : []
    return former.foreignKeys.filter { $0.columns.contains(where: keptNames.contains) }
      + declared.foreignKeys.filter { $0.columns.contains(where: addedNames.contains) }
  }

  /// True if each foreign key of a former name is one of the new name as well.
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
    if declared.column(old) != nil || former.column(new) != nil { return .nameInUse }
    if isInKey(former, old) || isInKey(declared, new) { return .primaryKey }
    if pair.old.generation != nil || pair.new.generation != nil { return .generated }
    if !pair.old.differences(from: pair.new).isEmpty { return .definition }
    if isParentKey(old, of: former.name, in: file) || isParentKey(new, of: declared.name, in: target) {
      return .parentKey
    }
    if former.checks.contains(where: { $0.reads([old]) }) || declared.checks.contains(where: { $0.reads([new]) }) {
      return .check
    }
    func isInLongKey(_ table: TableSchema, _ name: SQLName) -> Bool {
      table.uniques.contains { $0.columns.count > 1 && $0.columns.contains { $0.name == name } }
    }
    let oldKeys = uniqueKeys(of: old, in: file, former)
    if isInLongKey(former, old) || isInLongKey(declared, new) || oldKeys != uniqueKeys(of: new, in: target, declared) {
      return .uniqueKey
    }
    let indexes = file.indexes(on: former.name) + target.indexes(on: declared.name)
    let isUnique = !oldKeys.isEmpty || indexes.contains { $0.isUnique && ($0.mentions(old) || $0.mentions(new)) }
    if isUnique, pair.new.defaultValue.map({ !$0.isNull }) ?? false { return .uniqueDefault }
    if pair.new.defaultValue.map({ !$0.isConstant }) ?? false { return .computedDefault }
    if pair.isMarked, !pair.new.takesMark(isStrict: table.isStrict) { return .strictType }
    if pair.isMarked, isComputedFrom(old, indexes: indexes) || isComputedFrom(new, indexes: indexes) {
      return .computes
    }
    if table.rowKey == nil { return .noRowID }
    let triggers = file.triggers(on: former.name) + target.triggers(on: declared.name)
    return triggers.first.map { .trigger($0.name.text) }
  }

  /// True if an expression of an index or of another column reads a column, which would find the mark there.
  private func isComputedFrom(_ column: SQLName, indexes: [IndexSchema]) -> Bool {
    indexes.contains { index in
      index.predicate?.mentions(column) ?? false
        || index.terms.contains { $0.column == nil && $0.expression.mentions(column) }
    } || table.columns.contains { $0.generation?.expression.mentions(column) ?? false }
  }

  private func isParentKey(_ column: SQLName, of table: SQLName, in schema: DatabaseSchema) -> Bool {
    schema.tables.values.contains { child in
      child.foreignKeys.contains { $0.parent == table && $0.parentColumns.contains(column) }
    }
  }
}

extension CheckSchema {
  /// True if the expression names one of some columns.
  func reads(_ columns: Set<SQLName>) -> Bool {
    ((try? SQLLexer.tokens(of: expression.text)) ?? []).contains { $0.name.map(columns.contains) ?? false }
  }
}
