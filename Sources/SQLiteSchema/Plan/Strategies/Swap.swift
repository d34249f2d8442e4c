import OrderedCollections

/// Decides whether a copy of a table can take over its indexes, so that none has to be sorted again.
///
/// Applies if the rowids and the keys of UNIQUE and PRIMARY KEY are unchanged, and at least one index reads nothing
/// that changes. Indexes hold their terms and the rowid, nothing else of the row
/// ([Representation Of SQL Indices](https://sqlite.org/fileformat2.html#representation_of_sql_indices)), and
/// [sqlite_schema](https://sqlite.org/schematab.html) holds the root page of each table and index. Indexes that read
/// what changes are rebuilt by [REINDEX](https://sqlite.org/lang_reindex.html).
package struct SwapRule {
  package var change: TableChange
  package var projection: RowProjection
  /// The table's indexes that are kept, as the file has them.
  package var indexes: [IndexSchema]
  /// The columns whose values change in the migration.
  package let changing: Set<SQLName>
  /// The columns with values that an index may hold otherwise than the rows give them.
  private let doubtful: Set<SQLName>

  package init(
    change: TableChange, projection: RowProjection, indexes: [IndexSchema], doubtful: Set<SQLName> = []
  ) {
    self.change = change
    self.projection = projection
    self.indexes = indexes
    self.doubtful = doubtful
    changing = projection.changingColumns
  }

  /// The indexes of UNIQUE and PRIMARY KEY constraints, by their columns.
  private var constraintKeys: [[KeyColumn]] {
    let key = change.to.rowIDAlias == nil ? change.to.primaryKey?.columns : nil
    return [key].compactMap { $0 } + change.to.uniques.map(\.columns)
  }

  /// The indexes that the copy takes over unchanged.
  package var keptIndexes: [IndexSchema] { indexes.filter { !$0.reads(stale) } }

  /// The indexes that must be rebuilt.
  package var staleIndexes: [IndexSchema] { indexes.filter { $0.reads(stale) } }

  /// The columns that indexes may hold otherwise than the copy does.
  package var stale: Set<SQLName> { changing.union(doubtful) }

  /// True if there is anything that a copy could take over.
  package var isWorthwhile: Bool { !keptIndexes.isEmpty || !constraintKeys.isEmpty }

  /// The number of indexes that are kept, including those of constraints.
  package var keptCount: Int { keptIndexes.count + constraintKeys.count }

  /// The reason why the indexes cannot stay, or nil if they can.
  package var rejection: Rejection? {
    if change.from.isWithoutRowID || change.to.isWithoutRowID { return Rejection(.withoutRowIDIsIndex) }
    if change.isPrimaryKeyChanged { return Rejection(.primaryKeyChanges) }
    if !change.addedUniques.isEmpty || !change.droppedUniques.isEmpty { return Rejection(.uniqueHasIndex) }
    if change.from.uniques.map(\.columns) != change.to.uniques.map(\.columns) {
      return Rejection(.uniqueOrderChanges)
    }
    if change.from.rowKey == nil || change.to.rowKey == nil { return Rejection(.rowIDsCannotBeNamed) }
    if let column = constraintKeys.joined().first(where: { changing.contains($0.name) }) {
      return Rejection(.keyColumnChanges, column.name.text)
    }
    return rejectionOfLargeNumbers
  }

  /// The reason against numbers that a unique index may hold with more digits: made anew, it may refuse rows that it lacks. A
  /// rebuild asks for them before.
  package var rejectionOfLargeNumbers: Rejection? {
    let unique = indexes.filter(\.isUnique)
    let keys = Set(constraintKeys.joined().map(\.name))
    if let column = doubtful.sorted().first(where: { name in
      keys.contains(name) || unique.contains { $0.reads([name]) }
    }) {
      return Rejection(.uniqueLargeNumbers, column.text)
    }
    return nil
  }

  /// True if a key changes by which rows refer to others, here or in a child.
  package func changesReferences(in schema: DatabaseSchema) -> Bool {
    let own = change.to.foreignKeys.flatMap(\.columns)
    let referred = schema.tables.values.flatMap(\.foreignKeys).filter { $0.parent == change.to.name }.flatMap {
      $0.parentColumns.isEmpty ? change.to.primaryKey?.columns.map(\.name) ?? [] : $0.parentColumns
    }
    return !changing.isDisjoint(with: own + referred)
  }
}

extension IndexSchema {
  /// The columns of the table that expressions and the condition of the index read, and the computed ones among its terms.
  package func columnsComputedWith(of table: TableSchema) -> Set<SQLName> {
    let expressions = terms.filter { $0.column == nil }.map(\.expression) + [predicate].compactMap { $0 }
    return Set(
      table.columns.filter { column in
        expressions.contains { $0.mentions(column.name) }
          || (column.generation != nil && terms.contains { $0.column == column.name })
      }.map(\.name))
  }

  /// True if its entries are computed or ordered by a collation, or it has an entry only for the rows of a condition.
  package var dependsOnText: Bool { predicate != nil || terms.contains { $0.column == nil || $0.collation != nil } }

