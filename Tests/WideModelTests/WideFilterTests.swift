import Foundation
import SchemaKit
import Testing

/// A hundred columns and long conditions: what must compile in a moment, and read and write every column in its place.
@Suite("A model of a hundred columns")
struct WideFilterTests {
  private struct Wide: Model, Hashable {
    let id: Int64?
    var c1: String?
    var c2: Double
    var c3: Bool
    var c4: Int?
    var c5: String
    var c6: Double?
    var c7: Date
    var c8: Data?
    var c9: UUID?
    var c10: Int
    var c11: String?
    var c12: Double
    var c13: Bool
    var c14: Int?
    var c15: String
    var c16: Double?
    var c17: Date
    var c18: Data?
    var c19: UUID?
    var c20: Int
    var c21: String?
    var c22: Double
    var c23: Bool
    var c24: Int?
    var c25: String
    var c26: Double?
    var c27: Date
    var c28: Data?
    var c29: UUID?
    var c30: Int
    var c31: String?
    var c32: Double
    var c33: Bool
    var c34: Int?
    var c35: String
    var c36: Double?
    var c37: Date
    var c38: Data?
    var c39: UUID?
    var c40: Int
    var c41: String?
    var c42: Double
    var c43: Bool
    var c44: Int?
    var c45: String
    var c46: Double?
    var c47: Date
    var c48: Data?
    var c49: UUID?
    var c50: Int
    var c51: String?
    var c52: Double
    var c53: Bool
    var c54: Int?
    var c55: String
    var c56: Double?
    var c57: Date
    var c58: Data?
    var c59: UUID?
    var c60: Int
    var c61: String?
    var c62: Double
    var c63: Bool
    var c64: Int?
    var c65: String
    var c66: Double?
    var c67: Date
    var c68: Data?
    var c69: UUID?
    var c70: Int
    var c71: String?
    var c72: Double
    var c73: Bool
    var c74: Int?
    var c75: String
    var c76: Double?
    var c77: Date
    var c78: Data?
    var c79: UUID?
    var c80: Int
    var c81: String?
    var c82: Double
    var c83: Bool
    var c84: Int?
    var c85: String
    var c86: Double?
    var c87: Date
    var c88: Data?
    var c89: UUID?
    var c90: Int
    var c91: String?
    var c92: Double
    var c93: Bool
    var c94: Int?
    var c95: String
    var c96: Double?
    var c97: Date
    var c98: Data?
    var c99: UUID?

    static let table = ModelTable("wide", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("c1", \.c1)
      Column("c2", \.c2)
      Column("c3", \.c3)
      Column("c4", \.c4)
      Column("c5", \.c5)
      Column("c6", \.c6)
      Column("c7", \.c7)
      Column("c8", \.c8)
      Column("c9", \.c9)
      Column("c10", \.c10)
      Column("c11", \.c11)
      Column("c12", \.c12)
      Column("c13", \.c13)
      Column("c14", \.c14)
      Column("c15", \.c15)
      Column("c16", \.c16)
      Column("c17", \.c17)
      Column("c18", \.c18)
      Column("c19", \.c19)
      Column("c20", \.c20)
      Column("c21", \.c21)
      Column("c22", \.c22)
      Column("c23", \.c23)
      Column("c24", \.c24)
      Column("c25", \.c25)
      Column("c26", \.c26)
      Column("c27", \.c27)
      Column("c28", \.c28)
      Column("c29", \.c29)
      Column("c30", \.c30)
      Column("c31", \.c31)
      Column("c32", \.c32)
      Column("c33", \.c33)
      Column("c34", \.c34)
      Column("c35", \.c35)
      Column("c36", \.c36)
      Column("c37", \.c37)
      Column("c38", \.c38)
      Column("c39", \.c39)
      Column("c40", \.c40)
      Column("c41", \.c41)
      Column("c42", \.c42)
      Column("c43", \.c43)
      Column("c44", \.c44)
      Column("c45", \.c45)
      Column("c46", \.c46)
      Column("c47", \.c47)
      Column("c48", \.c48)
      Column("c49", \.c49)
      Column("c50", \.c50)
      Column("c51", \.c51)
      Column("c52", \.c52)
      Column("c53", \.c53)
      Column("c54", \.c54)
      Column("c55", \.c55)
      Column("c56", \.c56)
      Column("c57", \.c57)
      Column("c58", \.c58)
      Column("c59", \.c59)
      Column("c60", \.c60)
      Column("c61", \.c61)
      Column("c62", \.c62)
      Column("c63", \.c63)
      Column("c64", \.c64)
      Column("c65", \.c65)
      Column("c66", \.c66)
      Column("c67", \.c67)
      Column("c68", \.c68)
      Column("c69", \.c69)
      Column("c70", \.c70)
      Column("c71", \.c71)
      Column("c72", \.c72)
      Column("c73", \.c73)
      Column("c74", \.c74)
      Column("c75", \.c75)
      Column("c76", \.c76)
      Column("c77", \.c77)
      Column("c78", \.c78)
      Column("c79", \.c79)
      Column("c80", \.c80)
      Column("c81", \.c81)
      Column("c82", \.c82)
      Column("c83", \.c83)
      Column("c84", \.c84)
      Column("c85", \.c85)
      Column("c86", \.c86)
      Column("c87", \.c87)
      Column("c88", \.c88)
      Column("c89", \.c89)
      Column("c90", \.c90)
      Column("c91", \.c91)
      Column("c92", \.c92)
      Column("c93", \.c93)
      Column("c94", \.c94)
      Column("c95", \.c95)
      Column("c96", \.c96)
      Column("c97", \.c97)
      Column("c98", \.c98)
      Column("c99", \.c99)
    }
  }

