import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// The first declared version of the notes, from which both evolutions start.
enum NotesV1 {
  static let schema = ModelSchema { Note.self }

  struct Note: Model {
    let noteID: Int64
    let title: String
    let text: String
    let textColor: Data
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let imagesData: Data?

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
    }
  }
}
