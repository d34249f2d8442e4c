import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

/// A file that means harm or is broken, and what may come of it: a correct plan, or an error of a type of ours.
final class HostileFile {
  /// A schema that shares some names with the files.
  static let target = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT '', pages INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE tag(word TEXT PRIMARY KEY, book INTEGER) WITHOUT ROWID;
    CREATE INDEX book_title ON book(title);
    """

  let file: TemporaryDatabase

  init(_ sql: String) throws { file = try TemporaryDatabase(sql) }

  init(bytes: Data) throws {
    file = try TemporaryDatabase()
    try bytes.write(to: URL(fileURLWithPath: file.path))
  }

  /// Writes rows straight into the catalog.
  func poison(_ statements: String) throws {
    try file.exec("PRAGMA writable_schema = ON; \(statements); PRAGMA writable_schema = RESET")
  }

  /// Whether an error says what it is about: one of the library's own types.
  static func isTyped(_ error: any Error) -> Bool {
    switch error {
    case let error as SQLiteError: error.resultCode != 21 && error.resultCode != 2
    case is IntrospectionError, is PlanError, is ApplyError, is HistoryError, is SchemaError, is SQLiteConnectionError:
      true
    default: false
    }
  }

  /// Looks at the file in every way there is, and checks that this changes nothing. Returns the error that looking ended
  /// with, if any did.
  @discardableResult
  func look(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> (any Error)? {
    let before = try file.bytes
    var found: (any Error)?
    for looking in [inspect, plan, history] {
      do {
        try looking()
      } catch {
        #expect(Self.isTyped(error), "\(error)", sourceLocation: sourceLocation)
        found = found ?? error
      }
    }
    #expect(try file.bytes == before, comment, sourceLocation: sourceLocation)
    return found
  }

  private func inspect() throws { _ = try SchemaInspector(at: file.path, trustsSchema: false).statements() }
  private func history() throws { _ = try SchemaInspector(at: file.path, trustsSchema: false).history() }
  private func plan() throws {
    let connection = try SQLiteConnection.openedForInspection(path: file.path, trustsSchema: false)
    let plan = try Change(over: connection, to: TemporaryDatabase.target(Self.target)).plan()
    _ = PlanReport(plan, database: file.path, isNewFile: false, policy: .lossless).text()
  }

  /// Migrates the file with leave to lose everything: what fails leaves every byte, what succeeds leaves the schema.
  @discardableResult
  func migrate(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> (any Error)? {
    let before = try file.bytes
    do {
      let connection = try SQLiteConnection(path: file.path, trustsSchema: false)
      _ = try Change(over: connection, to: TemporaryDatabase.target(Self.target), ChangeRequest(allowing: .everything))
        .apply()
      let schema = try SchemaReader.read(SQLiteConnection(path: file.path, mode: .readOnly))
      #expect(schema.table("book")?.columns.count == 3, comment, sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect(Self.isTyped(error), "\(error)", sourceLocation: sourceLocation)
      #expect(try file.bytes == before, comment, sourceLocation: sourceLocation)
      return error
    }
  }
}

extension PlanPolicy {
  /// Consent to whatever consent is given to.
  static let everything = PlanPolicy(allowing: [
    Allowance(.hazardClass(.destructive)), Allowance(.hazardClass(.lossy)),
  ])
}