  private static func wide(_ seed: Int) -> Wide {
    Wide(
      id: nil, c1: seed % 2 == 0 ? nil : "s1", c2: Double(seed) + 2, c3: (seed + 3) % 2 == 0,
      c4: seed % 3 == 0 ? nil : 4, c5: "t5-\(seed)", c6: seed % 4 == 0 ? nil : 0.5,
      c7: Date(timeIntervalSince1970: Double(seed)), c8: seed % 5 == 0 ? nil : Data([1, 8]), c9: nil, c10: 10,
      c11: seed % 2 == 0 ? nil : "s11", c12: Double(seed) + 12, c13: (seed + 13) % 2 == 0,
      c14: seed % 3 == 0 ? nil : 14, c15: "t15-\(seed)", c16: seed % 4 == 0 ? nil : 0.5,
      c17: Date(timeIntervalSince1970: Double(seed)), c18: seed % 5 == 0 ? nil : Data([1, 18]), c19: nil, c20: 20,
      c21: seed % 2 == 0 ? nil : "s21", c22: Double(seed) + 22, c23: (seed + 23) % 2 == 0,
      c24: seed % 3 == 0 ? nil : 24, c25: "t25-\(seed)", c26: seed % 4 == 0 ? nil : 0.5,
      c27: Date(timeIntervalSince1970: Double(seed)), c28: seed % 5 == 0 ? nil : Data([1, 28]), c29: nil, c30: 30,
      c31: seed % 2 == 0 ? nil : "s31", c32: Double(seed) + 32, c33: (seed + 33) % 2 == 0,
      c34: seed % 3 == 0 ? nil : 34, c35: "t35-\(seed)", c36: seed % 4 == 0 ? nil : 0.5,
      c37: Date(timeIntervalSince1970: Double(seed)), c38: seed % 5 == 0 ? nil : Data([1, 38]), c39: nil, c40: 40,
      c41: seed % 2 == 0 ? nil : "s41", c42: Double(seed) + 42, c43: (seed + 43) % 2 == 0,
      c44: seed % 3 == 0 ? nil : 44, c45: "t45-\(seed)", c46: seed % 4 == 0 ? nil : 0.5,
      c47: Date(timeIntervalSince1970: Double(seed)), c48: seed % 5 == 0 ? nil : Data([1, 48]), c49: nil, c50: 50,
      c51: seed % 2 == 0 ? nil : "s51", c52: Double(seed) + 52, c53: (seed + 53) % 2 == 0,
      c54: seed % 3 == 0 ? nil : 54, c55: "t55-\(seed)", c56: seed % 4 == 0 ? nil : 0.5,
      c57: Date(timeIntervalSince1970: Double(seed)), c58: seed % 5 == 0 ? nil : Data([1, 58]), c59: nil, c60: 60,
      c61: seed % 2 == 0 ? nil : "s61", c62: Double(seed) + 62, c63: (seed + 63) % 2 == 0,
      c64: seed % 3 == 0 ? nil : 64, c65: "t65-\(seed)", c66: seed % 4 == 0 ? nil : 0.5,
      c67: Date(timeIntervalSince1970: Double(seed)), c68: seed % 5 == 0 ? nil : Data([1, 68]), c69: nil, c70: 70,
      c71: seed % 2 == 0 ? nil : "s71", c72: Double(seed) + 72, c73: (seed + 73) % 2 == 0,
      c74: seed % 3 == 0 ? nil : 74, c75: "t75-\(seed)", c76: seed % 4 == 0 ? nil : 0.5,
      c77: Date(timeIntervalSince1970: Double(seed)), c78: seed % 5 == 0 ? nil : Data([1, 78]), c79: nil, c80: 80,
      c81: seed % 2 == 0 ? nil : "s81", c82: Double(seed) + 82, c83: (seed + 83) % 2 == 0,
      c84: seed % 3 == 0 ? nil : 84, c85: "t85-\(seed)", c86: seed % 4 == 0 ? nil : 0.5,
      c87: Date(timeIntervalSince1970: Double(seed)), c88: seed % 5 == 0 ? nil : Data([1, 88]), c89: nil, c90: 90,
      c91: seed % 2 == 0 ? nil : "s91", c92: Double(seed) + 92, c93: (seed + 93) % 2 == 0,
      c94: seed % 3 == 0 ? nil : 94, c95: "t95-\(seed)", c96: seed % 4 == 0 ? nil : 0.5,
      c97: Date(timeIntervalSince1970: Double(seed)), c98: seed % 5 == 0 ? nil : Data([1, 98]), c99: nil)
  }

