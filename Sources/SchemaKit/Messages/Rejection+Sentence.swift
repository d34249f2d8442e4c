extension Rejection {
  /// The reason as a clause, without a full stop.
  public var sentence: String {
    switch code {
    case .changedColumns: "\(value(0)) of \(value(1))"
    case .primaryKey: "the primary key"
    case .uniqueConstraint: "a UNIQUE constraint"
    case .checkConstraint: "a CHECK constraint"
    case .foreignKey: "a foreign key"
    case .strict: "STRICT"
    case .withoutRowID: "WITHOUT ROWID"
    case .columnOrder: "the order of columns"
    case .columnOrderUsed: "the order of columns, by which \(value(0)) goes"
    case .refusedBySQLite: "SQLite refused it: \(value(0))"
    case .nativeRefusedBySQLite: "SQLite refused the native change: \(value(0))"
    case .renameRefusedBySQLite: "\(value(0))"
    case .addsKeyColumn, .addsUniqueColumn, .computesAddedColumn, .storesGeneratedColumn,
      .checkedWrongly, .notNullWithoutDefault, .defaultIsNotConstant, .defaultReadDifferently,
      .defaultUncheckedByStrict, .addingReadsFaults, .droppingRounds,
      .noDropColumn, .dropsKeyColumn, .dropsUniqueColumn, .partOfForeignKey, .readByIndex,
      .readByGeneratedColumn:
      sentenceOfAlter
    case .catalogIsProtected, .rowsNotExamined, .programWorksFirst, .primaryKeyDecidesStorage,
      .strictDecidesStorage, .rowIDDecidesStorage, .columnOrderDecidesStorage, .propertyDecidesStorage,
      .generatedColumn, .affinityChanges, .valuesWouldChange, .valuesNotStorable, .strictAllowsWholeTypesOnly,
      .rowIDColumn, .olderRowsReadDefault,
      .notExaminedForNull, .rowsHoldNull, .notExaminedForDefault, .rowsFailCheck, .notExaminedForCheck:
      sentenceOfEdit
    case .updateStoresDifferently, .updateChangesMismatches, .notExaminedForConversion, .noRowNumber, .readsOtherRows,
      .notNullHoldsDuringUpdate, .uniqueDuringUpdate, .comparedWithOriginal, .checkHoldsDuringUpdate,
      .checkSeesHalfUpdatedRows,
      .foreignKeyHoldsDuringUpdate, .tooManyRows:
      sentenceOfUpdate
    case .withoutRowIDIsIndex, .primaryKeyChanges, .uniqueHasIndex, .uniqueOrderChanges, .rowIDsCannotBeNamed,
      .keyColumnChanges,
      .computingChangesMismatches, .uniqueLargeNumbers:
      sentenceOfSwap
    case .deleteAction, .updateAction, .generatedKey, .realKey, .referenceTypes, .nothingToMove, .childHasNoRowNumber,
      .childCannotLetGo, .notColumnsAlone, .columnIsRead, .tooManyColumns, .checksCannotBeIgnored, .dearer:
      sentenceOfReferenced
    case .rebuildRequested, .readsRowsAgain, .dropsInPasses, .costsMore, .sortsIndexes, .writesEveryRow:
      sentenceOfChoice
    case .referencesChange, .renamedToo, .valuesPutAside, .uniqueExpression, .replacedUnseen:
      sentenceOfOnline
    }
  }

  /// The reason against a strategy that could make the change.
  private var sentenceOfChoice: String {
    switch code {
    case .rebuildRequested: "a rebuild was asked for"
    case .readsRowsAgain: "ALTER TABLE would read the rows once more"
    case .dropsInPasses: "DROP COLUMN would write every row \(value(0)) times"
    case .costsMore: "about \(value(0)) times the work"
    case .sortsIndexes: "it would sort an index in one transaction"
    case .writesEveryRow: "DROP COLUMN would write every row in one transaction"
    default: ""
    }
  }

  /// What ALTER TABLE cannot do.
  private var sentenceOfAlter: String {
    switch code {
    case .addsKeyColumn: "ADD COLUMN cannot add the key column \(value(0))"
    case .addsUniqueColumn: "ADD COLUMN cannot add the UNIQUE column \(value(0))"
    case .computesAddedColumn: "the rows get a computed value in \(value(0))"
    case .storesGeneratedColumn: "the STORED value of \(value(0)) must be written to every row"
    case .checkedWrongly:
      "this version of SQLite checks the rows of a WITHOUT ROWID table wrongly when ADD COLUMN adds \(value(0))"
    case .notNullWithoutDefault: "\(value(0)) is NOT NULL without a default"
    case .defaultIsNotConstant: "the default of \(value(0)) is not a constant"
    case .defaultReadDifferently: "existing rows would read the default of \(value(0)) differently from new ones"
    case .defaultUncheckedByStrict:
      "SQLite does not check the default of \(value(0)) against the type of a STRICT table"
    case .addingReadsFaults: "ADD COLUMN reads every row, and refuses what breaks the rules of \(value(0)) already"
    case .droppingRounds:
      "DROP COLUMN writes every row anew, and rounds numbers of \(value(0)) that an index has with all digits"
    case .noDropColumn: "SQLite \(value(0)) has no DROP COLUMN"
    case .dropsKeyColumn: "DROP COLUMN cannot drop the key column \(value(0))"
    case .dropsUniqueColumn: "DROP COLUMN cannot drop the UNIQUE column \(value(0))"
    case .partOfForeignKey: "\(value(0)) is part of a foreign key of several columns"
    case .readByIndex: "an index reads \(value(0))"
    case .readByGeneratedColumn: "a generated column reads \(value(0))"
    default: ""
    }
  }

  /// What an edit of the catalog cannot do.
  private var sentenceOfEdit: String {
    switch code {
    case .catalogIsProtected:
      values.isEmpty
        ? "this connection protects the catalog" : "it is protected in this environment (\(value(0)))"
    case .rowsNotExamined: "the rows were not examined"
    case .programWorksFirst: "the program works on the rows first, and fires the triggers on UPDATE"
    case .primaryKeyDecidesStorage: "the primary key decides how rows are stored"
    case .strictDecidesStorage: "STRICT decides how the values of \(value(0)), an ANY column, are stored"
    case .rowIDDecidesStorage: "WITHOUT ROWID decides how rows are stored"
    case .columnOrderDecidesStorage: "the order of columns decides how rows are stored"
    case .propertyDecidesStorage: "the \(value(0)) of \(value(1)) decides how values are stored"
    case .generatedColumn: "\(value(0)) is a generated column"
    case .affinityChanges: "the affinity of \(value(0)) changes, which decides how values are stored"
    case .valuesWouldChange: "values of \(value(0)) would be read otherwise under the new type"
    case .valuesNotStorable: "rows hold values in \(value(0)) that STRICT refuses"
    case .strictAllowsWholeTypesOnly: "STRICT knows only whole types"
    case .rowIDColumn: "\(value(0)) is the rowid"
    case .olderRowsReadDefault: "rows from before \(value(0)) may read its default differently from new ones"
    case .notExaminedForNull: "the rows were not examined for NULL in \(value(0))"
    case .rowsHoldNull: "rows hold NULL in \(value(0))"
    case .notExaminedForDefault: "the rows were not examined for the old default of \(value(0))"
    case .rowsFailCheck: "rows fail the new CHECK"
    case .notExaminedForCheck: "the rows were not examined for the new CHECK"
    default: ""
    }
  }

  /// What an update in place cannot do.
  private var sentenceOfUpdate: String {
    switch code {
    case .updateStoresDifferently: "rows that lack \(value(0)) read it differently from what an UPDATE stores"
    case .updateChangesMismatches:
      "rows break what the table declares already, and an UPDATE would change more of them than it names"
    case .notExaminedForConversion: "the rows were not examined for what the conversion of \(value(0)) changes"
    case .noRowNumber: "the rows have no number to go by"
    case .readsOtherRows: "what \(value(0)) gets is read from other rows"
    case .notNullHoldsDuringUpdate: "NOT NULL of \(value(0)) still holds while rows are updated"
    case .uniqueDuringUpdate: "\(value(0)) is unique, also while rows are updated"
    case .checkHoldsDuringUpdate: "the CHECK (\(value(0))) still holds while rows are updated"
    case .checkSeesHalfUpdatedRows: "the CHECK (\(value(0))) would see rows that are half done"
    case .foreignKeyHoldsDuringUpdate: "the foreign key on \(value(0)) still holds while rows are updated"
    case .comparedWithOriginal: "each new value of \(value(0)) is compared with the one that it is made of"
    case .tooManyRows: "\(value(0)) of \(value(1)) would change in place"
    default: ""
    }
  }

  /// Why indexes cannot stay.
  private var sentenceOfSwap: String {
    switch code {
    case .withoutRowIDIsIndex: "a table WITHOUT ROWID is an index itself"
    case .primaryKeyChanges: "the primary key changes"
    case .uniqueHasIndex: "UNIQUE has an index of its own"
    case .uniqueOrderChanges: "the order of UNIQUE constraints changes, which gives their indexes other names"
    case .rowIDsCannotBeNamed: "the rowids cannot be named"
    case .computingChangesMismatches:
      "what the copy computes reads \(value(0)), where rows hold values that its type would change"
    case .keyColumnChanges: "the key column \(value(0)) changes"
    case .uniqueLargeNumbers: "a unique index reads numbers in \(value(0)) that REAL rounds"
    default: ""
    }
  }

  /// Why a table that others refer to cannot be changed in a way while foreign keys are on.
  private var sentenceOfReferenced: String {
    switch code {
    case .deleteAction: "a foreign key of \(value(0)) says ON DELETE \(value(1))"
    case .updateAction: "a foreign key of \(value(0)) says ON UPDATE \(value(1))"
    case .generatedKey: "the key \(value(0)) is a generated column"
    case .realKey: "numbers of the REAL key \(value(0)) cannot be moved exactly"
    case .referenceTypes:
      "column \(value(1)) of \(value(0)) has another type than the key it refers to, and SQLite would miscount its values"
    case .nothingToMove: "no foreign key to it needs that"
    case .childHasNoRowNumber: "the rows of \(value(0)) have no number to go by"
    case .childCannotLetGo: "rows of \(value(0)) cannot refer to nothing for a while"
    case .notColumnsAlone: "more changes than the definitions of columns"
    case .columnIsRead: "a key, an index, a CHECK or a generated column reads \(value(0))"
    case .tooManyColumns: "a table has at most \(value(0)) columns here"
    case .checksCannotBeIgnored: "a CHECK of the table would see rows that are half done, and cannot be suspended here"
    case .dearer: "it would read or write about \(counted(0, "row")), against \(value(1)) in the way chosen"
    default: ""
    }
  }

  /// Why a table cannot be copied while others write it.
  private var sentenceOfOnline: String {
    switch code {
    case .referencesChange: "foreign keys change, and their rows would have to be checked under the lock"
    case .renamedToo: "the same plan renames the table or a column of it; rename first, in a plan of its own"
    case .valuesPutAside: "dropped values are kept, and would have to be put aside under the lock"
    case .uniqueExpression:
      "unique index \(value(0)) has an expression, so the rows that a REPLACE deletes could not be told"
    case .replacedUnseen: "\(value(0)) decides which rows a REPLACE deletes, which could not be told in time"
    default: ""
    }
  }

  private func counted(_ index: Int, _ noun: String) -> String { (Int(value(index)) ?? 0).counted(noun) }

  private func value(_ index: Int) -> String { values.indices.contains(index) ? values[index] : "?" }
}

