import SchemaKit
import Testing

@Suite("a property that stands in two columns")
struct DuplicatePropertyTests {
  private struct Pair: Model {
    let a: String, b: String
    static let table = ModelTable("pairs", as: Self.init) {
      Column("a", \.a)
      Column("b", \.a)
    }
  }

  private struct Stamp: Fragment {
    let made: String, by: String
    static let columns = ColumnGroup(as: Self.init) {
      Column("made", \.made)
      Column("by", \.made)
    }
  }

  private struct Stamped: Model {
    let id: Int64?, stamp: Stamp
    static let table = ModelTable("stamped", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.stamp, prefix: "stamp_")
    }
  }

  private struct Place: Fragment {
    let city: String
    static let columns = ColumnGroup(as: Self.init) { Column("city", \.city) }
  }

  private struct Journey: Model {
    let from: Place, to: Place
    static let table = ModelTable("journeys", as: Self.init) {
      Column(embedding: \.from, prefix: "from_")
      Column(embedding: \.from, prefix: "to_")
    }
  }

  private struct Address: Model {
    let place: Place, city: String
    static let table = ModelTable("addresses", as: Self.init) {
      Column(embedding: \.place)
      Column("other_city", \.place.city)
    }
  }

  private func error(_ schema: ModelSchema) -> DeclarationError? {
    do { _ = try schema.declaration() } catch { return error }
    return nil
  }

  @Test("is refused when the schema is first used, and both columns are named")
  func twoColumns() {
    let found = error(ModelSchema { Pair.self })
    #expect(found?.reason == .duplicateProperty("\\Pair.a", columns: ["a", "b"]))
    #expect(
      found?.description == "Model Pair (table pairs) stores \\Pair.a in the columns a and b, so that what another "
        + "property holds would be lost. Give each column a property of its own.")
    #expect(throws: DeclarationError.self) { try Session(inMemory: ModelSchema { Pair.self }) }
  }

  @Test("is refused inside a fragment, in a fragment embedded twice, and beside the fragment")
  func fragments() {
    func columns(_ schema: ModelSchema) -> [String]? {
      guard case .duplicateProperty(_, let columns) = error(schema)?.reason else { return nil }
      return columns
    }
    #expect(columns(ModelSchema { Stamped.self }) == ["stamp_made", "stamp_by"])
    #expect(columns(ModelSchema { Journey.self }) == ["from_city", "to_city"])
    #expect(columns(ModelSchema { Address.self }) == ["city", "other_city"])
  }

  @Test("is refused where an update gives one column two values")
  func twoValues() throws {
    struct Note: Model {
      let id: Int64?, title: String
      static let table = ModelTable("notes", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("title", \.title)
      }
    }
    let session = try Session(inMemory: ModelSchema { Note.self })
    try session.save(Note(id: 1, title: "a"))
    let error = #expect(throws: RecordError.self) {
      try session.updateAll(Note.self, set: { [$0.title.set("b"), $0.title.set("c")] })
    }
    #expect(error?.reason == .assignedTwice(table: "notes", column: "title"))
    #expect(try session.find(Note.self, 1)?.title == "a")
  }
}
