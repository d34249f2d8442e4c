import Foundation
import SchemaKit
import Testing

@Suite("Attachments: storing and finding")
struct AttachmentTests {
  @Test("a stored attachment is a file of that name in the folder beside the database")
  func storing() throws {
    let scene = try AttachmentScene()
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let image = try scene.session.attachments.store(bytes, as: "holiday-1.jpg")
    #expect(image == Gallery.File(id: "holiday-1.jpg"))
    #expect(try scene.session.attachments.data(of: image) == bytes)
    let path = try scene.session.attachments.path(of: image)
    #expect(path == scene.file.path + ".attachments/holiday-1.jpg")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    let other = try scene.session.attachments.store(Data())
    #expect(UUID(uuidString: other.id) != nil)
    #expect(try scene.session.attachments.data(of: other).isEmpty)
    #expect(try scene.files == ["holiday-1.jpg", other.id].sorted())
  }

  @Test("a name that is taken is refused and its file stays as it is")
  func duplicate() throws {
    let scene = try AttachmentScene()
    let image = try scene.store("a")
    #expect(throws: RecordError.self) { try scene.session.attachments.store(Data([1, 2]), as: "a") }
    #expect(try scene.session.attachments.data(of: image) == Data([7]))
    #expect(throws: RecordError.self) {
      try scene.session.transaction { _ = try scene.session.attachments.store(Data([1, 2]), as: "a") }
    }
    #expect(try scene.session.attachments.data(of: image) == Data([7]))
  }

  @Test(
    "an id that is not a plain name is refused, and nothing is written or read outside the folder",
    arguments: [
      "", ".", "..", "../x", "a/../../x", "/etc/passwd", ".hidden", "a/b", "a\\b", "a\0b", "a b", "\u{E4}", "e\u{301}",
      "a\n", "\"", "'", "%2e", "*", String(repeating: "x", count: 201), String(repeating: "x", count: 300),
    ])
  func badNames(_ id: String) throws {
    let scene = try AttachmentScene()
    let before = try scene.file.files
    for body in [
      { _ = try scene.session.attachments.store(Data([1]), as: id) },
      { _ = try scene.session.attachments.data(of: Gallery.File(id: id)) },
      { _ = try scene.session.attachments.path(of: Gallery.File(id: id)) },
    ] {
      let error = #expect(throws: RecordError.self) { try body() }
      guard case .attachment(id, _)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try scene.file.files == before)
    // A row may name it all the same; when the row goes, no file outside the folder goes with it.
    let victim = scene.file.sibling("x")
    try Data([1]).write(to: URL(fileURLWithPath: victim))
    try scene.store("kept")
    try scene.session.save(Gallery.Picture(id: 1, title: "", image: Gallery.File(id: id)))
    #expect(try scene.session.delete(Gallery.Picture.self, key: 1))
    #expect(FileManager.default.fileExists(atPath: victim))
    #expect(try scene.files == ["kept"])
  }

  @Test("the longest name is a name")
  func longName() throws {
    let scene = try AttachmentScene()
    let id = String(repeating: "x", count: 200)
    #expect(try scene.session.attachments.data(of: scene.store(id)) == Data([7]))
  }

  @Test("reading an attachment without a file says which one")
  func missingFile() throws {
    let scene = try AttachmentScene()
    let error = #expect(throws: RecordError.self) { try scene.session.attachments.data(of: Gallery.File(id: "gone")) }
    #expect(error?.description.contains("gone") == true)
  }

  @Test("orphans and missing files are reported, and orphans removed")
  func report() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "named")
    for id in ["orphan", "name", "named2"] { try scene.store(id) }
    let body = Gallery.Slide.Body(text: "orphan", images: [Gallery.File(id: "m2")], sound: nil)
    try scene.session.save(Gallery.Slide(id: 1, picture: 1, body: body))
    try scene.session.save(Gallery.Frame(name: "f", cover: Gallery.File(id: "m1"), more: [Gallery.File(id: "m3")]))
    let report = try scene.session.attachments.report()
    #expect(report.orphans.map(\.id) == ["name", "named2", "orphan"])
    #expect(report.missing.map(\.id) == ["m1", "m2", "m3"])
    #expect(try scene.session.attachments.removeOrphans().map(\.id) == ["name", "named2", "orphan"])
    #expect(try scene.files == ["named"])
    #expect(try scene.session.attachments.removeOrphans().isEmpty)
  }

  @Test("files of others are left alone in the folder")
  func foreignFiles() throws {
    let scene = try AttachmentScene()
    try scene.store("mine")
    let folder = try #require(scene.session.attachments.folder)
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/.DS_Store"))
    try FileManager.default.createDirectory(atPath: folder + "/sub folder", withIntermediateDirectories: false)
    #expect(try scene.session.attachments.removeOrphans().map(\.id) == ["mine"])
    #expect(try scene.files == [".DS_Store", "sub folder"])
  }

  @Test("a folder inside the folder is not an attachment, and is not removed with all that it holds")
  func subfolder() throws {
    let scene = try AttachmentScene()
    try scene.store("mine")
    let folder = try #require(scene.session.attachments.folder)
    try FileManager.default.createDirectory(atPath: folder + "/thumbnails", withIntermediateDirectories: false)
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/thumbnails/a"))
    #expect(try scene.session.attachments.report().orphans.map(\.id) == ["mine"])
    try scene.session.attachments.removeOrphans()
    #expect(FileManager.default.fileExists(atPath: folder + "/thumbnails/a"))
  }

  @Test("an unreadable row is not a reason to remove the files that it may name")
  func unreadableRow() throws {
    let scene = try AttachmentScene()
    try scene.store("precious")
    try scene.session.execute("INSERT INTO slides (id, body) VALUES (1, '{\"images\":[\"precious\"],\"text\":5}')")
    #expect(try scene.session.attachments.removeOrphans().isEmpty)
    #expect(try scene.files == ["precious"])
  }

  @Test("a database in memory says that attachments need a file")
  func inMemory() throws {
    var removed: [Gallery.File] = []
    let session = try Session(inMemory: Gallery.schema) { $0.onAttachmentsRemoved = { removed += $0 } }
    #expect(session.attachments.folder == nil)
    let error = #expect(throws: RecordError.self) { try session.attachments.store(Data([1])) }
    #expect(error?.description.contains("a database in a file") == true)
    #expect(throws: RecordError.self) { try session.attachments.data(of: Gallery.File(id: "a")) }
    // The rows themselves are saved and deleted, and the program is told.
    try session.save(Gallery.Picture(id: 1, title: "", image: Gallery.File(id: "a")))
    try session.deleteAll(Gallery.Picture.self)
    #expect(removed == [Gallery.File(id: "a")])
    let report = try session.attachments.report()
    #expect(report.orphans.isEmpty && report.missing.isEmpty)
  }

  @Test(
    "the folder lies beside the file, whatever the file is called",
    arguments: ["file:x.db", ":memory:", "no extension", "a.b.c", "%20?mode=ro#x", "\u{E4}\u{1F600}.db"])
  func oddPaths(_ name: String) throws {
    let scene = try AttachmentScene(name: name)
    try scene.picture(1, "a")
    #expect(FileManager.default.fileExists(atPath: scene.file.sibling(name + ".attachments/a")))
    #expect(try scene.session.attachments.data(of: Gallery.File(id: "a")) == Data([7]))
    try scene.session.deleteAll(Gallery.Picture.self)
    #expect(try scene.files.isEmpty)
  }
}
