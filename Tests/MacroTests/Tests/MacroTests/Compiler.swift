import Foundation

/// The compiler, on a single file that imports SchemaKit, with the modules and the plugin of this build.
struct Compiler {
  struct Result {
    let status: Int32
    /// What it printed.
    let output: String
    let seconds: Double

    /// The errors and warnings, as `line: error: …`.
    var messages: [String] {
      output.split(separator: "\n").compactMap { line in
        guard let match = line.firstMatch(of: /^[^ ]+\.swift:(\d+):\d+: ((?:error|warning): .*)$/) else { return nil }
        return "\(match.output.1): \(match.output.2)"
      }
    }
  }

  /// The folder of this build.
  private static let build = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Checks the types of a source text, and prints the expansions of macros if asked to.
  static func check(_ source: String, options: [String] = []) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let sources = package.appendingPathComponent("../../Sources").standardizedFileURL.path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", build.appendingPathComponent("Modules").path]
      + ["CSQLite", "LinkSQLite"].flatMap { ["-Xcc", "-fmodule-map-file=\(sources)/\($0)/module.modulemap"] }
      + ["-I", "\(sources)/CSQLite", "-load-plugin-executable"]
      + ["\(build.appendingPathComponent("SchemaKitMacros-tool").path)#SchemaKitMacros"] + options + [file.path]
    let log = file.appendingPathExtension("log")
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let elapsed = ContinuousClock.now - start
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: log, encoding: .utf8),
      seconds: elapsed / .seconds(1))
  }
}
