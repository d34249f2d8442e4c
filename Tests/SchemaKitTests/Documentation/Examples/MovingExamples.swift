import Foundation
import SchemaKit
import SchemaKitReports

// The Swift of docs/moving.md. The tests look for its blocks and for the calls of its tables here, and run the functions.

/// A file that SwiftyDB made, whose images become rows of their own.
enum SwiftyDBExample {
  struct Note: Model, Hashable {
    let noteID: Int64
    var title: String
    var text: String
    var textColor: Data?
    var fontName: String
    var fontSize: Double
    var created: Date
    var modified: Date

    static let table = ModelTable("Note", as: Self.init, removed: ["imagesData"]) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title)
      Column("text", \.text)
      Column("textColor", \.textColor)
      Column("fontName", \.fontName).default("Helvetica Neue")
      Column("fontSize", \.fontSize).default(15)
      Column("creationDate", \.created)
      Column("modificationDate", \.modified)
    }
  }

  struct NoteImage: Model, Hashable {
    let id: Int64?
    var noteID: Int64
    var name: String
    var width: Double

    static let table = ModelTable("NoteImage", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("noteID", \.noteID).references(Note.self, onDelete: .cascade)
      Column("name", \.name).unique()
      Column("width", \.width)
    } indexes: {
      Index("NoteImage_by_note", on: \.noteID)
    }
  }

  static let schema = ModelSchema {
    Note.self
    NoteImage.self
    DataStep("split-images", after: .tableAdded(NoteImage.self)) { session in
      for row in try session.query("SELECT noteID, imagesData FROM Note WHERE imagesData IS NOT NULL") {
        let noteID = try row.get("noteID", as: Int64.self)
        let images = try archivedImages(in: row.get("imagesData", as: Data.self))
        try session.save(images.map { NoteImage(id: nil, noteID: noteID, name: $0.name, width: $0.width) })
      }
    }
  }

  /// Reads what the app stored in a BLOB; throws for anything else.
  static func archivedImages(in data: Data) throws -> [(name: String, width: Double)] {
    struct Archived: Decodable {
      var imageName: String
      var frame: [Double]
    }
    return try JSONDecoder().decode([Archived].self, from: data).map { ($0.imageName, $0.frame[2]) }
  }

  static func calls(_ db: Database, _ note: Note, _ notes: [Note], _ other: Note) async throws -> Int {
    try await db.save(note)
    try await db.save(notes)
    try await db.save(note, other)
    _ = try? await db.save(note, .insert)
    let all = try await db.all(Note.self)
    let one = try await db.all(Note.self, where: { $0.noteID == 1_457_000_000 })
    let five = try await db.find(Note.self, 5)
    let some = try await db.all(Note.self, where: { $0.title.like("J_h%") || $0.noteID.isIn([1, 2]) })
    let rows = try await db.read { try $0.rows(Note.self) }
    try await db.delete(Note.self, where: { $0.noteID == 5 })
    try await db.deleteAll(NoteImage.self)
    return all.count + one.count + (five == nil ? 0 : 1) + some.count + rows.count
  }
}

/// A file that SwiftData by ryanfowler made.
enum SwiftDataExample {
  struct Pet: Model, Hashable {
    let id: Int64?
    var name: String
    var weight: Double?
    var isTame: Bool?
    var born: Date?
    var photo: FileAttachment?

    static let table = ModelTable("Pets", as: Self.init) {
      Column("ID", \.id).primaryKey(autoincrement: true)
      Column("name", \.name)
      Column("weight", \.weight)
      Column("isTame", \.isTame)
      Column("born", \.born).converting(sql: "CAST(strftime('%s', born, 'utc') AS REAL)")
      Column("photo", \.photo)
    }
  }

  static let schema = ModelSchema { Pet.self }

  static func calls(_ session: Session, _ name: String, _ column: String, _ png: Data) throws -> [Int] {
    try session.execute("UPDATE Pets SET weight = 2")
    let result = try session.execute("INSERT INTO Pets (name) VALUES (\(name))")
    let inserted = result.lastInsertedID
    let changed = result.changes
    let rows = try session.query("SELECT * FROM Pets WHERE name = \(name)")
    let named = try session.query("SELECT \(id: column) FROM Pets")
    let first = try rows[0].get("name", as: String?.self)
    try session.transaction { try session.execute("DELETE FROM Pets WHERE weight > \(90)") }
    try session.savepoint { try session.execute("DELETE FROM Pets WHERE weight > \(80)") }
    let tables = try session.tableNames()
    let indexes = try session.indexNames(of: "Pets")
    let image = try session.attachments.store(png)
    try session.save(Pet(id: nil, name: "Rex", weight: nil, isTame: nil, born: nil, photo: image))
    return [Int(inserted ?? 0), changed, named.count, first == name ? 1 : 0, tables.count, indexes.count]
  }

