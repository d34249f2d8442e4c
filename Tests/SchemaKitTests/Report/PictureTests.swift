import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Pictures of many tables")
struct PictureTests {
  /// The page of a plan that adds something to 300 tables, each with a foreign key to an earlier one.
  static func page(adding sql: String, tables: Int = 300) throws -> String {
    let before = RenderedPageTests.sql(tables: tables)
    let plan = try TemporaryDatabase(before).plan(to: before + sql)
    return PlanReport(plan, database: "big.db").html(
      from: try DiagramTests.schema(before), to: try DiagramTests.schema(before + sql))
  }

  @Test("the field that finds tables stands before the picture, and says what it is and controls")
  func roles() throws {
    let page = try PageReader(SchemaReport.html(try DiagramTests.schema(DiagramTests.shop), name: "shop.sql"))
    func position(_ name: String, _ attribute: String, _ value: String) throws -> Int {
      try #require(page.all.firstIndex { $0.name == name && $0.attributes[attribute] == value }, "\(name) \(value)")
    }
    let field = try position("input", "role", "combobox")
    let tools = try position("div", "role", "group")
    let frame = try position("div", "role", "region")
    #expect(field < tools && tools < frame)
    let list = page.all[try position("ul", "role", "listbox")].attributes
    #expect(page.all[field].attributes["aria-controls"] == list["id"])
    #expect(page.all[field].attributes["aria-expanded"] == "false" && list["aria-label"] != nil)
    #expect(page.all[try position("label", "for", "filter")].name == "label")
    #expect(page.all[try position("output", "role", "status")].attributes["for"] == "filter")
    let frameAttributes = page.all[frame].attributes
    #expect(frameAttributes["tabindex"] == "0" && frameAttributes["aria-label"] != nil)
    let buttons = page.all.filter { $0.name == "button" }
    #expect(buttons.compactMap { $0.attributes["value"] } == ["-", "+", "0", "1"])
    #expect(buttons.allSatisfy { $0.attributes["aria-label"] != nil && $0.attributes["type"] == "button" })
    // Without the script none of them could do anything.
    for name in ["search", "hits"] {
      #expect(page.all.contains { $0.attributes["id"] == name && $0.attributes["hidden"] != nil })
    }
    #expect(page.all[tools].attributes["hidden"] != nil)
  }

  @Test(
    "the page of a plan begins with the picture of what changes and its neighbours",
    arguments: [
      ("ALTER TABLE t5 ADD COLUMN a;", ["t1", "t5", "t15", "t16", "t17"]),
      ("CREATE INDEX t5_name ON t5 (name);", ["t1", "t5", "t15", "t16", "t17"]),
      ("CREATE TRIGGER t299_note AFTER DELETE ON t299 BEGIN SELECT 1; END;", ["t99", "t299"]),
      ("CREATE TABLE extra (id INTEGER PRIMARY KEY, t299 INTEGER REFERENCES t299);", ["t299", "extra"]),
      ("DROP TABLE t299;", ["t99", "t299"]),
      ("CREATE VIEW names AS SELECT name FROM t5;", ["names"]),
    ])
  func part(sql: String, boxes: [String]) throws {
    let html = try Self.page(adding: sql)
    let page = try PageReader(html)
    #expect(page.pictures.map(\.count) == [boxes.count, page.articles.count])
    #expect(page.pictures.first == boxes)
    let all = page.articles.count
    #expect(html.contains("Left out: \(all - boxes.count) of \(all)."))
    let views = sql.hasPrefix("CREATE VIEW") ? " and 1 view" : ""
    #expect(html.contains("<summary>Show all \(all - (views.isEmpty ? 0 : 1)) tables\(views)</summary>"))
    #expect(Set(page.idList).count == page.idList.count)
  }

  @Test("one picture is enough where there are few tables, where all change, and where none does")
  func one() throws {
    #expect(try PageReader(Self.page(adding: "ALTER TABLE t5 ADD COLUMN a;", tables: 25)).pictures.map(\.count) == [25])
    #expect(try PageReader(Self.page(adding: "")).pictures.map(\.count) == [300])
    let schema = try DiagramTests.schema(RenderedPageTests.sql(tables: 30))
    let plan = try TemporaryDatabase("").plan(to: RenderedPageTests.sql(tables: 30))
    let html = PlanReport(plan, database: "new.db").html(from: DatabaseSchema(), to: schema)
    #expect(try PageReader(html).pictures.map(\.count) == [30])
  }

  @Test(
    "a neighbourhood has parents, children and the foreign keys between them, a missing parent as well",
    arguments: [
      ("pet", ["person", "pet", "visit"], ["pet person", "visit pet"]), ("node", ["node"], ["node node"]),
      ("stray", ["stray", "nowhere"], ["stray nowhere"]), ("owners", ["owners"], []), ("unknown", [], []),
    ])
  func neighbourhood(name: String, nodes: [String], relations: [String]) throws {
    let part = SchemaDiagram(try DiagramTests.schema(DiagramTests.shop)).neighbourhood(of: [SQLName(name)])
    #expect(part.nodes.map(\.name.text) == nodes)
    #expect(part.relations.map { "\(part.nodes[$0.child].name) \(part.nodes[$0.parent].name)" } == relations)
  }

  @Test("the second picture adds little to the page of a plan, and the page grows with the tables only")
  func size() throws {
    let sizes = try [300, 1000].map { count in
      let plain = SchemaReport.html(try DiagramTests.schema(RenderedPageTests.sql(tables: count)), name: "big.sql")
      let planned = try Self.page(adding: "ALTER TABLE t5 ADD COLUMN a;", tables: count)
      #expect(planned.utf8.count < plain.utf8.count + 20_000)
      return planned.utf8.count
    }
    #expect(sizes[1] < sizes[0] * 4)
  }
}
