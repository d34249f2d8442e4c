import Foundation
import SchemaKit

/// What the contenders below do; they are not generic themselves, so that the compiler knows the type of the records here
/// as it does in a program.
struct SchemaKitRequests<Record: RankedRecord> {
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

  func fetchAll() throws -> [Record] { try session.transaction(.deferred) { try session.all(Record.self) } }

  func fetchByKey() throws -> [Record] {
    try session.transaction(.deferred) {
      var found: [Record] = []
      for key in source.keys {
        if let record = try session.find(Record.self, key) { found.append(record) }
      }
      return found
    }
  }

  func filter(_ ranges: [Range<Int64>]) throws -> [Record] {
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

final class KeyPathContender: Contender {
  private let requests: SchemaKitRequests<KeyPathRecord>

  init(path: String, source: Source<KeyPathRecord>) throws {
    requests = try SchemaKitRequests(path: path, source: source)
  }

  func insert() throws { try requests.insert() }
  func update() throws { try requests.update() }
  func fetchAll() throws -> any Fetched { try requests.fetchAll() }
  func fetchByKey() throws -> any Fetched { try requests.fetchByKey() }
  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched { try requests.filter(ranges) }
  func text(_ sql: String) throws -> String? { try requests.text(sql) }
}

final class HandwrittenContender: Contender {
  private let requests: SchemaKitRequests<EncodedRecord>

  init(path: String, source: Source<EncodedRecord>) throws {
    requests = try SchemaKitRequests(path: path, source: source)
  }

  func insert() throws { try requests.insert() }
  func update() throws { try requests.update() }
  func fetchAll() throws -> any Fetched { try requests.fetchAll() }
  func fetchByKey() throws -> any Fetched { try requests.fetchByKey() }
  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched { try requests.filter(ranges) }
  func text(_ sql: String) throws -> String? { try requests.text(sql) }
}

final class MacroContender: Contender {
  private let requests: SchemaKitRequests<MacroRecord>

  init(path: String, source: Source<MacroRecord>) throws {
    requests = try SchemaKitRequests(path: path, source: source)
  }

  func insert() throws { try requests.insert() }
  func update() throws { try requests.update() }
  func fetchAll() throws -> any Fetched { try requests.fetchAll() }
  func fetchByKey() throws -> any Fetched { try requests.fetchByKey() }
  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched { try requests.filter(ranges) }
  func text(_ sql: String) throws -> String? { try requests.text(sql) }
}
