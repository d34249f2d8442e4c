import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// A file that commit 4624a8c wrote: its ledger has format 2, whose records have been extended since.
@Suite("A ledger of an earlier version")
struct EarlierLedgerTests {
  /// The schema that the last of its changes led to, as it was declared.
  private static let declared = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY,
      full_name TEXT NOT NULL, -- schemakit: renamed from name
      country TEXT NOT NULL DEFAULT '??');
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers,
      total INTEGER -- schemakit: convert CAST(total AS INTEGER)
    );
    CREATE TABLE shipments ( -- schemakit: renamed from deliveries
      id INTEGER PRIMARY KEY, "order" INTEGER REFERENCES orders (id), customer INTEGER REFERENCES customers);
    CREATE VIEW unpaid AS SELECT id, total FROM orders;
    CREATE INDEX orders_by_customer ON orders (customer);
    """

  /// The schema before the first of its changes.
  private static let first = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT, country TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers, total TEXT);
    CREATE TABLE deliveries (
      id INTEGER PRIMARY KEY, "order" INTEGER REFERENCES orders (id), customer INTEGER REFERENCES customers);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
    CREATE VIEW unpaid AS SELECT id, total FROM orders;
    """

  private func file() throws -> TemporaryDatabase {
    let path = "Tests/SchemaKitTests/History/Fixtures/ledger-4624a8c.sql"
    return try TemporaryDatabase(String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8))
  }

  @Test("its history is read, entry by entry")
  func history() throws {
    let file = try file()
    let entries = try SchemaInspector(at: file.path).history()
    #expect(entries.map(\.id) == Array(1...5))
    #expect(entries.allSatisfy { $0.kind == .apply && $0.isLive && $0.schema == "(file)" })
    #expect(entries.map { $0.summary.split(separator: "\n").count } == [1, 4, 1, 2, 1])
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.toFingerprint == $1.fromFingerprint })
  }

  @Test("the file is in sync with its declaration, and a further apply adds to its history")
  func furtherApply() throws {
    let file = try file()
    #expect(try file.plan(to: Self.declared).isEmpty)
    #expect(try file.migrate(to: Self.declared).outcome == .unchanged)
    #expect(try file.migrate(to: Self.declared + "CREATE TABLE more (a);").outcome == .applied)
    #expect(try SchemaInspector(at: file.path).history().count == 6)
  }

  @Test("every change is undone, the orphan stays, and what was kept comes back")
  func undo() throws {
    let file = try file()
    try file.migrate(to: Self.declared + "CREATE TABLE more (a);")
    var undone: [Int] = []
    while let undo = try? MigrationUndo(at: file.path) {
      undone.append(undo.entry.id)
      try undo.apply(allowing: .everything)
    }
    #expect(undone == [6, 5, 4, 3, 2, 1])
    #expect(try file.plan(to: Self.first).isEmpty)
    // The version that replaced these NULLs did not keep them.
    #expect(
      try file.query("SELECT * FROM customers") == [
        [.int(1), .text("Ada"), .text("555-1"), .text("NL")], [.int(2), .text("Grace"), .null, .text("??")],
        [.int(3), .text("Edsger"), .text("555-3"), .text("??")],
      ])
    #expect(
      try file.query("SELECT * FROM orders") == [
        [.int(1), .int(1), .text("1200")], [.int(2), .int(2), .text("85")], [.int(3), .int(99), .text("7")],
      ])
    #expect(try file.query("SELECT * FROM deliveries") == [[.int(1), .int(1), .int(1)], [.int(2), .int(2), .int(2)]])
    #expect(try file.query("SELECT text FROM notes ORDER BY id") == [[.text("first")], [.text("second")]])
    #expect(try file.value("SELECT count(*) FROM _schemakit_kept") == .int(0))
  }
}
