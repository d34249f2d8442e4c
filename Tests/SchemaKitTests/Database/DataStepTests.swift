import Foundation
import SchemaKit
import Testing

/// Notes whose images were texts in one column, and are rows of their own from the next release on.
private enum Old {
  static let sql = """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, images TEXT);
    INSERT INTO notes VALUES (1, 'a', 'x,y'), (2, 'b', NULL), (3, 'c', 'z');
    """
}

private struct Note: Model {
  let id: Int64?
  var title: String

  static let table = ModelTable("notes", as: Self.init, removed: ["images"]) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
  }
}

private struct Image: Model {
  let id: Int64?
  var noteID: Int64
  var name: String

  static let table = ModelTable("images", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("note_id", \.noteID).references(Note.self, onDelete: .cascade)
    Column("name", \.name).unique()
  }
}

private struct Broken: Error {}

@Suite("Data steps")
struct DataStepTests {
  private static func split(_ session: Session) throws {
    for row in try session.query("SELECT id, images FROM notes WHERE images IS NOT NULL ORDER BY id") {
      let names = try row.get("images", as: String.self).split(separator: ",")
      try session.save(try names.map { Image(id: nil, noteID: try row.get("id"), name: String($0)) })
    }
  }

  private static func schema(
    _ step: @escaping @Sendable (Session) throws -> Void = split, files: DataStep.Files = .existing
  ) -> ModelSchema {
    ModelSchema {
      Note.self
      Image.self
      DataStep("split-images", after: .tableAdded(Image.self), files: files, run: step)
    }
  }

  private func images(in file: TemporaryDatabase) throws -> [String] {
    try file.query("SELECT note_id || name FROM images ORDER BY id").compactMap { $0[0].string }
  }

  @Test("a step sees the new table and what the old one still has, and runs once")
  func runsBetween() throws {
    let file = try TemporaryDatabase(Old.sql)
    do {
      let session = try Session(at: file.path, schema: Self.schema())
      #expect(try session.count(Image.self) == 3)
      let summary = try #require(try session.history().last?.summary)
      #expect(summary.contains("data split-images"))
    }
    #expect(try images(in: file) == ["1x", "1y", "3z"])
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('notes')") == .int(2))
    let again = try Session(at: file.path, schema: Self.schema { _ in throw Broken() })
    guard case .warm = again.openReport else {
      Issue.record("the second open compared")
      return
    }
  }

