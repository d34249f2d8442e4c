/// Something odd that another program left in a file, and what a new schema makes of the table that has it.
///
/// It is all values, and apart from the rest of the file by its names.
struct FileOddity {
  enum Kind: String, CaseIterable {
    /// A CHECK, or an index, calls a function that nobody here has.
    case function, functionOfIndex
    /// A column with UNIQUE has a collation that nobody here has.
    case collation
    /// Rows refer to nothing.
    case orphans
    /// A full-text index has lost a table of its module.
    case lostShadow
    /// A virtual table has a module that nobody here has.
    case module
    /// A view, or a trigger, reads a table that is gone.
    case view, trigger
    /// Rows are equal that the new schema wants distinct.
    case duplicates
  }

  enum Fate: String, CaseIterable {
    case kept, dropped, mended, columnAdded, columnDropped, defaultChanged, typeChanged, required
  }

  let kind: Kind
  let fate: Fate
  let number: Int

  var table: String { "odd\(number)" }
  /// The columns whose values stay.
  var keptColumns: [String] { fate == .dropped ? [] : fate == .columnDropped ? ["id", "a"] : ["id", "a", "n"] }

  init(_ kind: Kind, _ fate: Fate, number: Int) {
    self.kind = kind
    self.fate = fate
    self.number = number
  }

  // MARK: - The file

  /// Makes the tables as a program made them that had everything.
  var written: [String] {
    let rows = ["wren", "lark", kind == .duplicates ? "wren" : "tern"].enumerated().map { at, bird in
      "INSERT INTO \(table) (id, a, n) VALUES (\(at + 1), '\(bird)', \(at))"
    }
    var statements = ["CREATE TABLE \(table) (id INTEGER PRIMARY KEY, a TEXT\(clause(isWritten: true)), n INTEGER)"]
    switch kind {
    case .orphans: statements.append("CREATE TABLE \(table)_parent (k TEXT PRIMARY KEY)")
    case .functionOfIndex: statements.append("CREATE INDEX \(table)_index ON \(table) (length(a))")
    case .lostShadow: statements.append(search)
    default: break
    }
    statements += rows
    switch kind {
    case .orphans: statements.append("INSERT INTO \(table)_parent VALUES ('wren')")
    case .lostShadow:
      statements.append("INSERT INTO \(table)_search (\(table)_search) VALUES ('rebuild')")
      statements.append("DROP TABLE \(table)_search_\(number.isMultiple(of: 2) ? "data" : "config")")
    case .view, .trigger: statements += extras
    default: break
    }
    return statements
  }

  /// Puts into the catalog what the program had.
  var edits: [String] {
    switch kind {
    case .function, .collation:
      ["UPDATE sqlite_master SET sql = \(RawValue.text(definition(.kept))) WHERE name = '\(table)'"]
    case .functionOfIndex: ["UPDATE sqlite_master SET sql = \(RawValue.text(extras[0])) WHERE name = '\(table)_index'"]
    case .module:
      [
        "INSERT INTO sqlite_master VALUES ('table', '\(table)_v', '\(table)_v', 0, "
          + "'CREATE VIRTUAL TABLE \(table)_v USING nowhere(a)')"
      ]
    default: []
    }
  }

  // MARK: - The new schema

  var target: [String] {
    switch fate {
    case .dropped: []
    case .mended: [definition(fate)] + (kind == .orphans ? extras : [])
    default: [definition(fate)] + extras
    }
  }

  private var search: String {
    "CREATE VIRTUAL TABLE \(table)_search USING fts5(a, content='\(table)', content_rowid='id')"
  }

  /// What there is beside the table.
  private var extras: [String] {
    switch kind {
    // A schema cannot declare a module that is not there.
    case .function, .collation, .duplicates, .module: []
    case .orphans: ["CREATE TABLE \(table)_parent (k TEXT PRIMARY KEY)"]
    case .functionOfIndex: ["CREATE INDEX \(table)_index ON \(table) (nowhere(a))"]
    case .lostShadow: [search]
    case .view: ["CREATE VIEW \(table)_view AS SELECT b FROM \(table)_gone"]
    case .trigger:
      ["CREATE TRIGGER \(table)_log AFTER UPDATE ON \(table) BEGIN INSERT INTO \(table)_gone VALUES (new.a); END"]
    }
  }

  private func clause(isWritten: Bool) -> String {
    switch kind {
    case .function: " CHECK (\(isWritten ? "length" : "nowhere")(a) > 0)"
    case .collation: " COLLATE \(isWritten ? "NOCASE" : "nowhere") UNIQUE"
    case .orphans: " REFERENCES \(table)_parent (k)"
    default: ""
    }
  }

  private func definition(_ fate: Fate) -> String {
    let clause =
      fate == .mended ? "" : clause(isWritten: false) + (kind == .duplicates && fate != .kept ? " UNIQUE" : "")
    let number =
      switch fate {
      case .columnDropped: ""
      case .defaultChanged: ", n INTEGER DEFAULT 7"
      case .typeChanged: ", n TEXT"
      case .required: ", n INTEGER NOT NULL"
      case .columnAdded: ", n INTEGER, c TEXT"
      default: ", n INTEGER"
      }
    return "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, a TEXT\(clause)\(number))"
  }
}

extension FileOddity: CustomStringConvertible {
  var description: String { "\(kind.rawValue) \(fate.rawValue)" }
}
