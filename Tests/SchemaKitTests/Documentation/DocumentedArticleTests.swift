import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Articles in the documentation")
struct DocumentedArticleTests {
  private static func article(_ name: String) -> String { "\(Document.catalog)/\(name).md" }

  /// Compares the blocks of text in an article with what its examples print, or writes them.
  private func expect(_ texts: [String], in name: String) throws {
    // The plans are those of one version, as in all documents.
    guard Engine.version.hasPrefix("3.40.") else { return }
    let path = Self.article(name)
    let blocks = try Document(path).blocks.filter { $0.language == "text" }
    try #require(blocks.count == texts.count, "\(path) shows another number of texts")
    for (block, printed) in zip(blocks, texts).reversed() {
      let text = printed.trimmingCharacters(in: .newlines)
      let real = Transcript(["$ print"] + text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" })
      guard real.normalized != Transcript(["$ print"] + block.lines).normalized else { continue }
      if Document.isRefreshing {
        try Document.refresh(path) { $0.replace(block.range, with: Array(real.lines.dropFirst())) }
      } else {
        #expect(block.lines.joined(separator: "\n") == text, "\(path):\(block.range.lowerBound)")
      }
    }
  }

  private func block(_ name: String, in article: String) throws -> String {
    try #require(Document(Self.article(article)).blocks.first { $0.fileName == name }).lines.joined(separator: "\n")
  }

  @Test("the first program makes its file, the second one changes it, and the third is refused")
  func gettingStarted() async throws {
    let file = try TemporaryDatabase(name: "chores.db")
    let (key, open) = try StartExample.First.use(file.path)
    #expect(key == 1 && open.map(\.title) == ["Water the plants"])
    let plan = try StartExample.Second.look(file.path)
    #expect(try await StartExample.Second.share(file.path) == ["Water the plants"])
    let refusal = try StartExample.Third.open(file.path)
    try expect([plan, refusal], in: "GettingStarted")
  }

  @Test("a renamed column keeps its values under either of its former names")
  func renaming() throws {
    for name in ["name", "nickname", "full_name"] {
      let file = try TemporaryDatabase(
        """
        CREATE TABLE people (id INTEGER PRIMARY KEY, \(name) TEXT NOT NULL);
        CREATE INDEX people_by_name ON people (\(name));
        INSERT INTO people VALUES (1, 'Ada');
        """)
      let session = try Session(at: file.path, schema: RenamedColumnExample.schema)
      #expect(try session.all(RenamedColumnExample.Person.self).map(\.fullName) == ["Ada"])
    }
  }

  @Test("a conversion in SQL, one in Swift and a second column keep what each price was worth")
  func changingTypes() throws {
    let old = try block("old.sql", in: "ChangingAType")
    let mended = old.replacing("'free'", with: "'0'")
    let first = try TemporaryDatabase(mended)
    let inSQL = try ChangedTypeExample.open(ChangedTypeExample.InSQL.Item.self, at: first.path)
    #expect(try inSQL.all(ChangedTypeExample.InSQL.Item.self).map(\.price) == [200, 1250, 0, 700])
    #expect(FileManager.default.fileExists(atPath: first.path + ".before-cents"))

    let second = try TemporaryDatabase(old)
    let inSwift = try ChangedTypeExample.open(ChangedTypeExample.InSwift.Item.self, at: second.path)
    #expect(try inSwift.all(ChangedTypeExample.InSwift.Item.self).map(\.price) == [200, 1250, 0, 700])

    let third = try TemporaryDatabase(old)
    let beside = try ChangedTypeExample.open(ChangedTypeExample.Beside.Item.self, at: third.path)
    #expect(try beside.all(ChangedTypeExample.Beside.Item.self).map(\.cents) == [200, 1250, 0, 700])
    #expect(try third.value("SELECT price FROM items WHERE id = 4") == .text("007"))

    let fourth = try TemporaryDatabase(old.replacing("'free'", with: "'ask'"))
    let before = try fourth.bytes
    #expect(throws: (any Error).self) {
      try Session(at: fourth.path, schema: ModelSchema { ChangedTypeExample.InSwift.Item.self })
    }
    #expect(try fourth.bytes == before)
  }

