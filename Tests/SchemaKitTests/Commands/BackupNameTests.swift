import Foundation
import SchemaKit
import Testing

@Suite("Names of copies")
struct BackupNameTests {
  private let folder: CommandFolder
  private static let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);"

  init() throws {
    folder = try CommandFolder()
    try folder.database("x.db", "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);")
    try folder.write(Self.target, to: "s.sql")
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { !$0.hasPrefix(".") }.sorted()
    }
  }

  private func apply(_ database: String = "x.db", _ arguments: String..., backup: String) throws -> CommandRun {
    try CommandRun(["apply", database, "--to", "s.sql", "--yes", "--backup", backup] + arguments, in: folder)
  }

  @Test(
    "a name that SQLite uses for the database's own files is refused before anything happens",
    arguments: ["x.db-journal", "x.db-wal", "x.db-shm", "./x.db-journal", "sub/../x.db-wal", "X", "x.db-mj1A2B3C4D9"])
  func sideFiles(name: String) throws {
    try FileManager.default.createDirectory(at: folder.url("sub"), withIntermediateDirectories: true)
    // The folder itself by another way.
    try FileManager.default.createSymbolicLink(atPath: folder.url("again").path, withDestinationPath: ".")
    let name = name == "X" ? "again/x.db-journal" : name
    let database = String(name.prefix { $0 != "-" })
    let (bytes, before) = (try folder.bytes("x.db"), try names)
    let run = try apply(backup: name)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "\(name) is a name that SQLite uses for files beside \(database). Nothing was changed. Name another place with --backup."
      ),
      "\(run.errors)")
    #expect(try folder.bytes("x.db") == bytes)
    #expect(try names == before)
  }

  @Test("they are refused for a database that is reached by a link, under both of its names")
  func linkedDatabase() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.url("link.db").path, withDestinationPath: "x.db")
    for name in ["link.db-wal", "x.db-wal", "x.db-journal"] {
      let run = try apply("link.db", backup: name)
      #expect(run.status == 1 && run.errors.contains("is a name that SQLite uses"), "\(name): \(run.errors)")
      #expect(!folder.exists(name))
    }
    #expect(try apply("link.db", backup: "copy.db").status == 0)
    #expect(try folder.rows(of: "copy.db", "SELECT * FROM t") == [[.int(1)]])
  }

  @Test("a link where the copy should go, wherever it leads, is not written through")
  func links() throws {
    for (name, destination) in [("dangling.db", "nowhere/else.db"), ("own.db", "x.db"), ("loop.db", "loop.db")] {
      try FileManager.default.createSymbolicLink(atPath: folder.url(name).path, withDestinationPath: destination)
      let bytes = try folder.bytes("x.db")
      let run = try apply(backup: name)
      #expect(run.status == 1)
      #expect(
        run.errors == "schemactl: the backup \(name) exists already and is not overwritten. Nothing was changed.\n",
        "\(run.errors)")
      #expect(try folder.bytes("x.db") == bytes)
    }
    #expect(try names == ["dangling.db", "loop.db", "own.db", "s.sql", "x.db"])
  }

  @Test("a name beside which a journal or log of another file lies is refused", arguments: ["-journal", "-wal"])
  func leftovers(suffix: String) throws {
    try folder.write("left", to: "copy.db\(suffix)")
    let run = try apply(backup: "copy.db")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("copy.db\(suffix) is there, which SQLite would take for a part of copy.db."), "\(run.errors)")
    #expect(!folder.exists("copy.db"))
    #expect(try folder.bytes("copy.db\(suffix)") == Data("left".utf8))
  }

  @Test("the database itself cannot hold its copy")
  func itself() throws {
    let run = try apply(backup: "x.db")
    #expect(run.status == 1 && run.errors.contains("exists already and is not overwritten"))
  }

  struct Item: Model {
    let id: Int64?
    var b: String?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("b", \.b)
    }
  }

  @Test("a program's copy is not made under such names either", arguments: ["x.db-journal", "x.db-wal", "dangling.db"])
  func program(name: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("dangling.db").path, withDestinationPath: "nowhere/else.db")
    let bytes = try folder.bytes("x.db")
    #expect(throws: (any Error).self) {
      try Session(at: folder.url("x.db").path, schema: ModelSchema { Item.self }) {
        $0.backup = .beforeChange(folder.url(name).path)
      }
    }
    #expect(try folder.bytes("x.db") == bytes)
    #expect(!folder.exists(name))
  }
}
