/// The permanent code of something that a migration could lose or break.
///
/// Scripts should test the code, never the message that comes with it.
public enum HazardCode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Rows are lost with a dropped table.
  case droppedTable = "SK101"
  /// Values are lost with a dropped column.
  case droppedColumn = "SK102"
  /// A value changes when it is stored under the new type.
  case lossyConversion = "SK103"
  /// Rows hold NULL where the new schema rejects it.
  case nullsUnderNotNull = "SK104"
  /// Rows are equal where the new schema requires them to be distinct.
  case duplicates = "SK105"
  /// Rows refer to a parent that does not exist.
  case orphans = "SK106"
  /// Rows fail a new CHECK.
  case failingCheck = "SK107"
  /// Values cannot be stored under the column's new type.
  case notStorable = "SK108"
  /// An index or a column would hold what another SQLite computes otherwise.
  case otherWriter = "SK109"
  /// Values cannot be read by the Swift type of the column.
  case unreadable = "SK110"
  /// An open transaction of the lender prevents foreign keys from being switched off.
  case openTransaction = "SK202"
  /// A view or trigger would not work, or already prevents SQLite from altering anything.
  case brokenObject = "SK203"
  /// Temporary objects of the connection depend on a rebuilt table.
  case temporaryObject = "SK204"
  /// Rowids change or are dropped.
  case renumberedRows = "SK205"
  /// A new row may get the key of a deleted one.
  case reusedKeys = "SK206"
  /// New rows get no number of their own any more.
  case lostIdentity = "SK207"
  /// The schema contains a string literal in double quotes.
  case doubleQuotedText = "SK208"
  /// Foreign keys were violated before.
  case existingViolations = "SK209"
  /// A hint of the declaration is not carried out.
  case unusedHint = "SK210"
  /// The change is not recorded in the file.
  case noHistory = "SK211"
  /// A table cannot be copied online, as was asked for.
  case notOnline = "SK212"
  /// The file serves an older program as well, and nothing is done until that ends.
  case servesOlderProgram = "SK213"
  /// Rows break what their table declares already.
  case standingFault = "SK215"
  /// A full-text index finds rows that it did not find before.
  case newlyFoundRows = "SK216"
  /// Rows of other tables name what is renamed or dropped.
  case registeredName = "SK217"
  /// There is not enough disk space.
  case lackingSpace = "SK301"
  /// The engine lacks what a change needs.
  case unsupportedEngine = "SK401"
}

/// The severity of a hazard, and what allows a plan to run in spite of it.
public enum HazardClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing is lost; for information only.
  case note
  /// Values or row numbers change; requires consent.
  case lossy
  /// Values or rows are lost; requires consent.
  case destructive
  /// The declared schema itself is broken, and the file would be too; requires consent.
  case fault
  /// The change cannot succeed with these rows; no consent helps.
  case blocked
}

extension HazardCode {
  /// The class of this code while it is active, that is, if it affects at least one row or object.
  public var hazardClass: HazardClass {
    switch self {
    case .droppedTable, .droppedColumn: .destructive
    case .lossyConversion, .renumberedRows, .newlyFoundRows, .otherWriter: .lossy
    case .nullsUnderNotNull, .duplicates, .orphans, .failingCheck, .notStorable, .unreadable, .openTransaction,
      .brokenObject,
      .notOnline, .lackingSpace, .unsupportedEngine:
      .blocked
    case .temporaryObject, .reusedKeys, .lostIdentity, .doubleQuotedText, .existingViolations, .unusedHint, .noHistory,
      .servesOlderProgram, .standingFault, .registeredName:
      .note
    }
  }

  /// The meaning of the code, in a few words.
  public var title: String {
    switch self {
    case .droppedTable: "rows dropped with a table"
    case .droppedColumn: "values dropped with a column"
    case .lossyConversion: "values changed by a conversion"
    case .nullsUnderNotNull: "NULL under a new NOT NULL"
    case .duplicates: "duplicates under a new UNIQUE"
    case .orphans: "orphans under a new foreign key"
    case .failingCheck: "rows failing a new CHECK"
    case .notStorable: "values not storable in the new type"
    case .otherWriter: "values that another SQLite computes otherwise"
    case .unreadable: "values that the Swift type cannot read"
    case .openTransaction: "an open transaction keeps foreign keys on"
    case .brokenObject: "a broken view or trigger"
    case .temporaryObject: "temporary objects on a rebuilt table"
    case .renumberedRows: "row numbers that change or go"
    case .reusedKeys: "keys that may be given again"
    case .lostIdentity: "new rows without a number of their own"
    case .doubleQuotedText: "text in double quotes"
    case .existingViolations: "foreign keys violated before"
    case .unusedHint: "a hint that is not carried out"
    case .noHistory: "a change without a history"
    case .notOnline: "a table that cannot be copied online"
    case .servesOlderProgram: "a file that serves an older program too"
    case .standingFault: "rows that break standing rules"
    case .newlyFoundRows: "rows that a search newly finds"
    case .registeredName: "rows that name what is renamed or dropped"
    case .lackingSpace: "not enough room on the disk"
    case .unsupportedEngine: "the engine lacks what a change needs"
    }
  }
}

/// What a hazard is about, with the values that its sentences need: one case for each rule.
package enum HazardCause: Sendable, Hashable {
  case droppedTable(DroppedTableHazard)
  case droppedColumn(DroppedColumnHazard)
  case lossyConversion(LossyConversionHazard)
  case nulls(NullsUnderNotNullHazard)
  case filledNulls(FilledNullsNote)
  case duplicates(DuplicatesHazard)
  case orphans(OrphansHazard)
  case failingCheck(FailingCheckHazard)
  case notStorable(NotStorableHazard)
  case otherWriter(OtherWriterHazard)
  case unreadable(UnreadableHazard)
  case renumberedRows(RenumberedRowsHazard)
  case brokenObject(BrokenObjectHazard)
  case unsupportedEngine(UnsupportedEngineHazard)
  case unusedHint(UnusedHintNote)
  case surroundings(SurroundingHazard)
  case reusedKeys(ReusedKeysNote)
  case standingFault(StandingFaultHazard)
  case newlyFoundRows(NewlyFoundRowsHazard)
  case lostIdentity(LostIdentityNote)
  case registeredName(RegisteredNameNote)
  case saved(SavedHazard)

  /// The rule that words it.
  package var wording: any HazardWording {
    switch self {
    case .droppedTable(let rule): rule
    case .droppedColumn(let rule): rule
    case .lossyConversion(let rule): rule
    case .nulls(let rule): rule
    case .filledNulls(let rule): rule
    case .duplicates(let rule): rule
    case .orphans(let rule): rule
    case .failingCheck(let rule): rule
    case .notStorable(let rule): rule
    case .otherWriter(let rule): rule
    case .unreadable(let rule): rule
    case .renumberedRows(let rule): rule
    case .brokenObject(let rule): rule
    case .unsupportedEngine(let rule): rule
    case .unusedHint(let rule): rule
    case .surroundings(let rule): rule
    case .reusedKeys(let rule): rule
    case .standingFault(let rule): rule
    case .newlyFoundRows(let rule): rule
    case .lostIdentity(let rule): rule
    case .registeredName(let rule): rule
    case .saved(let hazard): hazard
    }
  }

  /// The rules that look at the schemas alone, in the order of their hazards.
  package static let schemaRules: [any SchemaHazardRule.Type] = [
    UnsupportedEngineHazard.self, BrokenObjectHazard.self, ReusedKeysNote.self, LostIdentityNote.self,
  ]
}
