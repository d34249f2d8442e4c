import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("the order of columns and arguments")
struct ColumnOrderTests {
  private func reason(_ schema: ModelSchema) -> DeclarationError.Reason? {
    do { _ = try schema.declaration() } catch { return error.reason }
    return nil
  }

  @Test("two texts in the wrong order are found, among columns of many types")
  func texts() {
    struct Person: Model {
      let id: UUID, first: String, last: String, site: URL, mood: Mood, style: NoteStyle, tags: Set<String>,
        sum: Decimal
      static let table = Table("people", as: Self.init) {
        Column("id", \.id)
        Column("last_name", \.last)
        Column("first_name", \.first)
        Column("site", \.site)
        Column("mood", \.mood)
        Column("style", \.style)
        Column("tags", \.tags)
        Column("sum", \.sum)
      }
    }
    // NoteStyle has no sample, so the table cannot be checked.
    #expect(reason(ModelSchema { Person.self }) == nil)

    struct Samples: Model {
      let id: UUID, first: String, last: String, site: URL, mood: Mood, tags: Set<String>, sum: Decimal
      static let table = Table("people", as: Self.init) {
        Column("id", \.id)
        Column("last_name", \.last)
        Column("first_name", \.first)
        Column("site", \.site)
        Column("mood", \.mood)
        Column("tags", \.tags)
        Column("sum", \.sum)
      }
    }
    #expect(
      reason(ModelSchema { Samples.self }) == .columnsOutOfOrder(first: "last_name", second: "first_name"))
  }

  @Test("two flags in the wrong order are found, though each has only two values")
  func flags() {
    struct Flags: Model {
      let a: Bool, b: Bool, c: Bool, d: Bool, e: Bool
      static let table = Table("flags", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b)
        Column("e", \.e)
        Column("d", \.d)
        Column("c", \.c)
      }
    }
    #expect(reason(ModelSchema { Flags.self }) == .columnsOutOfOrder(first: "e", second: "c"))
  }

  @Test("swapped optionals, dates and enumerations are found")
  func others() {
    struct Mixed: Model {
      let a: Int8?, b: Int8?, from: Date, to: Date
      static let table = Table("mixed", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b)
        Column("to", \.to)
        Column("from", \.from)
      }
    }
    #expect(reason(ModelSchema { Mixed.self }) == .columnsOutOfOrder(first: "to", second: "from"))

    struct Moods: Model {
      let a: Mood?, b: Mood?
      static let table = Table("moods", as: Self.init) {
        Column("b", \.b)
        Column("a", \.a)
      }
    }
    #expect(reason(ModelSchema { Moods.self }) == .columnsOutOfOrder(first: "b", second: "a"))
  }

  @Test("an initializer that tidies its values is not a mistake")
  func tidying() {
    struct Tidy: Model {
      let name: String, note: String
      init(name: String, note: String) {
        self.name = name.uppercased()
        self.note = ""
      }
      static let table = Table("tidy", as: Self.init(name:note:)) {
        Column("name", \.name)
        Column("note", \.note)
      }
    }
    #expect(reason(ModelSchema { Tidy.self }) == nil)
  }

  @Test("the check can be left out")
  func leftOut() {
    struct Swapped: Model {
      let a: Int, b: Int
      static let table = Table("swapped", as: Self.init) {
        Column("b", \.b)
        Column("a", \.a)
      }
      .withoutOrderCheck()
    }
    #expect(reason(ModelSchema { Swapped.self }) == nil)
  }
}
