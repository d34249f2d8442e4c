/// Something that undoing a change does not restore, as recorded in the history.
package struct Loss: Sendable, Hashable, Codable {
  /// The kind of the loss. The raw values are stored in ledgers, and keep their meaning.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// The rows of a dropped table.
    case droppedRows
    /// The values of a dropped column.
    case droppedValues
    /// Values that a new type has changed.
    case changedValues
    /// Values that a declared conversion has replaced.
    case convertedValues
    /// Integers that became reals in a column that had no affinity, and would keep reals.
    case widenedIntegers
    /// NULLs that a default or a fill has replaced.
    case replacedNulls
    /// The rowids.
    case rowIDs
    /// Rows that a full-text index did not find.
    case foundRows
    /// The greatest key that AUTOINCREMENT has assigned.
    case autoincrement
    /// The effects of a data step.
    case dataStep
    /// The effects of the data files of a recorded step.
    case dataFile
    /// A loss that an older version described in a sentence.
    case told
  }

  package var kind: Kind
  /// The table, by its name before the change; nil if the loss does not concern one.
  package var table: String?
  /// The column, by its name before the change.
  package var column: String?
  /// The table's name after the change; nil if it is the same, or if the table is gone.
  package var newTable: String?
  /// The column's name after the change; nil if it is the same, or if the column is gone.
  package var newColumn: String?
  /// The number of rows affected; nil if they were not counted.
  package var count: Int?
  /// The name of the data step or of the file.
  package var name: String?
  /// The description by an older version, word for word.
  package var sentence: String?

  package init(
    _ kind: Kind, table: SQLName? = nil, column: SQLName? = nil, count: Int? = nil,
    name: String? = nil
  ) {
    self.kind = kind
    self.table = table?.text
    self.column = column?.text
    self.count = count
    self.name = name
  }
}

extension Loss {
  /// The loss, given the names that the change gave the table and the column.
  package func renamed(table: SQLName, column: SQLName? = nil) -> Loss {
    var loss = self
    if table.text != self.table { loss.newTable = table.text }
    if let column, column.text != self.column { loss.newColumn = column.text }
    return loss
  }

  /// True if the loss says that a column, given by its names before the change, now has other values.
  package func replacesValues(of column: SQLName, in table: SQLName) -> Bool {
    [.changedValues, .convertedValues].contains(kind) && self.table.map { SQLName($0) } == table
      && self.column.map { SQLName($0) } == column
  }

  /// The loss as a sentence.
  package var words: String {
    if let sentence { return sentence }
    let rows = count.map { $0.counted("row") } ?? "an unknown number of rows"
    let (old, new) = (Self.path(table, column), Self.path(newTable ?? table, newColumn ?? column))
    return switch kind {
    case .droppedRows: "\(rows) of table \(old) \(count == 1 ? "is" : "are") gone."
    case .droppedValues: "The values of column \(new) in \(rows) are gone."
    case .changedValues: "The values of column \(new) that changed in \(rows) stay as they are now."
    case .convertedValues: "The values of column \(old) were converted and stay as they are now."
    case .widenedIntegers: "Integers of column \(new) that became reals stay reals."
    case .replacedNulls: "Where column \(old) was NULL, in \(rows), what replaced it stays."
    case .rowIDs: "The former rowids of \(rows) of table \(new) are gone."
    case .foundRows: "Full-text index \(old) goes on finding \(rows) that it did not find before."
    case .autoincrement: "Table \(old) gives keys of deleted rows again: AUTOINCREMENT begins anew."
    case .dataStep: "What data step \(name ?? "") did to the rows stays."
    case .dataFile: "What \(name ?? "") did to the rows stays as it is now."
    case .told: ""
    }
  }

  private static func path(_ table: String?, _ column: String?) -> String {
    [table, column].compactMap { $0 }.joined(separator: ".")
  }
}