  @Test("a step that throws takes the whole migration back")
  func throwsBack() throws {
    let file = try TemporaryDatabase(Old.sql)
    let before = try file.query("SELECT sql FROM sqlite_master")
    #expect(throws: ApplyError.self) {
      try Session(
        at: file.path,
        schema: Self.schema { session in
          try Self.split(session)
          throw Broken()
        })
    }
    #expect(try file.query("SELECT sql FROM sqlite_master") == before)
    #expect(try file.value("SELECT images FROM notes WHERE id = 1") == .text("x,y"))
    _ = try Session(at: file.path, schema: Self.schema())
    #expect(try images(in: file).count == 3)
  }

  @Test("a new file needs no conversion, but gets the rows that every file begins with")
  func newFiles() throws {
    let file = try TemporaryDatabase()
    let schema = ModelSchema {
      Note.self
      Image.self
      DataStep("split-images", after: .tableAdded(Image.self)) { _ in throw Broken() }
      DataStep("welcome", after: .schemaChanged, files: .all) { try $0.save(Note(id: 7, title: "Welcome")) }
    }
    _ = try Session(at: file.path, schema: schema)
    #expect(try file.query("SELECT id FROM notes") == [[.int(7)]])
    try file.exec("DELETE FROM notes; CREATE INDEX by_hand ON notes (title)")
    _ = try Session(at: file.path, schema: schema)
    #expect(try file.query("SELECT id FROM notes") == [])
  }

  @Test("a file that was migrated without the step gets it at the next open")
  func lateStep() throws {
    let file = try TemporaryDatabase(Old.sql)
    let tables = ModelSchema {
      Note.self
      Image.self
    }
    #expect(throws: Never.self) { try Session(at: file.path, schema: tables) }
    try file.exec("INSERT INTO images (note_id, name) VALUES (1, 'late')")
    let upper = Self.schema { try $0.execute("UPDATE images SET name = upper(name)") }
    guard case .compared(let report) = try Session(at: file.path, schema: upper).openReport else {
      Issue.record("the open did not look")
      return
    }
    #expect(report.outcome == .applied)
    #expect(try images(in: file) == ["1LATE"])
    try file.exec("UPDATE images SET name = 'again'; VACUUM")
    _ = try Session(at: file.path, schema: upper)
    #expect(try images(in: file) == ["1again"])
  }

  @Test("a row without its parent is found before the commit, whichever table it is in")
  func foreignKeys() throws {
    let file = try TemporaryDatabase(Old.sql)
    #expect(throws: ApplyError.self) {
      try Session(at: file.path, schema: Self.schema { try $0.save(Image(id: nil, noteID: 99, name: "lost")) })
    }
    #expect(try file.value("SELECT count(*) FROM sqlite_master WHERE name = 'images'") == .int(0))
  }

  @Test("a step may use transactions, and must not end that of the migration")
  func transactions() throws {
    let file = try TemporaryDatabase(Old.sql)
    #expect(throws: ApplyError.self) {
      try Session(at: file.path, schema: Self.schema { try $0.execute("COMMIT") })
    }
    #expect(try file.value("SELECT count(*) FROM sqlite_master WHERE name = 'images'") == .int(0))
    _ = try Session(
      at: file.path,
      schema: Self.schema { session in
        try session.transaction { try Self.split(session) }
        try? session.transaction {
          try session.save(Image(id: nil, noteID: 2, name: "gone"))
          throw Broken()
        }
      })
    #expect(try images(in: file) == ["1x", "1y", "3z"])
  }

  @Test(
    "a step may read SchemaKit's own tables, and not change them",
    arguments: [
      "DELETE FROM _schemakit_history", "DROP TABLE _schemakit_meta", "ALTER TABLE _schemakit_meta ADD COLUMN x",
      "CREATE TABLE _schemakit_mine (a)", "CREATE INDEX mine ON _schemakit_history (kind)",
      "CREATE TRIGGER mine AFTER INSERT ON _schemakit_history BEGIN SELECT 1; END",
      "INSERT INTO notes (title) VALUES ('x')",
    ])
  func ownTables(sql: String) throws {
    let file = try TemporaryDatabase(Old.sql)
    // The file has a history before the step runs.
    _ = try Session(at: file.path, schema: ModelSchema { Note.self })
    try file.exec("CREATE TRIGGER reach AFTER INSERT ON notes BEGIN DELETE FROM _schemakit_history; END")
    let before = try file.query("SELECT count(*) FROM sqlite_master")
    let error = #expect(throws: ApplyError.self) {
      try Session(
        at: file.path,
        schema: ModelSchema {
          Note.self
          Image.self
          DataStep("reach", after: .schemaChanged) { session in
            _ = try session.query("SELECT * FROM _schemakit_history")
            try session.execute(SQL(raw: sql))
          }
        })
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("belongs to SchemaKit"), "\(error.map { "\($0)" } ?? "")")
    #expect(try file.query("SELECT count(*) FROM sqlite_master") == before)
  }

  @Test("names that are used twice and steps that wait for nothing are mistakes of the declaration")
  func mistakes() {
    let twice = ModelSchema {
      Note.self
      DataStep("a", after: .schemaChanged) { _ in }
      DataStep("a", after: .schemaChanged) { _ in }
    }
    #expect(throws: DeclarationError.self) { try twice.declaration() }
    let orphan = ModelSchema {
      Note.self
      DataStep("a", after: .tableAdded(Image.self)) { _ in }
    }
    #expect(throws: DeclarationError.self) { try orphan.declaration() }
  }

  @Test("a plan names the steps, where they stand, and that they are the program's")
  func planned() throws {
    let file = try TemporaryDatabase(Old.sql)
    let plan = try SchemaInspector(at: file.path).plan(to: Self.schema())
    #expect(plan.steps.map(\.strategy.rawValue) == ["create", "data", Engine.has(.dropColumn) ? "native" : "rebuild"])
    #expect(plan.steps[1].object.name == "split-images")
  }
}
