import Foundation

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

/// Evolution B: columns are renamed, change their type, become parts of others, and the key is replaced.
enum ReshapedNotes {
  static let v2 = ModelSchema { NoteV2.self }
  static let v2WithoutHints = ModelSchema { UnhintedNote.self }
  static let renamedOnly = ModelSchema { RenamedNote.self }
  static let v3 = ModelSchema { NoteV3.self }

  /// Turns the four bytes of a colour into `#RRGGBBAA`; nothing else can be read.
  static let hexColour = "CASE WHEN length(textColor) = 4 THEN '#' || hex(textColor) END"
  static let wordCount = "length(body) - length(replace(body, ' ', '')) + 1"

  /// Version 1 with nothing but another name for one column.
  struct RenamedNote: Model {
    let noteID: Int64
    let title: String
    let body: String
    let textColor: Data
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("body", \.body).check("length(body) > 0").renamed(from: "text")
      Column("textColor", \.textColor)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
    }
  }

  struct NoteV2: Model {
    let noteID: Int64
    let title: String
    let body: String
    let textColorHex: String
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?
    let wordCount: Int

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("body", \.body).check("length(body) > 0").renamed(from: "text")
      Column("textColorHex", \.textColorHex).renamed(from: "textColor").converting(sql: hexColour)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
      Column("wordCount", \.wordCount).generated(ReshapedNotes.wordCount)
    }
  }

  /// Version 2 as its author might write it, forgetting that files have the columns under other names.
  struct UnhintedNote: Model {
    let noteID: Int64
    let title: String
    let body: String
    let textColorHex: String
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("body", \.body).default("")
      Column("textColorHex", \.textColorHex).default("#000000FF")
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
    }
  }

  struct Style: JSONColumnValue, Hashable {
    var name: String
    var size: Double
  }

  struct NoteV3: Model {
    let id: UUID
    let legacyID: Int64
    let title: String
    let body: String
    let textColorHex: String
    let style: Style
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?
    let wordCount: Int

    static let table = ModelTable("Note", as: Self.init, removed: ["fontName", "fontSize"]) {
      Column("id", \.id).primaryKey().backfill(sql: "printf('00000000-0000-4000-8000-%012x', noteID)")
      Column("legacyID", \.legacyID).unique().renamed(from: "noteID")
      Column("title", \.title).check("length(title) > 0").check("length(title) <= 200")
      Column("body", \.body).check("length(body) > 0").renamed(from: "text")
      Column("textColorHex", \.textColorHex).renamed(from: "textColor").converting(sql: hexColour)
      Column("style", \.style).backfill(sql: "json_object('name', fontName, 'size', CAST(fontSize AS REAL))")
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
      Column("wordCount", \.wordCount).generated(ReshapedNotes.wordCount)
    }
  }
}
