import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The row that was inserted last, in SQL")
struct InsertedRowIDTests {
  struct Order: Model {
    let id: Int64?
    var name: String
    static let table = ModelTable("orders", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).unique()
    }
  }
  struct Item: Model {
    let id: Int64?
    var order: Int64
    static let table = ModelTable("items", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("order_id", \.order)
    }
  }

  private let session: Session
  private let child: SQL = "INSERT INTO items (order_id) VALUES (last_insert_rowid())"

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Order.self
        Item.self
      })
    try session.save(["x", "y", "z"].map { Order(id: nil, name: $0) })
  }

  private func check(_ expected: Int64, _ comment: Comment) throws {
    #expect(try session.query("SELECT order_id FROM items", as: Int64.self) == [expected], comment)
    try session.execute("DELETE FROM items")
  }

  @Test("a row can refer to the one that a statement before inserted, whatever ran between")
  func statements() throws {
    try session.execute("INSERT INTO orders (name) VALUES ('a'), ('b')")
    try session.execute(child)
    try check(5, "statement after statement")
    try session.save(Order(id: nil, name: "c"))
    try session.execute(child)
    try check(6, "after save")
    try session.transaction {
      try session.execute("INSERT INTO orders (name) VALUES ('d')")
      try session.execute("UPDATE orders SET name = 'e' WHERE name = 'd'")
      #expect(try session.query("SELECT last_insert_rowid()", as: Int64.self) == [7])
      try session.execute("DELETE FROM orders WHERE name = 'x'")
      try session.execute(child)
    }
    try check(7, "in a transaction, with others between")
    try session.prepare("INSERT INTO orders (name) VALUES (?)").execute(["f"])
    try session.prepare(child).execute([])
    try check(8, "prepared")
    try session.save(Order(id: nil, name: "g"), .upsert(on: \.name))
    try session.save(Order(id: nil, name: "x"), .upsert(on: \.name))
    #expect(try session.execute("UPDATE orders SET name = name").lastInsertedID == nil)
    try session.execute(child)
    try check(10, "after saving over unique columns")
  }

  @Test("triggers see it as well, and what a statement inserted is told as before")
  func triggers() throws {
    try session.execute("CREATE TABLE log (id INTEGER PRIMARY KEY, seen)")
    try session.execute(
      "CREATE TRIGGER named AFTER UPDATE ON orders BEGIN INSERT INTO log (seen) VALUES (last_insert_rowid()); END")
    #expect(try session.execute("INSERT INTO orders (name) VALUES ('a')").lastInsertedID == 4)
    #expect(try session.execute("UPDATE orders SET name = 'b' WHERE id = 4").lastInsertedID == nil)
    #expect(try session.query("SELECT seen FROM log", as: Int64.self) == [4])
    #expect(try session.execute("INSERT INTO items VALUES (4, 1)").lastInsertedID == 4)
    #expect(session.store.connection.lastInsertRowID == 4)
  }

  @Test("the value of a lent connection is left alone, and what was inserted is told all the same")
  func lent() throws {
    let raw = try RawSQLite(":memory:")
    defer { raw.close() }
    let connection = try SQLiteConnection(
      borrowing: try #require(raw.pointer), sourceID: SQLiteConnection.engineSourceID)
    let session = try Session(
      over: connection,
      schema: ModelSchema {
        Order.self
        Item.self
      })
    try raw.exec("INSERT INTO orders (name) VALUES ('a'), ('b')")
    let latest = { try raw.rows("SELECT last_insert_rowid()").first?.first }
    #expect(try session.execute("UPDATE orders SET name = 'c' WHERE id = 1").lastInsertedID == nil)
    #expect(try latest() == .int(2))
    #expect(try session.execute("INSERT INTO items VALUES (2, 1)").lastInsertedID == 2)
    #expect(try session.execute("INSERT INTO items VALUES (7, 1)").lastInsertedID == 7)
    #expect(try session.execute("DELETE FROM items").lastInsertedID == nil)
    #expect(try latest() == .int(7))
    try session.execute(child)
    #expect(try session.query("SELECT order_id FROM items", as: Int64.self) == [7])
  }
}
