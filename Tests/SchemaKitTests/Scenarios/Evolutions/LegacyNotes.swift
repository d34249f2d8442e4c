import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// The notes of the acceptance script, in the layout that an older library of the app made on disk.
enum LegacyNotes {
  /// The second in which the first note was written.
  static let start: Int64 = 1_457_000_000

  /// Every column may be NULL, and the key is a number of either kind.
  static let table = """
    CREATE TABLE Note (noteID NUMERIC, title TEXT, text TEXT, textColor BLOB, fontName TEXT, fontSize NUMERIC, \
    creationDate REAL, modificationDate REAL, imagesData BLOB, PRIMARY KEY (noteID));
    """

  /// The body of the third note holds an emoji, a line break and a NUL.
  static let rows = """
    INSERT INTO Note VALUES
      (1457000000, 'Groceries', 'Milk and bread', x'000000FF', 'Helvetica Neue', 15, 1457000000, 1457000000.5, NULL),
      (1457000060, 'Trip', 'Pack the tent', x'0000FFFF', 'Futura', 21, 1457000060, 1457000060, x'0102'),
      (1457000120, 'O''Neil "quote" ; DROP', CAST(x'F09F8E890A6100622063' AS TEXT), x'FF0000FF', 'Georgia', 28,
        1457000120, 1457000120, x'03');
    """

  /// A new file with the three notes.
  static func file() throws -> TemporaryDatabase { try TemporaryDatabase(table + rows) }

  /// Adopting needs no consent: the key was the key before, and nothing in the file keeps the hidden row numbers.
  static let adoption = PlanPolicy.lossless

  /// A file that was adopted in its first declared version.
  static func adopted() throws -> TemporaryDatabase {
    let database = try file()
    try database.open(NotesV1.schema, allowing: adoption)
    return database
  }
}

extension TemporaryDatabase {
  /// Opens the file with models as an app does, and closes it.
  @discardableResult
  func open(_ schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> Session.OpenReport {
    try Session(at: path, schema: schema) { $0.migration = .automatic(policy) }.openReport
  }

  /// Plans the way to models.
  func plan(to schema: ModelSchema) throws -> MigrationPlan { try SchemaInspector(at: path).plan(to: schema) }

  /// The hazards for which models are refused; none when they are not.
  func refusal(of schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> [Hazard] {
    do {
      try open(schema, allowing: policy)
      return []
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { throw error }
      return hazards
    }
  }

  /// What the file holds apart from the order of columns and the spelling of statements, for comparing two ways.
  func contents() throws -> [String] {
    let database = try reopened()
    var lines: [String] = []
    for row in try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%schemakit%'")
    {
      guard let table = row[0].string else { continue }
      let columns = try database.rows(
        #"SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo('\#(table)') ORDER BY name"#)
      lines += columns.map { "\(table) column \($0)" }
      lines += try database.rows("SELECT * FROM pragma_foreign_key_list('\(table)') ORDER BY 3, 4").map {
        "\(table) key \($0)"
      }
      let names = columns.compactMap { $0[0].string }.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      lines += try database.rows("SELECT \(names) FROM \(table) ORDER BY \(names)").map { "\(table): \($0)" }
    }
    let others =
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY 2"
    lines += try database.rows(others).map { "\($0)" }
    lines += try database.rows("PRAGMA integrity_check").map { "\($0)" }
    lines += try database.rows("PRAGMA foreign_key_check").map { "\($0)" }
    return lines
  }
}

extension MigrationPlan {
  /// The steps that change something for its own sake, as `strategy kind object`.
  var outline: [String] {
    steps.filter { $0.onBehalfOf == nil }.map { "\($0.strategy.rawValue) \($0.object.kind) \($0.object)" }
  }
}
