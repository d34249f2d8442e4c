import ArgumentParser
import Foundation
import SchemaKit

@main
struct ChangesBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes-bench",
    abstract: "Measures how soon an observer is told of the commits of another process, and what waiting costs.",
    subcommands: [Measure.self, Commit.self], defaultSubcommand: Measure.self)
}

struct Entry: Model {
  let id: Int64?
  var number: Int

  static let table = ModelTable("entries", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("number", \.number)
  }
}

/// The nanoseconds of a clock; by default of one that all processes share.
func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The other process: commits rows one by one, and prints when each began and when its COMMIT had returned.
struct Commit: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var path: String
  @Argument var count: Int
  @Argument(help: "The longest pause, in milliseconds.") var pause: Double

  func run() throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: 60)
    var times: [UInt64] = []
    for number in 1...count {
      times.append(now())
      try connection.run("INSERT INTO entries (number) VALUES (?)", [.integer(Int64(number))])
      times.append(now())
      if pause > 0 { Thread.sleep(forTimeInterval: .random(in: 0...pause) / 1000) }
    }
    print(times.map { "\($0)" }.joined(separator: "\n"))
  }
}

struct Measure: AsyncParsableCommand {
  @Option(help: "How many commits the other process makes in each run.")
  var commits = 1000

  @Option(help: "The longest of the random pauses, in milliseconds.")
  var pause = 20.0

  @Option(help: "For how many seconds nothing happens while CPU time is measured.")
  var idle = 30.0

  @Option(help: "Where the files are made; the temporary folder by default.")
  var directory: String?

  func run() async throws {
    #if DEBUG
      throw ValidationError("built for debugging, the figures would mean nothing: swift run -c release changes-bench")
    #else
      try await measure()
    #endif
  }

  private func measure() async throws {
    let base = directory.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("changes-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var load = [0.0]
    getloadavg(&load, 1)
    print("\(ISO8601DateFormatter().string(from: Date())), \(ProcessInfo.processInfo.operatingSystemVersionString)")
    print("\(ProcessInfo.processInfo.activeProcessorCount) cores, load \(load[0]) at the start")
    print(
      "\(commits) commits of another process; milliseconds from its COMMIT to being told, and to having read the row")
    print("mode    pauses      commits/s  told   told: median  95 %    most   read: median  95 %    most   idle CPU")
    for mode in ["WAL", "DELETE"] {
      for (pause, isReading) in [(0, false), (0, true), (pause, true)] {
        let path = folder.appendingPathComponent("\(mode)-\(pause)-\(isReading).db").path
        let run = Run(path: path, mode: mode, commits: commits, pause: pause, isReading: isReading, idle: idle)
        print(try await run.line())
        fflush(nil)
      }
    }
  }
}

/// One file, and what was heard of it.
struct Run {
  let path: String
  let mode: String
  let commits: Int
  let pause: Double
  /// Whether the last row is read whenever a commit was told.
  let isReading: Bool
  let idle: Double

  func line() async throws -> String {
    try SQLiteConnection(path: path).execute("PRAGMA journal_mode = \(mode); CREATE TABLE other (x)")
    let database = try await Database(at: path, schema: ModelSchema { Entry.self })
    let changes = try await database.changes(Entry.self)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["commit", path, "\(commits)", "\(pause)"]
    process.standardOutput = output
    try process.run()
    // One stream for the times alone: whoever reads may have to wait for the writer's lock.
    let listening = Task { [told = try await database.changes(Entry.self)] in
      var times: [UInt64] = []
      for await _ in told { times.append(now()) }
      return times
    }
    var reads: [(told: UInt64, read: UInt64, number: Int)] = []
    for await _ in changes {
      // After the last commit nothing may be told any more.
      if !isReading { process.waitUntilExit() }
      let told = now()
      let number = try await database.first(Entry.self, orderBy: { [$0.number.descending] })?.number ?? 0
      reads.append((told, now(), number))
      if number == commits { break }
    }
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let times = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { UInt64($0) }
    guard times.count == 2 * commits else { throw ValidationError("the other process failed") }
    try await Task.sleep(for: .seconds(2))
    listening.cancel()
    let heard = await listening.value
    var told: [Double] = []
    var read: [Double] = []
    for number in 1...commits {
      let (begun, done) = (times[2 * number - 2], times[2 * number - 1])
      guard let first = reads.first(where: { $0.number >= number }) else { continue }
      if isReading { read.append(Self.milliseconds(from: done, to: first.read)) }
      // A row that was read after it was told is proof that this commit was told, even before COMMIT had returned.
      if first.told >= begun, first.told <= done {
        told.append(0)
      } else {
        let time = heard.first { $0 >= done } ?? heard.last ?? 0
        told.append(Self.milliseconds(from: done, to: time))
      }
    }
    let seconds = Double(times[2 * commits - 1] - times[0]) / 1e9
    // What is observed here is the same file, by a new stream.
    let waiting = try await database.changes(Entry.self)
    try await Task.sleep(for: .seconds(2))
    let before = now(CLOCK_PROCESS_CPUTIME_ID)
    let start = now()
    try await Task.sleep(for: .seconds(idle))
    let cpu = Double(now(CLOCK_PROCESS_CPUTIME_ID) - before) / Double(now() - start) * 100
    withExtendedLifetime(waiting) {}
    let columns = [
      mode, pause == 0 ? "none" : "0-\(Int(pause)) ms", "\(Int(Double(commits) / seconds))", "\(heard.count)",
    ]
    return Self.row(columns + Self.summary(told) + Self.summary(read) + ["\(Self.digits(cpu, 3)) %"])
  }

  /// Who is told before COMMIT has returned is told at once.
  private static func milliseconds(from: UInt64, to: UInt64) -> Double { to > from ? Double(to - from) / 1e6 : 0 }

  private static func summary(_ times: [Double]) -> [String] {
    guard !times.isEmpty else { return ["-", "-", "-"] }
    let sorted = times.sorted()
    return [sorted[sorted.count / 2], sorted[sorted.count * 95 / 100], sorted[sorted.count - 1]].map { digits($0, 2) }
  }

  private static func digits(_ number: Double, _ count: Int) -> String { String(format: "%.\(count)f", number) }

  private static func row(_ columns: [String]) -> String {
    let widths = [8, 12, 11, 7, 14, 8, 7, 14, 8, 7, 8]
    return zip(columns, widths).map { $0.padding(toLength: max($1, $0.count + 1), withPad: " ", startingAt: 0) }
      .joined()
  }
}
