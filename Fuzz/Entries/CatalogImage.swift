import CSQLite
import Foundation

/// A database file whose catalog holds whatever rows the input says, written past SQLite's checks.
///
/// The input is cut at the byte 0x1E into rows and at 0x1F into type, name, table, root page and SQL. A root page that
/// is no number takes a page of its own; a missing field is NULL.
struct CatalogImage {
  private let rows: [[[UInt8]]]

  init(_ bytes: [UInt8]) {
    rows = bytes.split(separator: 0x1E).prefix(40).map { row in
      row.split(separator: 0x1F, omittingEmptySubsequences: false).prefix(5).map { Array($0) }
    }
  }

  func write(to path: String) throws {
    var opened: OpaquePointer?
    defer { sqlite3_close_v2(opened) }
    guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
      throw FuzzFinding("a file cannot be made at \(path)")
    }
    sqlite3_exec(
      opened,
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN;
      CREATE TABLE first(a, b); INSERT INTO first VALUES (1, 'one'), (NULL, x'00');
      CREATE TABLE second(a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO second VALUES (1, 2);
      CREATE TABLE spare(a); CREATE INDEX spare_a ON spare(a);
      PRAGMA writable_schema = ON;
      """, nil, nil, nil)
    for (index, row) in rows.enumerated() { insert(row, root: index % 3 + 2, into: opened) }
    sqlite3_exec(opened, "PRAGMA schema_version = 77; COMMIT", nil, nil, nil)
  }

  private func insert(_ row: [[UInt8]], root: Int, into database: OpaquePointer?) {
    var statement: OpaquePointer?
    let sql = "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)"
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
    defer { sqlite3_finalize(statement) }
    for (index, field) in row.enumerated() {
      if index == 3 {
        sqlite3_bind_int64(statement, 4, Int64(String(decoding: field, as: UTF8.self)) ?? Int64(root))
      } else {
        field.withUnsafeBytes { bytes in
          let start = bytes.bindMemory(to: CChar.self).baseAddress
          _ = start.map { sqlite3_bind_text(statement, Int32(index + 1), $0, Int32(bytes.count), schemakit_transient()) }
            ?? sqlite3_bind_text(statement, Int32(index + 1), "", 0, schemakit_transient())
        }
      }
    }
    sqlite3_step(statement)
  }
}
