import SchemaKit

/// The guestbook as the first version of the program knows it.
enum FirstVersion {
  struct Entry: Model {
    let id: Int64
    var text: String

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text)
    }
  }

  static let schema = ModelSchema { Entry.self }
}

/// The guestbook of the second version: every entry has a mood, and a text that is not empty. The table is copied for it.
enum SecondVersion {
  struct Entry: Model {
    let id: Int64
    var text: String
    var mood: String

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text).check("text <> ''")
      Column("mood", \.mood).default("calm").check("mood IN ('calm', 'glad')")
    }
  }

  static let schema = ModelSchema { Entry.self }
}
