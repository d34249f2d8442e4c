import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Files of a fleet")
struct FleetFilesTests {
  private func names(_ files: FleetFiles) -> [String] {
    files.files.map { URL(fileURLWithPath: $0.path).lastPathComponent }
  }

  @Test("a folder, a pattern and the files themselves are the same fleet")
  func places() throws {
    let scene = try FleetScene(4)
    let expected = ["t01.db", "t02.db", "t03.db", "t04.db"]
    #expect(try names(scene.files("tenants")) == expected)
    #expect(try names(scene.files("tenants/*.db")) == expected)
    #expect(try names(scene.files("*/t0[1-4].db")) == expected)
    #expect(try names(scene.files("**/t0?.db")) == expected)
    #expect(try names(scene.files("tenants/t01.db", "tenants/t02.db", "tenants/t03.db", "tenants/t04.db")) == expected)
  }

  @Test("what is not a database of a tenant is left out and counted")
  func exclusions() throws {
    let scene = try FleetScene(1)
    for name in [
      "t01.db-wal", "t01.db-shm", "t01.db-journal", "t01.db.before-0123abcd.db", "t01.db.before-0123abcd-2.db",
      "t01.db.before-0123abcd.db.part-0011aabb", "old.fleet-journal", "old.fleet-journal-wal", ".hidden.db",
    ] { try scene.folder.write("x", to: "tenants/\(name)") }
    try scene.folder.write("", to: "tenants/empty.db")
    try FileManager.default.createDirectory(
      at: scene.folder.url("tenants/.snapshots"), withIntermediateDirectories: true)
    try scene.folder.database("tenants/.snapshots/t01.db", "CREATE TABLE t (a)")
    #expect(mkfifo(scene.folder.url("tenants/pipe").path, 0o600) == 0)
    let files = try scene.files()
    #expect(names(files) == ["t01.db"])
    #expect(
      files.excluded == [.besideDatabase: 3, .copy: 3, .journal: 2, .hidden: 2, .empty: 1, .special: 1])
  }

  @Test("a name like that of a copy or journal is not enough")
  func similarNames() throws {
    let scene = try FleetScene(1)
    for name in ["x.before-lunch.db", "x.part-time", "journal", "x.fleet-journal.db"] {
      try scene.folder.database("tenants/\(name)", "CREATE TABLE t (a)")
    }
    #expect(try scene.files().files.count == 5)
  }

  @Test("two names of one file are one file, and both are told")
  func sameFile() throws {
    let scene = try FleetScene(2)
    #expect(link(scene.path(1), scene.folder.url("tenants/z.db").path) == 0)
    let files = try scene.files("tenants", "tenants/*.db")
    #expect(names(files) == ["t01.db", "t02.db"])
    #expect(files.files[0].otherPaths == [scene.folder.url("tenants/z.db").path])
    #expect(files.files[1].otherPaths == [])
  }

  @Test("symbolic links are followed only on request, and never in a circle")
  func links() throws {
    let scene = try FleetScene(1)
    let elsewhere = try FleetScene(2)
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: scene.folder.url("tenants/a.db").path, withDestinationPath: elsewhere.path(2))
    try files.createSymbolicLink(
      atPath: scene.folder.url("tenants/loop").path, withDestinationPath: scene.folder.url("tenants").path)
    try files.createSymbolicLink(atPath: scene.folder.url("tenants/gone").path, withDestinationPath: "nowhere")
    let without = try scene.files()
    #expect(names(without) == ["t01.db"])
    #expect(without.excluded == [.link: 3])
    let with = try scene.files(follow: true)
    #expect(names(with) == ["a.db", "t01.db"])
    #expect(with.excluded == [.link: 1])
  }

  @Test("a place that leads to nothing is an error, and a missing path of a list is told")
  func missing() throws {
    let scene = try FleetScene(1)
    for place in ["nothing", "tenants/x*.db", "**/x.db", ""] {
      #expect(throws: FleetError.self, "\(place)") { try FleetFiles(at: [place]) }
    }
    let found = scene.folder.url("tenants").path
    #expect(throws: FleetError(reason: .noMatch("/nowhere/*.db"))) { try FleetFiles(at: [found, "/nowhere/*.db"]) }
    let files = try FleetFiles(at: [], paths: [scene.path(1), "/nowhere/t.db"])
    #expect(files.files.count == 1)
    #expect(files.missing == ["/nowhere/t.db"])
  }
}
