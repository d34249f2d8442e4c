import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Diagrams as text")
struct DiagramTests {
  /// Names that mean something to HTML, SQL, Mermaid and Graphviz.
  static let hostile = [
    "<script>alert(1)</script>", "\"'&", "a\\", "100% ~x~", "direction TB", "order", "to", "名前", "x\ny",
  ]

  /// Ten ordinary tables and every kind of relation.
  static let shop = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE);
    CREATE TABLE passport (person INTEGER PRIMARY KEY REFERENCES person ON DELETE CASCADE, number TEXT NOT NULL);
    CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id) ON DELETE SET NULL, name TEXT NOT NULL);
    CREATE TABLE visit (pet INTEGER NOT NULL REFERENCES pet, day TEXT NOT NULL, price DECIMAL(10,2), PRIMARY KEY (pet, day));
    CREATE TABLE bill (pet INTEGER, day TEXT, FOREIGN KEY (pet, day) REFERENCES visit);
    CREATE UNIQUE INDEX bill_visit ON bill (pet, day);
    CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES node);
    CREATE TABLE stray (gone INTEGER NOT NULL REFERENCES nowhere (id));
    CREATE VIEW owners AS SELECT email FROM person;
    """

  static func schema(_ sql: String) throws -> DatabaseSchema { try TemporaryDatabase.target(sql).schema }

  /// A schema with tables, columns and types of all hostile names; each but the first refers to the one before.
  static func hostileSchema() throws -> DatabaseSchema {
    var sql = ""
    for (index, name) in hostile.enumerated() {
      let quoted = SQLName(name).quoted
      let reference =
        index == 0
        ? "" : ", up INT REFERENCES \(SQLName(hostile[index - 1]).quoted) (\(SQLName(hostile[index - 1]).quoted))"
      sql += "CREATE TABLE \(quoted) (\(quoted) \(quoted) PRIMARY KEY, pk, \"1st\" [a (b)] \(reference));\n"
    }
    return try schema(sql)
  }

  @Test("relations know how many rows stand at either end")
  func relations() throws {
    let diagram = SchemaDiagram(try Self.schema(Self.shop))
    let found = diagram.relations.map { relation in
      "\(diagram.nodes[relation.child].name) \(diagram.nodes[relation.parent].name) "
        + "\(relation.isParentOptional ? "optional" : "required") \(relation.isChildSingle ? "single" : "many")"
    }
    #expect(
      found == [
        "passport person required single", "pet person optional many", "visit pet required many",
        "bill visit optional single", "node node optional many", "stray nowhere required many",
      ])
    #expect(diagram.relations[3].words == "pet, day → pet, day")
  }

  @Test("a unique key that is finer than the parent's comparison allows several children")
  func collation() throws {
    let diagram = SchemaDiagram(
      try Self.schema(
        """
        CREATE TABLE a (name TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE b (a TEXT UNIQUE REFERENCES a);
        CREATE TABLE c (a TEXT COLLATE NOCASE UNIQUE REFERENCES a);
        CREATE TABLE d (a TEXT REFERENCES a);
        CREATE UNIQUE INDEX d_a ON d (a) WHERE a > 'm';
        """))
    #expect(diagram.relations.map(\.isChildSingle) == [false, true, false])
  }

  @Test("Mermaid shows columns with their keys, and relations with both ends")
  func mermaid() throws {
    let expected = """
      erDiagram
        person {
          INTEGER id PK
          TEXT email UK "NOT NULL"
        }
        passport {
          INTEGER person PK, FK
          TEXT number "NOT NULL"
        }
        pet {
          INTEGER id PK
          INTEGER owner FK
          TEXT name "NOT NULL"
        }
        visit {
          INTEGER pet PK, FK
          TEXT day PK
          DECIMAL(10_2) price "DECIMAL(10,2)"
        }
        bill {
          INTEGER pet FK
          TEXT day FK
        }
        node {
          INTEGER id PK
          INTEGER parent FK
        }
        stray {
          INTEGER gone FK "NOT NULL"
        }
        nowhere
        person ||--o| passport : "person → id, ON DELETE CASCADE"
        person |o--o{ pet : "owner → id, ON DELETE SET NULL"
        pet ||--o{ visit : "pet → id"
        visit |o--o| bill : "pet, day → pet, day"
        node |o--o{ node : "parent → id"
        nowhere ||--o{ stray : "gone → id"

      """
    #expect(SchemaReport.mermaid(try Self.schema(Self.shop)) == expected)
  }

  @Test(
    "a diagram that Mermaid would not draw is shortened, and says so",
    arguments: [(100, "all"), (300, "Only the columns of keys"), (800, "No columns are"), (4000, "not all tables")])
  func mermaidLimit(tables: Int, shown: String) throws {
    let columns = (1...8).map { "column_\($0) TEXT" }.joined(separator: ", ")
    let sql = (0..<tables).map { number in
      "CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t\(number / 10), \(columns));"
    }
    let text = SchemaReport.mermaid(try Self.schema(sql.joined(separator: "\n")))
    #expect(text.utf8.count < 50_000)
    #expect(text.contains("%%") == (shown != "all"))
    if shown != "all" { #expect(text.contains(shown)) } else { #expect(text.contains("TEXT column_8")) }
  }

  @Test("Mermaid's grammar takes every name")
  func mermaidNames() throws {
    let text = SchemaReport.mermaid(try Self.hostileSchema())
    let name = #"(?:[A-Za-z_][A-Za-z0-9_]*|"[^"%\\]+")"#
    let word = #"[A-Za-z_][A-Za-z0-9_\-\[\]()]*"#
    let patterns = [
      "  \(name) \\{", "    \(word) \(word)(?: [PFU]K(?:, [PFU]K)*)?(?: \"[^\"~%]*\")?", "  \\}",
      "  \(name) (?:\\|\\||\\|o)--o[|{] \(name) : \"[^\"%\\\\]+\"",
    ]
    let line = try NSRegularExpression(pattern: "^(?:" + patterns.joined(separator: "|") + ")$")
    for text in text.split(separator: "\n").dropFirst() {
      let text = String(text)
      #expect(line.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil, "\(text)")
      #expect(!text.lowercased().contains(/direction\s+tb/), "\(text)")
      // A column called pk would be read as the mark of a key.
      #expect(!text.contains(/^    \S+ pk\b/), "\(text)")
    }
    #expect(text.contains("  order {"))
    #expect(text.contains("  \"to\" {"))
    #expect(text.contains("  \"#60;script#62;alert(1)#60;#47;script#62;\" {"))
    #expect(text.contains("  \"#34;#39;#38;\" {"))
    #expect(text.contains("ANY _pk \"pk\""))
    #expect(text.count(of: " |o--o{ ") == Self.hostile.count - 1)
  }

  @Test("a graph for Graphviz has every table with its columns, and edges from child to parent")
  func dot() throws {
    let text = SchemaReport.dot(try Self.schema(Self.shop))
    for name in ["person", "passport", "pet", "visit", "bill", "node", "stray"] {
      #expect(text.contains("\"\(name)\" [label=<<TABLE"), "\(name)")
    }
    #expect(text.contains("\"owners\" [shape=box, style=dashed, label=\"owners (view)\"];"))
    #expect(text.contains("\"nowhere\" [shape=box, style=dotted"))
    #expect(
      text.contains(
        "\"passport\":c0 -> \"person\":c0 [label=\"person → id, ON DELETE CASCADE\", arrowtail=teeodot, arrowhead=teetee];"
      ))
    #expect(text.contains("\"pet\":c1 -> \"person\":c0"))
    #expect(text.contains("arrowtail=crowodot, arrowhead=teeodot];"))
    #expect(text.count(of: " -> ") == 6)
  }

  @Test("a graph for Graphviz spells every name so that nothing ends its quotes or tags")
  func dotNames() throws {
    let text = SchemaReport.dot(try Self.hostileSchema())
    // The names of nodes are no markup, and stand in quotes.
    #expect(!text.replacing("\"<script>alert(1)</script>\"", with: "").contains("<script"))
    #expect(text.contains("<B>&lt;script&gt;alert(1)&lt;/script&gt;</B>"))
    #expect(text.contains("\"\\\"'&\" [label=<"))
    #expect(text.contains("\"a\\\\\" [label=<"))
    #expect(text.count(of: "[label=<<TABLE") == Self.hostile.count)
  }

  @Test("a virtual table is a node that names its module")
  func virtualTables() throws {
    let schema = try Self.schema("CREATE VIRTUAL TABLE search USING fts5 (body);")
    #expect(SchemaReport.mermaid(schema).contains("  search {\n    virtual fts5\n  }"))
    #expect(SchemaReport.dot(schema).contains("<I>virtual table, fts5</I>"))
  }
}

extension String {
  /// How often a text occurs.
  func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
