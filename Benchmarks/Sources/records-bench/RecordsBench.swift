import ArgumentParser
import FloorRecords
import Foundation

@main
struct RecordsBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "records-bench",
    abstract: "Measures what saving and loading records costs, over the same work done in C."
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How many rows the table has.")
  var rows = 200_000

  @Option(help: "How often everything is repeated, each time in new files.")
  var repetitions = 5

  @Flag(help: "Few rows and few repetitions: shows that it works, measures little.")
  var quick = false

  @Option(help: "How the result is printed.")
  var format = Format.text

  @Option(help: "Where the files are made; the temporary folder by default.")
  var directory: String?

  @Option(help: "Measure only this implementation and the floor; may be repeated.")
  var only: [String] = []

  @Flag(help: "Leave out the calls from asynchronous code.")
  var skipAwaited = false

  func validate() throws {
    guard rows >= 1000, repetitions >= 1 else { throw ValidationError("at least 1000 rows and 1 repetition") }
    let keys = Candidate.all.map(\.key)
    for key in only where !keys.contains(key) {
      throw ValidationError("\(key) is not one of \(keys.joined(separator: ", "))")
    }
  }

  func run() async throws {
    #if DEBUG
      throw BenchmarkError("built for debugging, the figures would mean nothing: swift run -c release records-bench")
    #else
      try await measure()
    #endif
  }

  private func measure() async throws {
    let rows = quick ? min(self.rows, 10_000) : self.rows
    let repetitions = quick ? min(self.repetitions, 3) : self.repetitions
    let setup = try Setup(rows: rows, repetitions: repetitions)
    let base = directory.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("records-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let candidates = Candidate.all.filter { only.isEmpty || $0.key == "floor" || only.contains($0.key) }
    let workload = Workload(rows: rows)
    var runner = Runner(workload: Workload(rows: 1000), candidates: candidates, directory: folder)
    // Once in small, so that no implementation pays in a measured phase for what a process does only once.
    _ = try runner.run(repetitions: 1)
    runner = Runner(workload: workload, candidates: candidates, directory: folder, onProgress: say)
    floor_keep_memory(rows * 2048)
    let samples = try runner.run(repetitions: repetitions)

    var awaited: [AwaitedReport] = []
    if !skipAwaited {
      say("calls from asynchronous code")
      awaited = try await AwaitedCalls(workload: workload, directory: folder).run(repetitions: repetitions)
    }
    let report = Report(
      setup: setup,
      phases: Phase.allCases.map {
        PhaseReport($0, samples[$0] ?? [], candidates: candidates, workload: workload)
      },
      awaited: awaited
    )
    switch format {
    case .text: print(report.text)
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