  static func readOnly(_ path: String) throws -> Session {
    let session = try Session(at: path, schema: schema) { configuration in configuration.isReadOnly = true }
    return session
  }

  static func look(_ path: String) throws -> String {
    try SchemaInspector(at: path).plan(to: schema).report(database: "SwiftData.sqlite")
  }

  /// Takes over the images that lay in the folder `SwiftDataImages`.
  static func takeImages(from folder: String, into session: Session) throws {
    for image in try session.attachments.report().missing {
      let file = URL(fileURLWithPath: folder).appendingPathComponent(image.id)
      if let data = try? Data(contentsOf: file) { _ = try session.attachments.store(data, as: image.id) }
    }
  }
}

/// A file of two tables that a layer written by hand over SQLite.swift made.
enum SQLiteSwiftExample {
  enum Position: String, ColumnValue {
    case pitcher = "Pitcher"
    case catcher = "Catcher"
  }

  struct Team: Model, Hashable {
    let id: Int64?
    var city: String
    var name: String

    static let table = ModelTable("Teams", as: Self.init) {
      Column("teamid", \.id).primaryKey()
      Column("city", \.city)
      Column("nickname", \.name)
    }
  }

  struct Player: Model, Hashable {
    let id: Int64?
    var name: String
    var number: Int?
    var teamID: Int64?
    var position: Position?
    var born: Date?

    static let table = ModelTable("Players", as: Self.init) {
      Column("playerid", \.id).primaryKey()
      Column("name", \.name)
      Column("number", \.number)
      Column("teamid", \.teamID).references(Team.self, onDelete: .setNull)
      Column("position", \.position)
      Column("born", \.born, storing: .iso8601)
    } indexes: {
      Index("Players_by_team", on: \.teamID)
    }
  }

  static let schema = ModelSchema {
    Team.self
    Player.self
  }

  static func uniquely(_ session: Session, _ player: Player) throws -> StoredSchema.Table? {
    try session.save(player, .upsert(on: \.name))
    return try session.storedSchema().table("notes")
  }

  static func calls(_ session: Session, _ player: Player, _ players: [Player], _ copy: String) throws -> [Int] {
    let id = try session.save(player).id
    try session.save(players)
    try session.save(player, .ignore)
    try session.save(player, .update(\.name, \.number))
    let all = try session.all(Player.self)
    let pitchers = try session.all(Player.self, where: { $0.position == .pitcher && $0.number > 9 })
    let one = try session.first(Player.self, where: { $0.id == 1 })
    let page = try session.all(Player.self, orderBy: { [$0.name.ascending] }, limit: 10, offset: 20)
    let count = try session.count(Player.self)
    let average = try session.value(Player.self, { $0.number.average })
    let names = try session.select(Player.self, { ($0.name, $0.number) })
    let pairs = try session.join(Player.self, Team.self)
    let changed = try session.update(Player.self, set: { [$0.number.increase(by: 1)] }, where: { $0.teamID == 1 })
    let deleted = try session.delete(Player.self, where: { $0.number > 90 })
    let rows = try session.query("SELECT name FROM Players WHERE number = ?", [7])
    let mine = try session.query(Player.self, "SELECT * FROM Players WHERE name LIKE 'A%'")
    try session.transaction(.immediate) { try session.updateAll(Player.self, set: { [$0.number.set(nil)] }) }
    let observation = try session.observe(Player.self) { changes in print(changes.count) }
    try session.backup(to: copy)
    observation.cancel()
    return [
      Int(id ?? 0), all.count, pitchers.count, one == nil ? 0 : 1, page.count, count, average == nil ? 0 : 1,
      names.count, pairs.count, changed, deleted, rows.count, mine.count,
    ]
  }

  static func borrow(_ handle: OpaquePointer, _ sourceID: String) throws -> [Team] {
    let connection = try SQLiteConnection(borrowing: handle, sourceID: sourceID)
    let session = try Session(over: connection, schema: schema)
    return try session.all(Team.self)
  }

  static func look(_ path: String) throws -> String {
    let plan = try SchemaInspector(at: path).plan(to: schema)
    let text = plan.report(database: "baseball.db")
    return text
  }
}
