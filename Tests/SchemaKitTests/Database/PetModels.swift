import Foundation
import SchemaKit

// Versions of one small program, for the tests of opening.

/// The first version: two columns.
struct PetOne: Model {
  let id: Int64?
  let name: String

  static let table = ModelTable("pets", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name)
  }
}

/// The second version adds a column, which SQLite does by itself.
struct PetTwo: Model {
  let id: Int64?
  let name: String
  let age: Int?

  static let table = ModelTable("pets", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name)
    Column("age", \.age)
  }
}

/// Another second version has a CHECK, and a collation, which takes a rebuild.
struct CheckedPet: Model {
  let id: Int64?
  let name: String

  static let table = ModelTable("pets", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).check("length(name) > 0").type("BLOB")
  }
}

struct Toy: Model {
  let id: Int64?
  let label: String

  static let table = ModelTable("toys", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("label", \.label)
  }
}

enum Pets {
  static let one = ModelSchema { PetOne.self }
  static let two = ModelSchema { PetTwo.self }
  static let checked = ModelSchema { CheckedPet.self }
  static let withToys = ModelSchema {
    PetOne.self
    Toy.self
  }
  static let withoutToys = ModelSchema(removing: ["toys"]) { PetOne.self }
  static let toysApart = ModelSchema(name: "toys") { Toy.self }

  /// What the first version declares, as SQL of someone else's.
  static let sql = "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
  static let rows = "INSERT INTO pets (name) VALUES ('Rex'), ('Tom'), ('Ada');"
}

extension Session {
  /// Whether nothing was introspected.
  var isWarm: Bool { if case .warm = openReport { true } else { false } }

  /// How the comparison ended; nil when there was none.
  var outcome: ApplyReport.Outcome? { if case .compared(let report) = openReport { report.outcome } else { nil } }

  /// The plan that was applied or found empty; nil when nothing was compared.
  var plan: MigrationPlan? { if case .compared(let report) = openReport { report.plan } else { nil } }
}

extension TemporaryDatabase {
  /// A file of the first version with three rows, opened once by its program.
  static func pets() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(Pets.sql + Pets.rows)
    _ = try Session(at: database.path, schema: Pets.one)
    return database
  }

  /// The path of another file in the same folder.
  func sibling(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The names of all files in the folder, sorted.
  var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }
}
