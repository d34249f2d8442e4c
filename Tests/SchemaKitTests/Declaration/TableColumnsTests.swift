import Foundation
import Testing

@testable import SchemaKit

/// Tables whose columns are added one at a time, with functions of the author's that read and write them.
@Suite("Columns added one at a time")
struct TableColumnsTests {
  @Test("the objects are stored and read, through a file that is opened again")
  func roundTrip() throws {
    let file = try TemporaryDatabase()
    let note = Note(id: 1, title: "A", audit: ColumnAudit(author: "me", count: 2))
    try Session(at: file.path, schema: ModelSchema { Note.self }).save(note)
    let session = try Session(at: file.path, schema: ModelSchema { Note.self })
    #expect(try session.all(Note.self) == [note])
    #expect(try session.find(Note.self, Int64(1)) == note)
  }

  @Test("the schema is that of the table by key paths")
  func equalSchemas() throws {
    let file = try TemporaryDatabase()
    _ = try Session(at: file.path, schema: ModelSchema { Note.self })
    #expect(try SchemaInspector(at: file.path).plan(to: ModelSchema { ByKeyPaths.self }).isEmpty)
  }

  @Test("a column that the functions forget, add, swap or change is an error before anything is written")
  func mistakes() {
    #expect(reason(Mistaken<Forgotten>.self) == .codedColumns(declared: 3, read: 2, written: 2, first: "c"))
    #expect(
      reason(Mistaken<ForgottenFirst>.self) == .codedColumns(declared: 3, read: 2, written: 2, first: "a"))
    #expect(
      reason(Mistaken<Unwritten>.self) == .codedColumns(declared: 3, read: 3, written: 2, first: "b"))
    #expect(reason(Mistaken<Beyond>.self) == .codedColumns(declared: 3, read: 4, written: 4, first: nil))
    #expect(reason(Mistaken<TooMany>.self) == .codedColumns(declared: 3, read: 3, written: 4, first: nil))
    #expect(reason(Mistaken<Swapped>.self) == .wronglyCoded(column: "a"))
    #expect(reason(Mistaken<SwappedTwice>.self) == .wronglyCoded(column: "a"))
    #expect(reason(Mistaken<Shouting>.self) == nil, "a value that is normalized")
    #expect(reason(Mistaken<Right>.self) == nil)
  }

  private func reason<M: Model>(_ model: M.Type) -> DeclarationError.Reason? {
    do {
      _ = try ModelSchema { M.self }.declaration()
      return nil
    } catch {
      return error.reason
    }
  }
}

private struct ColumnAudit: Fragment, Equatable {
  var author: String
  var count: Int

  static let columns = ColumnGroup<ColumnAudit>(
    columns: { columns in
      columns.add(Column("author", \.author))
      columns.add(Column("count", \.count))
    },
    decode: { row in ColumnAudit(author: try row.read(), count: try row.read()) },
    encode: { audit, row in
      try row.append(audit.author)
      try row.append(audit.count)
    })
}

private struct Note: Model, Equatable {
  let id: Int64?
  var title: String
  var audit: ColumnAudit

  static let table = ModelTable<Note>(
    "notes",
    columns: { columns in
      columns.add(Column("id", \.id).primaryKey())
      columns.add(Column("title", \.title).check("length(title) > 0"))
      columns.add(Column(embedding: \.audit, prefix: "by_"))
    },
    decode: { row in Note(id: try row.read(), title: try row.read(), audit: try row.read()) },
    encode: { note, row in
      try row.append(note.id)
      try row.append(note.title)
      try row.append(note.audit)
    },
    indexes: [Index("notes_by_title", on: \.title)])
}

private struct ByKeyPaths: Model {
  let id: Int64?
  var title: String
  var audit: ColumnAudit

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title).check("length(title) > 0")
    Column(embedding: \.audit, prefix: "by_")
  } indexes: {
    Index("notes_by_title", on: \.title)
  }
}

private protocol Coding: Sendable {
  static func decode(_ row: inout RowReader) throws -> [String]
  static func encode(_ values: [String], _ row: inout RowWriter) throws
}

extension Coding {
  static func decode(_ row: inout RowReader) throws -> [String] { [try row.read(), try row.read(), try row.read()] }
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in values { try row.append(value) }
  }
}

private enum Right: Coding {}
private enum Forgotten: Coding {
  static func decode(_ row: inout RowReader) throws -> [String] { [try row.read(), try row.read()] }
}
private enum ForgottenFirst: Coding {
  static func decode(_ row: inout RowReader) throws -> [String] { ["", try row.read(), try row.read()] }
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in values.dropFirst() { try row.append(value) }
  }
}
private enum Unwritten: Coding {
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in [values[0], values[2]] { try row.append(value) }
  }
}
private enum Beyond: Coding {
  static func decode(_ row: inout RowReader) throws -> [String] {
    [try row.read(), try row.read(), try row.read(), try row.read()]
  }
}
private enum TooMany: Coding {
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in values + ["more"] { try row.append(value) }
  }
}
private enum Swapped: Coding {
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in [values[1], values[0], values[2]] { try row.append(value) }
  }
}

/// A round trip changes nothing, but the properties have each other's values.
private enum SwappedTwice: Coding {
  static func decode(_ row: inout RowReader) throws -> [String] {
    let (first, second) = (try row.read(String.self), try row.read(String.self))
    return [second, first, try row.read()]
  }
  static func encode(_ values: [String], _ row: inout RowWriter) throws {
    for value in [values[1], values[0], values[2]] { try row.append(value) }
  }
}
private enum Shouting: Coding {
  static func decode(_ row: inout RowReader) throws -> [String] {
    [try row.read(String.self).uppercased(), try row.read(), try row.read()]
  }
}

private struct Mistaken<Way: Coding>: Model {
  var values: [String]
  var a: String { value(0) }
  var b: String { value(1) }
  var c: String { value(2) }
  private func value(_ index: Int) -> String { index < values.count ? values[index] : "" }

  static var table: ModelTable<Mistaken<Way>> {
    ModelTable(
      "mistaken",
      columns: { columns in
        columns.add(Column("a", \.a))
        columns.add(Column("b", \.b))
        columns.add(Column("c", \.c))
      },
      decode: { row in Mistaken(values: try Way.decode(&row)) },
      encode: { model, row in try Way.encode(model.values, &row) })
  }
}
