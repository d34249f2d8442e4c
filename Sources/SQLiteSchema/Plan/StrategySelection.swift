import OrderedCollections

/// The strategies by which one table can be changed: each is a file in `Strategies`.
struct StrategySelection {
  let planner: Planner
  let change: TableChange
  let projection: RowProjection
  /// The changes of the indexes of constraints; nil where the catalog cannot be edited.
  let adoption: Adoption?
  let checkResults: RowCheckResults
  let hints: TableHints
  /// The statements by which ALTER TABLE changes constraints, and the changes that are left then.
  let constraints: ConstraintAlterRule.Part

  init(planner: Planner, change: TableChange) throws(SQLSyntaxError) {
    adoption = planner.profile.canEditCatalog ? try planner.adoption(for: change) : nil
    self.planner = planner
    self.change = change
    hints = planner.hints.tables[change.to.name] ?? TableHints()
    checkResults = planner.checkResults[change.to.name] ?? RowCheckResults()
    let checkResults = checkResults
    var values = planner.projection(for: change, hints: hints)
    values.withoutNulls = Set(
      change.to.columns.map(\.name).filter { checkResults.count(of: .filledNulls, column: $0) == 0 })
    let projection = values
    self.projection = projection
    constraints = ConstraintAlterRule.part(
      of: change, profile: planner.profile, hasRows: checkResults.rowCount > 0,
      isDecided: { checkResults.count(of: .undecidedCheck($0.expression.text), column: nil) == 0 },
      writes: { column in
        guard let column = change.to.column(column), checkResults.rowCount > 0 else { return false }
        return projection.restoresNulls(column)
          || (projection.fillsNulls(column)
            && checkResults.count(of: .filledNulls, column: column.name) != 0)
      })
  }

  var name: SQLName { change.to.name }
  var edits: [SchemaEdit] { change.edits(hints) }
}

extension MigrationStep.Strategy {
  /// Every strategy.
  public static let allCases: [MigrationStep.Strategy] = [
    create, drop, replace, data, keep, native, catalog, update, online, swap, rebuild, columnSwap, settle, rekey,
    nullAndRestore, closure,
  ]
}

extension StrategySelection {
  /// The strategies for this table, those first that are taken where several cost the same. Nothing stands against the last.
  var candidates: [Candidate] {
    let isAnyAllowed = planner.strategy.takesEveryWay
    return (isAnyAllowed ? [native, catalog, update, online, swap, rebuild] : [native, rebuild]).compactMap(\.self)
  }
}

extension Planner {
  /// The strategies for a table that others refer to, while foreign keys are on.
  func candidates(for reference: ReferencedChange) throws(SQLSyntaxError) -> [ReferencedCandidate] {
    [
      columnSwap(reference), settle(reference.table), rekey(reference.table),
      nullAndRestore(reference.table, after: reference.done), try closure(of: reference.table, after: reference.done),
    ]
  }
}

extension StrategySelection {
  /// A strategy that may be taken for the table.
  struct Candidate {
    var strategy: MigrationStep.Strategy
    /// The reasons against it; empty if it is possible.
    var rejections: [Rejection]
    var cost = StrategyCost()
    /// The reason why it is dear, if it is possible and another costs less.
    var burden: Rejection?
    var step: ([MigrationStep.PassedOver]) throws(SQLSyntaxError) -> MigrationStep

    /// Returns the reasons why it is passed over although it is possible.
    func reasonsOfCost(over best: StrategyCost) -> [Rejection] {
      let ratio = cost.ratio(to: best).map { Rejection(.costsMore, $0) }
      return [burden, ratio].compactMap(\.self)
    }
  }

  // MARK: - Shared conditions

  /// The rows that are known to be there.
  var rowCount: Int { checkResults.countedRows ?? 0 }

  /// The reason why a copy has to rename columns, for the strategies that cannot.
  func renameByCopy(_ code: Rejection.Code) -> Rejection? { planner.forcedRebuilds[name].map { Rejection(code, $0) } }

  /// The problem that SQLite had with a strategy on the clone; nil if none is known.
  func refusal(of strategy: MigrationStep.Strategy) -> Rejection? {
    planner.refused[name]?[strategy].map { Rejection(.refusedBySQLite, $0) }
  }

  /// The table's indexes that the plan does not drop.
  var stayingIndexes: [IndexSchema] {
    planner.renamed.indexes(on: name).filter { !planner.droppedIndexes.contains($0.name) }
  }

  /// True if rows could come to refer to nothing although none of them changes, now or when the change is undone.
  var canViolateReferences: Bool { !change.droppedColumns.isEmpty || changesForeignKeys }

