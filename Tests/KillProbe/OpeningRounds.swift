import CSQLite
import Foundation
import SchemaKit
import SchemaKitOperations

/// Opens files as one of many processes that do so at the same moment, round after round.
///
/// Each line of standard input, `PATH SCHEMA.sql`, is one round; the answer is a line with the outcome or the error.
/// The line before the work, `go`, releases all processes at once: it comes when all have read theirs.
struct OpeningRounds {
  /// Answers until standard input ends.
  func run() -> Never {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2 else { stop("usage: PATH SCHEMA.sql", code: 64) }
      say("ready")
      guard readLine() == "go" else { exit(0) }
      say(open(words[0], schema: words[1]))
    }
    exit(0)
  }

  /// The outcome, told when the file is closed again.
  private func open(_ path: String, schema: String) -> String {
    do {
      let target = try SchemaSource.at(path: schema).load().target
      let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: 60)
      return try Change(over: connection, to: target, ChangeRequest(allowing: .everything)).apply().outcome.rawValue
    } catch {
      return "\(error)".replacingOccurrences(of: "\n", with: " ")
    }
  }
}

/// Inserts rows into files through the old schema, as a program would that is still running, and says which are in.
///
/// Each line of standard input, `PATH COUNT`, is one round: rows are inserted, each in a transaction of its own, until
/// so many are acknowledged or an insert is refused for another reason than a lock. The answer is the number of
/// acknowledged rows and what ended the round.
struct InsertingRounds {
  func run() -> Never {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, let count = Int(words[1]) else { stop("usage: PATH COUNT", code: 64) }
      say("ready")
      guard readLine() == "go" else { exit(0) }
      say(insert(count, into: words[0]))
    }
    exit(0)
  }

  private func insert(_ count: Int, into path: String) -> String {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return "0 cannot open" }
    sqlite3_busy_timeout(handle, 60_000)
    // No power is cut here, so nothing is lost by not waiting for the disk.
    sqlite3_exec(handle, "PRAGMA synchronous = OFF", nil, nil, nil)
    for number in 0..<count {
      let sql = "INSERT INTO note (text, stars) VALUES ('written \(number)', 3)"
      let status = sqlite3_exec(handle, sql, nil, nil, nil)
      guard status == SQLITE_OK else { return "\(number) \(String(cString: sqlite3_errmsg(handle)))" }
    }
    return "\(count) done"
  }
}

/// Writes a line to standard output at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
