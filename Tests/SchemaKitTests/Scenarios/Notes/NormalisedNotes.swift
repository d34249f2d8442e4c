import Foundation
import SchemaKit

/// Evolution C: what was nested in a BLOB becomes rows of a table, and notes get notebooks.
enum NormalisedNotes {
  static let v2 = ModelSchema {
    NoteV2.self
    NoteImage.self
    splitImages
  }

  static let v3 = ModelSchema {
    NoteV3.self
    NoteImage.self
    Notebook.self
    splitImages
    firstNotebook
  }

  /// Version 2 as a developer first shipped it, without the step.
  static let v2WithoutStep = ModelSchema {
    NoteV2.self
    NoteImage.self
  }

  /// A note whose images could not be read.
  struct UnreadableImages: Error, CustomStringConvertible {
    let noteID: Int64
    var description: String { "the images of note \(noteID) cannot be read" }
  }

  static let splitImages = DataStep("split-images", after: .tableAdded(NoteImage.self)) { session in
    for row in try session.query("SELECT noteID, imagesData FROM Note WHERE imagesData IS NOT NULL ORDER BY noteID") {
      let noteID = try row.get("noteID", as: Int64.self)
      guard let images = try? LegacyArchive.images(in: row.get("imagesData")) else {
        throw UnreadableImages(noteID: noteID)
      }
      try session.save(
        images.enumerated().map { NoteImage(noteID: noteID, position: $0.offset, $0.element) }, .insert)
    }
  }

  static let firstNotebook = DataStep("first-notebook", after: .tableAdded(Notebook.self), files: .all) { session in
    try session.save(Notebook(id: 1, name: "Notes"), .insert)
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

  struct NoteV3: Model {
    let noteID: Int64
    var title: String
    let text: String
    let textColor: Data
    let fontName: String
    let fontSize: Double
    let creationDate: Date
    let modificationDate: Date
    let notebookID: Int64

    static let table = ModelTable("Note", as: Self.init, removed: ["imagesData"]) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("text", \.text).check("length(text) > 0")
      Column("textColor", \.textColor)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("notebookID", \.notebookID).references(Notebook.self, onDelete: .restrict).backfill(sql: "1")
    }
  }

  struct NoteImage: Model, Hashable {
    let id: Int64?
    let noteID: Int64
    let position: Int
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    let imageName: String

    static let table = ModelTable("NoteImage", as: Self.init(id:noteID:position:x:y:width:height:imageName:)) {
      Column("id", \.id).primaryKey()
      Column("noteID", \.noteID).references("Note", onDelete: .cascade)
      Column("position", \.position)
      Column("x", \.x)
      Column("y", \.y)
      Column("width", \.width)
      Column("height", \.height)
      Column("imageName", \.imageName).unique()
    }
  }

  struct Notebook: Model, Hashable {
    let id: Int64?
    var name: String

    static let table = ModelTable("Notebook", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
    }
  }
}

extension NormalisedNotes.NoteImage {
  init(noteID: Int64, position: Int, _ image: ImageDescriptor) {
    self.init(
      id: nil, noteID: noteID, position: position, x: image.frame.x, y: image.frame.y, width: image.frame.width,
      height: image.frame.height, imageName: image.imageName)
  }
}
