import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Plan reports")
struct PlanReportTests {
  /// A plan with a step of each strategy, put together by hand.
  static let plan = MigrationPlan(
    steps: [
      MigrationStep(
        strategy: .drop, object: ObjectReference(.view, "recent"), edits: [.replace],
        statements: [PlannedStatement("DROP VIEW \"main\".\"recent\"")]),
      MigrationStep(
        strategy: .drop, object: ObjectReference(.table, "old"), edits: [.rows(count: 2)],
        statements: [PlannedStatement("DROP TABLE \"main\".\"old\"")]),
      MigrationStep(
        strategy: .native, object: ObjectReference(.table, "author"),
        edits: [.addColumn(name: "country", type: "TEXT", isNotNull: false)],
        statements: [PlannedStatement("ALTER TABLE \"main\".\"author\" ADD COLUMN country TEXT")]),
      MigrationStep(
        strategy: .rebuild, object: ObjectReference(.table, "book"),
        edits: [.changeColumn(name: "title", to: [.nullability(isNotNull: true)])],
        passedOver: [.init(strategy: .native, rejections: [Rejection(.changedColumns, "NOT NULL", "title")])],
        statements: [
          PlannedStatement("CREATE TABLE \"main\".\"_schemakit_new_book\" (title TEXT NOT NULL -- the title\n)"),
          PlannedStatement(
            "INSERT INTO \"main\".\"_schemakit_new_book\" SELECT title FROM \"main\".\"book\"", role: .copy),
          PlannedStatement("SELECT 'row count' WHERE 1 <> 1", role: .verification),
          PlannedStatement("DROP TABLE \"main\".\"book\""),
          PlannedStatement("ALTER TABLE \"main\".\"_schemakit_new_book\" RENAME TO \"book\"", leavesReferences: true),
        ], rows: 1204, bytes: 98_304),
      MigrationStep(
        strategy: .create, object: ObjectReference(.index, "book_title"), edits: [.restore(table: "book")],
        statements: [PlannedStatement("CREATE INDEX \"main\".book_title ON book (title)")]
      ).onBehalf(of: "book"),
      MigrationStep(
        strategy: .create, object: ObjectReference(.view, "recent"), edits: [],
        statements: [PlannedStatement("CREATE VIEW \"main\".recent AS SELECT title FROM book -- newest")]),
      MigrationStep(
        strategy: .create, object: ObjectReference(.trigger, "book_added"), edits: [.restore(table: "book")],
        statements: [PlannedStatement("CREATE TRIGGER book_added AFTER INSERT ON book BEGIN SELECT 1; END")]
      ).onBehalf(of: "book"),
    ],
    hazards: [
      Hazard(
        .temporaryObject, table: "book", cause: HazardCause(SurroundingHazard.temporaryTrigger(name: "noticed")),
        isNote: true),
      Hazard(
        .droppedTable, table: "old", count: 2, samples: ["1", "2"], cause: HazardCause(DroppedTableHazard())),
    ],
    unmanaged: ["spatial_ref"], sourceFingerprint: String(repeating: "a", count: 64),
    targetFingerprint: String(repeating: "b", count: 64), engine: SQLiteVersion(3, 40, 1))

  @Test("advice that several hazards in a row share is printed once, under the last")
  func sharedRemedy() {
    let hazards = ["size", "weight"].map { column in
      Hazard(
        .lossyConversion, table: "book", column: column, count: 1, samples: ["7"],
        cause: HazardCause(LossyConversionHazard.stray(type: "INTEGER")), isNote: true)
    }
    var plan = Self.plan
    plan.hazards = hazards
    let advice = hazards[0].remedy ?? ""
    let lines = PlanReport(plan, database: "books.db").text().split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(lines.filter { $0 == advice }.count == 1)
    #expect(lines.firstIndex(of: advice) == lines.lastIndex { $0.contains("of book.weight") }.map { $0 + 1 })
  }

  @Test("Markdown of a plan stays below the length of a comment: first without the SQL, then with fewer steps")
  func longMarkdown() {
    func text(_ count: Int) -> String {
      var plan = Self.plan
      plan.steps = (0..<count).map { number in
        MigrationStep(
          strategy: .native, object: ObjectReference(.table, SQLName("author\(number)")),
          edits: [.addColumn(name: "country", type: "TEXT", isNotNull: false)],
          statements: [PlannedStatement("ALTER TABLE \"main\".\"author\(number)\" ADD COLUMN country TEXT")])
      }
      return PlanReport(plan, database: "books.db").markdown()
    }
    #expect(text(100).contains("```sql"))
    for count in [600, 5000] {
      let long = text(count)
      #expect(long.utf8.count < 65_536)
      #expect(!long.contains("```sql") && long.contains("plan --format sql"))
      #expect(long.contains("for which there is no room") == (count == 5000))
      #expect(long.contains("SK101"))
    }
  }

