import Foundation
import MainActorModels
import SchemaKit
import Testing

/// Models of every kind, saved and loaded through a file that is opened again.
@Suite("@Model")
struct ModelMacroTests {
  /// Saves an object, opens the file again, and returns what it then holds, with the statement that made the table.
  private func stored<M: Model>(_ object: M) throws -> (object: M?, sql: String) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).db").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    let schema = ModelSchema { M.self }
    try Session(at: file, schema: schema).save(object)
    let session = try Session(at: file, schema: schema)
    let sql = try SchemaInspector(at: file).statements().first { $0.hasPrefix("CREATE TABLE") } ?? ""
    return (try session.first(M.self), sql)
  }

  @Test("private properties, custom initializers and properties without a column")
  func privateProperties() throws {
    let secret = Secret(word: "open")
    let (found, sql) = try stored(secret)
    #expect(found?.isWord("open") == true)
    #expect(found?.uses == 0)
    #expect(!sql.contains("uses"))
  }

  @Test("a model in a type, one in an extension, and one that is fileprivate in a type")
  func nested() throws {
    #expect(try stored(Outer.Inner(id: 1, kind: .second)).object?.kind == .second)
    #expect(try stored(Outer.Later(id: 2, inner: [.first])).object?.inner == [.first])
    #expect(try stored(Outer.Hidden(id: 3)).object?.id == 3)
  }

  @Test("a final class")
  func classes() throws {
    let found = try stored(Counter(name: "a", count: 3)).object
    #expect(found?.name == "a")
    #expect(found?.count == 3)
    #expect(try stored(Blank()).object?.title == "untitled")
  }

  @Test("codings, exact types, backticks, implicit optionals and several names in one line")
  func codings() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let (found, sql) = try stored(
      Coded(
        id: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"), default: 1.5, when: date, x: 1, y: 2, note: nil)
    )
    #expect(found?.default == 1.5)
    #expect(found?.when == date)
    #expect(found.map { [$0.x, $0.y] } == [1, 2])
    #expect(sql.contains("VARCHAR(36)"))
    #expect(sql.contains("\"default\" INTEGER"))
  }

  @Test("embedded fragments, one of them twice with a prefix")
  func embedded() throws {
    let home = Place(city: "Bath", zip: "BA1")
    let (found, sql) = try stored(Person(id: 1, home: home, work: Place(city: "Bristol", zip: nil)))
    #expect(found?.home.city == "Bath")
    #expect(found?.work.zip == nil)
    #expect(sql.contains("home_city") && sql.contains("work_zip"))
  }

  @Test("an embedded fragment that may be nil, in the table that the builder gives as well")
  func optionalFragment() throws {
    let place = Place(city: "Bath", zip: nil)
    let guest = Guest(id: 1, home: nil, work: place, last: place)
    let (found, sql) = try stored(guest)
    #expect(found?.home == nil)
    #expect(found?.work?.city == "Bath")
    #expect(found?.last?.city == "Bath")
    #expect(sql.contains("home_city") && !sql.contains(#""home_city" TEXT NOT NULL"#))
    #expect(try ModelSchema { Guest.self }.declaration() == ModelSchema { GuestByHand.self }.declaration())
    let session = try Session(inMemory: ModelSchema { Guest.self })
    try session.save(guest)
    #expect(try session.count(Guest.self, where: { $0.home.isNil && $0.work.city == "Bath" }) == 1)
  }

  @Test("defaults, generated columns, checks and references to the same model")
  func attributes() throws {
    let (found, sql) = try stored(Folder(id: 1, name: "A", parent: nil, size: 2))
    #expect(found?.doubled == 4)
    #expect(found?.tags == ["new"])
    #expect(sql.contains("DEFAULT '[\"new\"]'"))
    #expect(sql.contains("REFERENCES \"folders\""))
  }

  @Test("the model's own way to read a row")
  func ownReading() throws {
    #expect(try stored(Trimmed(id: 1, name: "  a ")).object?.name == "a")
  }

  @Test("a way to read a row that mixes up two columns is an error before anything is written")
  func mixedUp() {
    #expect(throws: DeclarationError.self) { try Session(inMemory: ModelSchema { MixedUp.self }) }
  }

  @Test("constraints and indexes in an extension")
  func extensions() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).db").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try Session(at: file, schema: ModelSchema { Extended.self })
    let sql = try SchemaInspector(at: file).statements().joined()
    #expect(sql.contains("UNIQUE") && sql.contains("extended_by_title"))
  }

  @Test("a module that is on the main actor by default")
  func mainActor() throws {
    let setting = Setting(name: "size", value: 3, changed: Date(timeIntervalSince1970: 1))
    #expect(try stored(setting).object?.value == 3)
  }

  @Test("an initializer in an extension, or inside #if, has no part in reading a row")
  func ownInitializers() throws {
    #expect(try stored(Shouted(id: 1, title: "a", isNew: true)).object?.title == "a")
    #expect(try stored(Loud(id: 1, title: "a")).object?.title == "A")
    #expect(try stored(Private.sample).object?.id == 1)
  }

  @Test("a type named like one of the library's")
  func sameName() throws {
    #expect(try stored(Names.Table(id: 1, column: "c")).object?.column == "c")
  }

  @Test("the builder and the macro give equal tables")
  func equalTables() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).db").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try Session(at: file, schema: ModelSchema { ByHand.self })
    #expect(try SchemaInspector(at: file).plan(to: ModelSchema { ByMacro.self }).isEmpty)
  }
}

