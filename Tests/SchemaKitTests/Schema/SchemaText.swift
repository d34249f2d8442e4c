@testable import SQLiteSchema
@testable import SchemaKit

/// Schema values from SQL, for tests that need no database of their own.
enum SchemaText {
  struct NoTable: Error {}

  /// A table as the library reads its statement.
  static func table(_ sql: String) throws -> TableSchema {
    guard case .table(let statement) = try SQLParser.create(sql) else { throw NoTable() }
    return TableSchema(statement, sql: sql)
  }

  /// The change from one table to another.
  static func change(_ from: String, _ to: String) throws -> TableChange {
    TableChange(from: try table(from), to: try table(to))
  }

  /// A whole schema, created in memory and read back.
  static func schema(_ sql: String) throws -> DatabaseSchema { try TemporaryDatabase.target(sql).schema }

  /// The difference between two schemas without any renames.
  static func diff(_ from: String, _ to: String) throws -> SchemaDiff {
    SchemaDiff(from: try schema(from), to: try schema(to))
  }

  /// EngineProfile of the newest SQLite that the library knows of.
  static let newest = EngineProfile(version: SQLiteVersion(3, 53))
}
