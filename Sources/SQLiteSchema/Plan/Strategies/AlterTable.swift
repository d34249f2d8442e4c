// ALTER TABLE: https://sqlite.org/lang_altertable.html. `AddColumnRule`, `DropColumnRule` and `ConstraintAlterRule` say what it can do of a
// change, `RebuildRule` what it cannot.

extension MigrationStep.Strategy {
  /// SQLite's own ALTER TABLE.
  public static let native = Self(
    "native", .change, refusal: "ALTER TABLE cannot do it",
    rejections: [
      .changedColumns, .primaryKey, .uniqueConstraint, .checkConstraint, .foreignKey, .strict, .withoutRowID,
      .columnOrder, .columnOrderUsed, .nativeRefusedBySQLite, .addsKeyColumn, .addsUniqueColumn, .computesAddedColumn,
      .storesGeneratedColumn, .checkedWrongly, .notNullWithoutDefault, .defaultIsNotConstant, .defaultReadDifferently,
      .defaultUncheckedByStrict, .computedInStrict, .addingReadsFaults, .leftoverFields, .droppingRounds,
      .droppingMayRound,
      .noDropColumn, .dropsKeyColumn,
      .dropsUniqueColumn, .partOfForeignKey, .readByIndex, .readByGeneratedColumn, .readsRowsAgain, .dropsInPasses,
      .writesEveryRow,
    ]
  ) {
    $0.altersTable = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let changedColumns = Self("changedColumns") { "\($0[0]) of \($0[1])" }
  package static let primaryKey = Self("primaryKey", "the primary key")
  package static let uniqueConstraint = Self("uniqueConstraint", "a UNIQUE constraint")
  package static let checkConstraint = Self("checkConstraint", "a CHECK constraint")
  package static let foreignKey = Self("foreignKey", "a foreign key")
  package static let strict = Self("strict", "STRICT")
  package static let withoutRowID = Self("withoutRowID", "WITHOUT ROWID")
  package static let columnOrder = Self("columnOrder", "the order of columns")
  package static let columnOrderUsed = Self("columnOrderUsed") { "the order of columns, by which \($0[0]) goes" }
  package static let nativeRefusedBySQLite = Self("nativeRefusedBySQLite") {
    "SQLite refused the native change: \($0[0])"
  }
  package static let addsKeyColumn = Self("addsKeyColumn") { "ADD COLUMN cannot add the key column \($0[0])" }
  package static let addsUniqueColumn = Self("addsUniqueColumn") { "ADD COLUMN cannot add the UNIQUE column \($0[0])" }
  package static let computesAddedColumn = Self("computesAddedColumn") { "the rows get a computed value in \($0[0])" }
  package static let storesGeneratedColumn = Self("storesGeneratedColumn") {
    "the STORED value of \($0[0]) must be written to every row"
  }
  package static let checkedWrongly = Self("checkedWrongly") {
    "this version of SQLite checks the rows of a WITHOUT ROWID table wrongly when ADD COLUMN adds \($0[0])"
  }
  package static let notNullWithoutDefault = Self("notNullWithoutDefault") { "\($0[0]) is NOT NULL without a default" }
  package static let defaultIsNotConstant = Self("defaultIsNotConstant") { "the default of \($0[0]) is not a constant" }
  package static let defaultReadDifferently = Self("defaultReadDifferently") {
    "existing rows would read the default of \($0[0]) differently from new ones"
  }
  package static let computedInStrict = Self("computedInStrict") {
    "the table is STRICT until then, and SQLite may refuse values of \($0[0])"
  }
  package static let defaultUncheckedByStrict = Self("defaultUncheckedByStrict") {
    "SQLite does not check the default of \($0[0]) against the type of a STRICT table"
  }
  package static let addingReadsFaults = Self("addingReadsFaults") {
    "ADD COLUMN reads every row, and refuses what breaks the rules of \($0[0]) already"
  }
  package static let leftoverFields = Self("leftoverFields") {
    "rows of \($0[0]) have more fields than it has columns, and would show them in the column that ADD COLUMN adds"
  }
  package static let droppingRounds = Self("droppingRounds") {
    "DROP COLUMN writes every row anew, and rounds numbers of \($0[0]) that an index has with all digits"
  }
  package static let droppingMayRound = Self("droppingMayRound") {
    "the rows were not examined, and DROP COLUMN would round numbers of \($0[0]) beyond 2^53 that an index has with all digits"
  }
  package static let noDropColumn = Self("noDropColumn") { "SQLite \($0[0]) has no DROP COLUMN" }
  package static let dropsKeyColumn = Self("dropsKeyColumn") { "DROP COLUMN cannot drop the key column \($0[0])" }
  package static let dropsUniqueColumn = Self("dropsUniqueColumn") {
    "DROP COLUMN cannot drop the UNIQUE column \($0[0])"
  }
  package static let partOfForeignKey = Self("partOfForeignKey") {
    "\($0[0]) is part of a foreign key of several columns"
  }
  package static let readByIndex = Self("readByIndex") { "an index reads \($0[0])" }
  package static let readByGeneratedColumn = Self("readByGeneratedColumn") { "a generated column reads \($0[0])" }
  package static let readsRowsAgain = Self(
    "readsRowsAgain", isOfCost: true, "ALTER TABLE would read the rows once more")
  package static let dropsInPasses = Self("dropsInPasses", isOfCost: true) {
    $0[0] == "1" ? "DROP COLUMN would write every row" : "a DROP COLUMN for each would write every row \($0[0]) times"
  }
  package static let writesEveryRow = Self("writesEveryRow", "DROP COLUMN would write every row in one transaction")
}

extension MigrationStep {
  /// The step that changes an object by ALTER TABLE.
  static func altering(
    _ object: ObjectReference, _ edits: [SchemaEdit], _ statements: [PlannedStatement]
  ) -> MigrationStep { MigrationStep(strategy: .native, object: object, edits: edits, statements: statements) }
}

extension MigrationStep.PassedOver {
  /// ALTER TABLE, which failed on the clone of the file's schema.
  static func alterRefused(_ problem: String) -> MigrationStep.PassedOver {
    MigrationStep.PassedOver(strategy: .native, rejections: [Rejection(.nativeRefusedBySQLite, problem)])
  }
}

extension StrategySelection {
  /// The number of columns for which DROP COLUMN writes every row anew.
  var passes: Int { change.droppedColumns.count(where: \.hasField) }