@Model("secrets") struct Secret {
  @PrimaryKey(autoincrement: true) private var id: Int64?
  private var word: String
  @Transient var uses = 0

  init(word: String) { self.word = word }

  func isWord(_ other: String) -> Bool { word == other }
  var length: Int { word.count }
  static let limit = 5
}

enum Outer {
  enum Kind: String, ColumnValue, Codable { case first, second }

  @Model("inner") struct Inner {
    @PrimaryKey var id: Int
    var kind: Kind
  }

  @Model("hidden") fileprivate struct Hidden {
    @PrimaryKey var id: Int
  }
}

extension Outer {
  @Model("later") struct Later {
    @PrimaryKey var id: Int
    var inner: [Kind]
  }
}

@Model("counters") final class Counter {
  @PrimaryKey let name: String
  let count: Int

  init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

@Model("blanks") final class Blank {
  @Column("title") @PrimaryKey let title: String

  init() { title = "untitled" }
}

@Model("coded") struct Coded {
  @Column(type: "VARCHAR(36)") @PrimaryKey var id: UUID!
  @Column(storing: .scaled(digits: 2)) var `default`: Decimal
  @Column("at", storing: .iso8601) var when: Date?
  var x, y: Int
  var note: String? {
    didSet { touched += 1 }
  }
  @Transient var touched = 0
}

@Fragment struct Place {
  var city: String
  var zip: String?
}

@Model("people") struct Person {
  @PrimaryKey var id: Int
  @Embedded(prefix: "home_") var home: Place
  @Embedded(prefix: "work_") var work: Place
}

@Model("guests") struct Guest {
  @PrimaryKey var id: Int
  @Embedded(prefix: "home_") var home: Place?
  @Embedded(prefix: "work_") var work: Optional<Place>
  @Embedded(prefix: "last_") var last: Place!

  static let indexes = [Index<Guest>("guests_by_city", on: \.home!.city)]
}

struct GuestByHand: Model {
  var id: Int
  var home: Place?
  var work: Place?
  var last: Place?

  static let table = ModelTable("guests", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column(embedding: \.home, prefix: "home_")
    Column(embedding: \.work, prefix: "work_")
    Column(embedding: \.last, prefix: "last_")
  } indexes: {
    Index("guests_by_city", on: \.home!.city)
  }
}

@Strict
@Model("folders") struct Folder {
  @PrimaryKey var id: Int
  @Check("length(name) > 0") @Check("name <> '/'") @Unique @Collate(.nocase) var name: String
  @References(Folder.self, onDelete: .cascade) var parent: Int?
  var size: Int
  @Generated("size * 2") var doubled: Int = 0
  @Default var tags: [String] = ["new"]
  @Default(sql: "(7)") var rank: Int = 7
  @Default(3) var depth: Int = 3
}

@Model("trimmed") struct Trimmed {
  @PrimaryKey var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }

  init(row: inout RowReader) throws {
    id = try row.read()
    name = try row.read(String.self).trimmingCharacters(in: .whitespaces)
  }
}

@Model("mixed_up") struct MixedUp {
  @PrimaryKey var id: Int
  var title: String
  var body: String

  init(row: inout RowReader) throws {
    id = try row.read()
    body = try row.read()
    title = try row.read()
  }
}

@Model("shouted") struct Shouted {
  @PrimaryKey var id: Int
  var title: String
  @Transient var isNew = false
}

extension Shouted {
  init(id: Int, title: String) { self.init(id: id, title: title.uppercased(), isNew: false) }
}

@Model("loud") struct Loud {
  @PrimaryKey var id: Int
  var title: String

  #if true
    init(id: Int, title: String) {
      self.id = id
      self.title = title == "a" ? "A" : "read"
    }
  #endif
}

@Model("private") struct Private {
  @PrimaryKey private(set) var id: Int
  private var word: String?

  static let sample = Private(id: 1, word: "open")
}

@Model("extended") struct Extended {
  @PrimaryKey var id: Int
  var title: String
}

extension Extended {
  static let constraints = [Constraint<Extended>.unique(\.title)]
  static let indexes = [Index<Extended>("extended_by_title", on: \.title)]
}

enum Names {
  @Model("tables") struct Table {
    @PrimaryKey var id: Int
    var column: String
  }
}

@Renamed(from: "older", "oldest")
@Removed("gone")
@WithoutRowID
@Model("same") struct ByMacro {
  @PrimaryKey let code: String
  @Renamed(from: "text") var body: String
  @Column("at", storing: .millisecondsSince1970) var date: Date

  static let constraints = [Constraint<ByMacro>.unique(\.body, \.date)]
  static var indexes: [Index<ByMacro>] { [Index("same_by_date", on: \.date, .descending)] }
  static let triggers = [Trigger("same_touch", .after, .delete, body: "SELECT 1")]
}

struct ByHand: Model {
  let code: String
  var body: String
  var date: Date

  static let table = ModelTable("same", as: Self.init, removed: ["gone"]) {
    Column("code", \.code).primaryKey()
    Column("body", \.body).renamed(from: "text")
    Column("at", \.date, storing: .millisecondsSince1970)
  } constraints: {
    Constraint.unique(\.body, \.date)
  } indexes: {
    Index("same_by_date", on: \.date, .descending)
  } triggers: {
    Trigger("same_touch", .after, .delete, body: "SELECT 1")
  }.withoutRowID().renamed(from: "older", "oldest")
}
