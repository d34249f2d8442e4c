import Foundation
import SchemaKit
import Testing

/// Values inside of JSON, and JSON itself, which SQLite does not compare as Swift does.
@Suite("Parts of JSON")
struct JSONPartTests {
  /// JSON that is a single text.
  struct Tag: JSONColumnValue, Hashable {
    var text: String

    init(text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Parts: JSONColumnValue, Hashable, Comparable {
    enum Kind: String, Codable, ColumnValue { case plain, odd }

    var token: UUID
    var price: Decimal
    var ratio: Float
    var bytes: Data
    var made: Date
    var big: Int64
    var kind: Kind
    var isOn: Bool
    var link: URL
    var tag: Tag

    static func < (left: Self, right: Self) -> Bool { left.big < right.big }

    static func sample(_ number: Int) -> Parts {
      Parts(
        token: UUID(uuid: (0xAB, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))),
        price: Decimal(number) / 10, ratio: Float(number) / 10, bytes: Data([UInt8(number), 255]),
        made: Date(timeIntervalSince1970: Double(number)), big: Int64.max - Int64(number),
        kind: number == 1 ? .odd : .plain, isOn: number == 1, link: URL(fileURLWithPath: "/\(number)"),
        tag: Tag(text: "t\(number)"))
    }
  }

  enum Level: String, ColumnValue, CaseIterable, Comparable {
    case low, medium, high
    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  enum Grade: Int, ColumnValue, CaseIterable, Comparable {
    case one = 1
    case two, three
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  struct Row: Model, Hashable {
    let id: Int64
    var parts: Parts
    var tags: [String]
    var level: Level
    var grade: Grade
    var place: Int64?
    var at: Date

    static let table = ModelTable("rows", as: Self.init) {
      Column("id", \Row.id).primaryKey()
      Column("parts", \Row.parts)
      Column("tags", \Row.tags)
      Column("level", \Row.level)
      Column("grade", \Row.grade)
      Column("place", \Row.place)
      Column("at", \Row.at)
    }
  }

  private let file: TemporaryDatabase
  private let session: Session

  init() throws {
    file = try TemporaryDatabase()
    let writer = try Session(at: file.path, schema: ModelSchema { Row.self })
    for number in 0..<4 {
      try writer.save(
        Row(
          id: Int64(number), parts: .sample(number), tags: ["\(number)"], level: Level.allCases[number % 3],
          grade: Grade.allCases[number % 3], place: number == 0 ? nil : Int64(number),
          at: Date(timeIntervalSince1970: Double(number))))
    }
    session = try Session(at: file.path, schema: ModelSchema { Row.self })
  }

  private func ids(_ filter: (Fields<Row>) -> Filter) throws -> [Int64] {
    try session.select(Row.self, { $0.id }, where: filter, orderBy: { [$0.id.ascending] })
  }

  @Test("a part is found by its value, and read back, whatever its type")
  func parts() throws {
    func check<Part: ColumnValue & Hashable>(_ path: String, _ values: [Part]) throws {
      for (id, value) in values.enumerated() {
        let expected = values.indices.filter { values[$0] == value }.map { Int64($0) }
        #expect(try ids { $0.parts.json(path, as: Part.self) == value } == expected, "\(path) of \(id)")
        #expect(try ids { $0.parts.json(path, as: Part.self).isIn([value]) } == expected, "\(path) of \(id)")
      }
      let read = try session.select(Row.self, { $0.parts.json(path, as: Part.self) }, orderBy: { [$0.id.ascending] })
      #expect(read == values, "\(path)")
    }
    let samples = (0..<4).map { Parts.sample($0) }
    try check("$.token", samples.map(\.token))
    try check("$.price", samples.map(\.price))
    try check("$.ratio", samples.map(\.ratio))
    try check("$.bytes", samples.map(\.bytes))
    try check("$.made", samples.map(\.made))
    try check("$.big", samples.map(\.big))
    try check("$.kind", samples.map(\.kind))
    try check("$.isOn", samples.map(\.isOn))
    try check("$.link", samples.map(\.link))
    try check("$.tag", samples.map(\.tag))
    try check("$.big", (0..<4).map { SQLValue.integer(Int64.max - Int64($0)) })
    try check("$", samples)
    #expect(try ids { $0.parts.json("$.nothing", as: UUID.self) == nil } == [0, 1, 2, 3])
    #expect(try ids { $0.parts.json("$.price", as: Decimal.self) < 0.2 } == [0, 1])
    #expect(try session.value(Row.self, { $0.parts.json("$.price", as: Decimal.self).max }) == Decimal(3) / 10)
    #expect(try ids { $0.parts.json("$.made", as: Date.self) == $0.at } == [0, 1, 2, 3])
    #expect(try session.value(Row.self, { $0.parts.json("$.link", as: URL.self).max }) == URL(fileURLWithPath: "/3"))
    #expect(throws: RecordError.self) { try ids { $0.parts.json("$.bytes", as: Data.self) < Data([1]) } }
  }

  @Test("JSON, and cases whose raw values have another order, are not sorted as Swift does, and so refused")
  func order() throws {
    let refused: [(Fields<Row>) -> Filter] = [
      { $0.parts < .sample(1) }, { $0.tags >= ["2"] }, { $0.level > .low }, { $0.level.isIn(.low ... .medium) },
    ]
    for filter in refused {
      guard case .notOrdered? = #expect(throws: RecordError.self, performing: { try ids(filter) })?.reason else {
        Issue.record("another error")
        return
      }
    }
    #expect(throws: RecordError.self) { try session.all(Row.self, orderBy: { [$0.level.ascending] }) }
    #expect(throws: RecordError.self) { try session.value(Row.self, { $0.parts.max }) }
    #expect(try ids { $0.parts == .sample(2) || $0.tags == ["3"] } == [2, 3])
    #expect(try ids { $0.level == .low } == [0, 3])
    #expect(try ids { $0.grade > .one } == [1, 2])
    #expect(try session.value(Row.self, { $0.grade.max }) == .three)
  }

  @Test("a column that may be NULL is looked for among values that are not")
  func plainMembership() throws {
    let places: [Int64] = [1, 3]
    #expect(try ids { $0.place.isIn(places) } == [1, 3])
    #expect(try ids { $0.place.isIn([nil, 2]) } == [0, 2])
    #expect(try ids { $0.id.isIn(places) } == [1, 3])
  }
}
