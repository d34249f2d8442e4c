import Foundation
import SchemaKit
import SchemaKitRemote

/// The notes in a file, or in a database on servers: everything the commands do, without their words.
struct Notebook {
  let session: Session

  /// Opens a file of notes; one that an earlier version of the app made is brought to the present schema.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isCreating: Whether a file is made where there is none.
  ///   - report: Takes what the user should know about a file that was changed.
  init(at path: String, creating isCreating: Bool = false, report: @escaping (String) -> Void = { _ in }) throws {
    let isNew = !FileManager.default.fileExists(atPath: path)
    guard isCreating || !isNew else { throw NotesError.noFile(path) }
    var isAdopted = false
    do {
      session = try Session(at: path, schema: Note.schema) { configuration in
        configuration.program = "notes"
        configuration.onPlan = { plan in
          guard !isNew, !plan.isEmpty, plan.refusals(under: .lossless).isEmpty else { return }
          report("The file is brought to the present schema. It is kept as \(try Self.keepCopy(of: path)).")
          isAdopted = true
        }
      }
    } catch let error as PlanError {
      throw NotesError.notAdoptable(path, error)
    } catch let error as SQLiteError where error.isNotADatabase {
      throw NotesError.notADatabase(path)
    }
    if isAdopted { try takeInImages(besides: path, report: report) }
  }

  /// Opens notes on servers, by an address such as `dqlite://127.0.0.1:9001/notes`. There they have no images.
  init(onServer address: String) throws {
    session = try Session(onServer: RemoteServers.connection(to: address), schema: Note.schema) { configuration in
      configuration.program = "notes"
    }
  }

  /// Copies a file before it is changed, and says where to.
  private static func keepCopy(of path: String) throws -> String {
    var copy = path + ".before"
    var number = 2
    while FileManager.default.fileExists(atPath: copy) {
      copy = path + ".before-\(number)"
      number += 1
    }
    try SQLiteConnection(path: path, mode: .readOnly).backup(toNewFile: copy)
    return copy
  }

  /// Stores the images that the app's first version left beside its database.
  private func takeInImages(besides path: String, report: (String) -> Void) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    for image in try session.attachments.report().missing {
      let file = folder.appendingPathComponent(image.id)
      if FileManager.default.fileExists(atPath: file.path) {
        _ = try session.attachments.store(Data(contentsOf: file), as: image.id)
      } else {
        report(
          "The image \(image.id) is not beside the file. Put it there as \(try session.attachments.path(of: image)).")
      }
    }
  }
}

extension Notebook {
  /// A line of the list: what it shows, and no more.
  struct Line {
    var id: Int64
    var title: String
    var modified: Date
    var images: Int
  }

  /// One page of the notes, those that were changed last first, and how many there are on all pages.
  func lines(matching search: String?, page: Int, size: Int) throws -> (lines: [Line], count: Int) {
    let filter: (Fields<Note>) -> Filter? = { note in
      guard let search, !search.isEmpty else { return nil }
      return note.title.contains(search, .ignoringCase) || note.text.contains(search, .ignoringCase)
    }
    let rows = try session.select(
      Note.self, { ($0.id, $0.title, $0.modified, Field<Int>.sql("json_array_length(images)")) }, where: filter,
      orderBy: { [$0.modified.descending, $0.id.descending] }, limit: size, offset: (page - 1) * size)
    let lines = rows.map { Line(id: $0.0 ?? 0, title: $0.1, modified: $0.2, images: $0.3) }
    return (lines, try session.count(Note.self, where: filter))
  }

  /// Adds a note.
  func add(title: String, text: String, font: String, size: Double, colour: Colour) throws -> Note {
    let now = Date()
    let note = Note(
      id: nil, title: title, text: text, font: font, size: size, colour: colour, created: now, modified: now, images: []
    )
    return try explaining { try session.save(note) }
  }

  /// The note with a number.
  func note(_ id: Int64) throws -> Note {
    guard let note = try session.find(Note.self, id) else { throw NotesError.noNote(id) }
    return note
  }

  /// Changes a note, which keeps the date of its creation and gets a new one of its change.
  @discardableResult
  func edit(_ id: Int64, _ change: (inout Note) throws -> Void) throws -> Note {
    try explaining {
      try session.transaction {
        var note = try note(id)
        try change(&note)
        note.modified = Date()
        try session.update(note)
        return note
      }
    }
  }

  /// Deletes a note. The files of its images go with it.
  func delete(_ id: Int64) throws {
    guard try session.delete(Note.self, key: id) else { throw NotesError.noNote(id) }
  }

  /// Says of a note that the database refuses what is wrong with it.
  private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RecordError {
      guard case .constraint(.check, _, let columns, _) = error.reason, let column = columns.first else { throw error }
      throw NotesError.refused(column)
    }
  }
}

extension Notebook {
  /// Adds files to a note as images: all of them or none.
  func addImages(_ paths: [String], at frame: Frame, to id: Int64) throws -> [PlacedImage] {
    try edit(id) { note in
      for path in paths {
        let url = URL(fileURLWithPath: path)
        let name = url.lastPathComponent
        guard !note.images.contains(where: { $0.name == name }) else { throw NotesError.imageTaken(name, id) }
        guard let data = try? Data(contentsOf: url) else { throw NotesError.unreadable(path) }
        let file = try session.attachments.store(data)
        note.images.append(PlacedImage(file: file, name: name, frame: frame))
      }
    }.images.suffix(paths.count)
  }

  /// Takes an image from a note. Its file goes once this is committed.
  func removeImage(_ name: String, from id: Int64) throws {
    try edit(id) { note in
      guard let index = note.images.firstIndex(where: { $0.name == name }) else { throw NotesError.noImage(name, id) }
      note.images.remove(at: index)
    }
  }

  /// Where the file of an image is, and how many bytes it has; nil for a file that is missing.
  func file(of image: PlacedImage) throws -> (path: String, bytes: Int?) {
    let path = try session.attachments.path(of: image.file)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (path, (attributes?[.size] as? NSNumber)?.intValue)
  }
}
