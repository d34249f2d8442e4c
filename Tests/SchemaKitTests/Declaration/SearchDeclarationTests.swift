import Testing

@testable import SchemaKit

@Suite("Declared search indexes")
struct SearchDeclarationTests {
  typealias Note = SearchModels.Note

  private func statements(_ index: VirtualTable) throws -> [String] {
    try SearchModels.schema(index).declaration().statements.dropFirst().map(\.sql)
  }

  @Test("an index of all rows is a table over the model's, and three triggers")
  func whole() throws {
    #expect(
      try statements(SearchModels.whole) == [
        """
        CREATE VIRTUAL TABLE "note_search" USING "fts5"("title", "text", content='notes', content_rowid='id')
        """,
        """
        CREATE TRIGGER "note_search_insert"
        AFTER INSERT ON "notes"
        BEGIN
          INSERT INTO "note_search" (rowid, "title", "text") VALUES (new."id", new."title", new."text");
        END
        """,
        """
        CREATE TRIGGER "note_search_update"
        AFTER UPDATE OF "id", "title", "text" ON "notes"
        BEGIN
          INSERT INTO "note_search" ("note_search", rowid, "title", "text") VALUES ('delete', old."id", old."title", old."text");
          INSERT INTO "note_search" (rowid, "title", "text") VALUES (new."id", new."title", new."text");
        END
        """,
        """
        CREATE TRIGGER "note_search_delete"
        AFTER DELETE ON "notes"
        BEGIN
          INSERT INTO "note_search" ("note_search", rowid, "title", "text") VALUES ('delete', old."id", old."title", old."text");
        END
        """,
      ])
  }

  @Test("a condition is a view, which triggers ask for what to add, and the list of rows for what to remove")
  func condition() throws {
    let index = SearchModels.whole.where("\"in_bin\" = 0 AND notes.title <> 'title'").where("CAST(title AS TEXT) > ''")
    let all = try statements(index)
    #expect(all[0].hasSuffix("content='note_search_rows', content_rowid='id')"))
    #expect(
      all[1] == """
        CREATE VIEW "note_search_rows" AS
        SELECT * FROM "notes" WHERE ("in_bin" = 0 AND notes.title <> 'title') AND (CAST(title AS TEXT) > '')
        """)
    #expect(
      all[3] == """
        CREATE TRIGGER "note_search_update"
        AFTER UPDATE OF "id", "title", "text", "in_bin" ON "notes"
        BEGIN
          INSERT INTO "note_search" ("note_search", rowid, "title", "text") SELECT 'delete', old."id", old."title", old."text" \
        WHERE old."id" IN (SELECT id FROM "note_search_docsize");
          INSERT INTO "note_search" (rowid, "title", "text") SELECT "id", "title", "text" FROM "note_search_rows" \
        WHERE "id" = new."id" AND "id" NOT IN (SELECT id FROM "note_search_docsize");
        END
        """)
  }

  @Test("FTS4 reads the former texts before they change")
  func fts4() throws {
    let all = try statements(SearchModels.ofFTS4)
    #expect(
      all[0] == """
        CREATE VIRTUAL TABLE "note_search" USING "fts4"("title", "text", content='notes', tokenize=porter, prefix='2,3')
        """)
    #expect(
      all.dropFirst().compactMap { $0.split(separator: "\n").dropFirst().first?.split(separator: " ").first } == [
        "BEFORE", "BEFORE", "AFTER", "AFTER",
      ])
  }

  @Test("options of FTS5")
  func options() throws {
    let index = VirtualTable(
      "s", .fts5(tokenizer: "porter unicode61 remove_diacritics 2", prefixes: [2, 3], columnSize: false), of: Note.self,
      \.title)
    let all = try statements(index)
    #expect(
      all[0] == """
        CREATE VIRTUAL TABLE "s" USING "fts5"("title", content='notes', content_rowid='id', \
        tokenize='porter unicode61 remove_diacritics 2', prefix='2 3', columnsize=0)
        """)
  }

  @Test("mistakes are errors that name the index")
  func mistakes() {
    func reason(_ schema: ModelSchema) -> DeclarationError.Reason? {
      do {
        _ = try schema.declaration()
        return nil
      } catch {
        #expect("\(error)".contains("s"))
        return error.reason
      }
    }
    let whole = SearchModels.whole
    #expect(
      reason(ModelSchema { whole }) == .searchedModelNotInSchema("note_search", model: "Note"))
    #expect(
      reason(
        ModelSchema {
          SearchModels.Word.self
          VirtualTable("s", .fts5, of: SearchModels.Word.self, \.word)
        }) == .searchWithoutRowID("s"))
    for (module, index) in [(SearchModule.fts5, "s"), (.fts4, "s")] {
      #expect(
        reason(SearchModels.schema(VirtualTable(index, module, of: Note.self, \.title, \.title)))
          == .searchColumn("s", column: "title"))
      #expect(
        reason(SearchModels.schema(VirtualTable("Title", module, of: Note.self, \.title)))
          == .searchColumn("Title", column: "title"))
    }
    #expect(
      reason(SearchModels.schema(whole.where("id IN (SELECT 1)")))
        == .searchCondition("note_search", problem: .subquery))
    #expect(
      reason(SearchModels.schema(whole.where("other.id = 1")))
        == .searchCondition("note_search", problem: .otherTable("other")))
    #expect(
      reason(SearchModels.schema(whole.where("id IN favorites")))
        == .searchCondition("note_search", problem: .otherTable("favorites")))
    let plain = VirtualTable("s", using: "fts5", "title").where("in_bin = 0")
    #expect(reason(SearchModels.schema(plain)) == .searchCondition("s", problem: .noModel))
    let sizeless = VirtualTable("s", .fts5(tokenizer: nil, columnSize: false), of: Note.self, \.title).where(
      "in_bin = 0")
    #expect(reason(SearchModels.schema(sizeless)) == .searchCondition("s", problem: .needsColumnSize))
    #expect(
      reason(SearchModels.schema(SearchModels.ofFTS4.where("in_bin = 0")))
        == .searchCondition("note_search", problem: .needsFTS5))
    #expect(
      reason(SearchModels.schema(VirtualTable("s", .fts5, of: Note.self))) == .noColumns(in: "the search index s"))
    #expect(
      reason(
        ModelSchema {
          Note.self
          whole
          SQLView("note_search_rows", sql: "SELECT 1")
          Trigger("note_search_insert", .after, .insert, on: "notes", body: "SELECT 1")
        }) == .duplicateTrigger("note_search_insert"))
  }
}
