import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// A file whose rows are not what its tables declare: made under one schema, which is then edited in the catalog.
struct EditedFile {
  let database: TemporaryDatabase

  /// - Parameters:
  ///   - sql: The schema under which the rows are stored, and the rows.
  ///   - edits: What is replaced in the stored texts.
  init(_ sql: String, _ edits: KeyValuePairs<String, String>, journal: String = "") throws {
    try Engine.require(edits.map(\.value).joined(separator: " "))
    database = try TemporaryDatabase(sql)
    let raw = try database.reopened()
    defer { raw.close() }
    try raw.exec("PRAGMA writable_schema = ON")
    for (old, new) in edits {
      let (old, new) = (SQLQuoting.literal(old), SQLQuoting.literal(new))
      try raw.exec("UPDATE sqlite_master SET sql = replace(sql, \(old), \(new)) WHERE instr(sql, \(old))")
    }
    try raw.exec("PRAGMA schema_version = 999; PRAGMA writable_schema = OFF")
    if !journal.isEmpty {
      let other = try database.reopened()
      defer { other.close() }
      try other.exec(journal)
    }
  }

  /// The values of some columns with their classes, read from the table itself.
  func values(of columns: [String], in table: String = "t", key: String = "rowid") throws -> [[RawValue]] {
    let terms = columns.map { "typeof(\($0)), quote(\($0)) || ''" }.joined(separator: ", ")
    return try database.query("SELECT \(key), \(terms) FROM \(table) NOT INDEXED ORDER BY 1")
  }

  /// What SQLite finds wrong, in lines.
  func problems() throws -> [String] {
    try database.query("PRAGMA integrity_check").compactMap { if case .text(let line) = $0[0] { line } else { nil } }
  }

  /// What an index finds for each row, in the order of the rows.
  func entries(of index: String, _ terms: String, in table: String = "t") throws -> [[RawValue]] {
    try database.query(
      "SELECT rowid, \(terms) FROM \(table) INDEXED BY \(index) WHERE \(terms) IS NOT NULL ORDER BY rowid")
  }
}
