import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// Evolution A: what most updates of an app do, adding columns, indexes and tables.
enum AdditiveNotes {
  static let v2 = ModelSchema { NoteV2.self }

  static let v3 = ModelSchema {
    NoteV3.self
    Tag.self
    NoteTag.self
  }

  struct NoteV2: Model {
    let noteID: Int64
    let title: String
    let text: String
    let textColor: Data
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?
    let isPinned: Bool
    let author: String?

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("text", \.text).check("length(text) > 0")
      Column("textColor", \.textColor)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
      Column("isPinned", \.isPinned).default(false)
      Column("author", \.author)
    } indexes: {
      Index("Note_by_date", on: \.modificationDate, .descending)
    }
  }

  struct NoteV3: Model {
    let noteID: Int64
    let title: String
    let text: String
    let textColor: Data
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?
    let isPinned: Bool
    let author: String?

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("text", \.text).check("length(text) > 0")
      Column("textColor", \.textColor)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
      Column("isPinned", \.isPinned).default(false)
      Column("author", \.author)
    } indexes: {
      Index("Note_pinned", on: \.title).where("isPinned = 1")
      Index("Note_by_pin_and_date", on: .column(\.isPinned, .descending), .column(\.modificationDate, .descending))
    }
  }

  struct Tag: Model {
    let id: Int64?
    let name: String

    static let table = ModelTable("Tag", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).unique().collate(.nocase)
    }
  }

  struct NoteTag: Model {
    let noteID: Int64
    let tagID: Int64

    static let table = ModelTable("NoteTag", as: Self.init) {
      Column("noteID", \.noteID).references(NoteV3.self, onDelete: .cascade)
      Column("tagID", \.tagID).references(Tag.self, onDelete: .cascade)
    } constraints: {
      Constraint.primaryKey(\.noteID, \.tagID)
    }
  }
}
