import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Pages about schemas and plans")
struct SchemaPageTests {
  private static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, legacy TEXT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author);
    CREATE TABLE old (what TEXT);
    """
  private static let rows = """
    INSERT INTO author VALUES (1, 'Ann', 'x');
    INSERT INTO book VALUES (1, 'One', 1);
    INSERT INTO old VALUES ('gone');
    """
  private static let after = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT DEFAULT '<none>');
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author);
    CREATE TABLE "<script>alert(1)</script>" ("\"\"'&" TEXT, book INTEGER REFERENCES book ON DELETE CASCADE);
    CREATE VIEW titles AS SELECT title FROM book WHERE title <> '</code>';
    """

  @Test("the page of a schema is well-formed, and has every table as a box and in words")
  func inspect() throws {
    let page = try PageReader(SchemaReport.html(try DiagramTests.schema(DiagramTests.shop), name: "shop.sql"))
    let names = ["person", "passport", "pet", "visit", "bill", "node", "stray", "owners"]
    #expect(page.boxes == names + ["nowhere"])
    #expect(page.articles == names)
    #expect(page.count("g", class: "relation") == 6)
    #expect(page.titles.contains { $0.hasPrefix("passport to person: person → id, ON DELETE CASCADE (exactly one") })
    #expect(page.titles.contains("owners (view)"))
    #expect(page.title == "shop.sql")
    #expect(page.brokenLinks == [])
  }

  @Test("names and texts of any kind are shown and never are markup")
  func escaping() throws {
    let page = try PageReader(SchemaReport.html(try DiagramTests.hostileSchema(), name: "</title><script>"))
    #expect(page.title == "</title><script>")
    #expect(page.boxes == DiagramTests.hostile.map { SQLName($0).folded })
    #expect(page.articles == DiagramTests.hostile.map { SQLName($0).folded })
    #expect(page.elements["script"] == 1)
    #expect(page.names.isSuperset(of: DiagramTests.hostile))
    #expect(page.count("g", class: "relation") == DiagramTests.hostile.count - 1)
  }

  @Test("a page needs nothing from anywhere, and its picture has a name for those who do not see it")
  func selfContained() throws {
    let html = SchemaReport.html(try DiagramTests.schema(DiagramTests.shop), name: "shop.sql")
    let page = try PageReader(html)
    for (name, attributes) in page.all {
      #expect(attributes["src"] == nil && attributes["style"] == nil, "\(name)")
      if let link = attributes["href"] { #expect(link.hasPrefix("#")) }
      #expect(!attributes.keys.contains { $0.hasPrefix("on") }, "\(name)")
    }
    #expect(!html.replacing("http://www.w3.org/", with: "").contains("://"))
    let policy = page.all.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
    #expect(policy?.attributes["content"]?.hasPrefix("default-src 'none'; ") == true)
    let picture = try #require(page.all.first { $0.name == "svg" }).attributes
    #expect(picture["role"] == "img")
    let labels = try #require(picture["aria-labelledby"]).split(separator: " ").map { String($0) }
    #expect(page.ids.isSuperset(of: labels))
    #expect(page.all.filter { $0.name == "main" }.count == 1)
    for name in ["section", "article"] {
      for element in page.all where element.name == name {
        #expect(page.ids.contains(element.attributes["aria-labelledby"] ?? ""))
      }
    }
    #expect(Set(page.idList).count == page.idList.count)
  }

  @Test("a plan's page says of each table what becomes of it, in words too")
  func plan() throws {
    let plan = try TemporaryDatabase(Self.before + Self.rows).plan(to: Self.after)
    let report = PlanReport(plan, database: "<books>.db")
    let html = report.html(from: try DiagramTests.schema(Self.before), to: try DiagramTests.schema(Self.after))
    let page = try PageReader(html)
    #expect(html.contains("~ changed</span> NOT NULL</td>"))
    #expect(page.title.hasPrefix("<books>.db: "))
    #expect(page.box("author") == "node table changed")
    #expect(page.box("book") == "node table")
    #expect(page.box("old") == "node table dropped")
    #expect(page.box("<script>alert(1)</script>") == "node table added")
    #expect(page.box("titles") == "node view added")
    #expect(page.titles.contains("− old, dropped"))
    #expect(page.titles.contains("~ author, changed"))
    #expect(page.lines.isSuperset(of: ["− legacy TEXT", "+ country TEXT", "~ name TEXT", "id INTEGER"]))
    #expect(page.elements["script"] == 1)
    // In the overview, beside the name of the table or view, and beside the column.
    #expect(page.count("span", class: "badge added") == 4)
    #expect(page.count("span", class: "badge changed") == 3)
    #expect(page.count("span", class: "badge dropped") == 3)
    #expect(page.names.isSuperset(of: ["legacy", "country"]))
    #expect(!report.refusals.isEmpty)
    #expect(page.count("p", class: "refused") == report.refusals.count)
    #expect(page.ids.isSuperset(of: ["changes", "hazards", "steps", "script", "picture", "tables"]))
    #expect(page.brokenLinks == [])
  }

  @Test("a schema without tables, and a plan without steps, are pages as well")
  func empty() throws {
    let page = try PageReader(SchemaReport.html(DatabaseSchema(), name: "empty.sql"))
    #expect(page.elements["svg"] == nil && page.elements["h1"] == 1)
    let file = try TemporaryDatabase("CREATE TABLE a (x);")
    let schema = try DiagramTests.schema("CREATE TABLE a (x);")
    let plan = try PageReader(
      PlanReport(try file.plan(to: "CREATE TABLE a (x);"), database: "a.db").html(from: schema, to: schema))
    #expect(plan.boxes == ["a"])
    #expect(!plan.ids.contains("steps"))
  }

  @Test("no two boxes overlap, whatever refers to whatever", arguments: 0..<20)
  func layout(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...120, using: &generator)
    let sizes = (0..<count).map { _ in
      (width: Int.random(in: 100...300, using: &generator), height: Int.random(in: 30...320, using: &generator))
    }
    let edges = (0..<Int.random(in: 0...(count * 2), using: &generator)).map { _ in
      (child: Int.random(in: 0..<count, using: &generator), parent: Int.random(in: 0..<count, using: &generator))
    }
    let layout = DiagramLayout(sizes: sizes, edges: edges)
    for (index, box) in layout.boxes.enumerated() {
      #expect(box.width == sizes[index].width && box.height == sizes[index].height)
      #expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= layout.width && box.y + box.height <= layout.height)
      for other in layout.boxes[(index + 1)...] {
        let isApart =
          box.x + box.width <= other.x || other.x + other.width <= box.x || box.y + box.height <= other.y
          || other.y + other.height <= box.y
        #expect(isApart, "seed \(seed): \(box) and \(other)")
      }
    }
  }

  @Test("a chain of ten thousand tables is laid out")
  func longChain() {
    let count = 10_000
    let layout = DiagramLayout(
      sizes: Array(repeating: (width: 100, height: 40), count: count), edges: (1..<count).map { ($0, $0 - 1) })
    #expect(layout.boxes[count - 1].x > layout.boxes[0].x)
  }
}
