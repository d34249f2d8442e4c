import Foundation
import SchemaKit

/// A database file with attachments, and what was told of removals.
final class AttachmentScene {
  let file: TemporaryDatabase
  let session: Session
  private let log: Log

  private final class Log {
    var removed: [[String]] = []
    var wasThere: [Bool] = []
  }

  /// What each call said was removed, sorted.
  var removed: [[String]] { log.removed }
  /// Whether all files of a call were still there when it was made.
  var wasThere: [Bool] { log.wasThere }

  init(name: String = "test.db") throws {
    let log = Log()
    let file = try TemporaryDatabase(name: name)
    let folder = file.path + ".attachments/"
    self.file = file
    self.log = log
    session = try Session(at: file.path, schema: Gallery.schema) {
      $0.onAttachmentsRemoved = { attachments in
        log.removed.append(attachments.map(\.id).sorted())
        log.wasThere.append(attachments.allSatisfy { FileManager.default.fileExists(atPath: folder + $0.id) })
      }
    }
  }

  /// Stores one byte under a name.
  @discardableResult
  func store(_ id: String) throws -> Gallery.File { try session.attachments.store(Data([7]), as: id) }

  /// The names of the files in the folder beside the database.
  var files: [String] {
    get throws {
      let folder = file.path + ".attachments"
      guard FileManager.default.fileExists(atPath: folder) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  /// Saves a picture with a stored image.
  @discardableResult
  func picture(_ id: Int64, _ image: String?) throws -> Gallery.Picture {
    let attachment = try image.map { try store($0) }
    return try session.save(Gallery.Picture(id: id, title: "picture \(id)", image: attachment))
  }
}