extension Motive {
  /// The motive as a clause, without a full stop.
  public var sentence: String {
    switch code {
    case .addedColumnsComeLast: "an added column comes last; to put it in its place takes a strict order, and a copy"
    case .fewRowsChange: "only the rows that must change are written, where they are"
    case .onlyDefinitionChanges: "only the stored definition changes, no row does"
    case .onlyDefinitionChangesAndDropColumn: "only the stored definition changes, and DROP COLUMN does the rest"
    case .onlyIndexesChange: onlyIndexesChange
    case .indexesStay: indexesStay
    case .copiedOnline: copiedOnline
    case .filledWithCopy: "it is filled with the copy of its table"
    case .wasOfConstraint: "it was the index of the constraint"
    case .becomesConstraint: "it becomes the index of the constraint"
    case .indexedTextChanges: "what it finds changes"
    case .rereadBySQLite: "SQLite re-reads it during the change"
    case .updateMustNotFireIt: "rows are updated in place, which must not fire it"
    case .columnBesideTakesName: "foreign keys stay on: a new column takes over the values, then the name"
    case .referencesSettle:
      "foreign keys stay on: no row of \(number(0, "table")) that \(verb(0, "refer")) to it changes, and all keys are "
        + "checked at the end"
    case .keysMove:
      "foreign keys stay on: its keys have values that no row refers to while it is dropped, so no row of "
        + "\(number(0, "table")) that \(verb(0, "refer")) to it changes"
    case .referencesLetGo:
      "foreign keys stay on: up to \(number(0, "reference")) of \(number(1, "table")) \(verb(0, "is", "are")) put aside "
        + "while it is dropped, and put back"
    case .ownReferencesLetGo: "foreign keys stay on: its rows refer to nothing while it is dropped"
    case .childrenAreCopied:
      "foreign keys stay on: \(number(0, "table")) with \(number(1, "row")) that \(verb(0, "refer")) to it, directly or "
        + "not, \(verb(0, "is", "are")) copied along"
    case .changesWithParent: "it is copied together with the table that it refers to"
    }
  }

