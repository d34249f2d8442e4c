import FloorRecords
import Foundation

/// What the figures were measured on; everything is asked of the machine when the benchmark runs.
struct Setup: Codable {
  let date: String
  let system: String
  let processor: String
  let cores: Int
  /// The load average of the last minute when the run began: well above zero means that somebody else was at work.
  let loadAtStart: Double
  let swift: String
  let cCompiler: String
  let sqliteVersion: String
  let sqliteSource: String
  let sqliteLibrary: String
  let sqliteOptions: [String]
  let rows: Int
  let repetitions: Int

  init(rows: Int, repetitions: Int) throws {
    let memory = try CConnection(path: ":memory:")
    date = ISO8601DateFormatter().string(from: Date())
    system = ProcessInfo.processInfo.operatingSystemVersionString
    processor = Self.processorName()
    cores = ProcessInfo.processInfo.activeProcessorCount
    var load = [0.0]
    loadAtStart = getloadavg(&load, 1) == 1 ? load[0] : .nan
    swift = Self.firstLine(of: ["swift", "--version"]) ?? "unknown"
    cCompiler = String(cString: floor_compiler())
    sqliteVersion = String(cString: sqlite3_libversion())
    sqliteSource = String(cString: sqlite3_sourceid())
    sqliteLibrary = floor_library_path().map { String(cString: $0) } ?? "unknown"
    let options = try memory.texts("SELECT compile_options FROM pragma_compile_options")
    sqliteOptions = options.filter { option in Self.prefixesThatMatter.contains { option.hasPrefix($0) } }
    self.rows = rows
    self.repetitions = repetitions
  }

  var lines: [String] {
    [
      "\(date), \(system)",
      "\(cores) cores of \(processor), load \(loadAtStart.digits(2)) at the start",
      "\(swift); C by \(cCompiler)",
      "SQLite \(sqliteVersion) from \(sqliteLibrary), the same for all; \(sqliteOptions.joined(separator: " "))",
      "\(rows) rows of 10 columns, \(repetitions) repetitions, each in new files; WAL, synchronous = NORMAL",
      "ratios are over the C floor of the same repetition; their median, smallest and largest",
    ]
  }

  // What costs or saves time on every row, every allocation or every commit.
  private static let prefixesThatMatter = [
    "DEBUG", "DEFAULT_CACHE_SIZE", "DEFAULT_MEMSTATUS", "DEFAULT_MMAP_SIZE", "DEFAULT_PAGE_SIZE",
    "DEFAULT_WAL_AUTOCHECKPOINT", "ENABLE_API_ARMOR", "ENABLE_COLUMN_METADATA", "ENABLE_PREUPDATE_HOOK", "ENABLE_STAT4",
    "OMIT_LOOKASIDE", "SECURE_DELETE", "TEMP_STORE", "THREADSAFE",
  ]

  private static func processorName() -> String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return name ?? firstLine(of: ["sysctl", "-n", "machdep.cpu.brand_string"]) ?? "unknown"
  }

  private static func firstLine(of command: [String]) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