  private let session: Session

  init() throws { session = try Session(inMemory: ModelSchema { Wide.self }) }

  @Test("every column comes back in its place")
  func roundTrip() throws {
    let rows = (0..<20).map(Self.wide)
    #expect(try session.save(rows).integers == Array(1...20))
    for (index, row) in rows.enumerated() {
      let stored = try #require(try session.find(Wide.self, Int64(index + 1)))
      #expect(try session.save(stored) == stored)
      #expect(stored.c1 == row.c1 && stored.c5 == row.c5 && stored.c95 == row.c95 && stored.c99 == row.c99)
      #expect(stored.c7 == row.c7 && stored.c98 == row.c98 && stored.c91 == row.c91)
    }
    #expect(try session.columnNames(of: "wide").count == 100)
  }

  @Test("a condition of twenty terms with literals, optionals, negations and alternatives")
  func longCondition() throws {
    try session.save((0..<20).map(Self.wide))
    let day = Date(timeIntervalSince1970: 3)
    let found = try session.all(
      Wide.self,
      where: {
        $0.c10 == 10 && $0.c20 != 21 && $0.c30 > 29 && $0.c40 <= 40 && ($0.c1 == "s1" || $0.c11 == nil)
          && !($0.c2 < 0) && $0.c12 >= 12.0 && ($0.c3 == true || $0.c13 == true) && $0.c14 != nil
          && $0.c5.hasPrefix("t5-") && $0.c15.contains("-") && !$0.c25.hasSuffix("zz") && $0.c6 == 0.5
          && $0.c7 > day && $0.c17 != day && $0.c50.isIn([1, 50, 100]) && $0.c60.isIn(60..<61)
          && $0.c2.between(0, 1000) && ($0.c9 == nil || $0.c19 != nil) && !($0.c4 == nil && $0.c24 == nil)
      }, orderBy: { [$0.c2.descending, $0.c5.ascending, $0.id.ascending] })
    // Odd (c3), not a multiple of three (c14), after the third second (c7).
    #expect(found.map { $0.c7.timeIntervalSince1970 } == [19, 17, 13, 11, 7, 5])
  }

  @Test("a condition of only literals and one of only fields")
  func shortCuts() throws {
    try session.save((0..<4).map(Self.wide))
    let count = try session.count(
      Wide.self,
      where: {
        $0.c10 == $0.c10 && $0.c20 > $0.c10 && $0.c5 != $0.c15 && $0.c2 < $0.c12 && $0.c6 == $0.c16
          && $0.c30 >= $0.c20 && ($0.c3 == $0.c13 || $0.c3 != $0.c23) && $0.c7 == $0.c17 && $0.c4 != nil
      })
    #expect(count == 2)
    let changed = try session.update(
      Wide.self,
      set: {
        [
          $0.c1.set("x"), $0.c2.increase(by: 1.5), $0.c3.set(false), $0.c4.set(nil), $0.c5.set($0.c15),
          $0.c10.increase(by: -1),
          $0.c7.set(Date(timeIntervalSince1970: 0)), $0.c9.set(nil), $0.c6.set(sql: "c16 * 2"), $0.c20.set(7),
        ]
      }, where: { $0.id == 2 || $0.id == 3 })
    #expect(changed == 2)
    let selected = try session.select(
      Wide.self, { ($0.c1, $0.c2, $0.c3, $0.c4, $0.c5, $0.c6, $0.c7, $0.c10, $0.c20, $0.id) }, where: { $0.id == 2 })
    #expect(selected.count == 1)
    #expect(selected.first?.0 == "x" && selected.first?.1 == 4.5 && selected.first?.4 == "t15-1")
    #expect(selected.first?.5 == 1 && selected.first?.7 == 9 && selected.first?.8 == 7)
  }
}