  private func number(_ index: Int, _ noun: String) -> String {
    (values.indices.contains(index) ? values[index] : 0).counted(noun)
  }

  private func verb(_ index: Int, _ singular: String, _ plural: String) -> String {
    values.indices.contains(index) && values[index] == 1 ? singular : plural
  }

  private func verb(_ index: Int, _ verb: String) -> String { self.verb(index, verb + "s", verb) }

  private var onlyIndexesChange: String {
    let words = ["made", "dropped", "sorted anew"]
    let parts = zip(values, words).filter { $0.0 > 0 }.enumerated().map { place, part in
      let (count, word) = part
      let number = place == 0 ? (count == 1 ? "an index" : "\(count) indexes") : count == 1 ? "one" : "\(count)"
      return "\(number) \(count == 1 ? "is" : "are") \(word)"
    }
    return "no row changes: \(parts.joined(separator: ", "))"
  }

  private var copiedOnline: String {
    let built = values.first ?? 0
    let indexes = built == 1 ? "one index that is" : "\(built) indexes that are"
    return "the rows are copied in short transactions while others write, "
      + (built == 0 ? "and all indexes stay" : "with \(indexes) made anew")
  }

  private var indexesStay: String {
    let (kept, stale) = (values.first ?? 0, values.dropFirst().first ?? 0)
    return "the rows are copied, \(kept == 1 ? "an index stays as it is" : "\(kept) indexes stay as they are")"
      + (stale == 0 ? "" : ", \(stale == 1 ? "one is" : "\(stale) are") made anew")
  }
}

