import FloorRecords
import FloorStrategies
import Foundation
import SchemaKit

/// What one contender took for one change, once.
struct Sample {
  let seconds: Double
  let cpuSeconds: Double
  /// The most memory that was resident beyond that before, in bytes; nil where that is not known.
  let memory: Int64?
  let strategy: String
}

/// Carries out changes, each on a copy of its own.
struct Runner {
  let folder: URL
  var onProgress: (String) -> Void = { _ in }

  /// The file that copies are made of.
  func original(of change: Change) -> String {
    folder.appendingPathComponent(change.refers ? "referring.db" : "plain.db").path
  }

  /// Makes a file, and lets SchemaKit take it into its ledger, as the file of a program in use would be.
  func makeFile(at path: String, refers: Bool, rows: Int, parts: Int) throws {
    try FloorFile(path).make(rows: rows, parts: parts, refers: refers)
    let session = try Session(at: path, schema: refers ? Referring.schema : Unchanged.schema)
    guard case .compared(let report) = session.openReport, report.outcome == .baselined else {
      throw BenchmarkError("the models say something else than the file")
    }
  }

  /// The samples of all contenders in every repetition; their order changes from one to the next.
  func run(_ change: Change, repeats: Int) throws -> [[Sample]] {
    let contenders = Contender.of(change)
    let expected = try FloorFile(original(of: change)).state(after: change)
    return try (0..<repeats).map { repetition in
      var samples = [Sample?](repeating: nil, count: contenders.count)
      for turn in contenders.indices {
        let index = (turn + repetition) % contenders.count
        onProgress("\(change.title), \(repetition + 1) of \(repeats): \(contenders[index].title)")
        samples[index] = try sample(contenders[index], change, expected: expected)
      }
      return samples.compactMap { $0 }
    }
  }

  private func sample(_ contender: Contender, _ change: Change, expected: [String]) throws -> Sample {
    try withCopy(of: change) { path in
      let memory = strategies_memory_begin()
      let cpu = floor_cpu_nanoseconds()
      let start = ContinuousClock.now
      let strategy = try contender.run(change, on: path)
      let elapsed = ContinuousClock.now - start
      let cpuElapsed = floor_cpu_nanoseconds() - cpu
      let peak = strategies_memory_peak()
      let file = FloorFile(path)
      guard try file.state(after: change) == expected, try !file.failures(of: change),
        try SchemaInspector(at: path).plan(to: change.schema).isEmpty
      else { throw BenchmarkError("\(contender.title): \(change.title) left something else than it should") }
      return Sample(
        seconds: elapsed / .seconds(1), cpuSeconds: Double(cpuElapsed) / 1e9,
        memory: memory < 0 || peak < 0 ? nil : peak - memory, strategy: strategy)
    }
  }

  /// The statements of one run of SchemaKit by itself, the longest first, with the time of everything.
  func statements(of change: Change, _ contender: Contender) throws -> (total: Double, [Statement]) {
    try withCopy(of: change) { path in
      strategies_trace_begin()
      defer { strategies_trace_end() }
      let start = ContinuousClock.now
      _ = try contender.run(change, on: path)
      let total = (ContinuousClock.now - start) / .milliseconds(1)
      var count = 0
      let first = strategies_trace_statements(&count)
      let statements = UnsafeBufferPointer(start: first, count: count).map { one in
        Statement(
          sql: String(cString: one.sql), runs: Int(one.runs), milliseconds: Double(one.nanoseconds) / 1e6,
          cpuMilliseconds: Double(one.cpu_nanoseconds) / 1e6)
      }
      return (total, statements.sorted { $0.milliseconds > $1.milliseconds })
    }
  }

  struct Statement {
    let sql: String
    let runs: Int
    let milliseconds: Double
    let cpuMilliseconds: Double
  }

  private func withCopy<T>(of change: Change, _ body: (String) throws -> T) throws -> T {
    let copy = folder.appendingPathComponent("copy.db")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(atPath: original(of: change), toPath: copy.path)
    sync()
    defer { try? FileManager.default.removeItem(at: copy) }
    return try body(copy.path)
  }
}