  /// True if the table has other foreign keys than before.
  var changesForeignKeys: Bool {
    func differ(_ keys: [ForeignKeySchema], from others: [ForeignKeySchema]) -> Bool {
      keys.contains { key in !others.contains { $0.hasSameReference(as: key) } }
    }
    return differ(change.addedForeignKeys, from: change.droppedForeignKeys)
      || differ(change.droppedForeignKeys, from: change.addedForeignKeys)
  }

  /// True if a column or key goes by which rows refer to others, here or in a child.
  var changesReferencedKey: Bool {
    let tables = planner.renamed.tables
    let keys = tables.values.flatMap(\.foreignKeys).filter { $0.parent == name }
    let own = tables[name]?.foreignKeys.flatMap(\.columns) ?? []
    // A key that foreign keys name must be the primary key or UNIQUE: https://sqlite.org/foreignkeys.html#fk_indexes
    let formerKeys = [change.from.primaryKey?.columns ?? []] + change.from.uniques.map(\.columns)
    let newKeys = [change.to.primaryKey?.columns ?? []] + change.to.uniques.map(\.columns)
    let gone = formerKeys.filter { !newKeys.contains($0) }.map { Set($0.map(\.name)) }
    return change.droppedColumns.contains { (own + keys.flatMap(\.parentColumns)).contains($0.name) }
      || keys.contains { $0.parentColumns.isEmpty ? change.isPrimaryKeyChanged : gone.contains(Set($0.parentColumns)) }
  }

  /// True if a declared conversion works on rows, or may do so because they were not counted.
  var convertsValues: Bool {
    checkResults.countedRows != 0 && change.to.columns.contains(where: projection.usesConversion)
  }

  var valueEdits: [SchemaEdit] {
    projection.valueEdits { checkResults.rowCount > 0 && checkResults.count(of: .filledNulls, column: $0) != 0 }
  }
}

// MARK: - The choice

extension Planner {
  /// The step that changes a table: the cheapest of the strategies that nothing stands against. The reasons against the
  /// others are kept for the reader.
  ///
  /// - Parameter done: The tables that were changed before.
  package func step(for change: TableChange, after done: Set<SQLName>) throws(SQLSyntaxError) -> MigrationStep {
    let selection = try StrategySelection(planner: self, change: change)
    if let step = try selection.stepWithoutLongLock() { return step }
    let candidates = selection.candidates
    let possible = candidates.filter(\.rejections.isEmpty)
    // A rebuild that converts values, or drops a table that others refer to while foreign keys stay on, is for what no other does.
    let isLastResort = !copiesBare || keepsForeignKeysOn
    let compared = isLastResort && possible.count > 1 ? possible.filter(\.strategy.hasAlternative) : possible
    // The first of those that cost the same.
    let best = strategy.takesEveryWay ? compared.min { $0.cost.total < $1.cost.total } : possible.first
    guard let best, let place = candidates.firstIndex(where: { $0.strategy == best.strategy }) else {
      return try selection.rebuildStep(passedOver: [])
    }
    var passedOver: [MigrationStep.PassedOver] = []
    for candidate in candidates[..<place] {
      let isDear = candidate.rejections.isEmpty
      let rejections = isDear ? candidate.reasonsOfCost(over: best.cost) : candidate.rejections
      // An edit of the catalog drops columns as ALTER TABLE does.
      if isDear, passedOver.last?.rejections == rejections { continue }
      passedOver.append(MigrationStep.PassedOver(strategy: candidate.strategy, rejections: rejections))
    }
    var step = try best.step(passedOver)
    guard !best.strategy.hasAlternative else { return step }
    step.dropsReferencedTable = !keepsForeignKeysOn
    guard keepsForeignKeysOn else { return step }
    return try referencedStep(
      step, for: change, projection: selection.projection,
      columnRejection: selection.rejectionsOfColumns(adoptsKeys: false).first, after: done) ?? step
  }

  /// Returns the changes of the indexes of constraints where a table keeps its rows.
  func adoption(for change: TableChange) throws(SQLSyntaxError) -> Adoption {
    let table = change.to.name
    let lacking = lackingIndexes(on: table)
    let undeclared = Set(TrailingDropRule.undeclared(in: change).map(\.name))
    return try Adoption(
      keepingRowsOf: change, text: try CatalogText(change: change, undeclared: undeclared).text(),
      dropped: renamed.indexes(on: table).filter { droppedIndexes.contains($0.name) && !lacking.contains($0.name) },
      added: try newIndexes(on: table))
  }

  /// The indexes that the plan creates on a table, with the texts that the catalog will contain.
  func newIndexes(on table: SQLName) throws(SQLSyntaxError) -> [(index: IndexSchema, text: String)] {
    var indexes: [(index: IndexSchema, text: String)] = []
    for index in diff.indexes.compactMap(\.new) where index.table == table && !renamed.hasObject(index.name) {
      indexes.append((index, try storedText(of: index)))
    }
    return indexes
  }
}