extension MigrationStep {
  /// Why this strategy and not a cheaper one, a clause for each reason; empty where there is no choice.
  package var reasons: [String] { passedOver.map(\.sentence) + (motive.map { [$0.sentence] } ?? []) }

  /// Why this strategy and not a cheaper one; nil where there is no choice.
  public var reason: String? { reasons.isEmpty ? nil : reasons.joined(separator: "; ") }
}

extension MigrationStep.PassedOver {
  /// What stands against the strategy, without the strategy's name.
  public var sentenceOfRejections: String { rejections.map(\.sentence).joined(separator: ", ") }

  /// What stands against the strategy, as a clause that names it.
  package var sentence: String {
    let rejection = sentenceOfRejections
    return switch strategy {
    case _ where isChoice: rejection
    case .native: "ALTER TABLE cannot do it: \(rejection)"
    case .update: "nor can an update in place: \(rejection)"
    case .online: "it cannot be copied online: \(rejection)"
    case .swap: "nor can its indexes stay: \(rejection)"
    case .columnSwap: "nor can a new column take the name: \(rejection)"
    case .settle: "nor can the references be left alone: \(rejection)"
    case .rekey: "nor can the keys move: \(rejection)"
    case .nullAndRestore: "nor can the references be put aside: \(rejection)"
    case .closure: "nor can the tables that refer to it be copied along: \(rejection)"
    default: "nor can an edit of the catalog: \(rejection)"
    }
  }

  /// Whether the strategy could have done it.
  private var isChoice: Bool {
    rejections.allSatisfy {
      [Rejection.Code.rebuildRequested, .readsRowsAgain, .dropsInPasses, .tooManyRows, .costsMore].contains($0.code)
    }
  }
}
