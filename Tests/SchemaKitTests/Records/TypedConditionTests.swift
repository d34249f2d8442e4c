import Foundation
import SchemaKit
import Testing

@Suite("Conditions on Bool and between optional and plain columns")
struct TypedConditionTests {
  private typealias Order = Shop.Order
  private typealias Task = Shop.Task

  private let session: Session

  init() throws {
    session = try Shop.session()
    try session.save(
      Task(
        id: 1, isDone: true, isUrgent: true, isHidden: true, rank: 1, limit: 1, state: .init(isOpen: true, isLate: nil)),
      Task(
        id: 2, isDone: true, isUrgent: nil, isHidden: false, rank: 5, limit: nil,
        state: .init(isOpen: false, isLate: true)),
      Task(
        id: 3, isDone: false, isUrgent: false, isHidden: true, rank: 9, limit: 10,
        state: .init(isOpen: true, isLate: false)))
  }

  private func tasks(_ filter: (Fields<Task>) -> Filter?) throws -> [Int64?] {
    try session.all(Task.self, where: filter, orderBy: { [$0.id.ascending] }).map(\.id)
  }

  private func orders(_ filter: (Fields<Order>) -> Filter?) throws -> [Int64?] {
    try session.all(Order.self, where: filter, orderBy: { [$0.id.ascending] }).map(\.id)
  }

  @Test("a Bool is a condition, alone, negated and among others")
  func bools() throws {
    #expect(try tasks { $0.isDone } == [1, 2])
    #expect(try tasks { !$0.isDone } == [3])
    #expect(try tasks { $0.isDone && $0.rank > 3 } == [2])
    #expect(try tasks { $0.rank > 3 && !$0.isDone || $0.isDone && $0.rank == 1 } == [1, 3])
    #expect(try tasks { $0.isDone == false } == [3])
    #expect(try tasks { $0.isDone != $0.state.isOpen } == [2, 3])
    #expect(try session.count(Task.self, where: { $0.isDone }) == 2)
    #expect(try session.exists(Task.self, where: { $0.isDone && !$0.isDone }) == false)
    #expect(try session.delete(Task.self, where: { $0.isDone && $0.rank < 3 }) == 1)
    #expect(try session.update(Task.self, set: { [$0.isDone.set(false)] }, where: { $0.isDone }) == 1)
    #expect(try tasks { $0.isDone } == [])
  }

  @Test("an optional Bool without a value does not match, and matches when negated")
  func optionalBools() throws {
    #expect(try tasks { $0.isUrgent } == [1])
    #expect(try tasks { !$0.isUrgent } == [2, 3])
    #expect(try tasks { $0.isUrgent == false } == [3])
    #expect(try tasks { !($0.isUrgent && $0.isDone) } == [2, 3])
  }

  @Test("a Bool with a coding is asked for in that form, and one in a fragment by its path")
  func codedBools() throws {
    #expect(
      try session.query("SELECT is_hidden FROM tasks ORDER BY id").map { $0[0] } == [
        .text("Y"), .text("N"), .text("Y"),
      ])
    #expect(try tasks { $0.isHidden } == [1, 3])
    #expect(try tasks { !$0.isHidden } == [2])
    #expect(try tasks { $0.state.isOpen && !$0.state.isLate } == [1, 3])
    #expect(try tasks { $0.state.isLate } == [2])
  }

  @Test("a Bool is also selected as a value")
  func selectedBools() throws {
    #expect(try session.select(Task.self, { ($0.id, $0.isDone) }, where: { $0.isDone }).map(\.1) == [true, true])
    let value = try session.value(Task.self, { $0.isDone }, where: { $0.id == 3 })
    #expect(value == false)
  }

  @Test("an optional and a plain column of one type are compared by every sign")
  func mixedOptionals() throws {
    // A key is optional in Swift, and the column that refers to it is not.
    #expect(try orders { $0.customer == $0.id } == [1])
    #expect(try orders { $0.id == $0.customer } == [1])
    #expect(try orders { $0.payer == $0.customer } == [2])
    #expect(try orders { $0.customer != $0.payer } == [1, 3])
    #expect(try orders { $0.payer != $0.customer } == [1, 3])
    #expect(try tasks { $0.rank < $0.limit } == [3])
    #expect(try tasks { $0.limit > $0.rank } == [3])
    #expect(try tasks { $0.rank <= $0.limit } == [1, 3])
    #expect(try tasks { $0.limit >= $0.rank } == [1, 3])
    #expect(try tasks { !($0.limit >= $0.rank) } == [2])
    #expect(try orders { $0.total > $0.tip } == [2])
    let pairs = try session.join(
      Order.self, Shop.Customer.self, via: \.customer, where: { order, customer in order.payer == customer.id })
    #expect(pairs.map(\.0.id) == [2])
  }

  @Test("a column takes the value of one that is optional, or is not, and refuses a NULL that it cannot hold")
  func mixedSet() throws {
    #expect(try session.update(Order.self, set: { [$0.payer.set($0.customer)] }, where: { $0.id == 3 }) == 1)
    #expect(try session.find(Order.self, 3)?.payer == 2)
    #expect(try session.update(Order.self, set: { [$0.customer.set($0.payer)] }, where: { $0.id == 1 }) == 1)
    #expect(try session.find(Order.self, 1)?.customer == 3)
    let before = try session.rows(Task.self)
    #expect(throws: RecordReason.violation(.notNull, table: "tasks", columns: ["rank"])) {
      try reasoned { try session.updateAll(Task.self, set: { [$0.rank.set($0.limit)] }) }
    }
    #expect(try session.rows(Task.self) == before)
  }

  @Test("what is stored differently is not compared because one side is optional")
  func codings() {
    guard case .otherCoding = recordReason({ try tasks { $0.isHidden == $0.isUrgent } }) else {
      Issue.record("a letter was compared with a number")
      return
    }
  }
}
