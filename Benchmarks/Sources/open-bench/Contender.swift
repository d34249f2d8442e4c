import FloorOpening
import GRDB
import SchemaKit

/// Something that opens the file, and what it must find.
enum Contender: String, CaseIterable {
  /// C: one SELECT.
  case select
  /// C: everything that the pragmas say of the schema.
  case pragmas
  /// Ten models, and the ledger agrees.
  case warm
  /// The same, and the models are used for the first time.
  case first
  /// Ten models, and the ledger does not have the file's cookie. Nothing is written.
  case compared
  /// The same, and the cookie is noted in the ledger.
  case noted
  /// Ten models, and the ledger has neither the file's cookie nor their declaration. Nothing is written.
  case updated
  /// Twenty migrations, all of them done.
  case grdb

  var title: String {
    switch self {
    case .select: "C: one SELECT"
    case .pragmas: "C: sqlite_schema and the pragmas"
    case .warm: "SchemaKit, warm, 10 models"
    case .first: "the same, models first used"
    case .compared: "SchemaKit, comparing, 10 models"
    case .noted: "the same, and noted in the ledger"
    case .updated: "comparing, another declaration"
    case .grdb: "GRDB, 20 migrations done"
    }
  }

  /// What it is compared with.
  var base: Contender {
    switch self {
    case .select, .warm, .first, .grdb: .select
    case .pragmas, .compared, .noted, .updated: .pragmas
    }
  }

  /// What the ledger must not know beforehand.
  var forgotten: [String] {
    switch self {
    case .select, .pragmas, .warm, .first, .grdb: []
    case .compared, .noted: ["cookie = -1"]
    case .updated: ["cookie = -1", "declaration = 'another'"]
    }
  }
}

/// A file, and what every contender opens it with.
struct OpenedFile {
  let path: String
  let tables: Int
  private let ten = NumberedModels.schema()
  private let migrator: DatabaseMigrator

  /// Makes the file, with ten of its tables in the ledger.
  init(at path: String, tables: Int, journalMode: String) throws {
    self.path = path
    self.tables = tables
    var migrator = DatabaseMigrator()
    for number in 1...20 { migrator.registerMigration("migration \(number)") { _ in } }
    self.migrator = migrator
    _ = try Session(at: path, schema: ten)
    try execute("BEGIN; \(NumberedModels.sql(count: tables)) COMMIT; PRAGMA journal_mode = \(journalMode)")
    try run(.grdb)
  }

  /// Opens the file and closes it.
  func run(_ contender: Contender) throws {
    switch contender {
    case .select: try check(opening_select(path, "SELECT id FROM t0"))
    case .pragmas:
      var bytes: Int64 = 0
      try check(opening_read_schema(path, &bytes))
      guard bytes > Int64(tables) * 200 else { throw BenchmarkError("the pragmas say little") }
    case .warm: try open(ten)
    case .first: try open(NumberedModels.schema())
    case .compared, .updated: try compare(ten, isReadOnly: true)
    case .noted: try compare(ten, isReadOnly: false)
    case .grdb:
      let queue = try DatabaseQueue(path: path)
      try migrator.migrate(queue)
      try queue.close()
    }
  }

  private func open(_ schema: ModelSchema) throws {
    guard case .warm = try Session(at: path, schema: schema).openReport else { throw BenchmarkError("not warm") }
  }

  private func compare(_ schema: ModelSchema, isReadOnly: Bool) throws {
    let session = try Session(at: path, schema: schema) { $0.isReadOnly = isReadOnly }
    guard case .compared(let report) = session.openReport, report.outcome == .unchanged else {
      throw BenchmarkError("the file was not compared")
    }
  }

  /// Makes the ledger know the file as it is, but for what a contender wants forgotten.
  func prepare(for contender: Contender) throws {
    _ = try Session(at: path, schema: ten)
    guard !contender.forgotten.isEmpty else { return }
    try execute("UPDATE _schemakit_schemas SET \(contender.forgotten.joined(separator: ", "))")
  }

  private func execute(_ sql: String) throws { try check(opening_execute(path, sql)) }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw BenchmarkError("\(path): SQLite says \(code)") }
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
