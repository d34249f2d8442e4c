import Foundation
import SchemaKit

extension AwaitedCalls {
  func schemaKitWays() async throws -> [Way] {
    let db = try await Database(at: path("schemakit"), schema: ModelSchema { KeyPathRecord.self })
    try await db.save(Source<KeyPathRecord>(workload).records, .insert)
    return [
      Way("SchemaKit, db.find, an await per object") {
        var found: [KeyPathRecord] = []
        for key in keys {
          if let record = try await db.find(KeyPathRecord.self, key) { found.append(record) }
        }
        return found
      },
      Way("SchemaKit, db.read, \(batchTitle)") {
        var found: [KeyPathRecord] = []
        for batch in batches {
          found += try await db.read { reader in try batch.compactMap { try reader.find(KeyPathRecord.self, $0) } }
        }
        return found
      },
    ]
  }
}
