import Foundation
import SchemaKit

final class SchemaKitContender<Record: RankedRecord>: Contender {
  private let session: Session
  private let source: Source<Record>

  init(path: String, source: Source<Record>) throws {
    session = try Session(at: path, schema: ModelSchema { Record.self })
    try session.execute("PRAGMA synchronous = NORMAL")
    self.source = source
  }

  func insert() throws { try session.save(source.records, .insert) }

  func update() throws {
    try session.transaction {
      for record in source.changes { try session.update(record) }
    }
  }

  func fetchAll() throws -> any Fetched { try session.transaction(.deferred) { try session.all(Record.self) } }

  func fetchByKey() throws -> any Fetched {
    try session.transaction(.deferred) {
      var found: [Record] = []
      for key in source.keys {
        if let record = try session.find(Record.self, key) { found.append(record) }
      }
      return found
    }
  }

  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched {
    try session.transaction(.deferred) {
      var found: [Record] = []
      for range in ranges { found += try session.all(Record.self, where: Record.filter(range)) }
      return found
    }
  }

  func text(_ sql: String) throws -> String? {
    switch try session.connection.rows(sql).first?.first {
    case .integer(let number): String(number)
    case .text(let text): text
    default: nil
    }
  }
}
