import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Files that were cut short or changed at random.
@Suite("Damaged files")
struct DamagedFileTests {
  /// A small file with most kinds of pages: tables, indexes, overflow, free pages.
  private static func healthy() throws -> Data {
    let file = try TemporaryDatabase(
      """
      PRAGMA page_size = 512;
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE, pages TEXT);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO book SELECT i, 'title ' || i, i * 3 FROM n;
      UPDATE book SET pages = hex(zeroblob(900)) WHERE id = 30;
      CREATE TABLE tag(word TEXT PRIMARY KEY, book INTEGER, extra) WITHOUT ROWID;
      INSERT INTO tag SELECT title, id, NULL FROM book;
      CREATE INDEX tag_book ON tag(book);
      CREATE VIEW v AS SELECT title FROM book;
      CREATE TABLE gone(a); INSERT INTO gone SELECT hex(zeroblob(400)) FROM book; DROP TABLE gone;
      """)
    return try file.bytes
  }

  @Test("a file cut short at any place is an error or a plan, and stays as it is")
  func cutShort() throws {
    let bytes = try Self.healthy()
    for length in [1, 15, 16, 17, 99, 100, 101, 511, 512, 513] + stride(from: 1024, to: bytes.count, by: 1536) {
      let hostile = try HostileFile(bytes: bytes.prefix(length))
      try hostile.look("cut at \(length)")
      try hostile.migrate("cut at \(length)")
    }
  }

  @Test("a file with bytes changed at random is an error or a plan, and stays as it is", arguments: 1...120)
  func changedAtRandom(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = try Self.healthy()
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      // The head and the catalog are hit more often than their share.
      let limit = Bool.random(using: &generator) ? bytes.count : 1024
      bytes[Int.random(in: 0..<limit, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    let hostile = try HostileFile(bytes: bytes)
    try hostile.look("seed \(seed)")
    try hostile.migrate("seed \(seed)")
  }
}
