import Foundation

/// What a run of a built program gave.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `schemactl`, or another program of the package, in a folder.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - folder: The folder it works in.
  ///   - input: What it reads on standard input.
  ///   - program: The product, or the path of another program.
  ///   - prefix: A command that runs it, such as one that gives up rights.
  init(
    _ arguments: [String], in folder: CommandFolder, input: String = "", program: String = "schemactl",
    prefix: [String] = [], environment: [String: String] = [:]
  ) throws {
    let process = Process()
    let path =
      program.hasPrefix("/")
      ? program : program == "schemactl" ? Self.schemactl : Self.products.appendingPathComponent(program).path
    let words = prefix + [path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (inputPipe, outputFile, errorFile) = (Pipe(), folder.url(".out"), folder.url(".err"))
    // Files never fill up as pipes do.
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    process.standardInput = inputPipe
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inputPipe.fileHandleForWriting.close()
    process.waitUntilExit()
    status = process.terminationStatus
    output = try String(contentsOf: outputFile, encoding: .utf8)
    errors = try String(contentsOf: errorFile, encoding: .utf8)
  }

  /// The path of `schemactl`: the one that is built, or another that SCHEMAKIT_SCHEMACTL names.
  static let schemactl =
    ProcessInfo.processInfo.environment["SCHEMAKIT_SCHEMACTL"] ?? products.appendingPathComponent("schemactl").path

  /// The folders in which a shell finds `schemactl` and the other programs, for its PATH.
  static let searchPath = "\((schemactl as NSString).deletingLastPathComponent):\(products.path)"

  /// The folder of the built products, in which the test program lies too.
  static let products: URL = {
    let own = Bundle.main.executableURL ?? URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
    var folder = own.deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("schemactl").path) { return folder }
      folder = folder.deletingLastPathComponent()
    }
    return own.deletingLastPathComponent()
  }()

  /// The output as JSON.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]) ?? [:]
  }

  /// The last line of the output.
  var lastLine: String { output.split(separator: "\n").last.map { String($0) } ?? "" }
}

/// A folder for one test with the files it works on, removed when the test lets go of it.
final class CommandFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("schemactl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func url(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes a text file, in a folder that is made where it is missing.
  func write(_ text: String, to name: String) throws {
    if name.contains("/") {
      let folder = url(name).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try text.write(to: url(name), atomically: false, encoding: .utf8)
  }

  /// Makes a database, or runs SQL on one, through a connection that knows nothing of the product.
  ///
  /// A test whose SQL the running SQLite cannot read is skipped; see ``Engine/require(_:)``.
  @discardableResult
  func database(_ name: String, _ sql: String) throws -> String {
    try Engine.require(sql)
    let database = try RawSQLite(url(name).path)
    defer { database.close() }
    try database.exec(sql)
    return name
  }

  /// The rows of a query.
  func rows(of name: String, _ sql: String) throws -> [[RawValue]] {
    let database = try RawSQLite(url(name).path)
    defer { database.close() }
    return try database.rows(sql)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// Runs `schemactl` here.
  func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(arguments, in: self, input: input)
  }
}
