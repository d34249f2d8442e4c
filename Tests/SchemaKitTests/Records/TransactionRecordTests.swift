import Foundation
import SchemaKit
import Testing

@Suite("Transactions of a session")
struct TransactionRecordTests {
  typealias Tag = SavingModels.Tag

  private struct Failure: Error {}

  /// A parent that may come after its children, as long as it comes before COMMIT.
  private struct Node: Model, Hashable {
    let id: Int64?
    var parent: Int64?

    static let table = ModelTable("nodes", as: Self.init) {
      Column("id", \Node.id).primaryKey()
      Column("parent", \Node.parent).references(Node.self, deferrable: .initiallyDeferred)
    }
  }

  private struct Slot: Model {
    let id: Int64?
    var name: String

    static let table = ModelTable("slots", as: Self.init) {
      Column("id", \Slot.id).primaryKey()
      Column("name", \Slot.name).unique(onConflict: .ignore)
    }
  }

  private let file: TemporaryDatabase
  private let session: Session

  init() throws {
    file = try TemporaryDatabase()
    session = try Session(
      at: file.path,
      schema: ModelSchema {
        Tag.self
        Node.self
        Slot.self
      })
  }

  private func tag(_ name: String) -> Tag { Tag(name: name, weight: 0) }

  private func failure(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private var stored: [String] {
    get throws { try file.query("SELECT name FROM tags ORDER BY name").compactMap { $0[0].string } }
  }

  @Test("what the body returns is returned, and what it wrote is in the file")
  func commits() throws {
    let count = try session.transaction {
      try session.save(tag("a"))
      #expect(try stored.isEmpty)
      return try session.count(Tag.self)
    }
    #expect(count == 1)
    #expect(try stored == ["a"])
  }

  @Test(
    "an error takes everything back, is thrown on, and leaves the session usable",
    arguments: [TransactionKind.deferred, .immediate, .exclusive])
  func rollsBack(kind: TransactionKind) throws {
    try session.save(tag("before"))
    #expect(throws: Failure.self) {
      try session.transaction(kind) {
        try session.save([tag("a"), tag("b")])
        try session.deleteAll(Tag.self)
        throw Failure()
      }
    }
    #expect(try session.all(Tag.self).map(\.name) == ["before"])
    try session.save(tag("after"))
    #expect(try stored == ["after", "before"])
  }

  @Test("a transaction inside another, and a savepoint, are rolled back alone")
  func nesting() throws {
    var errors: [(any Error)?] = []
    try session.transaction {
      try session.save(tag("a"))
      errors.append(
        failure {
          try session.transaction {
            try session.save(tag("b"))
            try session.savepoint { try session.save(tag("c")) }
            throw Failure()
          }
        })
      try session.savepoint {
        try session.save(tag("d"))
        errors.append(
          failure {
            try session.savepoint {
              try session.save(tag("e"))
              try session.save(tag("a"), .insert)
            }
          })
        try session.save(tag("f"))
      }
      let names = try session.all(Tag.self, orderBy: { [$0.name.ascending] }).map(\.name)
      #expect(names == ["a", "d", "f"])
    }
    #expect(errors.count == 2 && errors[0] is Failure && errors[1] is RecordError)
    #expect(try stored == ["a", "d", "f"])
  }

  @Test("an outer error rolls back what inner ones have committed")
  func outerRollback() throws {
    #expect(throws: Failure.self) {
      try session.transaction {
        try session.transaction { try session.save([tag("a"), tag("b")]) }
        try session.savepoint { try session.save(tag("c")) }
        throw Failure()
      }
    }
    #expect(throws: Failure.self) {
      try session.savepoint {
        try session.transaction { try session.save(tag("d")) }
        throw Failure()
      }
    }
    #expect(try stored.isEmpty)
    #expect(!session.connection.isInTransaction)
  }

  @Test("a constraint that only COMMIT checks takes the transaction back, and the session goes on")
  func deferredConstraint() throws {
    try session.transaction {
      try session.save(Node(id: 2, parent: 1))
      try session.save(Node(id: 1, parent: nil))
    }
    #expect(throws: (any Error).self) {
      try session.transaction {
        try session.save(Node(id: 3, parent: 99))
        try session.save(tag("lost"))
      }
    }
    #expect(!session.connection.isInTransaction)
    #expect(try session.find(Node.self, 3) == nil)
    #expect(throws: RecordReason.violation(.foreignKey, table: "nodes", columns: ["parent"])) {
      try reasoned { try session.save(Node(id: 4, parent: 99)) }
    }
    #expect(try session.count(Node.self) == 2)
    try session.save(tag("kept"))
    #expect(try stored == ["kept"])
  }

  @Test("many that break a constraint only COMMIT checks are refused with the same error as one")
  func deferredBulk() throws {
    #expect(throws: RecordError.self) { try session.save([Node(id: 5, parent: 98), Node(id: 6, parent: nil)]) }
    #expect(try session.count(Node.self) == 0)
    try session.save([Node(id: 7, parent: 8), Node(id: 8, parent: nil)])
    #expect(try session.count(Node.self) == 2)
  }

  @Test("a body that ends the transaction itself is an error, not a crash, and leaves none open")
  func endedByHand() throws {
    #expect(throws: SQLiteError.self) {
      try session.transaction {
        try session.save(tag("a"))
        try session.execute("COMMIT")
      }
    }
    #expect(!session.connection.isInTransaction)
    #expect(throws: SQLiteError.self) {
      try session.transaction {
        try session.save(tag("b"))
        try session.execute("ROLLBACK")
      }
    }
    try session.save(tag("c"))
    #expect(try stored == ["a", "c"])
  }

  @Test("a statement that is being read keeps running over inner savepoints that are rolled back")
  func readingOverRollbacks() throws {
    try session.save((0..<400).map { tag("t\($0)") })
    var seen = 0
    try session.transaction {
      try session.forEach(Tag.self) { tag in
        seen += 1
        guard seen % 100 == 0 else { return }
        try? session.savepoint {
          try session.save(Tag(name: "extra\(seen)", weight: 1))
          throw Failure()
        }
      }
    }
    #expect(seen == 400)
    #expect(try session.count(Tag.self) == 400)
  }

  @Test("a table that leaves conflicts out by its own clause gives no key for the row left out")
  func declaredIgnore() throws {
    #expect(try session.save(Slot(id: nil, name: "a"), .insert).id == 1)
    #expect(try session.save(Slot(id: nil, name: "b"), .insert).id == 2)
    #expect(try session.save(Slot(id: nil, name: "a"), .insert).id == nil)
    let keys = try session.save(
      [Slot(id: nil, name: "c"), Slot(id: nil, name: "a"), Slot(id: nil, name: "d")], .insert)
    #expect(keys.map(\.values) == [[.integer(3)], [.null], [.integer(4)]])
  }
}
