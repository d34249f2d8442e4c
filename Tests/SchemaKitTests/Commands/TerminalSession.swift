import Foundation
import Testing

/// A shell in a terminal of tmux, which tests type into and whose screen they read.
final class TerminalSession {
  private let socket = "schemakit-\(UUID().uuidString)"
  private let own: CommandFolder

  /// - Parameter environment: What the shell finds set.
  init(in folder: CommandFolder, columns: Int = 110, environment: [String: String] = [:]) throws {
    own = try CommandFolder()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let settings = environment.map { "\($0)='\($1)' " }.sorted().joined()
    _ = try tmux(
      "new-session", "-d", "-s", "shell", "-x", "\(columns)", "-y", "40", "-c", folder.url.path,
      "env -u NO_COLOR \(settings)PS1='ready> ' PATH='\(CommandRun.products.path):\(path)' bash --norc --noprofile -i")
    _ = try wait(for: "ready>")
  }

  deinit { _ = try? tmux("kill-server") }

  /// Types a line.
  func type(_ line: String) throws {
    _ = try tmux("send-keys", "-t", "shell", "-l", line)
    try press("Enter")
  }

  /// Presses a key, such as `C-c`.
  func press(_ key: String) throws { _ = try tmux("send-keys", "-t", "shell", key) }

  /// What stands on the screen.
  ///
  /// - Parameter isColored: Whether colours are shown, as escapes.
  func screen(isColored: Bool = false) throws -> String {
    try tmux(["capture-pane", "-p", "-t", "shell"] + (isColored ? ["-e"] : []))
  }

  /// Waits until the screen has what a pattern says, and returns the screen.
  func wait(for pattern: String, seconds: Double = 120) throws -> String {
    let end = Date(timeIntervalSinceNow: seconds)
    var screen = ""
    while Date() < end {
      screen = try self.screen()
      if screen.range(of: pattern, options: .regularExpression) != nil { return screen }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw Silence(pattern: pattern, screen: screen)
  }

  /// What was waited for in vain.
  struct Silence: Error, CustomStringConvertible {
    var pattern: String
    var screen: String
    var description: String { "\(pattern) did not appear; the screen has:\n\(screen)" }
  }

  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  private func tmux(_ arguments: [String]) throws -> String {
    // Its server outlives the command, and would hold what tells Foundation that this and other commands have ended.
    let closing =
      "for fd in /dev/fd/*; do fd=${fd##*/}; [ $fd -le 2 ] || eval \"exec $fd>&-\"; done; exec tmux \"$@\""
    let run = try CommandRun(
      ["-c", closing, "tmux", "-u", "-f", "/dev/null", "-L", socket] + arguments, in: own, program: "/bin/bash")
    guard run.status == 0 else { throw Failure(arguments: arguments, text: run.errors) }
    return run.output
  }

  /// What tmux could not do; scripts/setup.sh installs it.
  struct Failure: Error, CustomStringConvertible {
    var arguments: [String]
    var text: String
    var description: String { "tmux \(arguments.joined(separator: " ")): \(text)" }
  }
}
