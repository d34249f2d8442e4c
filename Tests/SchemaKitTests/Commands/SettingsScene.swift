import Foundation

/// A folder with a database, some schemas and settings, as a project has them.
struct SettingsScene {
  let folder: CommandFolder

  /// - Parameter settings: The text of `schemactl.toml`; nil for no file.
  init(_ settings: String? = nil) throws {
    folder = try CommandFolder()
    // Nothing above the temporary folder has a say.
    try FileManager.default.createDirectory(at: folder.url(".git"), withIntermediateDirectories: true)
    try folder.database("app.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    for name in ["flag", "variable", "environment", "common"] {
      try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);\n", to: "\(name).sql")
    }
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, \"more\" TEXT);\n", to: "more.sql")
    if let settings { try write(settings) }
  }

  func write(_ settings: String, to name: String = "schemactl.toml") throws { try folder.write(settings, to: name) }

  func run(
    _ arguments: String..., variables: [String: String] = [:], program: String = "schemactl"
  ) throws -> CommandRun {
    try CommandRun(arguments, in: folder, program: program, environment: variables)
  }

  /// Runs the command in a folder below.
  func run(in name: String, _ arguments: String...) throws -> CommandRun {
    try FileManager.default.createDirectory(at: folder.url(name), withIntermediateDirectories: true)
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let program = CommandRun.schemactl
    return try CommandRun(["-c", "cd '\(name)' && '\(program)' \(words)"], in: folder, program: "/bin/sh")
  }
}
