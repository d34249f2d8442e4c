import Foundation
import SchemaKit

/// A small library of books, for what the older libraries could do with any table.
enum Shelf {
  static let schema = ModelSchema {
    Writer.self
    Volume.self
    VirtualTable("volume_search", using: "fts5", "title", "content='volumes'", "content_rowid='id'")
    Trigger(
      "volume_added", .after, .insert, on: "volumes",
      body: "INSERT INTO volume_search (rowid, title) VALUES (new.id, new.title)")
    SQLView("expensive", sql: "SELECT title FROM volumes WHERE price > 10")
  }

  struct Writer: Model, Hashable {
    let id: Int64?
    var name: String

    static let table = ModelTable("writers", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).unique()
    }
  }

  enum Genre: String, ColumnValue { case novel, essay }

  struct Volume: Model, Hashable {
    let id: Int64?
    var title: String
    var writerID: Int64?
    var genre: Genre
    var price: Double?
    var views: Int
    var tags: [String]
    var link: URL?

    static let table = ModelTable("volumes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
      Column("writer_id", \.writerID).references(Writer.self, onDelete: .cascade)
      Column("genre", \.genre).default(.novel)
      Column("price", \.price)
      Column("views", \.views).default(0)
      Column("tags", \.tags).default([])
      Column("link", \.link)
    } indexes: {
      Index("volumes_by_price", on: \.price, .descending)
    }
  }

  static func volume(
    _ id: Int64, _ title: String, writer: Int64? = nil, _ genre: Genre = .novel, price: Double? = nil,
    views: Int = 0, tags: [String] = []
  ) -> Volume {
    Volume(id: id, title: title, writerID: writer, genre: genre, price: price, views: views, tags: tags, link: nil)
  }

  /// Two writers, four volumes; one volume has no writer and no price.
  static func session() throws -> Session {
    let session = try Session(inMemory: schema)
    try session.save(Writer(id: 1, name: "Woolf"), Writer(id: 2, name: "Borges"))
    try session.save([
      volume(1, "Orlando", writer: 1, price: 12, views: 5, tags: ["time", "50%"]),
      volume(2, "The Waves", writer: 1, price: 9, views: 7),
      volume(3, "Ficciones", writer: 2, .essay, price: 15, views: 3, tags: ["maze"]),
      volume(4, "100% Anon", views: 1),
    ])
    return session
  }
}
