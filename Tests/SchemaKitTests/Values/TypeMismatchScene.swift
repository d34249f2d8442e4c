import Foundation
import SchemaKit
import Testing

struct TextKeyCell<Value: ColumnValue & Sendable>: Model {
  let key: String
  let value: Value

  static var table: ModelTable<Self> {
    ModelTable("cells", as: Self.init) {
      Column("key", \.key).primaryKey()
      Column("value", \.value)
    }
  }
}

struct KeptCell<Value: ColumnValue & Sendable>: Model {
  let value: Value
  let second: Int
  let first: String

  static var table: ModelTable<Self> {
    ModelTable("cells", as: Self.init) {
      Column("value", \.value)
      Column("second", \.second)
      Column("first", \.first)
    } constraints: {
      Constraint.primaryKey(\.first, \.second)
    }.withoutRowID()
  }
}

/// A table of cells whose values were stored by bare SQL, and everything that loads them.
struct TypeMismatchScene<M: Model, Value: ColumnValue & Sendable> {
  let file: TemporaryDatabase
  let session: Session
  let database: Database
  let path: any KeyPath<M, Value> & Sendable

  /// Stores values, given as SQL, past NOT NULL and CHECK, as a file of another program may hold them.
  init(
    _ model: M.Type, _ path: any KeyPath<M, Value> & Sendable, _ values: [String], columns: String,
    row: (Int, String) -> String
  ) async throws {
    file = try TemporaryDatabase()
    self.path = path
    let schema = ModelSchema { M.self }
    do { _ = try Session(at: file.path, schema: schema) }
    let original = try #require(try file.value("SELECT sql FROM sqlite_master WHERE name = 'cells'")?.string)
    try Self.rewrite(original.replacingOccurrences(of: " NOT NULL", with: ""), in: file)
    for (index, value) in values.enumerated() {
      try file.exec("INSERT INTO cells (\(columns)) VALUES (\(row(index + 1, value)))")
    }
    try Self.rewrite(original, in: file)
    session = try Session(at: file.path, schema: schema)
    database = try await Database(at: file.path, schema: schema)
  }

  private static func rewrite(_ definition: String, in file: TemporaryDatabase) throws {
    let connection = try file.reopened()
    defer { connection.close() }
    try connection.exec("PRAGMA writable_schema = ON")
    try connection.run("UPDATE sqlite_master SET sql = ?1 WHERE name = 'cells'", binding: [[.text(definition)]])
  }

  /// What each way of loading makes of one row.
  func outcomes(
    where filter: @escaping @Sendable (Fields<M>) -> Filter, sql: String, find: (Session) throws -> M?
  ) async -> [(how: String, outcome: Result<Value, any Error>)] {
    var outcomes: [(String, Result<Value, any Error>)] = []
    func note(_ how: String, _ load: () throws -> Value?) {
      outcomes.append((how, Result { try #require(try load(), "\(how) found no row") }))
    }
    note("find") { try find(session)?[keyPath: path] }
    note("all") { try session.all(M.self, where: filter).first?[keyPath: path] }
    note("page") { try session.page(M.self, size: 5, where: filter).items.first?[keyPath: path] }
    note("query") { try session.query(M.self, SQL(raw: "SELECT * FROM cells WHERE " + sql)).first?[keyPath: path] }
    note("select") { try session.select(M.self, { $0[dynamicMember: path] }, where: filter).first }
    note("row") {
      try session.query(SQL(raw: "SELECT * FROM cells WHERE " + sql)).first?.get("value", as: Value.self)
    }
    do {
      for try await object in database.stream(M.self, where: filter) {
        outcomes.append(("stream", .success(object[keyPath: path])))
      }
    } catch {
      outcomes.append(("stream", .failure(error)))
    }
    return outcomes
  }
}
