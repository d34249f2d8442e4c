import CSQLite
import Foundation

/// Holds write locks on a database, with nothing but SQLite, and ends the process.
///
/// It prints `locked` when the first lock is held.
struct LockHolder {
  let path: String

  /// Holds so many locks for so many milliseconds each, with short pauses; or one until standard input ends.
  func run(_ words: [String]) -> Never {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
      stop("cannot open \(path)", code: 1)
    }
    sqlite3_busy_timeout(handle, 60_000)
    if words == ["held"] {
      lock(handle)
      _ = try? FileHandle.standardInput.readToEnd()
      unlock(handle)
      exit(0)
    }
    guard words.count == 2, let count = Int(words[0]), let milliseconds = Double(words[1]) else {
      stop("usage: kill-probe lock DATABASE COUNT MILLISECONDS | held", code: 64)
    }
    for number in 0..<count {
      lock(handle, isFirst: number == 0)
      Thread.sleep(forTimeInterval: milliseconds / 1000)
      unlock(handle)
      Thread.sleep(forTimeInterval: milliseconds / 2000)
    }
    exit(0)
  }

  private func lock(_ handle: OpaquePointer, isFirst: Bool = true) {
    execute("BEGIN IMMEDIATE", handle)
    if isFirst { FileHandle.standardOutput.write(Data("locked\n".utf8)) }
  }

  private func unlock(_ handle: OpaquePointer) { execute("ROLLBACK", handle) }

  private func execute(_ sql: String, _ handle: OpaquePointer) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      stop("\(sql): \(String(cString: sqlite3_errmsg(handle)))", code: 1)
    }
  }
}
