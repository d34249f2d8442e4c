import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("rows of a model")
struct RowTests {
  @Test("a model's values are its columns, and make the same model again")
  func roundTrip() throws {
    let article = Article(
      id: nil, title: "t", body: "b", authorID: 7, modified: Date(timeIntervalSince1970: 1.5), tags: ["x"],
      mood: .wild, style: NoteStyle(font: "F", size: 2), price: nil, size: 1, digest: [1, 2],
      audit: Audit(created: Date(timeIntervalSince1970: 3), author: "me"))
    let values = try Article.table.values(of: article)
    #expect(
      values == [
        .null, .text("t"), .text("b"), .integer(7), .real(1.5), .text("[\"x\"]"), .text("wild"),
        .text("{\"font\":\"F\",\"size\":2}"), .null, .integer(1), .blob([1, 2]), .real(3), .text("me"),
      ])
    #expect(try Article.table.make(from: values) == article)
  }

  @Test("a class may be made through a closure")
  func closure() throws {
    let make: @Sendable (String, String?) -> Badge = { Badge(code: $0.uppercased(), label: $1) }
    let table = ModelTable("badges", as: make) {
      Column("code", \.code)
      Column("label", \.label)
    }
    #expect(try table.make(from: [.text("c"), .null]).code == "C")
  }

  @Test("a class is made through its initializer")
  func classModel() throws {
    let badge = try Badge.table.make(from: [.text("c"), .null])
    #expect(badge.code == "c" && badge.label == nil)
    #expect(try Badge.table.values(of: badge) == [.text("c"), .null])
  }

  @Test("a value that does not fit names its column")
  func typeMismatch() {
    let error = #expect(throws: ColumnValueError.self) { try Badge.table.make(from: [.text("c"), .integer(1)]) }
    #expect(error?.column == "badges.label")
    #expect(error?.description == "Column badges.label should hold String, but has an integer value.")
  }

  @Test("a row with too few columns is an error and no crash")
  func shortRow() {
    #expect(throws: ColumnValueError.self) { try Badge.table.make(from: [.text("c")]) }
  }

  @Test("an initializer may refuse a row")
  func throwingInitializer() throws {
    struct Refusal: Error {}
    struct Even: Model {
      let number: Int
      init(number: Int) throws {
        guard number.isMultiple(of: 2) else { throw Refusal() }
        self.number = number
      }
      static let table = ModelTable("evens", as: Self.init(number:)) { Column("number", \.number) }
    }
    #expect(try Even.table.make(from: [.integer(4)]).number == 4)
    #expect(throws: Refusal.self) { try Even.table.make(from: [.integer(3)]) }
    #expect(throws: Never.self) { try ModelSchema { Even.self }.declaration() }
  }
}
