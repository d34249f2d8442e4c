import Foundation
import Testing

/// A shell in a terminal of tmux, which tests type into and whose screen they read.
///
/// The server of tmux is its own and ends with the session, and with the test program, however that ends: a process beside
/// it waits for the end of a FIFO that only the test program holds open, and kills what was started.
final class TerminalSession {
  private let own: CommandFolder
  private let lifeline: FileHandle
  /// The processes of tmux's server and of the shell.
  private(set) var processes: [Int32] = []

  /// - Parameter environment: What the shell finds set.
  init(in folder: CommandFolder, columns: Int = 110, environment: [String: String] = [:]) throws {
    own = try CommandFolder()
    lifeline = try Self.startGuardian(in: own)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let settings = environment.map { "\($0)='\($1)' " }.sorted().joined()
    let started = try tmux(
      "new-session", "-d", "-P", "-F", "#{pid} #{pane_pid}", "-s", "shell", "-x", "\(columns)", "-y", "40", "-c",
      folder.url.path,
      "env -u NO_COLOR \(settings)PS1='ready> ' PATH='\(CommandRun.searchPath):\(path)' bash --norc --noprofile -i")
    try lifeline.write(contentsOf: Data(started.utf8))
    processes = started.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    _ = try wait(for: "ready>")
  }

  deinit {
    abandon()
    let end = Date(timeIntervalSinceNow: 10)
    while Date() < end, own.exists("life") { Thread.sleep(forTimeInterval: 0.01) }
  }

  /// Lets go of the session without waiting, as a test program does that is killed.
  func abandon() { try? lifeline.close() }

  /// Starts what ends the server, and returns what it watches.
  private static func startGuardian(in folder: CommandFolder) throws -> FileHandle {
    // A shell in a terminal leads a session, in which all is that it has started.
    let script = """
      while read -r server pane; do processes="$server $pane"; done
      set -- $processes
      if [ $# -eq 2 ]; then pkill -KILL -s "$2"; kill -KILL "$2" "$1"; else timeout 5 tmux -S socket kill-server; fi
      rm -rf "$PWD"
      """
    let start = try CommandRun(
      ["-c", "\(closingFiles); mkfifo life; setsid bash -c \"$1\" <life >/dev/null 2>&1 &", "bash", script], in: folder,
      program: "/bin/bash")
    let descriptor = start.status == 0 ? open(folder.url("life").path, O_WRONLY | O_CLOEXEC) : -1
    guard descriptor >= 0 else { throw Failure(arguments: ["guardian"], text: start.errors) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// What a process inherits would hold the pipes of others open, and with them what waits for their end.
  private static let closingFiles =
    "for fd in /dev/fd/*; do fd=${fd##*/}; [ $fd -le 2 ] || eval \"exec $fd>&-\"; done"

  /// Types a command at the prompt, on an empty screen, so that nothing of an earlier command is taken for its output.
  func run(_ command: String) throws {
    _ = try tmux("send-keys", "-t", "shell", "-R")
    try type(command)
  }

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
    // The server outlives the command.
    let closing = "\(Self.closingFiles); exec tmux \"$@\""
    let run = try CommandRun(
      ["-c", closing, "tmux", "-u", "-f", "/dev/null", "-S", "socket"] + arguments, in: own, program: "/bin/bash")
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
