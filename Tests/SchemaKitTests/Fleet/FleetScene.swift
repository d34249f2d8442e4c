import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// A folder with the files of some tenants, made with nothing but SQLite.
final class FleetScene {
  let folder: CommandFolder

  /// The schema that the files are to have.
  static let target = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), paid INTEGER NOT NULL DEFAULT 0);
    """

  /// Makes so many files; each third has a column more.
  init(_ count: Int = 12) throws {
    folder = try CommandFolder()
    try FileManager.default.createDirectory(at: folder.url("tenants"), withIntermediateDirectories: true)
    try folder.write(Self.target, to: "schema.sql")
    for number in 1...count { try make(number) }
  }

  /// The name of a file.
  func name(_ number: Int) -> String { "tenants/t\(number < 10 ? "0" : "")\(number).db" }
  func path(_ number: Int) -> String { folder.url(name(number)).path }

  /// Makes a file as tenants have it.
  func make(_ number: Int, email: String = "'a@example.org'") throws {
    let legacy = number % 3 == 0 ? ", phone TEXT" : ""
    try folder.database(
      name(number),
      """
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT\(legacy));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id));
      INSERT INTO customers (name, email) VALUES ('Ada \(number)', \(email));
      INSERT INTO orders (customer) VALUES (1);
      """)
  }

  /// Gives a tenant a row that the new schema refuses.
  func spoil(_ number: Int) throws {
    try folder.database(name(number), "INSERT INTO customers (name) VALUES ('nobody')")
  }

  var journal: String { folder.url("run.fleet-journal").path }

  func files(_ places: String..., follow: Bool = false) throws -> FleetFiles {
    let places = places.isEmpty ? ["tenants"] : places
    return try FleetFiles(at: places.map { folder.url($0).path }, followsLinks: follow)
  }

  func fleet(_ target: String = target) throws -> Fleet {
    Fleet(try files(), target: try TemporaryDatabase.target(target), models: nil)
  }

  /// Whether a file has the new schema, and its row.
  func isDone(_ number: Int) throws -> Bool {
    let rows = try folder.rows(of: name(number), "SELECT name FROM pragma_table_info('orders') WHERE name = 'paid'")
    let kept = try folder.rows(of: name(number), "SELECT name FROM customers WHERE id = 1")
    #expect(kept == [[.text("Ada \(number)")]])
    return !rows.isEmpty
  }

  /// The numbers of the files that have the new schema.
  func done(of count: Int = 12) throws -> [Int] { try (1...count).filter { try isDone($0) } }

  /// How many changes the history of a file has.
  func changes(_ number: Int) throws -> Int {
    guard try isDone(number) else { return 0 }
    return try folder.rows(of: name(number), "SELECT id FROM _schemakit_history WHERE kind = 'apply'").count
  }
}