  @Test("the models that inspect writes for the old library open its file and change nothing")
  func adopting() throws {
    let sql = try block("old.sql", in: "AdoptingADatabase")
    let file = try TemporaryDatabase(sql, name: "library.db")
    let result = try CommandFolder().run("inspect", file.path, "--format", "swift")
    let shown = try #require(
      Document(Self.article("AdoptingADatabase")).blocks.first { $0.language == "swift" }
    ).lines
    let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    #expect(Array(printed.dropFirst(2).dropLast()) == shown)
    let session = try Session(at: file.path, schema: AdoptedExample.Models.schema)
    #expect(try session.all(AdoptedExample.Book.self).map(\.title) == ["Frankenstein", "Emma", "Lost"])
    guard case .compared(let report) = session.openReport else {
      Issue.record("\(session.openReport)")
      return
    }
    #expect(report.outcome == .baselined && report.plan.steps.isEmpty)
  }

  @Test("a program that never migrates says whether the file is older, newer or locked")
  func sharing() throws {
    let file = try TemporaryDatabase()
    guard case .tooOld = try SharedFileExample.open(file.path) else {
      Issue.record("an empty file is older")
      return
    }
    let app = try Session(at: file.path, schema: SharedFileExample.schema)
    guard case .ready(let reader) = try SharedFileExample.open(file.path) else {
      Issue.record("the file has the schema")
      return
    }
    #expect(try SharedFileExample.write(reader, .init(id: nil, title: "First")))
    #expect(try app.count(SharedFileExample.Note.self) == 1)

    // What the newer app has added does not disturb: the open session and a new one go on.
    let next = try Session(at: file.path, schema: ModelSchema { SharedFileExample.RatedNote.self })
    #expect(try SharedFileExample.write(reader, .init(id: nil, title: "Second")))
    guard case .ready(let again) = try SharedFileExample.open(file.path), case .newer = again.openReport else {
      Issue.record("a newer file is opened as it is")
      return
    }
    #expect(try next.all(SharedFileExample.RatedNote.self).map(\.stars) == [0, 0])
    let isWritten = try next.transaction(.immediate) {
      try SharedFileExample.write(again, SharedFileExample.Note(id: nil, title: "Third"))
    }
    #expect(!isWritten)
    try file.exec("ALTER TABLE notes RENAME COLUMN title TO heading")
    guard case .tooNew = try SharedFileExample.open(file.path) else {
      Issue.record("a declared column is gone")
      return
    }
  }

  @Test("the models leave the tables of another library as they are, on a connection of their own or on its")
  func neighbours() throws {
    let sql = try block("theirs.sql", in: "RunningBesideGRDB")
    let file = try TemporaryDatabase(sql)
    let before = try file.query("SELECT * FROM sqlite_master ORDER BY name")
    #expect(try NeighbourExample.add(file.path) == ["Ada"])
    let after = try file.query("SELECT * FROM sqlite_master ORDER BY name")
    #expect(before.allSatisfy { row in after.contains { $0[0..<3] == row[0..<3] && $0[4] == row[4] } })
    #expect(try file.value("SELECT identifier FROM grdb_migrations") == .text("v1"))

    var handle: OpaquePointer?
    #expect(sqlite3_open(file.path, &handle) == SQLITE_OK)
    let opened = try #require(handle)
    defer { sqlite3_close(opened) }
    #expect(try NeighbourExample.lend(opened, String(cString: sqlite3_sourceid())).map(\.title) == ["First"])
  }

  @Test("a plan names what would be lost")
  func losses() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, fax TEXT);
      INSERT INTO notes VALUES (1, 'First', '555');
      """)
    let schema = SharedFileExample.schema
    #expect(try GuaranteeExample.losses(file.path, schema) == ["SK102 notes.fax"])
  }
}
