import Foundation
import SchemaKit
import Testing

/// Sets and dictionaries of all kinds inside each other.
private struct Cupboard: JSONColumnValue, Hashable {
  struct Box: Codable, Hashable {
    var owners: Set<UUID>
    var weights: [UUID: Set<Int>]
    var dates: Set<Date>
  }

  var boxes: [Box]
  var best: Box?
  var byKind: [Bool: [String: Set<String>]]
  var groups: Set<Set<String>>

  /// A cupboard whose collections were filled in some order, with room for more elements than they have.
  init(_ ids: [UUID], capacity: Int) {
    var (owners, weights) = (Set<UUID>(minimumCapacity: capacity), [UUID: Set<Int>](minimumCapacity: capacity))
    for id in ids {
      owners.insert(id)
      weights[id] = Set((0..<capacity).map { $0 }).union(0..<20).filter { $0 < 20 }
    }
    let box = Box(
      owners: owners, weights: weights, dates: Set((0..<10).map { Date(timeIntervalSince1970: Double($0)) }))
    boxes = [box]
    best = box
    byKind = [true: ["a": ["x", "y", "z"]], false: [:]]
    groups = [["a", "b"], [], ["c"]]
  }
}

/// Whatever `Codable` can write besides.
private struct Odd: JSONColumnValue {
  struct Empty: Codable {}

  enum Kind: String, Codable, CodingKeyRepresentable { case low, high }

  enum Choice: Codable {
    case number(Int, unit: String)
    case none
  }

  class Base: Codable {
    var a = 1
    init() {}
  }

  final class Derived: Base {
    private enum Key: CodingKey { case b }
    var b = URL(string: "https://example.org/a?b=c")

    override init() { super.init() }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(b, forKey: .b)
      try super.encode(to: container.superEncoder())
    }
  }

  var empty = Empty()
  var kinds: [Kind: Decimal] = [.low: 0.1, .high: -3]
  var choices: [Choice] = [.number(1, unit: "m"), .none]
  var derived = Derived()
  var nothing: Int?
  var numbers: [Double?] = [nil, 1e300, -0.0, 3]
  var small: [Float] = [0.1, 1]
  var range = 0..<5
  var big = UInt64.max
}

@Suite("The order of JSON")
struct JSONOrderTests {
  @Test("a dictionary of any keys, and whatever is nested in a value, is found by an equal one")
  func found() throws {
    let scores = try Session(inMemory: ModelSchema { ValueCell<[UUID: Int]>.self })
    let cupboards = try Session(inMemory: ModelSchema { ValueCell<Cupboard>.self })
    for _ in 0..<20 {
      let ids = (0..<40).map { _ in UUID() }
      // Another order and another capacity give other hash tables.
      var (first, second) = ([UUID: Int](), [UUID: Int](minimumCapacity: 1_000))
      for (number, id) in ids.enumerated() { first[id] = number }
      for (number, id) in ids.enumerated().reversed() { second[id] = number }
      let saved = try scores.save(ValueCell(id: nil, value: first, maybe: second))
      #expect(try scores.exists(ValueCell<[UUID: Int]>.self, where: { $0.id == saved.id && $0.value == second }))
      #expect(try scores.exists(ValueCell<[UUID: Int]>.self, where: { $0.id == saved.id && $0.maybe == first }))
      let cupboard = try cupboards.save(ValueCell(id: nil, value: Cupboard(ids, capacity: 0), maybe: nil))
      let other = Cupboard(ids.reversed(), capacity: 500)
      #expect(try cupboards.exists(ValueCell<Cupboard>.self, where: { $0.id == cupboard.id && $0.value == other }))
      #expect(try cupboards.find(ValueCell<Cupboard>.self, cupboard.id)?.value == other)
    }
  }

  @Test("text in another order, as it was written before, is read")
  func earlierOrder() throws {
    let (first, second) = (UUID(), UUID())
    for text in [#"["\#(first)",1,"\#(second)",2]"#, #"["\#(second)",2,"\#(first)",1]"#] {
      #expect(try [UUID: Int](sqlValue: .text(text)) == [first: 1, second: 2])
    }
    #expect(try Set<Int>(sqlValue: .text("[3,1,2]")) == [1, 2, 3])
    #expect(try [Bool: Int](sqlValue: .text("[true,1,false,0]")).sqlValue() == .text("[false,0,true,1]"))
  }

  @Test("all else has the text that JSONEncoder gives it")
  func sameText() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    func check(_ value: some JSONColumnValue) throws {
      #expect(try value.sqlValue() == .text(String(decoding: encoder.encode(value), as: UTF8.self)))
    }
    try check(Odd())
    try check(
      Recipe(
        title: "a/b\"\\\u{1F373}\u{2028}",
        steps: [.init(text: "", minutes: 0.1, next: [.init(text: "x", minutes: nil, next: [])])],
        amounts: ["salt": .max, "": .min], levels: [10: ["x"], 9: []], image: Data([0, 255]), cooked: Date(),
        isGood: true))
  }
}
