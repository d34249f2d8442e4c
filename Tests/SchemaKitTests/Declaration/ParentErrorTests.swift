import Foundation
import SchemaKit
import Testing

@Suite("foreign keys that could never be kept")
struct ParentErrorTests {
  private struct Person: Model {
    let id: Int64?, code: UUID, name: String
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("code", \.code, storing: .uppercaseText).unique()
      Column("name", \.name)
    }
  }

  private struct Task: Model {
    let id: Int64?, owner: Int64
    static let table = ModelTable("tasks", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("owner", \.owner).references(Person.self)
    }
  }

  private struct Seat: Model {
    let hall: String, number: Int
    static let table = ModelTable("seats", as: Self.init) {
      Column("hall", \.hall)
      Column("number", \.number)
    } constraints: {
      Constraint.primaryKey(\.hall, \.number)
    }
  }

  private func error(_ schema: ModelSchema) -> DeclarationError? {
    do { _ = try schema.declaration() } catch { return error }
    return nil
  }

  @Test("a parent that is not in the schema is named, with the model and the column that refer to it")
  func outsideTheSchema() {
    struct Ticket: Model {
      let hall: String, number: Int
      static let table = ModelTable("tickets", as: Self.init) {
        Column("hall", \.hall)
        Column("number", \.number)
      } constraints: {
        Constraint.foreignKey(\.hall, \.number, references: Seat.self)
      }
    }
    let found = error(ModelSchema { Task.self })
    #expect(found?.reason == .parentNotInSchema(columns: ["owner"], parent: "Person", table: "people"))
    #expect(
      found?.description == "Model Task (table tasks) refers in owner to the model Person, which is not in the schema. "
        + "Add Person.self to the ModelSchema, or name the table, \"people\", if something else makes it in the same file."
    )
    #expect(
      error(ModelSchema { Ticket.self })?.reason
        == .parentNotInSchema(columns: ["hall", "number"], parent: "Seat", table: "seats"))
    #expect(throws: DeclarationError.self) { try Session(inMemory: ModelSchema { Task.self }) }
    #expect(
      error(
        ModelSchema {
          Task.self
          SQLObject("CREATE TABLE People (id INTEGER PRIMARY KEY)")
        }) == nil)
  }

  @Test("a table that something else makes in the same file is referred to by its name")
  func unmanaged() throws {
    struct Visit: Model, Hashable {
      let id: Int64?, page: Int64
      static let table = ModelTable("visits", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("page", \.page).references("pages", onDelete: .cascade)
      }
    }
    let file = try TemporaryDatabase("CREATE TABLE pages (id INTEGER PRIMARY KEY); INSERT INTO pages VALUES (5)")
    do {
      let session = try Session(at: file.path, schema: ModelSchema { Visit.self })
      try session.save(Visit(id: 1, page: 5))
      #expect(throws: RecordError.self) { try session.save(Visit(id: 2, page: 6)) }
    }
    #expect(try file.query("SELECT page FROM visits") == [[.int(5)]])
    #expect(try file.query("SELECT id FROM pages") == [[.int(5)]])
  }

  @Test("a key of another kind than the column that it refers to")
  func otherKind() {
    struct Text: Model {
      let owner: String?
      static let table = ModelTable("texts", as: Self.init) { Column("owner", \.owner).references(Person.self) }
    }
    struct Blob: Model {
      let owner: Data
      static let table = ModelTable("blobs", as: Self.init) {
        Column("owner", \.owner)
      } constraints: {
        Constraint.foreignKey(\.owner, references: Person.self, columns: \.id)
      }
    }
    func error(_ schema: ModelSchema) -> DeclarationError? { self.error(schema) }
    let found = error(
      ModelSchema {
        Text.self
        Person.self
      })
    #expect(
      found?.reason
        == .parentTypeMismatch(
          column: "owner", type: "TEXT", parent: "Person", parentColumn: "id", parentType: "INTEGER"))
    #expect(
      found?.description
        == "Model Text (table texts) refers in owner, stored as TEXT, to the column id of Person, stored "
        + "as INTEGER. Give both the same type and coding, or name the table in place of the model if the file is that way."
    )
    #expect(
      error(
        ModelSchema {
          Person.self
          Blob.self
        })?.reason
        == .parentTypeMismatch(
          column: "owner", type: "BLOB", parent: "Person", parentColumn: "id", parentType: "INTEGER"))
  }

  @Test("a key whose coding is not that of the column that it refers to")
  func otherCoding() throws {
    struct Lower: Model {
      let person: UUID
      static let table = ModelTable("lower", as: Self.init) {
        Column("person", \.person).references(Person.self, column: \.code)
      }
    }
    struct Upper: Model {
      let person: UUID?
      static let table = ModelTable("upper", as: Self.init) {
        Column("person", \.person, storing: .uppercaseText).references(Person.self, column: \.code)
      }
    }
    #expect(
      error(
        ModelSchema {
          Lower.self
          Person.self
        })?.reason
        == .parentTypeMismatch(
          column: "person", type: "TEXT", parent: "Person", parentColumn: "code", parentType: "TEXT with .uppercaseText"
        ))
    let session = try Session(
      inMemory: ModelSchema {
        Upper.self
        Person.self
      })
    let code = UUID()
    try session.save(Person(id: 1, code: code, name: ""))
    try session.save(Upper(person: code), .insert)
    #expect(try session.join(Upper.self, Person.self).map(\.1.id) == [1])
  }

  @Test("numbers of every kind, raw values and columns of any type may refer to each other")
  func sameKind() {
    struct PersonID: RawRepresentable, ColumnValue { var rawValue: Int64 }
    struct Mixed: Model {
      let first: Int32, second: PersonID?, third: SQLValue, fourth: Double
      static let table = ModelTable("mixed", as: Self.init) {
        Column("first", \.first).references(Person.self)
        Column("second", \.second).references(Person.self)
        Column("third", \.third).references(Person.self)
        Column("fourth", \.fourth).references(Person.self)
      }
    }
    #expect(
      error(
        ModelSchema {
          Mixed.self
          Person.self
        }) == nil)
  }

  @Test("a parent whose rows are not told apart by the columns referred to")
  func notUnique() {
    struct Loose: Model {
      let name: String
      static let table = ModelTable("loose", as: Self.init) { Column("name", \.name) }
    }
    struct ToLoose: Model {
      let name: String
      static let table = ModelTable("to_loose", as: Self.init) { Column("name", \.name).references(Loose.self) }
    }
    struct ToName: Model {
      let name: String
      static let table = ModelTable("to_name", as: Self.init) {
        Column("name", \.name).references(Person.self, column: \.name)
      }
    }
    struct ToSeat: Model {
      let number: Int
      static let table = ModelTable("to_seat", as: Self.init) { Column("number", \.number).references(Seat.self) }
    }
    let toName = ModelSchema {
      ToName.self
      Person.self
    }
    #expect(
      error(
        ModelSchema {
          ToLoose.self
          Loose.self
        })?.reason == .parentNotUnique(columns: ["name"], parent: "Loose", parentColumns: []))
    #expect(error(toName)?.reason == .parentNotUnique(columns: ["name"], parent: "Person", parentColumns: ["name"]))
    #expect(
      error(
        ModelSchema {
          ToSeat.self
          Seat.self
        })?.reason == .foreignKeyCount(columns: 1, parentColumns: 2))
    #expect(
      error(
        ModelSchema {
          ToName.self
          Person.self
          SQLObject("CREATE UNIQUE INDEX people_by_name ON people (name)")
        }) == nil)
  }

  @Test("a unique index of the parent will do, in any order of its columns")
  func uniqueIndex() throws {
    struct Room: Model {
      let house: String, number: Int
      static let table = ModelTable("rooms", as: Self.init) {
        Column("house", \.house)
        Column("number", \.number)
      } indexes: {
        Index("rooms_once", on: \.number, \.house).unique()
      }
    }
    struct Chair: Model {
      let house: String, number: Int
      static let table = ModelTable("chairs", as: Self.init) {
        Column("house", \.house)
        Column("number", \.number)
      } constraints: {
        Constraint.foreignKey(\.house, \.number, references: Room.self, columns: \.house, \.number)
      }
    }
    let session = try Session(
      inMemory: ModelSchema {
        Chair.self
        Room.self
      })
    try session.save(Room(house: "a", number: 1), .insert)
    try session.save(Chair(house: "a", number: 1), .insert)
    #expect(throws: RecordError.self) { try session.save(Chair(house: "a", number: 2), .insert) }
  }
}
