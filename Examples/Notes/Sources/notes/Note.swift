import Foundation
import SchemaKit

/// A note: what the app keeps, and how it is stored.
struct Note: Model, Hashable {
  let id: Int64?
  var title: String
  var text: String
  var font: String
  var size: Double
  var colour: Colour
  let created: Date
  var modified: Date
  var images: [PlacedImage]

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey(autoincrement: true).renamed(from: "noteID")
    Column("title", \.title).check("length(title) > 0")
    Column("text", \.text).check("length(text) > 0")
    Column("font", \.font).default("Helvetica Neue").renamed(from: "fontName").backfill(sql: "'Helvetica Neue'")
    Column("size", \.size).default(15).check("size > 0").renamed(from: "fontSize").backfill(sql: "15")
    Column("colour", \.colour).renamed(from: "textColor").converting(sql: LegacyNotes.colour)
    Column("created", \.created).renamed(from: "creationDate").backfill(sql: "noteID")
    Column("modified", \.modified).renamed(from: "modificationDate").backfill(sql: "noteID")
    Column("images", \.images).renamed(from: "imagesData").converting(sql: LegacyNotes.images)
  } indexes: {
    Index("notes_by_modified", on: \.modified, .descending)
  }
  .renamed(from: "Note")

  static let schema = ModelSchema { Note.self }
}

/// An image of a note: its file beside the database, the name it came with, and where it stands.
struct PlacedImage: Codable, Hashable, Sendable, AttachmentHolder {
  var file: FileAttachment
  var name: String
  var frame: Frame

  var attachments: [FileAttachment] { [file] }
}

/// Where an image stands on its note, and how large it is there.
struct Frame: Codable, Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// How values of the app's first version become those of this one, as SQL over the columns that it had.
///
/// An expression that gives NULL for what it cannot read keeps the migration from running: nothing is guessed.
enum LegacyNotes {
  /// Four bytes, of which the last is the opacity, become `#RRGGBB`.
  static let colour = """
    CASE WHEN textColor IS NULL THEN '#000000' \
    WHEN typeof(textColor) = 'blob' AND length(textColor) = 4 THEN '#' || substr(hex(textColor), 1, 6) END
    """

  /// `[{"frame": [x, y, width, height], "imageName": "…"}]` in a BLOB becomes the JSON of ``PlacedImage``.
  ///
  /// The names of the images were the names of their files, and stay them.
  static let images = """
    CASE WHEN imagesData IS NULL THEN '[]' \
    WHEN json_valid(CAST(imagesData AS TEXT)) THEN ( \
    SELECT json_group_array(json_object('file', json_extract(value, '$.imageName'), 'frame', json_object( \
    'x', json_extract(value, '$.frame[0]'), 'y', json_extract(value, '$.frame[1]'), \
    'width', json_extract(value, '$.frame[2]'), 'height', json_extract(value, '$.frame[3]')), \
    'name', json_extract(value, '$.imageName'))) \
    FROM json_each(CAST(imagesData AS TEXT))) END
    """
}
