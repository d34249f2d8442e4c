import Foundation
import SchemaKit
import Testing

@Suite("Membership in long lists")
struct MembershipTests {
  typealias Sample = FilterModels.Sample

  let session: Session

  init() throws {
    session = try Session(inMemory: FilterModels.schema)
    try session.save(
      (0..<1000).map { number in
        FilterModels.sample(
          "t\(number)", id: Int64(number), nick: number % 10 == 0 ? nil : "N\(number)", number: number - 500,
          ratio: number % 10 == 1 ? nil : Double(number) / 8, bytes: Data("b\(number)".utf8), moment: Double(number))
      })
  }

  private static let counts = [0, 1, 2, 255, 256, 257, 5000, 40_000]

  private func ids(_ filter: (Fields<Sample>) -> Filter) throws -> [Int] {
    try session.select(Sample.self, { $0.id }, where: filter, orderBy: { [$0.id.ascending] }).compactMap {
      $0.map(Int.init)
    }
  }

  /// The rows below a number, but for those that leave something out.
  private func below(_ count: Int, but isLeftOut: (Int) -> Bool = { _ in false }) -> [Int] {
    (0..<min(count, 1000)).filter { !isLeftOut($0) }
  }

  @Test("integers", arguments: counts)
  func integers(count: Int) throws {
    let values = (0..<count).map { $0 - 500 }
    #expect(try ids { $0.number.isIn(values) } == below(count))
    #expect(try ids { !$0.number.isIn(values) } == Array(min(count, 1000)..<1000))
    #expect(try ids { $0.id.isIn(values.map { Int64($0) }) } == below(max(0, count - 500)))
  }

  @Test("texts", arguments: counts)
  func texts(count: Int) throws {
    #expect(try ids { $0.text.isIn((0..<count).map { "t\($0)" }) } == below(count))
    // The column's collation decides, as in a comparison.
    #expect(try ids { $0.nick.isIn((0..<count).map { "n\($0)" }) } == below(count) { $0 % 10 == 0 })
  }

  @Test("reals", arguments: counts)
  func reals(count: Int) throws {
    #expect(try ids { $0.ratio.isIn((0..<count).map { Double($0) / 8 }) } == below(count) { $0 % 10 == 1 })
  }

  @Test("BLOBs", arguments: counts)
  func blobs(count: Int) throws {
    #expect(try ids { $0.bytes.isIn((0..<count).map { Data("b\($0)".utf8) }) } == below(count))
  }

  @Test("dates in another storage", arguments: counts)
  func dates(count: Int) throws {
    #expect(try ids { $0.moment.isIn((0..<count).map { Date(timeIntervalSince1970: Double($0)) }) } == below(count))
  }

  @Test("optionals, with and without nil among them", arguments: counts)
  func optionals(count: Int) throws {
    let values: [String?] = (0..<count).map { "N\($0)" }
    let nils = Array(stride(from: 0, to: 1000, by: 10))
    #expect(try ids { $0.nick.isIn(values) } == below(count) { $0 % 10 == 0 })
    #expect(try ids { $0.nick.isIn(values + [nil]) } == Set(below(count) + nils).sorted())
    #expect(try ids { !$0.nick.isIn([nil] + values) } == (min(count, 1000)..<1000).filter { $0 % 10 != 0 })
  }

  @Test("values at the edges survive a long list")
  func edges() throws {
    let numbers = [Int.min, Int.min + 1, -1, 0, 1 << 53, (1 << 53) + 1, Int.max - 1, Int.max]
    let texts = [
      "", "\"", "\\", "\n", "\u{1}", "\u{7F}", "\u{2028}", "\u{FFFF}", "😀", "e\u{301}", "é", "a\u{0}b", "\\u0041",
    ]
    try session.deleteAll(Sample.self)
    try session.save(numbers.map { FilterModels.sample("", number: $0) })
    try session.save(texts.map { FilterModels.sample($0, number: 3) })
    for number in numbers {
      #expect(try session.count(Sample.self, where: { $0.number.isIn([number] + (10...300)) }) == 1, "\(number)")
    }
    for text in texts where !text.isEmpty {
      let found = try session.all(Sample.self, where: { $0.text.isIn([text] + (0..<300).map { "none \($0)" }) })
      #expect(found.map { Array($0.text.utf8) } == [Array(text.utf8)])
    }
    let ratios = [0.1, 5e-300, 1.0000000000000002, -Double.infinity, 123_456_789.123_456_79]
    try session.save(ratios.map { FilterModels.sample("r", ratio: $0) })
    for ratio in ratios {
      #expect(
        try session.count(Sample.self, where: { $0.ratio.isIn([ratio] + (2...300).map { Double($0) + 0.3 }) }) == 1)
    }
  }

  @Test("sets, ranges and other sequences")
  func sequences() throws {
    #expect(try ids { $0.number.isIn(Set([-500, -499])) } == [0, 1])
    #expect(try ids { $0.number.isIn(-500 ..< -497) } == [0, 1, 2])
    #expect(try ids { $0.number.isIn(-500 ... -498) } == [0, 1, 2])
    #expect(try ids { $0.number.isIn(5..<5) } == [])
    #expect(try ids { $0.number.isIn(stride(from: -500, to: 500, by: 400)) } == [0, 400, 800])
    #expect(
      try ids { $0.text.isIn("t1"..."t12") } == [
        1, 10, 11, 12, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
        119,
      ])
    #expect(try ids { $0.number.isIn(Int.min ... -499) } == [0, 1])
  }
}
