extension HistoryError {
  /// A problem with one of SchemaKit's own tables.
  public enum LedgerProblem: Sendable, Equatable {
    /// The table does not exist.
    case missing
    /// A view or something else has its name.
    case notATable(kind: String)
    /// The table of kept values does not exist, or something else has its name.
    case noKeptTable
    /// A column does not exist.
    case missingColumn(String)
    /// A column of the kept values does not exist.
    case missingKeptColumn
    /// The primary key is another one than it was.
    case otherPrimaryKey
    /// A column holds something else than it should.
    case wrongValue(column: String, Content)
    /// A row does not exist.
    case missingRow(String)
    /// A row holds something else than it should.
    case wrongRow(String, Content)
    /// An entry has a kind that is not known.
    case unknownKind(entry: Int)
    /// SQLite refuses to read or write the table, with its message.
    case refusedBySQLite(String)
  }

  /// The content of a column or row of one of SchemaKit's own tables.
  public enum Content: Sendable, Equatable {
    case text, wholeNumber, names, checksumAndTime, expansion, forms
  }
}

extension HistoryError.LedgerProblem {
  /// The problem as a clause, without a full stop.
  var sentence: String {
    switch self {
    case .missing: "it is missing"
    case .notATable(let kind): "it is a \(kind), and no table any more"
    case .noKeptTable: "it is missing, or no table any more"
    case .missingColumn(let column): "its column \(column) is missing"
    case .missingKeptColumn: "a column of it is missing"
    case .otherPrimaryKey: "its primary key is another one than it was"
    case .wrongValue(let column, let content): "column \(column) holds no \(content.words)"
    case .missingRow(let row): "its row \(row) is missing"
    case .wrongRow(let row, let content): "its row \(row) holds no \(content.words)"
    case .unknownKind(let entry): "column kind of entry \(entry) holds nothing that SchemaKit does"
    case .refusedBySQLite(let message): "SQLite says: \(message)"
    }
  }
}

extension HistoryError.Content {
  fileprivate var words: String {
    switch self {
    case .text: "text"
    case .wholeNumber: "whole number"
    case .names: "list of names"
    case .checksumAndTime: "checksum and time"
    case .expansion: "description of what the file serves"
    case .forms: "list of columns and their codings"
    }
  }
}
