import Foundation
import SchemaKit
import Testing

/// Arrays and sets of every kind of element.
private struct Bag: Model, Hashable {
  enum Grade: String, Codable { case low, high }

  struct Size: Codable, Hashable {
    var width: Int
    var unit: String
  }

  let id: Int64?
  var texts: [String] = []
  var labels: Set<String> = []
  var maybe: [String]?
  var gaps: [String?] = []
  var numbers: [Int] = []
  var big: [UInt64] = []
  var ratios: [Double] = []
  var flags: [Bool] = []
  var keys: [UUID] = []
  var grades: Set<Grade> = []
  var prices: [Decimal] = []
  var days: [Date] = []
  var sizes: [Size] = []
  var lists: [[Int]] = []
  var bytes: [UInt8] = []
  var words: [String] = []

  static let table = ModelTable("bags", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("texts", \.texts)
    Column("labels", \.labels)
    Column("maybe", \.maybe)
    Column("gaps", \.gaps)
    Column("numbers", \.numbers)
    Column("big", \.big)
    Column("ratios", \.ratios)
    Column("flags", \.flags)
    Column("keys", \.keys)
    Column("grades", \.grades)
    Column("prices", \.prices)
    Column("days", \.days)
    Column("sizes", \.sizes)
    Column("lists", \.lists)
    Column("bytes", \.bytes)
    Column("words", \.words, storing: .spaced)
  }
}

extension ColumnCoding where Value == [String] {
  fileprivate static var spaced: Self {
    ColumnCoding(
      type: .text, encode: { .text($0.joined(separator: " ")) },
      decode: { ($0.text ?? "").split(separator: " ").map(String.init) })
  }
}

@Suite("Elements of arrays and sets in a column")
struct ElementTests {
  private let session: Session

  init() throws { session = try Session(inMemory: ModelSchema { Bag.self }) }

  private func ids(_ filter: (Fields<Bag>) -> Filter?) throws -> [Int64?] {
    try session.all(Bag.self, where: filter, orderBy: { [$0.id.ascending] }).map(\.id)
  }

  private func save(_ id: Int64, _ change: (inout Bag) -> Void) throws {
    var bag = Bag(id: id)
    change(&bag)
    try session.save(bag)
  }

  @Test("an element is found, and no part of one")
  func texts() throws {
    try save(1) {
      $0.texts = ["yxy", "a\"b"]
      $0.labels = ["yxy"]
      $0.maybe = ["m"]
      $0.gaps = ["x", nil]
    }
    try save(2) {
      $0.texts = ["x", "é/\\", "1"]
      $0.labels = ["x", "y"]
      $0.gaps = ["null"]
    }
    try save(3) { _ in }
    #expect(try ids { $0.texts.contains("x") } == [2])
    #expect(try ids { $0.texts.contains("yxy") } == [1])
    #expect(try ids { $0.texts.contains("a\"b") } == [1])
    #expect(try ids { $0.texts.contains("é/\\") } == [2])
    #expect(try ids { $0.texts.contains("X") }.isEmpty)
    #expect(try ids { $0.texts.contains("") }.isEmpty)
    #expect(try ids { !$0.texts.contains("x") } == [1, 3])
    #expect(try ids { $0.labels.contains("x") && $0.labels.contains("y") } == [2])
    #expect(try ids { $0.maybe.contains("m") } == [1])
    #expect(try ids { !$0.maybe.contains("m") } == [2, 3])
    #expect(try ids { $0.gaps.contains(nil) } == [1])
    #expect(try ids { $0.gaps.contains("null") } == [2])
  }

