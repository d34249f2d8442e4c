import Foundation
import GRDB

/// GRDB as its documentation begins: a Codable record, and requests of the query interface.
struct CodableRecord: BenchRecord, Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "records"

  enum Columns {
    static let rank = Column(CodingKeys.rank)
  }

  let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?
}

final class GRDBCodableContender: Contender {
  private let queue: DatabaseQueue
  private let source: Source<CodableRecord>

  init(path: String, source: Source<CodableRecord>) throws {
    queue = try GRDBFile.open(path)
    self.source = source
  }

  func insert() throws {
    try queue.write { db in
      for record in source.records { try record.insert(db) }
    }
  }

  func update() throws {
    try queue.write { db in
      for record in source.changes { try record.update(db) }
    }
  }

  func fetchAll() throws -> any Fetched { try queue.read { db in try CodableRecord.fetchAll(db) } }

  func fetchByKey() throws -> any Fetched {
    try queue.read { db in
      var found: [CodableRecord] = []
      for key in source.keys {
        if let record = try CodableRecord.fetchOne(db, key: key) { found.append(record) }
      }
      return found
    }
  }

  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched {
    try queue.read { db in
      var found: [CodableRecord] = []
      for range in ranges {
        let rank = CodableRecord.Columns.rank
        found += try CodableRecord.filter(rank >= range.lowerBound && rank < range.upperBound).fetchAll(db)
      }
      return found
    }
  }

  func text(_ sql: String) throws -> String? { try GRDBFile.text(sql, queue) }
}

/// GRDB with everything that its documentation advises where time matters: rows read by index, the connection's cached
/// statements, arguments that are not checked again.
struct HandRecord: BenchRecord, FetchableRecord {
  let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?

  init(
    id: Int64, title: String, author: String, place: String, note: String, rank: Int64, visits: Int64, price: Double,
    weight: Double, payload: Data?
  ) {
    self.id = id
    self.title = title
    self.author = author
    self.place = place
    self.note = note
    self.rank = rank
    self.visits = visits
    self.price = price
    self.weight = weight
    self.payload = payload
  }

  init(row: Row) {
    id = row[0]
    title = row[1]
    author = row[2]
    place = row[3]
    note = row[4]
    rank = row[5]
    visits = row[6]
    price = row[7]
    weight = row[8]
    payload = row[9]
  }

  var arguments: StatementArguments { [id, title, author, place, note, rank, visits, price, weight, payload] }
}

final class GRDBHandContender: Contender {
  private let queue: DatabaseQueue
  private let source: Source<HandRecord>

  init(path: String, source: Source<HandRecord>) throws {
    queue = try GRDBFile.open(path)
    self.source = source
  }

  func insert() throws { try write(source.records, HandwrittenSQL.insert) }

  func update() throws { try write(source.changes, HandwrittenSQL.update) }

  func fetchAll() throws -> any Fetched {
    try queue.read { db in try HandRecord.fetchAll(try db.cachedStatement(sql: HandwrittenSQL.all)) }
  }

  func fetchByKey() throws -> any Fetched {
    try queue.read { db in
      let statement = try db.cachedStatement(sql: HandwrittenSQL.find)
      var found: [HandRecord] = []
      for key in source.keys {
        if let record = try HandRecord.fetchOne(statement, arguments: [key]) { found.append(record) }
      }
      return found
    }
  }

  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched {
    try queue.read { db in
      let statement = try db.cachedStatement(sql: HandwrittenSQL.filter)
      var found: [HandRecord] = []
      for range in ranges {
        found += try HandRecord.fetchAll(statement, arguments: [range.lowerBound, range.upperBound])
      }
      return found
    }
  }

  func text(_ sql: String) throws -> String? { try GRDBFile.text(sql, queue) }

  private func write(_ records: [HandRecord], _ sql: String) throws {
    try queue.write { db in
      let statement = try db.cachedStatement(sql: sql)
      for record in records {
        statement.setUncheckedArguments(record.arguments)
        try statement.execute()
        guard db.changesCount == 1 else { throw BenchmarkError("row \(record.id) was not written") }
      }
    }
  }
}

/// What the two have in common.
enum GRDBFile {
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in try db.execute(sql: HandwrittenSQL.create) }
    return queue
  }

  static func text(_ sql: String, _ queue: DatabaseQueue) throws -> String? {
    try queue.inDatabase { db in try String.fetchOne(db, sql: sql) }
  }
}
