import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Backfills and conversions computed in Swift")
struct RowFunctionTests {
  enum Colour: String, ColumnValue { case red, green }

  struct Page: Model, Equatable {
    let id: Int64?
    var title: String
    var slug: String
    var colour: Colour
    var made: Date

    static let table = ModelTable("page", as: Self.init) {
      Column("id", \Page.id).primaryKey()
      Column("title", \Page.title)
      Column("slug", \Page.slug).backfill(from: "title", "id") { (title: String, id: Int64) in
        "\(id)-\(title.lowercased().replacing(" ", with: "-"))"
      }
      Column("colour", \Page.colour).converting(from: "colour") { (old: Int?) in old == 1 ? .green : .red }
      Column("made", \Page.made, storing: .iso8601).backfill(from: "stamp") { (stamp: Double?) in
        Date(timeIntervalSince1970: stamp ?? 0)
      }
    }
  }

  /// A column that its function refuses to compute.
  struct Refusing: Model {
    let id: Int64?
    var half: Int

    static let table = ModelTable("page", as: Self.init) {
      Column("id", \Refusing.id).primaryKey()
      Column("half", \Refusing.half).backfill(from: "stamp") { (stamp: Int) in
        guard stamp.isMultiple(of: 2) else { throw Odd(number: stamp) }
        return stamp / 2
      }
    }
  }

  struct Odd: Error, CustomStringConvertible {
    let number: Int
    var description: String { "\(number) is odd" }
  }

  struct Short: Model {
    let id: Int64?
    var half: Int

    static let table = ModelTable("page", as: Self.init) {
      Column("id", \Short.id).primaryKey()
      Column("half", \Short.half).backfill(from: "id", "stamp") { (stamp: Int) in stamp / 2 }
    }
  }

  private func file(rows: Int) throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      "CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, colour INTEGER, stamp REAL)")
    for row in 0..<rows {
      try file.exec("INSERT INTO page VALUES (\(row + 1), 'Page No \(row + 1)', \(row % 2), \(row * 86_400))")
    }
    return file
  }

  private let schema = ModelSchema { Page.self }

  @Test(
    "the rows get what Swift computes from their former columns, in the column's own coding", arguments: [0, 1, 300])
  func computes(rows: Int) throws {
    let file = try file(rows: rows)
    let plan = try SchemaInspector(at: file.path).plan(to: schema)
    #expect(plan.hazards.contains { $0.code == .droppedColumn && $0.count == rows })
    let session = try Session(at: file.path, schema: schema) { $0.migration = .automatic(.everything) }
    let pages = try session.all(Page.self, orderBy: { [$0.id.ascending] })
    #expect(pages.count == rows)
    for (index, page) in pages.enumerated() {
      #expect(page.slug == "\(index + 1)-page-no-\(index + 1)")
      #expect(page.colour == (index % 2 == 1 ? .green : .red))
      #expect(page.made == Date(timeIntervalSince1970: Double(index) * 86_400))
    }
    if rows > 0 {
      #expect(try file.value("SELECT made FROM page WHERE id = 1")?.string?.hasPrefix("1970-01-01T00:00:00") == true)
    }
    // Later statements of the program cannot call them.
    #expect(throws: SQLiteError.self) { try session.query("SELECT _schemakit_row_1('a', 1)") }
    #expect(try SchemaInspector(at: file.path).plan(to: schema).isEmpty)
  }

  @Test("what the function throws is told before anything is written, and nothing is changed")
  func throwing() throws {
    let file = try file(rows: 3)
    try file.exec("UPDATE page SET stamp = id * 2; UPDATE page SET stamp = 7 WHERE id = 2")
    let bytes = try file.bytes
    let error = #expect(throws: PlanError.self) {
      _ = try Session(at: file.path, schema: ModelSchema { Refusing.self }) { $0.migration = .automatic(.everything) }
    }
    #expect("\(String(describing: error))".contains("7 is odd"))
    #expect(try file.bytes == bytes)
    try file.exec("UPDATE page SET stamp = 8 WHERE id = 2")
    _ = try Session(at: file.path, schema: ModelSchema { Refusing.self }) { $0.migration = .automatic(.everything) }
    #expect(try file.query("SELECT half FROM page ORDER BY id") == [[.int(1)], [.int(4)], [.int(3)]])
  }

  @Test("NULL where the function takes no optional is told, with nothing changed")
  func nullArgument() throws {
    let file = try file(rows: 1)
    try file.exec("UPDATE page SET stamp = NULL")
    #expect(throws: PlanError.self) {
      _ = try Session(at: file.path, schema: ModelSchema { Refusing.self }) { $0.migration = .automatic(.everything) }
    }
    #expect(try file.query("SELECT name FROM pragma_table_info('page')").count == 4)
  }

  @Test("as many columns as arguments must be named")
  func arity() throws {
    let error = #expect(throws: DeclarationError.self) { try ModelSchema { Short.self }.declaration() }
    #expect("\(String(describing: error))".contains("from 2 columns by a function of 1 arguments"))
  }
}
