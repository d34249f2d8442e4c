import RandomSchemas

/// A table that programs write while it is changed, with what the change makes of it.
///
/// Each row has a mark that one writer alone uses, so that a judge can say which writes must be there.
struct Witness: Sendable {
  enum Change: String, Sendable, CaseIterable {
    case none, newColumn, renamedColumn, check, unique, required, real, droppedColumn, index, renamedTable, collation
  }

  let change: Change

  var oldDDL: [String] {
    ["CREATE TABLE witness (id INTEGER PRIMARY KEY, mark TEXT NOT NULL, amount INTEGER, spare TEXT)"]
  }

  var newDDL: [String] {
    let columns =
      switch change {
      case .none, .index, .renamedTable: "mark TEXT NOT NULL, amount INTEGER, spare TEXT"
      case .newColumn: "mark TEXT NOT NULL, amount INTEGER, spare TEXT, note TEXT NOT NULL DEFAULT 'none'"
      case .renamedColumn: "mark TEXT NOT NULL, number INTEGER, spare TEXT"
      case .check: "mark TEXT NOT NULL, amount INTEGER CHECK (amount >= 0), spare TEXT"
      case .unique: "mark TEXT NOT NULL UNIQUE, amount INTEGER, spare TEXT"
      case .required: "mark TEXT NOT NULL, amount INTEGER NOT NULL DEFAULT 0, spare TEXT"
      case .real: "mark TEXT NOT NULL, amount REAL, spare TEXT"
      case .droppedColumn: "mark TEXT NOT NULL, amount INTEGER"
      case .collation: "mark TEXT NOT NULL COLLATE NOCASE, amount INTEGER, spare TEXT"
      }
    let create = "CREATE TABLE \(newName) (id INTEGER PRIMARY KEY, \(columns))"
    return change == .index ? [create, "CREATE INDEX witness_mark ON witness (mark)"] : [create]
  }

  var hints: [String] {
    switch change {
    case .renamedColumn: ["witness.amount=witness.number"]
    case .renamedTable: ["witness=testimony"]
    default: []
    }
  }

  var newName: String { change == .renamedTable ? "testimony" : "witness" }
  var newAmount: String { change == .renamedColumn ? "number" : "amount" }

  /// Rows that are there before any program writes, of which some have no amount.
  func rows(_ count: Int) -> [String] {
    (0..<count).map {
      "INSERT INTO witness (mark, amount, spare) VALUES ('first-\($0)', \($0 % 5 == 4 ? "NULL" : "\($0)"), 's')"
    }
  }

  /// The amounts of those rows by their marks; nil stands for NULL.
  func amounts(_ count: Int) -> [String: Int?] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("first-\($0)", $0 % 5 == 4 ? nil : $0) })
  }
}
