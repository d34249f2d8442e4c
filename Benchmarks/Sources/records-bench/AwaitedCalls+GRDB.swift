import Foundation
import GRDB

extension AwaitedCalls {
  /// A pool, since it reads on connections of its own as `Database.read` of SchemaKit does.
  func grdbWays() async throws -> [Way] {
    let pool = try DatabasePool(path: path("grdb"))
    let source = Source<CodableRecord>(workload)
    try await pool.write { db in
      try db.execute(sql: HandwrittenSQL.create)
      for record in source.records { try record.insert(db) }
    }
    return [
      Way("GRDB by hand, an await per object") {
        var found: [HandRecord] = []
        for key in keys {
          if let record = try await pool.read({ try HandRecord.find(key, $0) }) { found.append(record) }
        }
        return found
      },
      Way("GRDB by hand, \(batchTitle)") {
        var found: [HandRecord] = []
        for batch in batches {
          found += try await pool.read { db in try batch.compactMap { try HandRecord.find($0, db) } }
        }
        return found
      },
    ]
  }
}

extension HandRecord {
  fileprivate static func find(_ key: Int64, _ db: Database) throws -> HandRecord? {
    try fetchOne(try db.cachedStatement(sql: HandwrittenSQL.find), arguments: [key])
  }
}
