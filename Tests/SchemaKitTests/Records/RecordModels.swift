import Foundation
import SchemaKit

/// The models of the tests of records.
enum RecordModels {
  static let schema = ModelSchema {
    Author.self
    Book.self
    BookTag.self
    Reading.self
    Photo.self
  }

  struct Author: Model, Hashable {
    let id: Int64?
    var name: String
    var email: String?

    static let table = ModelTable("authors", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).check("length(name) > 0")
      Column("email", \.email).unique()
    }
  }

  struct Book: Model, Hashable {
    let id: Int64?
    var title: String
    var authorID: Int64?
    var pages: Int
    var price: Double?
    var tags: [String]
    var published: Date?

    static let table = ModelTable("books", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("title", \.title)
      Column("author_id", \.authorID).references(Author.self, onDelete: .cascade)
      Column("pages", \.pages).default(0)
      Column("price", \.price)
      Column("tags", \.tags).default([])
      Column("published", \.published, storing: .iso8601)
    } indexes: {
      Index("books_by_pages", on: \.pages)
    }
  }

  /// A key of two columns, kept without a rowid.
  struct BookTag: Model, Hashable {
    let tag: String
    let bookID: Int64
    var weight: Int

    static let table = ModelTable("book_tags", as: Self.init) {
      Column("tag", \.tag)
      Column("book_id", \.bookID).references(Book.self, onDelete: .cascade)
      Column("weight", \.weight)
    } constraints: {
      Constraint.primaryKey(\.bookID, \.tag)
    }.withoutRowID()
  }

  /// No primary key, a default for nil, and a column that SQLite computes.
  struct Reading: Model, Hashable {
    var sensor: String
    var value: Double
    var unit: String?
    var doubled: Double?

    static let table = ModelTable("readings", as: Self.init) {
      Column("sensor", \.sensor)
      Column("value", \.value)
      Column("unit", \.unit).notNull().default("K")
      Column("doubled", \.doubled).generated("value * 2")
    }
  }

  struct Photo: Model, Hashable {
    let id: Int64?
    var image: FileAttachment?

    static let table = ModelTable("photos", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("image", \.image)
    }
  }

  static func book(_ title: String, author: Int64? = nil, pages: Int = 100, price: Double? = nil) -> Book {
    Book(id: nil, title: title, authorID: author, pages: pages, price: price, tags: [], published: nil)
  }
}
