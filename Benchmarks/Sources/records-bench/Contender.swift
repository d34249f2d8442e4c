import Foundation

/// The parts of the measurement, in the order they are run.
enum Phase: String, CaseIterable, Codable {
  case insert, fetchAll, fetchByKey, filter, smallFilters, update

  func title(_ workload: Workload) -> String {
    switch self {
    case .insert: "insert \(workload.records.count) rows in one transaction"
    case .fetchAll: "fetch all \(workload.records.count) rows as objects"
    case .fetchByKey: "fetch \(workload.keys.count) rows by key, one at a time"
    case .filter: "fetch a tenth of the rows by a range of an indexed column"
    case .smallFilters: "\(workload.narrowRanges.count) fetches of about 20 rows each by a range of an indexed column"
    case .update: "update \(workload.changes.count) rows by key, all columns but the key"
    }
  }
}

/// An implementation with an open file of its own.
///
/// Opening, creating the table and turning the workload into records of its own type are not timed.
protocol Contender: AnyObject {
  func insert() throws
  func fetchAll() throws -> any Fetched
  func fetchByKey() throws -> any Fetched
  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched
  func update() throws
  /// The first value of a query's first row, asked over the connection that is measured.
  func text(_ sql: String) throws -> String?
}

/// What one implementation writes: the workload as records of its type.
struct Source<Record: BenchRecord>: Sendable {
  let records: [Record]
  let keys: [Int64]
  let changes: [Record]

  init(_ workload: Workload) {
    func converted(_ records: [PlainRecord]) -> [Record] {
      records.map {
        Record(
          id: $0.id, title: $0.title, author: $0.author, place: $0.place, note: $0.note, rank: $0.rank,
          visits: $0.visits, price: $0.price, weight: $0.weight, payload: $0.payload)
      }
    }
    records = converted(workload.records)
    keys = workload.keys
    changes = converted(workload.changes)
  }
}

/// An implementation, and how a file is opened with it.
struct Candidate: Sendable {
  let key: String
  let title: String
  let open: @Sendable (Workload) -> (_ path: String) throws -> any Contender

  /// All of them; the first is the floor.
  static let all: [Candidate] = [
    Candidate(key: "floor", title: "C floor") { workload in
      let source = FloorSource(workload)
      return { try FloorContender(path: $0, source: source) }
    },
    Candidate(key: "capi", title: "C API from Swift") { workload in
      let source = Source<PlainRecord>(workload)
      return { try CAPIContender(path: $0, source: source) }
    },
    Candidate(key: "schemakit", title: "SchemaKit, key paths") { workload in
      let source = Source<KeyPathRecord>(workload)
      return { try KeyPathContender(path: $0, source: source) }
    },
    Candidate(key: "schemakit-hand", title: "SchemaKit, rows by hand") { workload in
      let source = Source<EncodedRecord>(workload)
      return { try HandwrittenContender(path: $0, source: source) }
    },
    Candidate(key: "schemakit-macro", title: "SchemaKit, @Model") { workload in
      let source = Source<MacroRecord>(workload)
      return { try MacroContender(path: $0, source: source) }
    },
    Candidate(key: "grdb-codable", title: "GRDB, Codable records") { workload in
      let source = Source<CodableRecord>(workload)
      return { try GRDBCodableContender(path: $0, source: source) }
    },
    Candidate(key: "grdb-hand", title: "GRDB, by hand, cached statements") { workload in
      let source = Source<HandRecord>(workload)
      return { try GRDBHandContender(path: $0, source: source) }
    },
  ]
}

/// The benchmark cannot go on, or its result would mean nothing.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