  var native: Candidate {
    var rejections = renameByCopy(.nativeRefusedBySQLite).map { [$0] } ?? rejectionsOfNative()
    if rejections.isEmpty, planner.strategy == .rebuild { rejections = [Rejection(.rebuildRequested)] }
    return Candidate(
      strategy: .native, rejections: rejections,
      cost: StrategyCost(scanned: constraints.readsRows ? rowCount : 0, dropped: passes * rowCount),
      burden: passes > 0
        ? Rejection(.dropsInPasses, "\(passes)") : constraints.readsRows ? Rejection(.readsRowsAgain) : nil
    ) { passedOver throws(SQLSyntaxError) in
      var step = nativeStep()
      step.passedOver = passedOver
      return step
    }
  }

  func rejectionsOfNative() -> [Rejection] {
    var rejections = RebuildRule.rejections(of: constraints.rest)
    if rejections.isEmpty { rejections = rejectionsOfColumns(adoptsKeys: false) }
    rejections += planner.rejectionsOfRowIDNames(in: change)
    if let refused = planner.refused[name]?[.native] { rejections.append(Rejection(.nativeRefusedBySQLite, refused)) }
    return rejections
  }

  /// The reasons against adding and dropping the columns with ALTER TABLE.
  ///
  /// - Parameter adoptsKeys: True if an edit of the catalog gives the table its keys.
  func rejectionsOfColumns(adoptsKeys: Bool) -> [Rejection] {
    change.addedColumns.compactMap {
      AddColumnRule.rejection(
        to: $0, in: change, hasRows: checkResults.rowCount > 0, hints: hints, profile: planner.profile,
        adoptsKeys: adoptsKeys)
    }
      + planner.rejectionsByFaults(of: change, keeping: stayingIndexes)
      + change.droppedColumns.compactMap {
        DropColumnRule.rejection(
          to: $0, in: change, indexes: stayingIndexes, profile: planner.profile, adoptsKeys: adoptsKeys)
      }
  }

  var additions: [PlannedStatement] {
    change.addedColumns.map { PlannedStatement(AddColumnRule.statement(for: $0, in: change)) }
  }

  var drops: [PlannedStatement] {
    change.droppedColumns.map { PlannedStatement(DropColumnRule.statement(for: $0, in: change)) }
  }

  /// True if DROP COLUMN would write every row anew, and there are rows or may be by then.
  var writesEveryRow: Bool {
    !change.droppedColumns.isEmpty && dropsStoredColumns && (checkResults.rowCount > 0 || planner.copiesEmptyTables)
  }

  /// True if ALTER TABLE only adds columns that any row can have.
  var addsOnlyWhatAnyRowHas: Bool {
    // ALTER TABLE examines all rows of a STRICT table, whatever is added.
    !change.to.isStrict && change.droppedColumns.isEmpty && constraints.statements.isEmpty && change.addedChecks.isEmpty
      && !changesForeignKeys
      && change.addedColumns.allSatisfy {
        $0.generation == nil
          && AddColumnRule.rejection(to: $0, in: change, hasRows: true, hints: hints, profile: planner.profile) == nil
      }
  }

  /// True if DROP COLUMN writes every row anew.
  var dropsStoredColumns: Bool { change.droppedColumns.contains(where: \.hasField) }

  func nativeStep() -> MigrationStep {
    var step = MigrationStep(
      strategy: .native, object: ObjectReference(.table, name), edits: edits,
      motive: planner.hints.isUndo && change.addsInOtherPlaces ? Motive(.addedColumnsComeLast) : nil,
      statements: additions + constraints.statements.map { PlannedStatement($0) } + drops,
      rows: dropsStoredColumns ? checkResults.countedRows : nil,
      bytes: dropsStoredColumns && checkResults.isCounted ? checkResults.byteCount : nil)
    step.canViolateReferences = canViolateReferences
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.holdsForAnyRows = addsOnlyWhatAnyRowHas
    return step
  }
}

extension Planner {
  /// The reason against ALTER TABLE where it would add or drop a column with a name of the rowid, and the plan is for any SQLite.
  fileprivate func rejectionsOfRowIDNames(in change: TableChange) -> [Rejection] {
    guard profile.avoidsRowIDNames,
      let name = (change.addedColumns + change.droppedColumns).map(\.name).first(where: \.isNameOfRowID)
    else { return [] }
    return [Rejection(.nativeRefusedBySQLite, SQLName.refusalOfRowIDName(name))]
  }
}
