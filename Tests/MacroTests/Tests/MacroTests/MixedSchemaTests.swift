import Foundation
import SchemaKit
import Testing

/// One schema of models with the macro and models by hand, which refer to each other.
@Suite("Models of both kinds in one schema")
struct MixedSchemaTests {
  @Test("objects of both are saved, refer to each other, and are loaded after the file is opened again")
  func reopened() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).db").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    let schema = ModelSchema {
      Author.self
      Book.self
      Review.self
    }
    let author = Author(id: 1, name: "Ada", favourite: nil)
    let book = Book(id: 7, author: 1, title: "Notes")
    let review = Review(id: 3, book: 7, text: "Good")
    do {
      let session = try Session(at: file, schema: schema)
      try session.save(author)
      try session.save(book)
      try session.save(review)
      #expect(throws: RecordError.self) { try session.save(Book(id: 8, author: 2, title: "Nobody's")) }
      #expect(throws: RecordError.self) { try session.save(Review(id: 4, book: 8, text: "Of nothing")) }
    }
    let session = try Session(at: file, schema: schema)
    #expect(try session.all(Author.self) == [author])
    #expect(try session.all(Book.self) == [book])
    #expect(try session.all(Review.self) == [review])
    try session.delete(author)
    #expect(try session.count(Book.self) == 0)
    #expect(try session.count(Review.self) == 0)
  }

  @Test("it is the schema that all models by hand give, and the one that all models with the macro give")
  func equal() throws {
    let mixed = try ModelSchema {
      Author.self
      Book.self
      Review.self
    }.declaration()
    let byHand = try ModelSchema {
      AuthorByHand.self
      Book.self
      ReviewByHand.self
    }.declaration()
    let byMacro = try ModelSchema {
      Author.self
      BookByMacro.self
      Review.self
    }.declaration()
    #expect(mixed == byHand)
    #expect(mixed == byMacro)
    #expect(
      try mixed
        != ModelSchema {
          Author.self
          Book.self
        }.declaration())
  }
}

@Model("authors") struct Author: Equatable {
  @PrimaryKey var id: Int
  @Unique @Collate(.nocase) var name: String
  @References(Book.self, onDelete: .setNull, deferrable: .initiallyDeferred) var favourite: Int?
}

struct AuthorByHand: Model {
  var id: Int
  var name: String
  var favourite: Int?

  static let table = ModelTable("authors", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).unique().collate(.nocase)
    Column("favourite", \.favourite).references(Book.self, onDelete: .setNull, deferrable: .initiallyDeferred)
  }
}

struct Book: Model, Equatable {
  var id: Int
  var author: Int
  var title: String

  static let table = ModelTable("books", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("author", \.author).references(Author.self, onDelete: .cascade)
    Column("title", \.title).check("length(title) > 0")
  } constraints: {
    Constraint.unique(\.author, \.title)
  } indexes: {
    Index("books_by_title", on: \.title)
  }.strict()
}

@Strict @Model("books") struct BookByMacro {
  @PrimaryKey var id: Int
  @References(Author.self, onDelete: .cascade) var author: Int
  @Check("length(title) > 0") var title: String

  static let constraints = [Constraint<BookByMacro>.unique(\.author, \.title)]
  static let indexes = [Index<BookByMacro>("books_by_title", on: \.title)]
}

@Model("reviews") struct Review: Equatable {
  @PrimaryKey var id: Int
  @References(Book.self, onDelete: .cascade) var book: Int
  @Default var text: String = ""
}

struct ReviewByHand: Model {
  var id: Int
  var book: Int
  var text: String = ""

  static let table = ModelTable("reviews", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("book", \.book).references(Book.self, onDelete: .cascade)
    Column("text", \.text).default("")
  }
}
