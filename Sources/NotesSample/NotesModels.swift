public import Foundation
public import SchemaKit

/// The models of the sample: a notes app with one table.
public enum NotesModels {
  /// The schema that `migrations/` records.
  public static let schema = ModelSchema { Note.self }
}

/// A note, as the app of the demo keeps it.
public struct Note: Model {
  /// The second of its creation since 1970; it never changes.
  public let noteID: Int64
  /// The heading.
  public var title: String
  /// The body.
  public var text: String
  /// The colour of the text, archived by the app.
  public var textColor: Data
  /// The font of the text.
  public var fontName: String
  /// The size of the text, in points.
  public var fontSize: Double
  /// When it was written.
  public var creationDate: Date
  /// When it was last changed.
  public var modificationDate: Date
  /// The archived images and their places; nil when there are none.
  public var imagesData: Data?

  /// Creates a note.
  public init(
    noteID: Int64,
    title: String,
    text: String,
    textColor: Data,
    fontName: String = "Helvetica Neue",
    fontSize: Double = 15,
    creationDate: Date,
    modificationDate: Date,
    imagesData: Data? = nil
  ) {
    self.noteID = noteID
    self.title = title
    self.text = text
    self.textColor = textColor
    self.fontName = fontName
    self.fontSize = fontSize
    self.creationDate = creationDate
    self.modificationDate = modificationDate
    self.imagesData = imagesData
  }

  public static let table = ModelTable("Note", as: Self.init) {
    Column("noteID", \.noteID).primaryKey()
    Column("title", \.title).check("length(title) > 0")
    Column("text", \.text).check("length(text) > 0")
    Column("textColor", \.textColor)
    Column("fontName", \.fontName).default("Helvetica Neue")
    Column("fontSize", \.fontSize).default(15)
    Column("creationDate", \.creationDate)
    Column("modificationDate", \.modificationDate)
    Column("imagesData", \.imagesData)
  } indexes: {
    Index("Note_by_modificationDate", on: \.modificationDate)
  }
}