  @Test("numbers, Booleans, enumerations, identifiers, dates and structures are found as they are encoded")
  func elements() throws {
    let (key, other) = (UUID(), UUID())
    let day = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)
    try save(1) {
      $0.numbers = [1, .max]
      $0.big = [.max, 7]
      $0.ratios = [0.1, 3, 0.1 + 0.2]
      $0.flags = [true]
      $0.keys = [key]
      $0.grades = [.low]
      $0.prices = [0.1]
      $0.days = [day]
      $0.sizes = [.init(width: 1, unit: "a b")]
      $0.lists = [[1, 2]]
    }
    try save(2) {
      $0.numbers = [11, .max - 1]
      $0.big = [.max - 1]
      $0.ratios = [0.3]
      $0.flags = [false]
      $0.keys = [other]
      $0.grades = [.high, .low]
      $0.prices = [1]
      $0.sizes = [.init(width: 1, unit: "b")]
      $0.lists = [[2, 1]]
    }
    #expect(try ids { $0.numbers.contains(1) } == [1])
    #expect(try ids { $0.numbers.contains(.max) } == [1])
    #expect(try ids { $0.numbers.contains(.max - 1) } == [2])
    #expect(try ids { $0.big.contains(.max) } == [1])
    #expect(try ids { $0.big.contains(.max - 1) } == [2])
    #expect(try ids { $0.ratios.contains(0.1) || $0.ratios.contains(9) } == [1])
    #expect(try ids { $0.ratios.contains(3) } == [1])
    #expect(try ids { $0.ratios.contains(0.1 + 0.2) } == [1])
    #expect(try ids { $0.ratios.contains(0.3) } == [2])
    #expect(try ids { $0.flags.contains(true) } == [1])
    #expect(try ids { $0.flags.contains(false) } == [2])
    #expect(try ids { $0.keys.contains(other) } == [2])
    #expect(try ids { $0.grades.contains(.low) && !$0.grades.contains(.high) } == [1])
    #expect(try ids { $0.prices.contains(0.1) } == [1])
    #expect(try ids { $0.days.contains(day) } == [1])
    #expect(try ids { $0.sizes.contains(.init(width: 1, unit: "b")) } == [2])
    #expect(try ids { $0.lists.contains([1, 2]) } == [1])
  }

  @Test("text with a NUL is not taken for what stands before it")
  func nul() throws {
    try save(1) { $0.texts = ["a"] }
    try save(2) { $0.texts = ["a\u{0}b"] }
    try save(3) { $0.texts = ["a\u{0}b", "a"] }
    #expect(try ids { $0.texts.contains("a") } == [1, 3])
    #expect(try ids { $0.texts.contains("a\u{0}b") } == [2, 3])
    #expect(try ids { $0.texts.contains("a\u{0}c") }.isEmpty)
  }

  @Test("what other programs wrote is read by its meaning, with other spaces and escapes")
  func otherSpelling() throws {
    try save(1) { _ in }
    try session.execute(
      #"UPDATE bags SET texts = '[ "\u00e9\/\\" , "b" ]', numbers = '[1.0, 2e0]', ratios = '[3.0]', flags = '[ true ]'"#
    )
    #expect(try ids { $0.texts.contains("é/\\") && $0.texts.contains("b") } == [1])
    #expect(try ids { $0.numbers.contains(1) && $0.numbers.contains(2) && $0.ratios.contains(3) } == [1])
    #expect(try ids { $0.flags.contains(true) } == [1])
  }

  @Test("an element is looked for inside joins, relations and JSON in JSON")
  func nested() throws {
    try save(1) { $0.texts = ["x"] }
    #expect(try ids { $0.texts.json("$", as: [String].self).contains("x") } == [1])
    #expect(try ids { _ in Field<[String]>.sql("json_array(\("q"), 'x')").contains("q") } == [1])
    #expect(try session.delete(Bag.self, where: { $0.texts.contains("y") }) == 0)
    #expect(try session.update(Bag.self, set: { [$0.numbers.set([5])] }, where: { $0.texts.contains("x") }) == 1)
    #expect(try ids { $0.numbers.contains(5) } == [1])
  }

  @Test("bytes, and collections with a coding of their own, have no elements for SQLite")
  func refusals() throws {
    guard case .notElements("bags.bytes", "BLOB") = recordReason({ try ids { $0.bytes.contains(1) } }),
      case .notElements("bags.words", _) = recordReason({ try ids { $0.words.contains("a") } }),
      case .notAText("bags.texts", _) = recordReason({ try ids { $0.texts.contains("a", .ignoringCase) } })
    else {
      Issue.record("an element was looked for in something else than JSON")
      return
    }
  }

  @Test("membership is that of Swift for random arrays", arguments: [41, 42])
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let alphabet = ["", "a", "aa", "\"", "\\", "\u{0}", "a\u{0}", "é", "[", ",", "\u{1F600}", "null", "1"]
    var all: [Int64: Set<String>] = [:]
    for id in 1...40 as ClosedRange<Int64> {
      let texts = (0..<Int(generator.next() % 4)).map { _ in
        (0..<Int(generator.next() % 3)).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }.joined()
      }
      all[id] = Set(texts)
      try save(id) {
        $0.texts = texts
        $0.labels = Set(texts)
      }
    }
    for text in Set(all.values.joined()).union(alphabet) {
      let expected = all.filter { $0.value.contains(text) }.keys.sorted()
      #expect(try ids { $0.texts.contains(text) } == expected, "\(text.debugDescription)")
      #expect(try ids { $0.labels.contains(text) } == expected, "\(text.debugDescription)")
    }
  }
}
