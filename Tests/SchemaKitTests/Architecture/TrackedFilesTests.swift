import Foundation
import Testing

private let isCheckout = FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(".git").path)

/// Keeps what the scripts use in the repository: a rule of `.gitignore` leaves a file out without a message.
@Suite("Tracked files", .enabled(if: isCheckout, "needs a checkout with .git"))
struct TrackedFilesTests {
  /// The scripts, the Makefile and the action, as git lists them.
  private static func trackedFiles() throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "ls-files", "scripts", "Makefile", "action.yml"]
    process.currentDirectoryURL = SourceTree.root
    process.standardOutput = output
    try process.run()
    let list = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "git cannot list the files")
    return String(decoding: list, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test("every file in scripts/ that a script, the Makefile or the action names is there and tracked")
  func namedFilesAreTracked() throws {
    let tracked = try Self.trackedFiles()
    let path = try NSRegularExpression(pattern: #"\bscripts/[\w./-]+\.(?:py|sh|awk|txt|sql)\b"#)
    var count = 0
    for file in tracked {
      let text = try String(contentsOf: SourceTree.root.appendingPathComponent(file), encoding: .utf8)
      for match in path.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        guard let range = Range(match.range, in: text) else { continue }
        let named = String(text[range])
        count += 1
        let isThere = FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(named).path)
        #expect(isThere, "\(file) names \(named), which is not there")
        let isTracked = tracked.contains(named)
        #expect(isTracked, "\(file) names \(named), which git does not track; see .gitignore")
      }
    }
    #expect(count > 30, "the search for paths finds too little to mean anything")
  }
}
