import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Another coding in models with keys, fragments and codings of their own")
struct ModelCodingTests {
  struct OldOwner: Model {
    let id: UUID
    var name: String
    static let table = ModelTable("owner", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
    }
  }
  struct OldPet: Model {
    let id: Int64?
    var owner: UUID
    static let table = ModelTable("pet", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("owner", \.owner).references(OldOwner.self, onDelete: .cascade)
    } indexes: {
      Index("pets_by_owner", on: \.owner)
    }
  }
  struct NewOwner: Model {
    let id: UUID
    var name: String
    static let table = ModelTable("owner", as: Self.init) {
      Column("id", \.id, storing: .bytes).primaryKey()
      Column("name", \.name)
    }
  }
  struct NewPet: Model {
    let id: Int64?
    var owner: UUID
    static let table = ModelTable("pet", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("owner", \.owner, storing: .bytes).references(NewOwner.self, onDelete: .cascade)
    } indexes: {
      Index("pets_by_owner", on: \.owner)
    }
  }

  @Test("keys and what refers to them get another coding together")
  func keys() throws {
    let file = try TemporaryDatabase()
    let owners = (0..<40).map { OldOwner(id: UUID(), name: "o\($0)") }
    let session = try Session(
      at: file.path,
      schema: ModelSchema {
        OldOwner.self
        OldPet.self
      })
    try session.save(owners)
    try session.save(owners.map { OldPet(id: nil, owner: $0.id) })
    try session.close()
    let new = try Session(
      at: file.path,
      schema: ModelSchema {
        NewOwner.self
        NewPet.self
      })
    #expect(Set(try new.all(NewOwner.self).map(\.id)) == Set(owners.map(\.id)))
    #expect(try new.all(NewPet.self, orderBy: { [$0.id.ascending] }).map(\.owner) == owners.map(\.id))
    try new.close()
    #expect(try file.query("SELECT DISTINCT typeof(owner), length(owner) FROM pet") == [[.text("blob"), .int(16)]])
    #expect(try file.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(
      try file.value("SELECT count(*) FROM pet INDEXED BY pets_by_owner WHERE owner IN (SELECT id FROM owner)")
        == .int(40))
  }

  struct OldEntry: Model {
    let key: UUID
    var text: String
    static let table = ModelTable("entry", as: Self.init) {
      Column("key", \.key).primaryKey()
      Column("text", \.text)
    }.withoutRowID()
  }
  struct NewEntry: Model {
    let key: UUID
    var text: String
    static let table = ModelTable("entry", as: Self.init) {
      Column("key", \.key, storing: .bytes).primaryKey()
      Column("text", \.text)
    }.withoutRowID()
  }

  @Test("a key by which rows are stored gets another coding, and its rows are compared by what it becomes")
  func keysOfRows() throws {
    let file = try TemporaryDatabase()
    let entries = (0..<50).map { OldEntry(key: UUID(), text: "e\($0)") }
    let old = try Session(at: file.path, schema: ModelSchema { OldEntry.self })
    try old.save(entries)
    try old.close()
    let plan = try SchemaInspector(at: file.path).plan(to: ModelSchema { NewEntry.self })
    #expect(plan.statements.contains { $0.role == .verification && $0.sql.contains("_schemakit_recode") })
    let new = try Session(at: file.path, schema: ModelSchema { NewEntry.self })
    let texts = try new.all(NewEntry.self).map { "\($0.key) \($0.text)" }
    #expect(Set(texts) == Set(entries.map { "\($0.key) \($0.text)" }))
    try new.close()
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  struct OldVisit: Model {
    let place: String
    var at: Date
    static let table = ModelTable("visit", as: Self.init) {
      Column("place", \.place).primaryKey()
      Column("at", \.at, storing: .secondsSince1970)
    }.withoutRowID()
  }
  struct NewVisit: Model {
    let place: String
    var at: Date
    static let table = ModelTable("visit", as: Self.init) {
      Column("place", \.place).primaryKey()
      Column("at", \.at, storing: .secondsSince2001)
    }.withoutRowID()
  }

  @Test("values get another coding although an index of their table lacks the rows")
  func lackingIndex() throws {
    let file = try TemporaryDatabase()
    let old = try Session(at: file.path, schema: ModelSchema { OldVisit.self })
    let visits = (0..<5).map { OldVisit(place: "p\($0)", at: Date(timeIntervalSince1970: 1_700_000_000)) }
    try old.save(visits)
    try old.close()
    try file.exec("CREATE INDEX visit_at ON visit (at) WHERE at IS NULL")
    let raw = try file.reopened()
    try raw.exec(
      """
      PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX visit_at ON visit (at)' WHERE name = 'visit_at';
      PRAGMA schema_version = 99
      """)
    raw.close()
    let new = try Session(at: file.path, schema: ModelSchema { NewVisit.self })
    #expect(try Set(new.all(NewVisit.self).map(\.at)) == Set(visits.map(\.at)))
    try new.close()
  }

  @Test("an online copy stores values anew as well")
  func online() throws {
    let values = (0..<3000).map { Date(timeIntervalSince1970: 1_600_000_000 + Double($0)) }
    let (old, new) = (StoringProgram(PlainDate.self), StoringProgram(TextDate.self))
    let file = try old.file(values)
    var policy = PlanPolicy.lossless
    policy.strategy = .online
    #expect(try new.values(file.path, .automatic(policy)) == values)
    #expect(try file.value("SELECT max(value) FROM t") == .text("2020-09-13T13:16:39.000Z"))
  }

  @Test("values are stored anew inside a transaction of the program's own too")
  func ownTransaction() throws {
    let (old, new) = (StoringProgram(Cents.self), StoringProgram(Mills.self))
    let file = try old.file([12, nil])
    let raw = try RawSQLite(file.path)
    defer { raw.close() }
    try raw.exec("BEGIN")
    let connection = try SQLiteConnection(
      borrowing: try #require(raw.pointer), sourceID: SQLiteConnection.engineSourceID)
    let session = try Session(over: connection, schema: new.schema)
    let read = try new.load(session)
    #expect(read == [12, nil])
    try raw.exec("COMMIT")
    #expect(try file.value("SELECT value FROM t") == .int(12_000))
  }

  struct OldStamp: Fragment {
    let at: Date
    static let columns = ColumnGroup(as: Self.init) { Column("at", \.at) }
  }
  struct NewStamp: Fragment {
    let at: Date
    static let columns = ColumnGroup(as: Self.init) { Column("at", \.at, storing: .secondsSince2001) }
  }
  struct OldNote: Model {
    let id: Int64?
    var made: OldStamp
    var seen: OldStamp?
    static let table = ModelTable("note", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.made, prefix: "made_")
      Column(embedding: \.seen, prefix: "seen_")
    }
  }
  struct NewNote: Model {
    let id: Int64?
    var made: NewStamp
    var seen: NewStamp?
    static let table = ModelTable("memo", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.made, prefix: "made_")
      Column(embedding: \.seen, prefix: "seen_")
    }.renamed(from: "note")
  }

  @Test("columns of embedded fragments get another coding, in a table that gets another name")
  func fragments() throws {
    let file = try TemporaryDatabase()
    let when = Date(timeIntervalSince1970: 1_700_000_000)
    let old = try Session(at: file.path, schema: ModelSchema { OldNote.self })
    try old.save([
      OldNote(id: nil, made: OldStamp(at: when), seen: nil),
      OldNote(id: nil, made: OldStamp(at: when), seen: OldStamp(at: when)),
    ])
    try old.close()
    let new = try Session(at: file.path, schema: ModelSchema { NewNote.self })
    let notes = try new.all(NewNote.self, orderBy: { [$0.id.ascending] })
    #expect(notes.map(\.made.at) == [when, when] && notes.map(\.seen?.at) == [nil, when])
    try new.close()
    #expect(try file.value("SELECT made_at FROM memo") == .real(721_692_800))
  }

  struct Angle: Equatable, Sendable, ColumnValue {
    var radians: Double
    static var columnType: ColumnType { .real }
    init(radians: Double) { self.radians = radians }
    init(sqlValue: SQLValue) throws { radians = try Double(sqlValue: sqlValue) }
    func sqlValue() throws -> SQLValue { .real(radians) }
  }
  private static func scaled(_ factor: Double) -> ColumnCoding<Angle> {
    ColumnCoding(
      type: .real, encode: { .real($0.radians * factor) }, decode: { Angle(radians: try Double(sqlValue: $0) / factor) }
    )
  }
  enum Degrees: StoredAs { static let coding: ColumnCoding<Angle>? = ModelCodingTests.scaled(180 / .pi) }
  enum Moved: StoredAs {
    // The same, from another place in the source.
    static let coding: ColumnCoding<Angle>? = ColumnCoding(
      type: .real, encode: { .real($0.radians * (180 / .pi)) },
      decode: { Angle(radians: try Double(sqlValue: $0) / (180 / .pi)) })
  }
  enum Turns: StoredAs { static let coding: ColumnCoding<Angle>? = ModelCodingTests.scaled(0.5 / .pi) }

  @Test("a coding of a program's own is known by what it stores, wherever it stands in the source")
  func ownCodings() throws {
    let file = try StoringProgram(Degrees.self).file([Angle(radians: .pi)])
    #expect(try StoringProgram(Moved.self).plan(file).isEmpty)
    let turns = StoringProgram(Turns.self)
    let hazard = try #require(try turns.plan(file).hazards.first { $0.code == .unreadable })
    #expect(hazard.hazardClass == .blocked && hazard.count == 1 && hazard.samples == ["1"])
    #expect(throws: PlanError.self) { try turns.open(file.path, .automatic(.everything)) { _ in } }
    #expect(try file.value("SELECT value FROM t") == .real(180))
  }

  struct Turning: Model {
    let id: Int64?
    var value: Angle?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value, storing: ModelCodingTests.scaled(0.5 / .pi)).converting(from: "value") {
        (old: Double?) in
        old.map { Angle(radians: $0 / 180 * .pi) }
      }
    }
  }

  @Test("a conversion in Swift takes the values of one own coding to another of the same type")
  func ownConversion() throws {
    let file = try StoringProgram(Degrees.self).file([Angle(radians: .pi), nil])
    let session = try Session(at: file.path, schema: ModelSchema { Turning.self })
    #expect(try session.all(Turning.self).map(\.value) == [Angle(radians: .pi), nil])
    try session.close()
    #expect(try file.value("SELECT value FROM t") == .real(0.5))
    let again = try Session(at: file.path, schema: ModelSchema { Turning.self })
    if case .warm = again.openReport {} else { Issue.record("the file was compared") }
    try again.close()
  }
}
