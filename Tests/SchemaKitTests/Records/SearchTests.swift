import Foundation
import SchemaKit
import Testing

@Suite("Full-text search of models")
struct SearchTests {
  typealias Note = SearchModels.Note

  init() throws { try Engine.require("CREATE VIRTUAL TABLE t USING fts5 (a)") }

  private func session(_ index: VirtualTable = SearchModels.whole) throws -> Session {
    try Session(inMemory: SearchModels.schema(index))
  }

  private func fill(_ session: Session) throws {
    try session.save([
      Note(id: 1, title: "Apples", text: "An apple a day, and one more apple"),
      Note(id: 2, title: "Pears and apples", text: nil),
      Note(id: 3, title: "Plums", text: "No other fruit; \"quoted\" words"),
      Note(id: 4, title: "Apples in the bin", text: "apple", isInBin: true),
    ])
  }

  @Test("objects are found by their words, the best match first")
  func found() throws {
    let session = try session()
    try fill(session)
    #expect(try session.search(Note.self, "apple", in: "note_search").map(\.id) == [1, 4])
    #expect(try session.search(Note.self, "apples", in: "note_search", limit: 1, offset: 1).count == 1)
    #expect(
      try session.search(Note.self, .words("apples"), in: "note_search", where: { $0.isInBin == false }).count == 2)
    #expect(
      try session.search(
        Note.self, "apples", in: "note_search", orderBy: { note, _ in [note.id.descending] }
      ).map(\.id) == [4, 2, 1])
    #expect(try session.search(Note.self, "title : apples NOT pears", in: "note_search").count == 2)
  }

  @Test("typed texts are words, whatever they contain")
  func typed() throws {
    let session = try session()
    try fill(session)
    func ids(_ text: SearchText) throws -> [Int64?] {
      try session.search(Note.self, text, in: "note_search", orderBy: { note, _ in [note.id.ascending] }).map(\.id)
    }
    #expect(try ids(.words("apples PEARS")) == [2])
    #expect(try ids(.words("\"quoted\" (words) - * : ^ AND")) == [])
    #expect(try ids(.words("\"quoted\" (words) - * : ^")) == [3])
    #expect(try ids(.prefixes("app pea")) == [2])
    #expect(try ids(.words("app")) == [])
    #expect(try ids(.phrase("apple a day")) == [1])
    #expect(try ids(.phrase("day a apple")) == [])
    for empty in ["", "  \n", "\0"] {
      #expect(try ids(.words(empty)) == [] && ids(.prefixes(empty)) == [] && ids(.phrase(empty)) == [])
      #expect(try ids(.query(empty)) == [])
    }
    #expect(throws: SQLiteError.self) { try ids("apple AND") }
  }

  @Test("ranks, marked texts and snippets are fields")
  func fields() throws {
    let session = try session()
    try fill(session)
    let found = try session.search(
      Note.self, .words("apple"), in: "note_search",
      { note, match in (note.id, match.rank, match.highlight(\.title), match.snippet(\.text, tokens: 3)) },
      where: { $0.isInBin == false })
    #expect(found.count == 1 && found[0].0 == 1 && found[0].1 < 0 && found[0].2 == "Apples")
    #expect(found[0].3.contains("<b>apple</b>") && found[0].3.hasSuffix("…"))
    let marked = try session.search(
      Note.self, "apples", in: "note_search", { $1.highlight(\.title, from: "[", to: "]") },
      orderBy: { note, _ in [note.id.ascending] })
    #expect(marked == ["[Apples]", "Pears and [apples]", "[Apples] in the bin"])
    let texts = try session.search(Note.self, "pears", in: "note_search", { $1.snippet(\.text) })
    #expect(texts == [""])
    let ranks = try session.search(
      Note.self, "pears", in: "note_search",
      { ($1.rank, $1.rank(weighing: [:]), $1.rank(weighing: [\.title: 2]), $1.rank(weighing: [\.title: 0])) })
    #expect(ranks.count == 1 && ranks[0].0 < 0 && ranks[0].0 == ranks[0].1)
    #expect(ranks[0].2 < ranks[0].1 && ranks[0].3 == 0)
  }

  @Test("what cannot be searched is an error with a way out")
  func errors() throws {
    func reason(_ body: () throws -> Void) -> RecordError.Reason? {
      do { try body() } catch { return (error as? RecordError)?.reason }
      return nil
    }
    let session = try session()
    #expect(
      reason { _ = try session.search(Note.self, "a", in: "nowhere") } == .noSearch(model: "Note", index: "nowhere"))
    #expect(
      reason { _ = try session.search(Note.self, "a", in: "notes") } == .noSearch(model: "Note", index: "notes"))
    #expect(
      reason { _ = try session.search(Note.self, "a", in: "note_search", { $1.highlight(\.isInBin) }) }
        == .notSearched(column: "in_bin", index: "\"note_search\""))
    #expect(
      reason { _ = try session.search(Note.self, "a", in: "note_search", { $1.snippet(\.text, tokens: 0) }) } != nil)
    #expect(
      reason { _ = try session.search(Note.self, "a", in: "note_search", { $1.rank(weighing: [\.title: .infinity]) }) }
        == .weight(.infinity, column: "title"))
    let fts4 = try self.session(SearchModels.ofFTS4)
    #expect(
      reason { _ = try fts4.search(Note.self, "a", in: "note_search") }
        == .noSearch(model: "Note", index: "note_search"))
  }

  @Test("a computed column is found by what it is computed from")
  func computed() throws {
    let session = try Session(
      inMemory: ModelSchema {
        SearchModels.Label.self
        VirtualTable("label_search", .fts5, of: SearchModels.Label.self, \.folded)
      })
    try session.execute("INSERT INTO labels (id, name) VALUES (1, 'Red')")
    try session.execute("UPDATE labels SET name = 'Blue'")
    let found = try session.search(SearchModels.Label.self, "red", in: "label_search")
    #expect(found.isEmpty)
    #expect(try session.search(SearchModels.Label.self, "blue label", in: "label_search").map(\.id) == [1])
  }

  @Test("a database finds on its readers")
  func database() async throws {
    let file = try TemporaryDatabase()
    let database = try await Database(at: file.path, schema: SearchModels.schema(SearchModels.whole))
    try await database.save(Note(id: 7, title: "one", text: "two"))
    let found = try await database.search(Note.self, .prefixes("tw"), in: "note_search")
    #expect(found.map(\.id) == [7])
  }

  // MARK: - Kept up to date

  @Test(
    "any writes leave in the index what a search of the rows finds",
    arguments: [SearchModels.whole, SearchModels.outsideBin, SearchModels.ofFTS4])
  func random(_ index: VirtualTable) throws {
    let file = try TemporaryDatabase()
    var random = SeededGenerator(seed: Int.random(in: 1...1_000_000))
    let session = try Session(at: file.path, schema: SearchModels.schema(index))
    let words = ["oak", "elm", "fir", "ash", "Oak", "yew's", "ELM", "5", ""]
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random)! }.joined(
        separator: " ")
    }
    for _ in 0..<120 {
      let id = Int64.random(in: 1...12, using: &random)
      let note = Note(
        id: id, title: text(), text: Bool.random(using: &random) ? text() : nil, isInBin: Bool.random(using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: try session.save(note)
      case 2: try session.delete(Note.self, key: id)
      case 3: try session.updateAll(Note.self, set: { [$0.isInBin.set(note.isInBin)] })
      case 4: try session.update(Note.self, set: { [$0.title.set(note.title)] }, where: { $0.id < id })
      case 5: _ = try? session.execute("UPDATE notes SET id = id + 20 WHERE id = \(id)")
      // FTS4 takes the row out of the index before SQLite ignores the update.
      case 6 where index != SearchModels.ofFTS4:
        try session.execute("UPDATE OR IGNORE notes SET id = 3, text = 'fir' WHERE id = \(id)")
      case 7: try session.execute("INSERT OR IGNORE INTO notes (id, title, in_bin) VALUES (\(id), 'elm', 0)")
      default: try session.execute("DELETE FROM notes WHERE id > 20")
      }
    }
    try session.close()
    let isWhole = index != SearchModels.outsideBin
    for word in ["oak", "elm", "fir", "ash", "5"] {
      let query = "SELECT rowid FROM note_search WHERE note_search MATCH '\(word)' ORDER BY 1"
      let scan = """
        SELECT id FROM notes WHERE (' ' || lower(title) || ' ' || lower(coalesce(text, '')) || ' ') LIKE '% \(word) %' \
        \(isWhole ? "" : "AND in_bin = 0") ORDER BY 1
        """
      #expect(try file.query(query) == file.query(scan), "\(word), \(random)")
    }
    let command =
      index == SearchModels.ofFTS4
      ? "(note_search) VALUES ('integrity-check')" : "(note_search, rank) VALUES ('integrity-check', 1)"
    #expect(throws: Never.self, "\(random)") { try file.exec("INSERT INTO note_search \(command)") }
  }

  @Test("a trigger of the program's that updates another column first does no harm")
  func touching() throws {
    for condition in ["in_bin = 0", "in_bin = '0' AND CAST(title AS TEXT) <> '' AND id IN (1, 2, 3)"] {
      let file = try TemporaryDatabase()
      let session = try Session(
        at: file.path,
        schema: ModelSchema {
          SearchModels.Label.self
          Note.self
          SearchModels.whole.where(condition)
          VirtualTable("label_search", .fts5, of: SearchModels.Label.self, \.folded)
          Trigger("touch", .after, .insert, on: "notes", body: "UPDATE notes SET in_bin = 0 WHERE id = new.id")
          Trigger("retouch", .after, .update, on: "notes", body: "UPDATE labels SET name = name || '.'")
        })
      try session.save(SearchModels.Label(id: 1, name: "red", folded: nil))
      try session.save([
        Note(id: 1, title: "one two three four five six", text: "seven"), Note(id: 2, title: "eight", isInBin: true),
      ])
      try session.update(Note.self, set: { [$0.isInBin.set(true)] }, where: { $0.id == 1 })
      try session.update(Note.self, set: { [$0.isInBin.set(false)] }, where: { $0.id == 1 })
      try session.delete(Note.self, key: 2)
      try session.close()
      #expect(try found(file, "seven") == [[.int(1)]] && found(file, "eight") == [])
      for index in ["note_search", "label_search"] {
        try file.exec("INSERT INTO \(index) (\(index), rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  // MARK: - Migrations

  private func found(_ file: TemporaryDatabase, _ word: String) throws -> [[RawValue]] {
    try file.query("SELECT rowid FROM note_search WHERE note_search MATCH '\(word)' ORDER BY 1")
  }

  @Test("rows of before are found, but those that the condition leaves out")
  func firstFill() throws {
    for (index, ids) in [
      (SearchModels.whole, [1, 2, 4]), (SearchModels.outsideBin, [1, 2]), (SearchModels.ofFTS4, [1, 2, 4]),
    ] {
      let file = try TemporaryDatabase()
      let before = try Session(at: file.path, schema: SearchModels.plain)
      try fill(before)
      try before.close()
      try Session(at: file.path, schema: SearchModels.schema(index)).close()
      #expect(try found(file, "apples") == ids.map { [.int(Int64($0))] })
    }
  }

  @Test("another tokenizer, other columns and no index at all are migrations as any other")
  func changes() throws {
    let file = try TemporaryDatabase()
    let first = try Session(at: file.path, schema: SearchModels.schema(SearchModels.outsideBin))
    try fill(first)
    try first.close()
    #expect(try found(file, "apple") == [[.int(1)]])
    let porter = VirtualTable("note_search", .fts5(tokenizer: "porter"), of: Note.self, \.title, \.text).where(
      "in_bin = 0")
    try Session(at: file.path, schema: SearchModels.schema(porter)).close()
    #expect(try found(file, "apple") == [[.int(1)], [.int(2)]])
    let titles = VirtualTable("note_search", .fts5, of: Note.self, \.title).where("in_bin = 0")
    try Session(at: file.path, schema: SearchModels.schema(titles)).close()
    #expect(try found(file, "apple") == [])
    try Session(at: file.path, schema: SearchModels.plain).close()
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name LIKE 'note_search%'") == [])
  }

  @Test("a wider condition finds more after consent")
  func wider() throws {
    let file = try TemporaryDatabase()
    let first = try Session(at: file.path, schema: SearchModels.schema(SearchModels.outsideBin))
    try fill(first)
    try first.close()
    let wider = SearchModels.schema(SearchModels.whole.where("in_bin >= 0"))
    do {
      _ = try Session(at: file.path, schema: wider)
      Issue.record("nobody was asked")
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { throw error }
      #expect(hazards.map(\.code) == [.newlyFoundRows])
      #expect(hazards.first?.count == 1 && hazards.first?.samples == ["4"])
    }
    #expect(try found(file, "apples") == [[.int(1)], [.int(2)]])
    try Session(at: file.path, schema: wider) {
      $0.migration = .automatic(PlanPolicy(allowing: [.init(.code(.newlyFoundRows))]))
    }.close()
    #expect(try found(file, "apples") == [[.int(1)], [.int(2)], [.int(4)]])
  }
}
