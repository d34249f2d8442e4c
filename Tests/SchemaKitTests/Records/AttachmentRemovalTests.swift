import Foundation
import SchemaKit
import Testing

@Suite("Attachments: removal with their rows")
struct AttachmentRemovalTests {
  typealias Picture = Gallery.Picture
  typealias Slide = Gallery.Slide
  typealias Frame = Gallery.Frame

  @Test("deleting by object, key, filter, all or SQL removes the files after the commit, and says so before")
  func deleting() throws {
    let scene = try AttachmentScene()
    for (id, name) in zip(Int64(1)..., ["a", "b", "c", "d", "e", "f"]) { try scene.picture(id, name) }
    let session = scene.session
    #expect(try session.delete(Picture(id: 1, title: "", image: nil)))
    #expect(try scene.files == ["b", "c", "d", "e", "f"])
    #expect(try session.delete(Picture.self, key: 2))
    #expect(try scene.files == ["c", "d", "e", "f"])
    #expect(try session.delete(Picture.self, where: { $0.id < 4 }) == 1)
    #expect(try scene.files == ["d", "e", "f"])
    try session.execute("DELETE FROM pictures WHERE id = \(4)")
    #expect(try scene.files == ["e", "f"])
    #expect(try session.deleteAll(Picture.self) == 2)
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a"], ["b"], ["c"], ["d"], ["e", "f"]])
    #expect(scene.wasThere == [true, true, true, true, true])
  }

  @Test("the count of deleted and changed rows is not that of their attachments")
  func counts() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.picture(2, nil)
    try scene.picture(3, nil)
    let body = Slide.Body(text: "", images: [], sound: nil)
    try scene.session.save([Slide(id: 1, picture: 2, body: body), Slide(id: 2, picture: 2, body: body)])
    #expect(try scene.session.update(Picture.self, set: { [$0.image.set(nil)] }, where: { $0.id > 0 }) == 3)
    #expect(try scene.session.delete(Picture.self, where: { $0.id == 2 }) == 1)
    try scene.picture(4, "b")
    #expect(try scene.session.execute("DELETE FROM pictures").changes == 3)
  }

  @Test("deleting rows that others hang on removes the files of those, too")
  func cascade() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    let body = Slide.Body(
      text: "", images: [try scene.store("s1"), try scene.store("s2")], sound: try scene.store("s3"))
    try scene.session.save(Slide(id: 1, picture: 1, body: body))
    #expect(try scene.session.delete(Picture.self, key: 1))
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a", "s1", "s2", "s3"]])
  }

  @Test("an update that drops a name removes its file; one that keeps it does not")
  func updating() throws {
    let scene = try AttachmentScene()
    var picture = try scene.picture(1, "a")
    picture.title = "changed"
    try scene.session.save(picture)
    try scene.session.update(picture)
    try scene.session.updateAll(Picture.self, set: { [$0.title.set("again")] })
    #expect(try scene.files == ["a"])
    picture.image = try scene.store("b")
    try scene.session.save(picture)
    #expect(try scene.files == ["b"])
    picture.image = nil
    try scene.session.update(picture, \.image)
    #expect(try scene.files.isEmpty)
    picture.image = try scene.store("c")
    try scene.session.save(picture, .update(\.image))
    try scene.session.execute("UPDATE pictures SET image = NULL")
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a"], ["b"], ["c"]])
  }

  @Test("an update of a JSON column removes the files that it names no more, and only those")
  func holder() throws {
    let scene = try AttachmentScene()
    var body = Slide.Body(
      text: "x y", images: [try scene.store("a"), try scene.store("b")], sound: try scene.store("c"))
    try scene.session.save(Slide(id: 1, picture: nil, body: body))
    body.images = [Gallery.File(id: "b"), Gallery.File(id: "c")]
    body.sound = try scene.store("d")
    try scene.session.save(Slide(id: 1, picture: nil, body: body))
    #expect(try scene.files == ["b", "c", "d"])
    body.images = []
    try scene.session.save(Slide(id: 1, picture: nil, body: body))
    #expect(try scene.files == ["d"])
  }

  @Test("a file that another row names stays until the last name is gone")
  func shared() throws {
    let scene = try AttachmentScene()
    let image = try scene.store("a")
    try scene.session.save(Picture(id: 1, title: "", image: image), Picture(id: 2, title: "", image: image))
    try scene.session.save(Slide(id: 1, picture: nil, body: Slide.Body(text: "", images: [image], sound: nil)))
    try scene.session.save(Frame(name: "f", cover: image, more: [image, image]))
    try scene.session.delete(Picture.self, key: 1)
    try scene.session.deleteAll(Slide.self)
    try scene.session.deleteAll(Frame.self)
    #expect(try scene.files == ["a"] && scene.removed.isEmpty)
    try scene.session.delete(Picture.self, key: 2)
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a"]])
  }

  @Test("a name that is moved from one row to another in one transaction keeps its file")
  func moved() throws {
    let scene = try AttachmentScene()
    let picture = try scene.picture(1, "a")
    let image = try #require(picture.image)
    try scene.session.transaction {
      try scene.session.delete(picture)
      try scene.session.save(Frame(name: "f", cover: image, more: nil))
    }
    #expect(try scene.files == ["a"] && scene.removed.isEmpty)
    try scene.session.transaction {
      try scene.session.deleteAll(Frame.self)
      try scene.session.save(picture)
      try scene.session.delete(picture)
      try scene.session.save(Slide(id: 1, picture: nil, body: Slide.Body(text: "", images: [], sound: image)))
    }
    #expect(try scene.files == ["a"] && scene.removed.isEmpty)
  }

  @Test("names that begin like others, or stand in a text, do not keep a file")
  func similarNames() throws {
    let scene = try AttachmentScene()
    for (id, name) in zip(Int64(1)..., ["image", "image1", "my-image", "mage"]) { try scene.picture(id, name) }
    let body = Slide.Body(text: "about image1", images: [try scene.store("image12")], sound: nil)
    try scene.session.save(Slide(id: 1, picture: nil, body: body))
    try scene.session.delete(Picture.self, where: { $0.id < 3 })
    #expect(try scene.files == ["image12", "mage", "my-image"])
  }

  @Test("names that differ only in case are two names")
  func caseSensitivity() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.picture(2, "A")
    try scene.session.delete(Picture.self, key: 1)
    #expect(try scene.files == ["A"])
  }

  @Test("a row that replaces another takes the file of that one away")
  func replace() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.store("b")
    try scene.session.execute("INSERT OR REPLACE INTO pictures (id, title, image) VALUES (1, '', 'b')")
    #expect(try scene.session.attachments.report().orphans.map(\.id) == (try scene.files.filter { $0 != "b" }))
    #expect(try scene.session.find(Picture.self, 1)?.image?.id == "b")
  }

  @Test("what another program deletes is found by the report")
  func otherProgram() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.file.exec("DELETE FROM pictures")
    #expect(try scene.files == ["a"])
    #expect(try scene.session.attachments.removeOrphans().map(\.id) == ["a"])
  }

  @Test("a file that is gone already does not disturb the others")
  func goneAlready() throws {
    let scene = try AttachmentScene()
    try scene.picture(1, "a")
    try scene.picture(2, "b")
    try FileManager.default.removeItem(atPath: scene.session.attachments.path(of: Gallery.File(id: "a")))
    #expect(try scene.session.deleteAll(Picture.self) == 2)
    #expect(try scene.files.isEmpty)
    #expect(scene.removed == [["a", "b"]])
  }
}
