import Foundation
import SchemaKit
import Testing

/// Every condition against the same condition in plain Swift, over random rows with NULLs and awkward values.
@Suite("Conditions against plain Swift")
struct FilterPropertyTests {
  typealias Sample = FilterModels.Sample

  /// A condition for SQLite, and the same for one object.
  private struct Rule {
    let name: String
    let filter: (Fields<Sample>) -> Filter
    let holds: (Sample) -> Bool
  }

  private static let texts = [
    "", " ", "a", "A", "ab", "aB", "a%", "a_b", "*", "a*b", "[a]", "é", "Straße", "\\", "'", "a\u{0}b", "10", "9", "-1",
    "😀",
  ]
  private static let numbers = [Int.min, -7, -1, 0, 1, 2, 7, 1 << 53, Int.max]
  private static let ratios = [-Double.infinity, -1.5, -0.0, 0, 0.1, 1, 2, 1e300, Double.infinity]
  private static let moments = [-62_135_596_800.0, -1, 0, 0.25, 1_000_000_000, 4_000_000_000.5]
  private static let blobs = [Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8)]

  private static func rows(_ random: inout SeededGenerator, count: Int) -> [Sample] {
    (1...count).map { id in
      FilterModels.sample(
        random.pick(texts), id: Int64(id), nick: random.chance(30) ? nil : random.pick(texts),
        number: random.pick(numbers), ratio: random.chance(30) ? nil : random.pick(ratios), flag: random.chance(50),
        bytes: random.chance(30) ? nil : random.pick(blobs), moment: random.pick(moments),
        grade: random.chance(30) ? nil : random.pick(FilterModels.Grade.allCases), city: random.pick(texts),
        code: random.chance(30) ? nil : random.pick(numbers))
    }
  }

  @Test("single conditions, their opposites and their combinations", arguments: 1...8)
  func conditions(seed: Int) throws {
    print("FilterPropertyTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let session = try Session(inMemory: FilterModels.schema)
    let rows = Self.rows(&random, count: 60)
    try session.save(rows)
    let rules = (0..<40).map { _ in Self.rule(&random) }
    for rule in rules {
      try check(rule, rows, session)
      try check(Rule(name: "!\(rule.name)", filter: { !rule.filter($0) }, holds: { !rule.holds($0) }), rows, session)
    }
    for _ in 0..<40 { try check(Self.combination(of: rules, depth: 3, &random), rows, session) }
  }

  private func check(_ rule: Rule, _ rows: [Sample], _ session: Session) throws {
    let expected = rows.filter(rule.holds).compactMap(\.id)
    let found = try session.all(Sample.self, where: rule.filter, orderBy: { [$0.id.ascending] }).compactMap(\.id)
    #expect(found == expected, "\(rule.name)")
    #expect(try session.count(Sample.self, where: rule.filter) == expected.count, "\(rule.name)")
    #expect(try session.exists(Sample.self, where: rule.filter) == !expected.isEmpty, "\(rule.name)")
  }

  private static func combination(of rules: [Rule], depth: Int, _ random: inout SeededGenerator) -> Rule {
    guard depth > 0 else { return random.pick(rules) }
    let left = combination(of: rules, depth: depth - 1, &random)
    let right = combination(of: rules, depth: depth - 1, &random)
    switch random.number(0...2) {
    case 0:
      return Rule(
        name: "(\(left.name) && \(right.name))", filter: { left.filter($0) && right.filter($0) },
        holds: { left.holds($0) && right.holds($0) })
    case 1:
      return Rule(
        name: "(\(left.name) || \(right.name))", filter: { left.filter($0) || right.filter($0) },
        holds: { left.holds($0) || right.holds($0) })
    default:
      return Rule(name: "!\(left.name)", filter: { !left.filter($0) }, holds: { !left.holds($0) })
    }
  }

  private static func rule(_ random: inout SeededGenerator) -> Rule {
    let (text, number, ratio) = (random.pick(texts), random.pick(numbers), random.pick(ratios))
    let (nick, moment) = (
      random.chance(20) ? nil : random.pick(texts), Date(timeIntervalSince1970: random.pick(moments))
    )
    let (grade, blob) = (random.any(FilterModels.Grade.allCases), random.pick(blobs))
    let some = (0..<random.number(0...5)).map { _ in random.pick(texts) }
    let ids = Set((0..<random.number(0...4)).map { _ in random.chance(30) ? nil : random.pick(numbers) })
    let (low, high) = (Swift.min(ratio, random.pick(ratios)), Swift.max(ratio, 1))
    switch random.number(0...24) {
    case 0: return Rule(name: "text == \(text)", filter: { $0.text == text }, holds: { same($0.text, text) })
    case 1: return Rule(name: "text != \(text)", filter: { $0.text != text }, holds: { !same($0.text, text) })
    case 2: return Rule(name: "text < \(text)", filter: { $0.text < text }, holds: { less($0.text, text) })
    case 3: return Rule(name: "text >= \(text)", filter: { $0.text >= text }, holds: { !less($0.text, text) })
    case 4:
      return Rule(
        name: "nick == \(nick ?? "nil")", filter: { $0.nick == nick }, holds: { folded($0.nick) == folded(nick) })
    case 5:
      return Rule(
        name: "nick != \(nick ?? "nil")", filter: { $0.nick != nick }, holds: { folded($0.nick) != folded(nick) })
    case 6:
      return Rule(
        name: "nick < \(text)", filter: { $0.nick < text },
        holds: { $0.nick.map { less(fold($0), fold(text)) } ?? false })
    case 7: return Rule(name: "number > \(number)", filter: { $0.number > number }, holds: { $0.number > number })
    case 8: return Rule(name: "number <= \(number)", filter: { $0.number <= number }, holds: { $0.number <= number })
    case 9: return Rule(name: "ratio == \(ratio)", filter: { $0.ratio == ratio }, holds: { $0.ratio == ratio })
    case 10:
      return Rule(
        name: "ratio < \(ratio)", filter: { $0.ratio < ratio }, holds: { $0.ratio.map { $0 < ratio } ?? false })
    case 11: return Rule(name: "ratio nil", filter: { $0.ratio.isNil }, holds: { $0.ratio == nil })
    case 12:
      return Rule(
        name: "ratio in \(low)...\(high)", filter: { $0.ratio.between(low, high) },
        holds: { $0.ratio.map { $0 >= low && $0 <= high } ?? false })
    case 13: return Rule(name: "flag", filter: { $0.flag == true }, holds: { $0.flag })
    case 14: return Rule(name: "bytes == \(blob)", filter: { $0.bytes == blob }, holds: { $0.bytes == blob })
    case 15: return Rule(name: "bytes != \(blob)", filter: { $0.bytes != blob }, holds: { $0.bytes != blob })
    case 16: return Rule(name: "moment < \(moment)", filter: { $0.moment < moment }, holds: { $0.moment < moment })
    case 17: return Rule(name: "grade == \(grade as Any)", filter: { $0.grade == grade }, holds: { $0.grade == grade })
    case 18:
      return Rule(
        name: "text in \(some)", filter: { $0.text.isIn(some) }, holds: { row in some.contains { same($0, row.text) } })
    case 19:
      return Rule(name: "code in \(ids)", filter: { $0.origin.code.isIn(ids) }, holds: { ids.contains($0.origin.code) })
    case 20:
      return Rule(
        name: "text has \(text)", filter: { $0.text.contains(text) },
        holds: { has(Array($0.text.utf8), Array(text.utf8)) })
    case 21:
      return Rule(name: "text == city", filter: { $0.text == $0.origin.city }, holds: { same($0.text, $0.origin.city) })
    case 22:
      return Rule(
        name: "nick or code nil", filter: { $0.nick.isNil || $0.origin.code.isNil },
        holds: { $0.nick == nil || $0.origin.code == nil })
    case 23: return Rule(name: "number != \(number)", filter: { $0.number != number }, holds: { $0.number != number })
    default:
      // LIKE knows no NUL.
      let part = text.utf8.contains(0) ? "b" : text
      let escaped = part.replacingOccurrences(of: "%", with: "!%").replacingOccurrences(of: "_", with: "!_")
      return Rule(
        name: "text like \(part)",
        filter: { $0.text.like("%" + escaped + "%", escape: "!") && .sql("instr(text, char(0)) = 0") },
        holds: { !$0.text.utf8.contains(0) && has(Array(fold($0.text).utf8), Array(fold(part).utf8)) })
    }
  }

  private static func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  private static func less(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

  private static func has(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || whole.indices.contains { whole[$0...].starts(with: part) }
  }

  /// The text with ASCII letters in lower case, as NOCASE sees it.
  private static func fold(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  private static func folded(_ text: String?) -> [UInt8]? { text.map { Array(fold($0).utf8) } }
}
