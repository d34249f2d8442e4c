import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes script, steps 1 to 3 and 16: opening and closing")
struct NotesOpeningTests {
  @Test("1: without a file, opening makes the table as declared, with one entry in the ledger and no rows")
  func coldStart() async throws {
    let file = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: file.path)
    let plans = Gathered<[String]>()
    let db = try await Database(at: file.path, schema: NotesScript.schema) {
      $0.onPlan = { plans.append($0.outline) }
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(plans.all == [["create table Note"]])
    #expect(try file.plan(to: NotesScript.schema).isEmpty)
    #expect(try await db.history().map(\.kind) == [.apply])
    #expect(try file.value("SELECT count(*) FROM Note") == .int(0))
    let columns = try file.query(
      #"SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo('Note') ORDER BY cid"#)
    #expect(
      columns.map { row in row.map { $0.string ?? "\($0)" }.joined(separator: " ") } == [
        "noteID INTEGER 0 NULL 1", "title TEXT 1 NULL 0", "text TEXT 1 NULL 0", "textColor BLOB 1 NULL 0",
        "fontName TEXT 1 'Helvetica Neue' 0", "fontSize REAL 1 15.0 0", "creationDate REAL 1 NULL 0",
        "modificationDate REAL 1 NULL 0", "imagesData BLOB 0 NULL 0",
      ])
  }

  @Test("2: reopening defines nothing, says so, and leaves the schema cookie as it was")
  func warmStart() async throws {
    let file = try TemporaryDatabase()
    do { _ = try await Database(at: file.path, schema: NotesScript.schema) }
    let cookie = try file.value("PRAGMA schema_version")
    let db = try await Database(at: file.path, schema: NotesScript.schema)
    guard case .warm = db.openReport else {
      Issue.record("the second opening compared the schemas")
      return
    }
    let trace = try StatementTrace(file.path)
    let session = try Session(over: trace.connection, schema: NotesScript.schema)
    #expect(session.isWarm && !trace.statements.isEmpty)
    #expect(trace.definitions == [])
    #expect(try file.value("PRAGMA schema_version") == cookie)
  }

  @Test("2: the trace would show a definition")
  func traceShowsDefinitions() throws {
    let file = try TemporaryDatabase()
    let trace = try StatementTrace(file.path)
    _ = try Session(over: trace.connection, schema: NotesScript.schema)
    #expect(trace.definitions.contains { $0.contains("Note") })
  }

  @Test("3: an empty list is an empty list, and no error")
  func emptyList() async throws {
    let desk = try await NotesDesk()
    #expect(try await desk.db.all(ScriptNote.self) == [])
    #expect(try await desk.list() == [])
  }

  @Test("16: after closing, the file is sound and no foreign key dangles")
  func closing() async throws {
    let file = try TemporaryDatabase()
    do {
      let desk = try await NotesDesk(NotesScript.first, NotesScript.second, NotesScript.third)
      _ = try await desk.db.delete(ScriptNote.self, key: NotesScript.third.noteID)
      try await desk.db.backup(to: file.path + ".copy")
      #expect(try desk.file.query("PRAGMA integrity_check") == [[.text("ok")]])
      #expect(try desk.file.query("PRAGMA foreign_key_check") == [])
    }
    let copy = try RawSQLite(file.path + ".copy")
    #expect(try copy.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try copy.rows("SELECT count(*) FROM Note") == [[.int(2)]])
  }
}
