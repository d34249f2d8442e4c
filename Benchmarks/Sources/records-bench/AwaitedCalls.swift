import Foundation

/// What one object by key costs from asynchronous code: with an `await` for each, and many inside one.
struct AwaitedCalls {
  let workload: Workload
  let directory: URL
  /// The keys of the objects that one measurement fetches.
  let keys: [Int64]
  /// The same in groups, for one awaited call each.
  let batches: [[Int64]]

  init(workload: Workload, directory: URL) {
    self.workload = workload
    self.directory = directory
    let keys = Array(workload.keys.prefix(max(100, workload.keys.count / 10)))
    let size = min(1000, keys.count)
    self.keys = keys
    batches = stride(from: 0, to: keys.count, by: size).map { Array(keys[$0..<min($0 + size, keys.count)]) }
  }

  func run(repetitions: Int) async throws -> [AwaitedReport] {
    let expected = keys.map { workload.records[Int($0) - 1] }.checksum
    let floor = try FloorContender(path: path("floor"), source: FloorSource(workload))
    try floor.insert()
    var ways = [Way("C floor, one loop in C") { try floor.fetchByKey(keys) }]
    ways += try await schemaKitWays()
    ways += try await grdbWays()
    for _ in 0..<repetitions {
      for index in ways.indices { try await ways[index].take(objects: keys.count, expected: expected) }
    }
    return ways.map { AwaitedReport(title: $0.title, microseconds: $0.microseconds) }
  }

  func path(_ name: String) -> String { directory.appendingPathComponent("awaited-\(name).sqlite").path }

  /// How the title of a way with batches ends.
  var batchTitle: String { "\(batches.first?.count ?? 0) objects per await" }

  /// One way to fetch the same objects, and how long it took each time.
  struct Way {
    let title: String
    private(set) var microseconds: [Double] = []
    private let body: () async throws -> any Fetched

    init(_ title: String, body: @escaping () async throws -> any Fetched) {
      self.title = title
      self.body = body
    }

    mutating func take(objects: Int, expected: Checksum) async throws {
      let start = ContinuousClock.now
      let found = try await body()
      let elapsed = ContinuousClock.now - start
      guard found.checksum == expected else {
        throw BenchmarkError("\(title): found \(found.checksum), but the workload makes \(expected)")
      }
      microseconds.append(elapsed / .microseconds(1) / Double(objects))
    }
  }
}
