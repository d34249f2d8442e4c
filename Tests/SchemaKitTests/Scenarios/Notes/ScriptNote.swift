import Foundation
import SchemaKit

/// The note of the acceptance script: nine columns, and one property that is not a column.
struct ScriptNote: Model, Hashable {
  let noteID: Int64
  var title: String
  var text: String
  var textColor: Data
  var fontName: String
  var fontSize: Double
  let creationDate: Date
  var modificationDate: Date
  var images: [ImageDescriptor]?
  /// What the app keeps in memory only.
  var thumbnails: [Data] = []

  init(
    noteID: Int64, title: String, text: String, textColor: Data, fontName: String, fontSize: Double,
    creationDate: Date, modificationDate: Date, images: [ImageDescriptor]?
  ) {
    self.noteID = noteID
    self.title = title
    self.text = text
    self.textColor = textColor
    self.fontName = fontName
    self.fontSize = fontSize
    self.creationDate = creationDate
    self.modificationDate = modificationDate
    self.images = images
  }

  static let table = ModelTable("Note", as: Self.init) {
    Column("noteID", \.noteID).primaryKey()
    Column("title", \.title).check("length(title) > 0")
    Column("text", \.text).check("length(text) > 0")
    Column("textColor", \.textColor)
    Column("fontName", \.fontName).default("Helvetica Neue")
    Column("fontSize", \.fontSize).default(15)
    Column("creationDate", \.creationDate)
    Column("modificationDate", \.modificationDate)
    Column("imagesData", \.images, storing: .descriptors)
  }
}

/// An image of a note: a place, and the name of a file beside the database.
struct ImageDescriptor: Codable, Hashable, Sendable, AttachmentHolder {
  struct Frame: Codable, Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }
  var frame: Frame
  var imageName: String

  init(_ imageName: String, x: Double, y: Double, width: Double, height: Double) {
    frame = Frame(x: x, y: y, width: width, height: height)
    self.imageName = imageName
  }

  var attachments: [FileAttachment] { [FileAttachment(id: imageName)] }
}

extension ColumnCoding where Value == [ImageDescriptor] {
  /// JSON in a BLOB; the archives of the older app are read as well.
  static var descriptors: Self {
    ColumnCoding(
      type: .blob,
      encode: { images in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return .blob([UInt8](try encoder.encode(images)))
      },
      decode: { stored in
        let data = try Data(sqlValue: stored)
        if LegacyArchive.isOne(data) { return try LegacyArchive.images(in: data) }
        guard let images = try? JSONDecoder().decode([ImageDescriptor].self, from: data) else {
          throw ColumnValueError(expected: "images", found: "blob", problem: "holds none")
        }
        return images
      })
  }
}
