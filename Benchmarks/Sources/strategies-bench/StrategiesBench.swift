import ArgumentParser
import FloorStrategies
import Foundation
import SchemaKit

@main
struct StrategiesBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strategies-bench",
    abstract: "Measures what changes of a large table cost, each over a rebuild or over the best copy in C.",
    subcommands: [Run.self, Make.self, State.self],
    defaultSubcommand: Run.self
  )
}

/// The sizes of the tables.
struct Size: ParsableArguments {
  @Option(help: "How many rows the table has.")
  var rows = 1_000_000

  @Option(help: "How many rows its child has.")
  var parts = 100_000

  func validate() throws {
    guard rows >= 1000, parts >= 1 else { throw ValidationError("at least 1000 rows, and 1 in the child") }
  }
}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Carries out the changes and prints what they took.")

  @OptionGroup var size: Size

  @Option(help: "How often each change is carried out, each time on a new copy of the file.")
  var repeats = 3

  @Option(help: "Measure only this change; may be repeated.")
  var only: [String] = []

  @Flag(help: "Afterwards, say what each statement of SchemaKit took, in a run of its own.")
  var statements = false

  @Option(help: "Where the files are made; the temporary folder by default. Takes four times the size of the table.")
  var directory: String?

  func validate() throws {
    guard repeats >= 1 else { throw ValidationError("at least 1 repetition") }
    let keys = Change.all.map(\.key)
    for key in only where !keys.contains(key) {
      throw ValidationError("\(key) is not one of \(keys.joined(separator: ", "))")
    }
  }

  func run() throws {
    #if DEBUG
      throw BenchmarkError("built for debugging, the figures would mean nothing: swift run -c release strategies-bench")
    #else
      try measure()
    #endif
  }

  private func measure() throws {
    let base = directory.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("strategies-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let runner = Runner(folder: folder, onProgress: say)
    let changes = Change.all.filter { only.isEmpty || only.contains($0.key) }

    print(setup.joined(separator: "\n"))
    for refers in Set(changes.map(\.refers)) {
      say("making a file of \(size.rows) rows")
      guard let change = changes.first(where: { $0.refers == refers }) else { continue }
      let path = runner.original(of: change)
      // Once in small, so that nobody pays in what is measured for what a process does only once.
      try runner.makeFile(at: path, refers: refers, rows: 1000, parts: 100)
      for contender in Contender.of(change) { _ = try runner.statements(of: change, contender) }
      try FileManager.default.removeItem(atPath: path)
      try runner.makeFile(at: path, refers: refers, rows: size.rows, parts: size.parts)
    }
    for change in changes {
      print(Report(change: change, samples: try runner.run(change, repeats: repeats)).lines.joined(separator: "\n"))
      fflush(nil)
    }
    guard statements else { return }
    for change in changes {
      for contender in Contender.of(change) where contender != .grdb && contender != .rebuild {
        let (total, all) = try runner.statements(of: change, contender)
        let sum = all.reduce(0) { $0 + $1.milliseconds }
        print("\n\(change.title), \(contender.title): \(total.digits(1)) ms, \(sum.digits(1)) in statements")
        print("   wall ms    CPU ms runs")
        for statement in all.prefix(25) where statement.milliseconds > 0.2 { print(statement.line) }
      }
    }
  }

  /// What the figures were measured on.
  private var setup: [String] {
    var load = [0.0]
    let known = getloadavg(&load, 1) == 1
    return [
      "\(ISO8601DateFormatter().string(from: Date())), \(ProcessInfo.processInfo.operatingSystemVersionString)",
      "\(ProcessInfo.processInfo.activeProcessorCount) cores, load \(known ? load[0].digits(2) : "?") at the start",
      "SQLite \(String(cString: sqlite3_libversion())), the same for all; journal_mode DELETE, synchronous FULL",
      "\(size.rows) rows of 12 columns and 3 indexes, \(size.parts) in the child; \(repeats) repetitions, each on a new copy",
      "wall, CPU: the median of the ratios to the first line; memory: the most beyond that before",
    ]
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

struct Make: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Makes the file, for other programs.")

  @OptionGroup var size: Size

  @Argument(help: "The new file.")
  var file: String

  func run() throws { try FloorFile(file).make(rows: size.rows, parts: size.parts, refers: false) }
}

struct State: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what must be the same in a file after the mixed change, and what it lacks.")

  @Flag(help: "The file was changed: say also what is not as the change wants it.")
  var changed = false

  @Argument(help: "The file.")
  var file: String

  func run() throws {
    let floor = FloorFile(file)
    print(try floor.state(after: .mixed).joined(separator: " "))
    guard changed else { return }
    if try floor.failures(of: .mixed) { print("rows that should have changed did not") }
    for step in try SchemaInspector(at: file).plan(to: Change.mixed.schema).steps {
      print("\(step.object): \(step.changes.joined(separator: ", "))")
    }
  }
}
