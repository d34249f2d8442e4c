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
      static let table = ModelTable("people", as: Self.init) {
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
    // NoteStyle has no sample: see ``objects()``.
    #expect(reason(ModelSchema { Person.self }) == nil)

    struct Samples: Model {
      let id: UUID, first: String, last: String, site: URL, mood: Mood, tags: Set<String>, sum: Decimal
      static let table = ModelTable("people", as: Self.init) {
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

  @Test("where no value can be made up for a column, the first object that is saved or read tells of swapped columns")
  func objects() throws {
    struct Person: Model {
      let id: Int64, first: String, last: String, style: NoteStyle
      static let table = ModelTable("people", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("last", \.last)
        Column("first", \.first)
        Column("style", \.style)
      }
    }
    let file = try TemporaryDatabase()
    let schema = ModelSchema { Person.self }
    let style = NoteStyle(font: "Mono", size: 1)
    let swapped = DeclarationError(.columnsOutOfOrder(first: "last", second: "first"), model: "Person", table: "people")
    let session = try Session(at: file.path, schema: schema)
    // Equal values tell nothing.
    try session.save(Person(id: 1, first: "Ada", last: "Ada", style: style))
    #expect(throws: swapped) { try session.save(Person(id: 2, first: "Ada", last: "Byron", style: style)) }
    try session.execute("UPDATE people SET last = 'Byron'")
    try session.close()

    let again = try Session(at: file.path, schema: schema)
    #expect(try again.count(Person.self) == 1)
    #expect(throws: swapped) { try again.all(Person.self) }
    #expect(throws: swapped) { try again.find(Person.self, Int64(1)) }
  }

  @Test("values that are alike for several columns tell nothing, and an initializer that sorts is no mistake")
  func likeSamples() throws {
    struct Homes: Model, Hashable {
      let id: Int64, home: NoteStyle?, work: NoteStyle?
      static let table = ModelTable("homes", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("work", \.work)
        Column("home", \.home)
      }
    }
    struct Span: Model, Hashable {
      let id: Int64
      var low: Int, high: Int
      var style: NoteStyle
      init(id: Int64, low: Int, high: Int, style: NoteStyle) {
        (self.id, self.low, self.high, self.style) = (id, min(low, high), max(low, high), style)
      }
      static let table = ModelTable("spans", as: Self.init(id:low:high:style:)) {
        Column("id", \.id).primaryKey()
        Column("low", \.low)
        Column("high", \.high)
        Column("style", \.style)
      }
    }
    let file = try TemporaryDatabase()
    let style = NoteStyle(font: "Mono", size: 1)
    let session = try Session(
      at: file.path,
      schema: ModelSchema {
        Homes.self
        Span.self
      })
    try session.save(Homes(id: 1, home: nil, work: nil))
    #expect(throws: DeclarationError.self) { try session.save(Homes(id: 2, home: style, work: nil)) }
    #expect(throws: DeclarationError.self) {
      try session.save(Homes(id: 2, home: style, work: NoteStyle(font: "Sans", size: 2)))
    }
    var span = Span(id: 1, low: 1, high: 2, style: style)
    (span.low, span.high) = (9, 3)
    try session.save(span)
    #expect(try session.find(Span.self, Int64(1))?.low == 3)
  }

  @Test("two flags in the wrong order are found, though each has only two values")
  func flags() {
    struct Flags: Model {
      let a: Bool, b: Bool, c: Bool, d: Bool, e: Bool
      static let table = ModelTable("flags", as: Self.init) {
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
      static let table = ModelTable("mixed", as: Self.init) {
        Column("a", \.a)
        Column("b", \.b)
        Column("to", \.to)
        Column("from", \.from)
      }
    }
    #expect(reason(ModelSchema { Mixed.self }) == .columnsOutOfOrder(first: "to", second: "from"))

    struct Moods: Model {
      let a: Mood?, b: Mood?
      static let table = ModelTable("moods", as: Self.init) {
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
      static let table = ModelTable("tidy", as: Self.init(name:note:)) {
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
      static let table = ModelTable("swapped", as: Self.init) {
        Column("b", \.b)
        Column("a", \.a)
      }
      .withoutOrderCheck()
    }
    #expect(reason(ModelSchema { Swapped.self }) == nil)
  }
}
