/// Why a strategy was not chosen for a table: a code, and the names that it is about.
///
/// The sentence for it is made where it is shown; nothing decides by that.
public struct Rejection: Sendable, Hashable, Codable {
  /// What the reason is.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    case changedColumns
    case primaryKey
    case uniqueConstraint
    case checkConstraint
    case foreignKey
    case strict
    case withoutRowID
    case columnOrder
    case columnOrderUsed
    case refusedBySQLite
    case nativeRefusedBySQLite
    case renameRefusedBySQLite
    case rebuildRequested
    case readsRowsAgain
    case writesEveryRow
    case dropsInPasses
    case costsMore
    case sortsIndexes
    case addsKeyColumn
    case addsUniqueColumn
    case computesAddedColumn
    case storesGeneratedColumn
    case checkedWrongly
    case notNullWithoutDefault
    case defaultIsNotConstant
    case defaultReadDifferently
    case defaultUncheckedByStrict
    case noDropColumn
    case dropsKeyColumn
    case dropsUniqueColumn
    case partOfForeignKey
    case readByIndex
    case readByGeneratedColumn
    case catalogIsProtected
    case rowsNotExamined
    case programWorksFirst
    case primaryKeyDecidesStorage
    case uniqueHasIndex
    case strictDecidesStorage
    case rowIDDecidesStorage
    case columnOrderDecidesStorage
    case propertyDecidesStorage
    case generatedColumn
    case affinityChanges
    case valuesWouldChange
    case valuesNotStorable
    case strictAllowsWholeTypesOnly
    case rowIDColumn
    case olderRowsReadDefault
    case notExaminedForNull
    case rowsHoldNull
    case notExaminedForDefault
    case rowsFailCheck
    case notExaminedForCheck
    case updateStoresDifferently
    case updateChangesMismatches
    case addingReadsFaults
    case droppingRounds
    case computingChangesMismatches
    case notExaminedForConversion
    case noRowNumber
    case readsOtherRows
    case notNullHoldsDuringUpdate
    case uniqueDuringUpdate
    case checkHoldsDuringUpdate
    case checkSeesHalfUpdatedRows
    case foreignKeyHoldsDuringUpdate
    case comparedWithOriginal
    case tooManyRows
    case withoutRowIDIsIndex
    case primaryKeyChanges
    case uniqueOrderChanges
    case rowIDsCannotBeNamed
    case keyColumnChanges
    case uniqueLargeNumbers
    case deleteAction
    case updateAction
    case generatedKey
    case realKey
    case referenceTypes
    case nothingToMove
    case childHasNoRowNumber
    case childCannotLetGo
    case notColumnsAlone
    case columnIsRead
    case tooManyColumns
    case checksCannotBeIgnored
    case dearer
    case referencesChange
    case renamedToo
    case valuesPutAside
    case uniqueExpression
    case replacedUnseen
  }

  /// What the reason is.
  public var code: Code
  /// The names, expressions or numbers that the sentence mentions, in its order.
  public var values: [String]

  package init(_ code: Code, _ values: String...) {
    self.code = code
    self.values = values
  }
}

/// Why the strategy that was chosen is right, or why a step is there at all.
public struct Motive: Sendable, Hashable, Codable {
  /// What the motive is.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// Few rows change, and each where it is.
    case fewRowsChange
    case onlyDefinitionChanges
    case onlyDefinitionChangesAndDropColumn
    /// The number of indexes that are made, of those that are dropped, and of those that are sorted anew.
    case onlyIndexesChange
    /// The number of indexes that stay, and of those that are made anew.
    case indexesStay
    /// Others read and write the table meanwhile. The number of indexes that are filled with the copy.
    case copiedOnline
    /// The index is filled together with the copy of its table.
    case filledWithCopy
    /// The index of a constraint that goes gets a name.
    case wasOfConstraint
    /// The index becomes that of a constraint.
    case becomesConstraint
    /// What a full-text index finds changes.
    case indexedTextChanges
    case rereadBySQLite
    case updateMustNotFireIt
    case columnBesideTakesName
    /// The number of tables that refer to the table.
    case referencesSettle
    /// The same.
    case keysMove
    /// The number of references that are put aside, and of the tables that have them.
    case referencesLetGo
    /// The references are the table's own.
    case ownReferencesLetGo
    /// The number of tables that are copied along, and of their rows.
    case childrenAreCopied
    /// A column that an undo brings back becomes the last one, not the one that it was.
    case addedColumnsComeLast
    /// The table is changed in the same step as one that it refers to.
    case changesWithParent
  }

  /// What the motive is.
  public var code: Code
  /// The numbers that the sentence mentions, in its order.
  public var values: [Int]

  package init(_ code: Code, _ values: Int...) {
    self.code = code
    self.values = values
  }
}
