/// The facts about a table's rows that the planner needs.
package struct RowCheckResults: Sendable, Hashable {
  /// The number of rows.
  package var rowCount: Int
  /// The approximate number of bytes that the rows take.
  package var byteCount: Int
  /// True if the rows were counted; without that the count only tells an empty table from another one.
  package var isCounted = true
  /// The losses and faults of the rows.
  package var findings: [Finding]
  /// Classes that hold all values of a column, by the columns of the declaration, where that was seen.
  package var stored: [SQLName: Set<StoredClasses>] = [:]

  package init(rowCount: Int = 0, byteCount: Int = 0, findings: [Finding] = []) {
    self.rowCount = rowCount
    self.byteCount = byteCount
    self.findings = findings
  }

  /// The number of rows; nil if they were not counted.
  package var countedRows: Int? { isCounted ? rowCount : nil }

  /// Rows that a change would lose or break.
  package struct Finding: Sendable, Hashable {
    /// The loss or fault that was looked for.
    package enum Kind: Sendable, Hashable {
      case droppedTable
      case droppedColumn
      case lossyConversion(fromType: String, toType: String?)
      /// The declared conversion gives NULL for a value that is not NULL.
      case emptiedByConversion
      /// The declared conversion gives 0 for text that is not a number.
      case zeroedByConversion
      case nulls
      /// The declared conversion gives another value, and the column keeps its affinity.
      case changedByConversion
      /// NULLs that a default or backfill takes the place of.
      case filledNulls
      /// Rows whose value is what the old default gives: they may not store it.
      case showsDefault
      case duplicates(of: String, reading: [SQLName])
      case orphans(parent: String)
      case failingCheck(String)
      /// Rows for which a new CHECK is NULL.
      case undecidedCheck(String)
      /// Nothing to be counted: an expression that has to be evaluated on each row, and could fail there.
      case computed(by: String)
      case notStorable(type: String)
      /// Values of another kind than the new type's, which a conversion that was done before would not touch.
      case unconverted(type: String)
      /// The same, where the column has got its old type, which is of another kind, again.
      case unconvertedSince(type: String)
      /// Kept values that the type of their column changes as they come back.
      case restoredOtherwise(type: String)
      /// Values that read as others once they are stored in another form.
      case recoded(from: String, to: String)
      /// Values that the declared type could not read.
      case unreadable(form: String)
      /// Values of another form than they are said to have.
      case unreadBefore(form: String)
      /// Values of which nobody knows what they are in another form.
      case unknownForm(from: String, to: String)
      /// Values whose form is told by the values alone.
      case assumedForm(String)
      /// Texts and BLOBs that stay what they are in a column of numbers.
      case stray(type: String)
      /// True if the column that becomes the rowid was the table's key before, and nothing in the file follows rowids.
      case renumberedRows(wasKey: Bool)
      case droppedRowIDs(isFollowed: Bool)
      /// Rows that a full-text index does not know, and will, since it is filled from all of them.
      case newlyFound(FullTextFilling)
      /// A condition that could not be evaluated on the rows, with what SQLite said.
      case unprovable(condition: String, problem: String)
      /// A question that only a program with a collation can answer.
      case lackingCollation(condition: String, name: String)
      /// Rows that differ from what the table declares already.
      case standing(StandingFault)
    }
    package var kind: Kind
    package var column: SQLName?
    package var count: Int
    /// True if the rows were examined; without that the count means nothing.
    package var isCounted = true
    package var samples: [String]

    package init(kind: Kind, column: SQLName? = nil, count: Int, isCounted: Bool = true, samples: [String]) {
      self.kind = kind
      self.column = column
      self.count = count
      self.isCounted = isCounted
      self.samples = samples
    }
  }
}
