import Foundation
import SchemaKit
import Testing

@Suite("Attachments: transactions")
struct AttachmentTransactionTests {
  typealias Picture = Gallery.Picture

  @Test("inside a transaction nothing is removed; at its commit all is, in one call")
  func atCommit() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.picture(2, "b")
    try scene.session.transaction {
      try scene.session.delete(Picture.self, key: 1)
      try scene.session.savepoint { _ = try scene.session.delete(Picture.self, key: 2) }
      #expect(try scene.files == ["a", "b"] && scene.removed.isEmpty)
    }
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a", "b"]])
  }

  @Test("a transaction that is rolled back keeps the files of its rows and removes those stored in it")
  func rollback() throws {
    let scene = try AttachmentScene()
    let picture = try scene.picture(1, "a")
    #expect(throws: Gallery.Regret.self) {
      try scene.session.transaction {
        try scene.session.delete(picture)
        try scene.picture(2, "b")
        try scene.store("c")
        throw Gallery.Regret()
      }
    }
    #expect(try scene.files == ["a"] && scene.removed.isEmpty)
    #expect(try scene.session.all(Picture.self) == [picture])
    // What was rolled back is not remembered.
    try scene.picture(3, "b")
    #expect(try scene.files == ["a", "b"] && scene.removed.isEmpty)
  }

  @Test("a savepoint that is rolled back takes its own files with it and no others")
  func savepoints() throws {
    let scene = try AttachmentScene()
    let picture = try scene.picture(1, "a")
    try scene.session.transaction {
      try scene.picture(2, "b")
      #expect(throws: Gallery.Regret.self) {
        try scene.session.savepoint {
          try scene.session.delete(picture)
          try scene.picture(3, "c")
          try scene.session.savepoint { try scene.store("d") }
          throw Gallery.Regret()
        }
      }
      #expect(try scene.files == ["a", "b"])
      try scene.picture(4, "e")
      #expect(throws: Gallery.Regret.self) {
        try scene.session.transaction {
          try scene.store("f")
          throw Gallery.Regret()
        }
      }
    }
    #expect(try scene.files == ["a", "b", "e"] && scene.removed.isEmpty)
  }

  @Test("a savepoint kept inside a transaction that is rolled back keeps nothing")
  func keptSavepoint() throws {
    let scene = try AttachmentScene()
    #expect(throws: Gallery.Regret.self) {
      try scene.session.transaction {
        try scene.session.savepoint { try scene.picture(1, "a") }
        throw Gallery.Regret()
      }
    }
    #expect(try scene.files.isEmpty)
  }

  @Test("a savepoint outside a transaction is one")
  func outerSavepoint() throws {
    let scene = try AttachmentScene()
    try scene.session.savepoint { try scene.picture(1, "a") }
    #expect(throws: Gallery.Regret.self) {
      try scene.session.savepoint {
        try scene.picture(2, "b")
        throw Gallery.Regret()
      }
    }
    #expect(try scene.files == ["a"])
  }

  @Test("a commit that fails takes the files stored in the transaction back")
  func failedCommit() throws {
    let scene = try AttachmentScene()
    let picture = try scene.picture(1, "a")
    #expect(throws: SQLiteError.self) {
      try scene.session.transaction {
        try scene.session.execute("PRAGMA defer_foreign_keys = ON")
        try scene.store("b")
        try scene.session.delete(picture)
        let body = Gallery.Slide.Body(text: "", images: [], sound: nil)
        try scene.session.save(Gallery.Slide(id: 1, picture: 99, body: body))
      }
    }
    #expect(try scene.files == ["a"] && scene.removed.isEmpty)
    #expect(!scene.session.connection.isInTransaction)
  }

  @Test("a file stored in a transaction without any row stays when that was committed, whatever comes after")
  func storedAlone() throws {
    let scene = try AttachmentScene()
    try scene.session.transaction { try scene.store("a") }
    #expect(throws: Gallery.Regret.self) {
      try scene.session.transaction {
        try scene.picture(1, "b")
        throw Gallery.Regret()
      }
    }
    #expect(try scene.files == ["a"])
  }

  @Test("a save that fails keeps the file that was stored before it")
  func failedSave() throws {
    let scene = try AttachmentScene()
    let image = try scene.store("a")
    try scene.session.save(Picture(id: 1, title: "", image: nil))
    #expect(throws: RecordError.self) {
      try scene.session.save(Picture(id: 1, title: "", image: image), .insert)
    }
    #expect(try scene.files == ["a"])
  }

  @Test("whoever is told of a removal may write, and may delete more")
  func writingCallback() throws {
    let file = try TemporaryDatabase()
    final class Box {
      var session: Session?
      var removed: [String] = []
    }
    let box = Box()
    let session = try Session(at: file.path, schema: Gallery.schema) {
      $0.onAttachmentsRemoved = { attachments in
        box.removed += attachments.map(\.id)
        _ = try? box.session?.deleteAll(Gallery.Frame.self)
      }
    }
    box.session = session
    defer { box.session = nil }
    let (one, two) = (
      try session.attachments.store(Data(), as: "one"), try session.attachments.store(Data(), as: "two")
    )
    try session.save(Picture(id: 1, title: "", image: one))
    try session.save(Gallery.Frame(name: "f", cover: two, more: nil))
    #expect(try session.deleteAll(Picture.self) == 1)
    #expect(box.removed == ["one", "two"])
    #expect(try session.attachments.report().orphans.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.path + ".attachments").isEmpty)
  }

  @Test("the actor removes files as the session does")
  func actor() async throws {
    let file = try TemporaryDatabase()
    let db = try await Database(at: file.path, schema: Gallery.schema)
    let folder = file.path + ".attachments"
    let image = try await db.transaction { session in
      let image = try session.attachments.store(Data([1]), as: "a")
      try session.save(Picture(id: 1, title: "", image: image))
      return image
    }
    await #expect(throws: Gallery.Regret.self) {
      try await db.transaction { session in
        try session.deleteAll(Picture.self)
        _ = try session.attachments.store(Data(), as: "b")
        throw Gallery.Regret()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [image.id])
    #expect(try await db.delete(Picture.self, key: 1))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
