import ArgumentParser
import FloorRecords
import Foundation

@main
struct OpenBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open-bench",
    abstract: "Measures what opening an up-to-date file costs, over the same file opened in C.")

  @Option(help: "How many tables the file has, at most 1000; may be repeated.")
  var tables: [Int] = [10, 100, 1000]

  @Option(help: "How often everything is done again.")
  var repeats = 51

  @Option(help: "The journal mode of the file.")
  var journalMode = "WAL"

  @Option(help: "Where the files are made; the temporary folder by default.")
  var directory: String?

  func validate() throws {
    guard tables.allSatisfy({ (10...1000).contains($0) }) else { throw ValidationError("10 to 1000 tables") }
    guard repeats >= 1 else { throw ValidationError("at least 1 repetition") }
  }

  func run() throws {
    #if DEBUG
      throw BenchmarkError("built for debugging, the figures would mean nothing: swift run -c release open-bench")
    #else
      try measure()
    #endif
  }

  private func measure() throws {
    let base = directory.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("open-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    floor_keep_memory(64 << 20)
    print(setup.joined(separator: "\n"))
    for count in tables {
      let path = folder.appendingPathComponent("\(count).db").path
      let file = try OpenedFile(at: path, tables: count, journalMode: journalMode)
      // Once for nothing, so that nobody pays in what is measured for what a process does only once.
      _ = try repetition(0, of: file)
      let samples = try (0..<repeats).map { try repetition($0, of: file) }
      print(Report(tables: count, samples: samples).lines.joined(separator: "\n"))
      fflush(nil)
    }
  }

  /// What each contender takes once; they take turns in being the first.
  private func repetition(_ number: Int, of file: OpenedFile) throws -> [Contender: Sample] {
    var samples: [Contender: Sample] = [:]
    let all = Contender.allCases
    for turn in all.indices {
      let contender = all[(turn + number) % all.count]
      try file.prepare(for: contender)
      let cpu = floor_cpu_nanoseconds()
      let start = ContinuousClock.now
      try file.run(contender)
      let elapsed = ContinuousClock.now - start
      samples[contender] = Sample(
        milliseconds: elapsed / .milliseconds(1), cpuMilliseconds: Double(floor_cpu_nanoseconds() - cpu) / 1e6)
    }
    return samples
  }

  /// What the figures were measured on.
  private var setup: [String] {
    var load = [0.0]
    let known = getloadavg(&load, 1) == 1
    return [
      "\(ISO8601DateFormatter().string(from: Date())), \(ProcessInfo.processInfo.operatingSystemVersionString)",
      "\(ProcessInfo.processInfo.activeProcessorCount) cores, load \(known ? load[0].digits(2) : "?") at the start",
      "SQLite \(String(cString: sqlite3_libversion())), the same for all; journal_mode \(journalMode)",
      "\(repeats) repetitions; medians of the differences from and of the ratios to the floor of the same repetition",
    ]
  }
}
