import Foundation
import SchemaKit
import Testing

@Suite("Selected columns, groups and aggregates")
struct SelectingTests {
  typealias Sample = FilterModels.Sample

  let session: Session

  init() throws { session = try Session(inMemory: FilterModels.schema) }

  private func fill() throws {
    try session.save([
      FilterModels.sample("a", nick: "x", number: 1, ratio: 0.5, flag: true, moment: 10, grade: .low),
      FilterModels.sample("b", nick: "X", number: 2, ratio: nil, flag: true, moment: 20, grade: .high),
      FilterModels.sample("a", nick: nil, number: 3, ratio: 1.5, flag: false, moment: 30, grade: nil),
      FilterModels.sample("a", nick: "y", number: 4, ratio: 2.5, flag: true, moment: 40, grade: .low),
    ])
  }

  @Test("tuples of columns in their Swift types")
  func tuples() throws {
    try fill()
    let rows = try session.select(
      Sample.self, { ($0.id, $0.text, $0.moment, $0.grade, $0.flag) }, where: { $0.number < 3 },
      orderBy: { [$0.number.descending] })
    #expect(rows.count == 2)
    #expect(rows[0].0 == 2 && rows[0].1 == "b" && rows[0].2 == Date(timeIntervalSince1970: 20))
    #expect(rows[0].3 == .high && rows[0].4)
    let single: [String] = try session.select(Sample.self, { $0.text }, orderBy: { [$0.id.ascending] })
    #expect(single == ["a", "b", "a", "a"])
    let ids: [Int64?] = try session.select(
      Sample.self, { $0.id }, orderBy: { [$0.id.ascending] }, limit: 2, offset: 1)
    #expect(ids == [2, 3])
  }

  @Test("distinct counts under the column's collation")
  func distinct() throws {
    try fill()
    #expect(
      try session.select(Sample.self, { $0.text }, orderBy: { [$0.text.ascending] }, distinct: true) == ["a", "b"])
    #expect(try session.select(Sample.self, { $0.nick }, distinct: true).count == 3)
    #expect(try session.value(Sample.self, { $0.nick.countDistinct }) == 2)
    #expect(try session.select(Sample.self, { ($0.text, $0.flag) }, distinct: true).count == 3)
  }

  @Test("groups with aggregates, a group of NULL among them")
  func groups() throws {
    try fill()
    let perText = try session.select(
      Sample.self, { ($0.text, $0.id.count, $0.number.sum, $0.ratio.average, $0.moment.max) },
      groupBy: { [$0.text.grouped] }, orderBy: { [$0.id.count.descending] })
    #expect(perText.map(\.0) == ["a", "b"] && perText.map(\.1) == [3, 1] && perText.map(\.2) == [8, 2])
    #expect(perText.map(\.3) == [1.5, nil])
    #expect(perText.map(\.4) == [Date(timeIntervalSince1970: 40), Date(timeIntervalSince1970: 20)])
    let perGrade = try session.select(
      Sample.self, { ($0.grade, $0.ratio.count) }, where: { $0.number > 1 }, groupBy: { [$0.grade.grouped] },
      orderBy: { [$0.grade.ascending] })
    #expect(perGrade.map(\.0) == [nil, .high, .low] && perGrade.map(\.1) == [1, 0, 1])
    let pairs = try session.select(
      Sample.self, { ($0.text, $0.flag, $0.id.count) }, groupBy: { [$0.text.grouped, $0.flag.grouped] })
    #expect(pairs.count == 3)
  }

  @Test("aggregates of an empty table: no value, but a count of none")
  func emptyAggregates() throws {
    #expect(try session.value(Sample.self, { $0.number.count }) == 0)
    #expect(try session.value(Sample.self, { $0.number.countDistinct }) == 0)
    #expect(try session.value(Sample.self, { $0.number.sum }) == .some(nil))
    #expect(try session.value(Sample.self, { $0.number.average }) == .some(nil))
    #expect(try session.value(Sample.self, { $0.moment.min }) == .some(nil))
    #expect(try session.value(Sample.self, { $0.ratio.max }) == .some(nil))
    #expect(try session.value(Sample.self, { $0.text }) == nil)
    #expect(try session.select(Sample.self, { $0.text }, groupBy: { [$0.text.grouped] }).isEmpty)
    #expect(try session.count(Sample.self) == 0)
    #expect(try !session.exists(Sample.self, where: { _ in nil }))
    #expect(try session.first(Sample.self) == nil)
  }

  @Test("one value: an aggregate under a condition, or that of the first row")
  func values() throws {
    try fill()
    #expect(try session.value(Sample.self, { $0.number.sum }, where: { $0.flag == true }) == 7)
    #expect(try session.value(Sample.self, { $0.text }, orderBy: { [$0.number.descending] }) == "a")
    #expect(try session.value(Sample.self, { $0.ratio }, where: { $0.number == 2 }) == .some(nil))
    #expect(try session.value(Sample.self, { $0.grade.min }) == .some(.high))
    #expect(try session.value(Sample.self, { _ in Field<Int>.sql("max(length(text)) + \(1)") }) == 2)
    try session.save([FilterModels.sample("max", number: .max), FilterModels.sample("max", number: .max)])
    #expect(throws: SQLiteError.self) { try session.value(Sample.self, { $0.number.sum }) }
  }

  @Test("the sum of a narrow type may be greater than the type")
  func narrowSums() throws {
    try fill()
    #expect(try session.value(Sample.self, { $0.flag.sum }) != nil)
  }

  @Test("rows by name and position as they are stored")
  func rows() throws {
    try fill()
    let rows = try session.rows(Sample.self, where: { $0.number > 2 }, orderBy: { [$0.number.ascending] }, limit: 1)
    #expect(rows.count == 1)
    #expect(rows[0].columnNames.first == "id" && rows[0].columnNames.contains("origin_city"))
    #expect(rows[0]["MOMENT"] == .text("1970-01-01T00:00:30.000Z") && rows[0]["nick"] == .null)
    #expect(rows[0]["none"] == nil && rows[0][0] == .integer(3) && rows[0][99] == nil && rows[0][-1] == nil)
    #expect(try rows[0].get("ratio", as: Double?.self) == 1.5)
    #expect(try rows[0].get("nick", as: String?.self) == nil)
    #expect(throws: ColumnValueError.self) { try rows[0].get("nick", as: String.self) }
    #expect(throws: RecordReason.noColumn("none")) { try reasoned { try rows[0].get("none", as: Int.self) } }
    #expect(throws: RecordError.self) { try rows[0].get(99, as: Int.self) }
  }

  @Test("a selected value that does not fit names its column")
  func typeMismatches() throws {
    try fill()
    try session.execute("UPDATE samples SET grade = 'none' WHERE number = 1")
    let error = #expect(throws: ColumnValueError.self) { try session.select(Sample.self, { ($0.id, $0.grade) }) }
    #expect(error?.column == "grade")
  }
}
