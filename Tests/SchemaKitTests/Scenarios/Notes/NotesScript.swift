import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// The fixed data of the acceptance script, and a database with it.
enum NotesScript {
  static let schema = ModelSchema { ScriptNote.self }

  /// The second in which the first note was written: the clock of the script stands where it is put.
  static let start: Int64 = 1_457_000_000

  static func date(_ offset: Int64) -> Date { Date(timeIntervalSince1970: Double(start + offset)) }

  static func note(
    _ offset: Int64, _ title: String, _ text: String, color: [UInt8] = [0, 0, 0, 255],
    font: String = "Helvetica Neue", size: Double = 15, images: [ImageDescriptor]? = nil
  ) -> ScriptNote {
    ScriptNote(
      noteID: start + offset, title: title, text: text, textColor: Data(color), fontName: font, fontSize: size,
      creationDate: date(offset), modificationDate: date(offset), images: images)
  }

  static let first = note(0, "Groceries", "Milk and bread")
  static let second = note(
    60, "Trip", "Pack the tent", color: [0, 0, 255, 255], font: "Futura", size: 21,
    images: [
      ImageDescriptor("img_\(start + 60)_0", x: 0, y: 0, width: 200, height: 150),
      ImageDescriptor("img_\(start + 60)_1", x: 10, y: 160, width: 133, height: 200),
    ])
  static let third = note(
    120, "O'Neil \"quote\" ; DROP", "🎉\na\0b c", color: [255, 0, 0, 255], font: "Georgia", size: 28,
    images: [ImageDescriptor("img_\(start + 120)_0", x: 5.5, y: 0, width: 64, height: 64)])
}

/// A file with the notes of the script, opened as the app opens it, with a file for every image.
struct NotesDesk {
  let file: TemporaryDatabase
  let db: Database
  /// What was said of attachments that no note names any more.
  let removed = Gathered<[String]>()

  /// Opens a new file and saves notes, each with the files of its images.
  init(_ notes: ScriptNote...) async throws {
    file = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: file.path)
    let removed = removed
    db = try await Database(at: file.path, schema: NotesScript.schema) {
      $0.onAttachmentsRemoved = { removed.append($0.map(\.id)) }
    }
    for note in notes {
      try await db.transaction { session in
        for image in note.images ?? [] {
          _ = try session.attachments.store(Data(image.imageName.utf8), as: image.imageName)
        }
        try session.save(note)
      }
    }
  }

  /// The names of the image files, sorted.
  var imageFiles: [String] {
    get throws {
      let folder = file.path + ".attachments"
      guard FileManager.default.fileExists(atPath: folder) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  /// The identities of the notes in the order of the app's list.
  func list() async throws -> [Int64] {
    try await db.read { reader in
      try reader.select(ScriptNote.self, { $0.noteID }, orderBy: { [$0.modificationDate.descending] })
    }.map { $0 - NotesScript.start }
  }
}

/// A list that closures on any thread add to.
final class Gathered<Element: Sendable>: @unchecked Sendable {
  // `lock` guards `elements`.
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }
  func append(_ element: Element) { lock.withLock { elements.append(element) } }
}

extension RecordError {
  /// The violated constraint as `KIND table.column`; nil for any other error.
  var violation: String? {
    guard case .constraint(let kind, let table, let columns, _) = reason else { return nil }
    return "\(kind.rawValue) \(table).\(columns.joined(separator: ","))"
  }
}
