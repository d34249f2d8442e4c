import SchemaKit
import Testing

@Suite("Constraints that refuse a row")
struct RecordConstraintTests {
  private struct Shelf: Model {
    let id: Int64?
    var code: String

    static let table = ModelTable("shelves", as: Self.init) {
      Column("id", \Shelf.id).primaryKey()
      Column("code", \Shelf.code).unique()
    }
  }

  private struct Item: Model {
    let id: Int64?
    var name: String?
    var low: Int
    var high: Int
    var shelf: Int64?
    var grade: String

    static let table = ModelTable("items", as: Self.init) {
      Column("id", \Item.id).primaryKey()
      Column("name", \Item.name).notNull()
      Column("low", \Item.low).check("low >= 0")
      Column("high", \Item.high).check("high < 100", named: "high_is_small")
      Column("shelf", \Item.shelf).references(Shelf.self)
      Column("grade", \Item.grade).check(" \"grade\" IN ('a', 'b') ")
    } constraints: {
      Constraint.check("low <= high", named: "in_order")
      Constraint.unique(\.low, \.high)
    } triggers: {
      Trigger("items_log", .after, .insert, when: "new.low = 50", body: "INSERT INTO notes (text) VALUES (NULL)")
      Trigger("items_stop", .before, .insert, when: "new.low = 51", body: "SELECT RAISE(ABORT, 'not fifty-one')")
    }
  }

  private struct Memo: Model {
    let id: Int64?
    var text: String
    var item: Int64?

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \Memo.id).primaryKey()
      Column("text", \Memo.text)
      Column("item", \Memo.item).references(Item.self, onDelete: .restrict)
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Shelf.self
        Item.self
        Memo.self
      })
    try session.save(Shelf(id: 1, code: "S"))
  }

  private func item(
    id: Int64? = nil, name: String? = "n", low: Int = 1, high: Int = 2, shelf: Int64? = 1, grade: String = "a"
  ) -> Item {
    Item(id: id, name: name, low: low, high: high, shelf: shelf, grade: grade)
  }

  private func reason(_ item: Item) -> RecordReason? {
    do {
      _ = try session.save(item, .insert)
      return nil
    } catch let error as RecordError {
      return RecordReason(error)
    } catch {
      return nil
    }
  }

  @Test("kind, table and columns of each constraint")
  func names() throws {
    #expect(reason(item(name: nil)) == .violation(.notNull, table: "items", columns: ["name"]))
    #expect(reason(item(low: -1)) == .violation(.check, table: "items", columns: ["low"]))
    #expect(reason(item(high: 100)) == .violation(.check, table: "items", columns: ["high"]))
    #expect(reason(item(low: 3, high: 2)) == .violation(.check, table: "items", columns: []))
    #expect(reason(item(shelf: 9)) == .violation(.foreignKey, table: "items", columns: ["shelf"]))
    #expect(reason(item(grade: "z")) == .violation(.check, table: "items", columns: ["grade"]))
    #expect(try session.count(Item.self) == 0)
    try session.save(item(id: 1))
    #expect(reason(item()) == .violation(.unique, table: "items", columns: ["low", "high"]))
    #expect(reason(item(id: 1, low: 5, high: 6)) == .violation(.primaryKey, table: "items", columns: ["id"]))
    #expect(reason(item(low: 51, high: 60)) == .violation(.other, table: "items", columns: []))
    #expect(try session.count(Item.self) == 1)
  }

  @Test("the message names the constraint and ends well")
  func messages() throws {
    let error = #expect(throws: RecordError.self) { try session.save(item(low: 3, high: 2)) }
    #expect(error?.description.contains("in_order") == true)
    let stopped = #expect(throws: RecordError.self) { try session.save(item(low: 51, high: 60)) }
    #expect(stopped?.description.contains("not fifty-one") == true)
  }

  @Test("a constraint of another table, violated by a trigger, is not laid to this one")
  func otherTables() throws {
    let error = #expect(throws: RecordError.self) { try session.save(item(low: 50, high: 60)) }
    #expect(error.map(RecordReason.init) == .violation(.notNull, table: "notes", columns: ["text"]))
    #expect(try session.count(Item.self) == 0)
  }

  @Test("a row that others refer to stays, and its own foreign key is not blamed")
  func referredTo() throws {
    try session.save(item(id: 1))
    try session.save(Memo(id: nil, text: "t", item: 1))
    let error = #expect(throws: RecordError.self) { try session.delete(Item.self, key: 1) }
    #expect(error.map(RecordReason.init) == .violation(.foreignKey, table: "items", columns: []))
    #expect(throws: RecordError.self) { try session.deleteAll(Item.self) }
    #expect(throws: RecordError.self) { try session.delete(Item.self, where: { $0.low == 1 }) }
    #expect(throws: RecordError.self) { try session.updateAll(Item.self, set: { [$0.id.set(5)] }) }
    #expect(try session.find(Item.self, 1)?.low == 1)
  }
}