  /// True if a term of the index or its condition reads any of the columns.
  package func reads(_ columns: Set<SQLName>) -> Bool {
    func reads(_ expression: CanonicalSQL) -> Bool { columns.contains { expression.mentions($0) } }
    return predicate.map(reads) == true
      || terms.contains { term in term.column.map { columns.contains($0) } ?? reads(term.expression) }
  }
}

extension MigrationStep.Strategy {
  /// A new table is filled from the old one and takes over its place in the catalog, and with it its indexes.
  public static let swap = Self(
    "swap", .copy, refusal: "nor can its indexes stay",
    rejections: [
      .withoutRowIDIsIndex, .primaryKeyChanges, .uniqueHasIndex, .uniqueOrderChanges, .rowIDsCannotBeNamed,
      .keyColumnChanges, .computingChangesMismatches, .uniqueLargeNumbers,
    ], motives: [.indexesStay, .filledWithCopy]
  ) {
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let withoutRowIDIsIndex = Self("withoutRowIDIsIndex", "a table WITHOUT ROWID is an index itself")
  package static let primaryKeyChanges = Self("primaryKeyChanges", "the primary key changes")
  package static let uniqueHasIndex = Self("uniqueHasIndex", "UNIQUE has an index of its own")
  package static let uniqueOrderChanges = Self(
    "uniqueOrderChanges", "the order of UNIQUE constraints changes, which gives their indexes other names")
  package static let rowIDsCannotBeNamed = Self("rowIDsCannotBeNamed", "the rowids cannot be named")
  package static let keyColumnChanges = Self("keyColumnChanges") { "the key column \($0[0]) changes" }
  package static let computingChangesMismatches = Self("computingChangesMismatches") {
    "what the copy computes reads \($0[0]), where rows hold values that its type would change"
  }
  package static let uniqueLargeNumbers = Self("uniqueLargeNumbers") {
    "a unique index reads \($0[0]), where REAL may round numbers"
  }
}

extension Motive.Code {
  package static let indexesStay = Self("indexesStay") {
    let (kept, stale) = ($0.number(0), $0.number(1))
    return "the rows are copied, \(kept == 1 ? "an index stays as it is" : "\(kept) indexes stay as they are")"
      + (stale == 0 ? "" : ", \(stale == 1 ? "one is" : "\(stale) are") made anew")
  }
  package static let filledWithCopy = Self("filledWithCopy", "it is filled with the copy of its table")
}

extension StrategySelection {
  /// A copy that takes over indexes; nil where there is none that it could.
  var swap: Candidate? {
    guard let rule = swapRule, rule.isWorthwhile || planner.avoidsAlter.contains(name) else { return nil }
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejection(to: rule)
    return Candidate(
      strategy: .swap, rejections: rejection.map { [$0] } ?? [],
      cost: StrategyCost(copied: rowCount, sortedEntries: rule.staleIndexes.count * rowCount)
    ) { passedOver throws(SQLSyntaxError) in try swapStep(rule, passedOver: passedOver) }
  }

  /// The rule for a copy that takes over indexes; nil where the catalog cannot be edited.
  var swapRule: SwapRule? {
    guard planner.profile.canEditCatalog else { return nil }
    return SwapRule(
      change: change, projection: projection, indexes: stayingIndexes, doubtful: planner.columnsOfLargeNumbers(in: name)
    )
  }

  func rejection(to rule: SwapRule) -> Rejection? {
    rule.rejection ?? bareTable().convertedMismatches.first.map { Rejection(.computingChangesMismatches, $0.text) }
      ?? refusal(of: .swap)
  }

  /// The table that the rows are copied into.
  ///
  /// - Parameter read: The columns that indexes compute with before it has its definition.
  func bareTable(read: Set<SQLName> = []) -> BareTable {
    BareTable(
      change: change, projection: projection, mismatches: planner.mismatches(in: name),
      nulls: planner.columnsOfNulls(in: name), read: read)
  }

  func swapStep(
    _ rule: SwapRule, passedOver: [MigrationStep.PassedOver]
  ) throws(SQLSyntaxError) -> MigrationStep {
    let stale = rule.staleIndexes
    let builder = SwapBuilder(
      rebuild: rebuildBuilder, bare: bareTable(), text: try CatalogText(change: change, keepsRows: false).text(),
      staleIndexes: stale)
    var step = MigrationStep(
      strategy: .swap, object: ObjectReference(.table, name), edits: edits + valueEdits,
      motive: Motive(.indexesStay, rule.keptCount, stale.count), passedOver: passedOver,
      statements: try builder.statements(),
      rows: checkResults.countedRows, bytes: checkResults.isCounted ? checkResults.byteCount : nil)
    step.canViolateReferences = canViolateReferences || rule.changesReferences(in: planner.target)
    step.refusedRows = builder.bare.refusedRows
    step.retypedColumns = Set(builder.bare.retypedColumns)
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    return step
  }
}
