import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// As many columns as a large table has; that this compiles in a moment is half of the test.
struct Wide: Model {
  let p0: Int
  let p1: String?
  let p2: Double
  let p3: Bool
  let p4: Int
  let p5: String?
  let p6: Double
  let p7: Bool
  let p8: Int
  let p9: String?
  let p10: Double
  let p11: Bool
  let p12: Int
  let p13: String?
  let p14: Double
  let p15: Bool
  let p16: Int
  let p17: String?
  let p18: Double
  let p19: Bool
  let p20: Int
  let p21: String?
  let p22: Double
  let p23: Bool
  let p24: Int
  let p25: String?
  let p26: Double
  let p27: Bool
  let p28: Int
  let p29: String?
  let p30: Double
  let p31: Bool
  let p32: Int
  let p33: String?
  let p34: Double
  let p35: Bool
  let p36: Int
  let p37: String?
  let p38: Double
  let p39: Bool
  let p40: Int
  let p41: String?
  let p42: Double
  let p43: Bool
  let p44: Int
  let p45: String?
  let p46: Double
  let p47: Bool
  let p48: Int
  let p49: String?
  let p50: Double
  let p51: Bool
  let p52: Int
  let p53: String?
  let p54: Double
  let p55: Bool
  let p56: Int
  let p57: String?
  let p58: Double
  let p59: Bool
  let p60: Int
  let p61: String?
  let p62: Double
  let p63: Bool
  let p64: Int
  let p65: String?
  let p66: Double
  let p67: Bool
  let p68: Int
  let p69: String?
  let p70: Double
  let p71: Bool
  let p72: Int
  let p73: String?
  let p74: Double
  let p75: Bool
  let p76: Int
  let p77: String?
  let p78: Double
  let p79: Bool

  static let table = ModelTable("wide", as: Self.init) {
    Column("c0", \.p0)
    Column("c1", \.p1)
    Column("c2", \.p2)
    Column("c3", \.p3)
    Column("c4", \.p4)
    Column("c5", \.p5)
    Column("c6", \.p6)
    Column("c7", \.p7)
    Column("c8", \.p8)
    Column("c9", \.p9)
    Column("c10", \.p10)
    Column("c11", \.p11)
    Column("c12", \.p12)
    Column("c13", \.p13)
    Column("c14", \.p14)
    Column("c15", \.p15)
    Column("c16", \.p16)
    Column("c17", \.p17)
    Column("c18", \.p18)
    Column("c19", \.p19)
    Column("c20", \.p20)
    Column("c21", \.p21)
    Column("c22", \.p22)
    Column("c23", \.p23)
    Column("c24", \.p24)
    Column("c25", \.p25)
    Column("c26", \.p26)
    Column("c27", \.p27)
    Column("c28", \.p28)
    Column("c29", \.p29)
    Column("c30", \.p30)
    Column("c31", \.p31)
    Column("c32", \.p32)
    Column("c33", \.p33)
    Column("c34", \.p34)
    Column("c35", \.p35)
    Column("c36", \.p36)
    Column("c37", \.p37)
    Column("c38", \.p38)
    Column("c39", \.p39)
    Column("c40", \.p40)
    Column("c41", \.p41)
    Column("c42", \.p42)
    Column("c43", \.p43)
    Column("c44", \.p44)
    Column("c45", \.p45)
    Column("c46", \.p46)
    Column("c47", \.p47)
    Column("c48", \.p48)
    Column("c49", \.p49)
    Column("c50", \.p50)
    Column("c51", \.p51)
    Column("c52", \.p52)
    Column("c53", \.p53)
    Column("c54", \.p54)
    Column("c55", \.p55)
    Column("c56", \.p56)
    Column("c57", \.p57)
    Column("c58", \.p58)
    Column("c59", \.p59)
    Column("c60", \.p60)
    Column("c61", \.p61)
    Column("c62", \.p62)
    Column("c63", \.p63)
    Column("c64", \.p64)
    Column("c65", \.p65)
    Column("c66", \.p66)
    Column("c67", \.p67)
    Column("c68", \.p68)
    Column("c69", \.p69)
    Column("c70", \.p70)
    Column("c71", \.p71)
    Column("c72", \.p72)
    Column("c73", \.p73)
    Column("c74", \.p74)
    Column("c75", \.p75)
    Column("c76", \.p76)
    Column("c77", \.p77)
    Column("c78", \.p78)
    Column("c79", \.p79)
  }
}

@Suite("a model of 80 columns")
struct WideModelTests {
  @Test("has 80 columns and passes the order check")
  func columns() throws {
    let statement = try #require(try ModelSchema { Wide.self }.declaration().statements.first)
    let database = try OracleDatabase()
    try database.run(statement.sql)
    #expect(try database.run("SELECT count(*) FROM pragma_table_xinfo('wide')") == ["80"])
  }
}
