import SchemaKit

/// Notes that can be searched, in the releases of an app.
enum SearchModels {
  struct Note: Model, Equatable {
    let id: Int64?
    var title: String
    var text: String?
    var isInBin = false

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
      Column("text", \.text)
      Column("in_bin", \.isInBin)
    }
  }

  static let plain = ModelSchema { Note.self }

  static func schema(_ index: VirtualTable) -> ModelSchema {
    ModelSchema {
      Note.self
      index
    }
  }

  static let whole = VirtualTable("note_search", .fts5, of: Note.self, \.title, \.text)
  static let outsideBin = whole.where("in_bin = 0")
  static let ofFTS4 = VirtualTable(
    "note_search", .fts4(tokenizer: "porter", prefixes: [2, 3]), of: Note.self, \.title, \.text)

  /// A note whose words are computed.
  struct Label: Model {
    let id: Int64?
    var name: String
    var folded: String?

    static let table = ModelTable("labels", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
      Column("folded", \.folded).generated("lower(name) || ' label'")
    }
  }

  struct Word: Model {
    let word: String

    static let table = ModelTable("words", as: Self.init) { Column("word", \.word).primaryKey() }
  }
}
