import CSQLite
import Foundation

/// Writes to a file with nothing but SQLite, as another program would, as the lines of standard input say.
///
/// `commit COUNT MILLISECONDS` inserts so many rows, each in a transaction of its own, with random pauses of up to so
/// many milliseconds; any other line is run as SQL. The answer is `done`, or the error.
struct CommittingRounds {
  let path: String

  /// Answers until standard input ends.
  func run() -> Never {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
      stop("cannot open \(path)", code: 1)
    }
    sqlite3_busy_timeout(handle, 60_000)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 3, words[0] == "commit", let count = Int(words[1]), let pause = Double(words[2]) {
        say(commit(count, pause: pause, on: handle))
      } else {
        say(execute(line, on: handle))
      }
    }
    exit(0)
  }

  private func commit(_ count: Int, pause: Double, on handle: OpaquePointer) -> String {
    for number in 0..<count {
      let outcome = execute("INSERT INTO entries (worker, value) VALUES (1, \(number))", on: handle)
      guard outcome == "done" else { return outcome }
      if pause > 0 { Thread.sleep(forTimeInterval: .random(in: 0...pause) / 1000) }
    }
    return "done"
  }

  private func execute(_ sql: String, on handle: OpaquePointer) -> String {
    sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK ? "done" : String(cString: sqlite3_errmsg(handle))
  }
}
