import Foundation

/// A fenced `console` block: commands behind `$ `, each with the output that follows it.
struct Transcript {
  struct Entry: Equatable {
    /// The command's lines as they stand in the document; a backslash at a line's end continues it.
    var command: [String]
    var output: [String]
  }

  var entries: [Entry] = []

  init(_ lines: [String]) {
    for line in lines {
      if line.hasPrefix("$ ") {
        entries.append(Entry(command: [line], output: []))
      } else if var entry = entries.popLast() {
        if entry.output.isEmpty, entry.command.last?.hasSuffix("\\") == true {
          entry.command.append(line)
        } else {
          entry.output.append(line)
        }
        entries.append(entry)
      }
    }
  }

  /// The block as it stands in the document.
  var lines: [String] { entries.flatMap { $0.command + $0.output } }

  /// Runs the commands in one shell that finds the built programs, and returns what they really print.
  func run(in folder: CommandFolder) throws -> Transcript {
    var script = ""
    for index in entries.indices {
      script += entries[index].command.joined(separator: "\n").dropFirst(2) + "\n"
      script += "__status=$?; printf '\\n@@\(index)@@\\n'; (exit $__status)\n"
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PATH": "\(CommandRun.searchPath):\(path)", "COLUMNS": "80", "NO_COLOR": "1"]) { $1 }
    let file = folder.url(".transcript")
    try Data().write(to: file)
    let output = try FileHandle(forWritingTo: file)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    var rest = try String(contentsOf: file, encoding: .utf8)[...]
    var result = self
    for index in entries.indices {
      guard let mark = rest.range(of: "\n@@\(index)@@\n") else { continue }
      let lines = rest[..<mark.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
      result.entries[index].output = lines.map { String($0) }.reversed().drop { $0.isEmpty }.reversed()
      rest = rest[mark.upperBound...]
    }
    return result
  }

  /// The lines with everything alike that differs from run to run: durations, times, fingerprints, versions of SQLite.
  var normalized: [String] {
    lines.map { line in
      line.replacing(/\bin [\d.,]+ (ms|s)\b/, with: "in … ms")
        .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/, with: "… UTC")
        .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "…Z")
        .replacing(/illiseconds" ?: ?\d+/, with: "illiseconds\" : …")
        .replacing(/\b[0-9a-f]{8,64}\b/, with: "…")
        .replacing(/SQLite 3\.\d+\.\d+/, with: "SQLite 3")
        .replacing(/" : "3\.\d+\.\d+"/, with: "\" : \"3\"")
        .trimmingCharacters(in: .whitespaces.subtracting(CharacterSet(charactersIn: " ")))
    }.reversed().drop { $0.isEmpty }.reversed()
  }
}