  @Test("Markdown shows steps and hazards as a table and a list, and folds the SQL away")
  func markdown() {
    let text = PlanReport(Self.plan, database: "books_of.db").markdown()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    #expect(lines[0] == #"### books\_of.db: 4 changes in 3 tables and 1 view, SQLite 3.40.1"#)
    #expect(lines[2] == "**apply would refuse: SK101 needs consent. Nothing was changed.**")
    #expect(lines.filter { $0.hasPrefix("| ") }.count == 2 + 4)
    #expect(lines.contains("| 2 | native | table | author | add column country TEXT |"))
    #expect(
      lines.contains { $0.hasPrefix("| 3 | rebuild | table | book | column title: NOT NULL<br>1,204 rows copied") })
    #expect(lines.contains { $0.hasPrefix("- ❌ **SK101** destructive, needs consent: old, 2 rows") })
    #expect(lines.contains { $0.hasPrefix("- ℹ️ **SK") })
    #expect(text.contains("<details><summary>SQL</summary>\n\n```sql\n-- books_of.db: 4 changes"))
    #expect(text.hasSuffix("\n```\n\n</details>\n"))
    var quoting = Self.plan
    quoting.steps[2].statements[0].sql = "SELECT '````'"
    quoting.steps[2].object.name = "<b>|"
    let quoted = PlanReport(quoting, database: "a.db").markdown()
    #expect(quoted.contains("\n`````sql\n") && quoted.hasSuffix("\n`````\n\n</details>\n"))
    #expect(quoted.contains(#"| native | table | &lt;b>\| | "#))
  }

  @Test("the text shows each change once, its cost, its hazards, and ends with what happened to the file")
  func text() {
    let expected = """
      books.db: 4 changes in 3 tables and 1 view, SQLite 3.40.1

        1   -  drop     old          with 2 rows
        2   ~  native   author       add column country TEXT
                                     ALTER TABLE "main"."author" ADD COLUMN country TEXT
        3  -/+ rebuild  book         column title: NOT NULL
                                     1,204 rows copied, about 96 KB
                                     ALTER TABLE cannot do it: NOT NULL of title
                                     restores 1 index and 1 trigger
        4   ~  replace  view recent  new definition

        ! SK101  destructive, needs consent: old, 2 rows (keys 1, 2)
                 Table old is dropped with 2 rows.
                 Allow the drop with --allow SK101:old.
        · SK204  note: book
                 TEMP trigger noticed goes with the old book and is made again on this connection. Other connections must make theirs again themselves.

      0 to add, 2 to change, 1 to rebuild, 1 to drop
      1 object of the file is not managed by this schema; left unchanged: spatial_ref
      apply would refuse: SK101 needs consent. Nothing was changed.

      """
    #expect(Self.plan.report(database: "books.db") == expected)
  }

  @Test(
    "the last line says what happened to the file",
    arguments: [
      (PlanReport.Ending.planned, "Nothing was changed."), (.applied(milliseconds: 12), "Applied in 12 ms; verified."),
      (.applied(milliseconds: 61_240), "Applied in 61.2 s; verified."),
      (.rehearsed(milliseconds: 3), "Applied and verified in 3 ms, then rolled back. Nothing was changed."),
      (.unchanged, "Nothing was changed."), (.pending, ""),
    ])
  func lastLine(ending: PlanReport.Ending, line: String) {
    let report = PlanReport(Self.plan, database: "books.db", policy: .everything, ending: ending)
    #expect(report.lastLine() == line)
  }

  @Test("colour adds escape sequences and nothing else")
  func color() {
    let report = PlanReport(Self.plan, database: "books.db")
    let colored = report.text(style: Style(isColored: true))
    #expect(colored.contains("\u{1B}[31m"))
    #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == report.text())
  }

  @Test("a script frames the statements, leaves verification out, and never lets a comment swallow a semicolon")
  func script() {
    let script = PlanReport(Self.plan, database: "books.db", policy: .everything).sql().withoutShellCommands
    let lines = script.split(separator: "\n").filter { !$0.hasPrefix("-- ") }.map { String($0) }
    #expect(lines.first == "PRAGMA foreign_keys=OFF;")
    #expect(lines.dropFirst().first == "BEGIN IMMEDIATE;")
    #expect(lines.last == "COMMIT;")
    #expect(!script.contains("row count"))
    #expect(script.contains("SELECT title FROM book -- newest\n;\n"))
    #expect(
      script.contains(
        "PRAGMA legacy_alter_table=ON;\nALTER TABLE \"main\".\"_schemakit_new_book\" RENAME TO \"book\";\n"
          + "PRAGMA legacy_alter_table=OFF;"
      ))
  }

  @Test("a script that would be refused holds no statement")
  func refusedScript() {
    let lines = PlanReport(Self.plan, database: "books.db").sql().split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("-- ") })
    #expect(lines.contains("-- DROP TABLE \"main\".\"old\";"))
  }

  @Test("JSON holds every step and hazard, and is the same each time")
  func json() throws {
    let report = PlanReport(Self.plan, database: "books.db")
    let text = report.json()
    #expect(text == report.json())
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["formatVersion"] as? Int == 2)
    #expect(object["engine"] as? String == "3.40.1")
    #expect((object["steps"] as? [[String: Any]])?.count == 7)
    let hazard = try #require((object["hazards"] as? [[String: Any]])?.last)
    #expect(hazard["code"] as? String == "SK101")
    #expect(hazard["consented"] as? Bool == false)
    #expect(hazard["samples"] as? [String] == ["1", "2"])
    #expect((object["refused"] as? [[String: String]]) == [["code": "SK101", "object": "old"]])
    let summary = ["add": 0, "change": 2, "changes": 4, "copiedRows": 1204, "drop": 1, "rebuild": 1]
    #expect(object["summary"] as? [String: Int] == summary)
  }

  @Test("numbers and sizes read as people write them")
  func wording() {
    #expect(Wording.number(412_003) == "412,003")
    #expect(Wording.number(1_000_000) == "1,000,000")
    #expect(Wording.number(999) == "999")
    #expect(Wording.counted(2, "index") == "2 indexes")
    #expect(Wording.bytes(1) == "1 byte")
    #expect(Wording.bytes(1536) == "1.5 KB")
    #expect(Wording.bytes(98_304) == "96 KB")
    #expect(Wording.bytes(5 * 1024 * 1024) == "5 MB")
    #expect(Wording.list(["a", "b", "c"]) == "a, b and c")
  }
}
