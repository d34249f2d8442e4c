import SchemaKitFoundation

/// Keeps the write-ahead log of a file below a limit: nothing more is written until what it has is in the database.
///
/// A [checkpoint](https://sqlite.org/wal.html#ckpt) ends at the first page that a reader may still need from the log, so that one reader
/// can keep all of it. Then there is nothing to do but wait.
struct LogBudget {
  let connection: any SQLConnection
  let limits: OnlineLimits
  var isCancelled: () -> Bool = { false }
  /// Called once a second while it waits, with the time since it began.
  var onWait: (Duration) throws -> Void = { _ in }

  /// From how many pages on a checkpoint is worth its while: as SQLite's own.
  private static let pages: Int64 = 1000

  /// Above how many bytes nothing is written. The rest of the limit is for what the triggers log of the writes of others meanwhile.
  private var most: Int64 { limits.log / 4 * 3 }

  /// Returns once there is room for another batch.
  ///
  /// - Throws: `ApplyError.logNotCheckpointed` if readers did not go away in time.
  func wait() throws {
    guard let path = (connection as? any LocalEngine)?.filePath else { return }
    let page = try connection.integer("PRAGMA main.page_size") ?? 4096
    guard Self.size(of: path + "-wal") > min(Self.pages * page, most) else { return }
    let start = WorkClock.now
    var told = start
    while true {
      let left = try waiting(page: page) ?? Self.size(of: path + "-wal")
      if left <= most { return }
      if WorkClock.now - start > limits.logWait {
        throw ApplyError(
          reason: .logNotCheckpointed(bytes: left, limit: limits.log, readers: OpenFiles.processes(having: path)))
      }
      if isCancelled() { throw ApplyError(reason: .cancelled) }
      if WorkClock.now - told > .seconds(1) {
        told = WorkClock.now
        try onWait(told - start)
      }
      WorkClock.pause(.milliseconds(10))
    }
  }

  /// The number of bytes of the log that have to stay, after all is done that can be without waiting; nil while another
  /// connection makes a checkpoint, which does not tell.
  ///
  /// A log that is checkpointed in full is begun anew by the next writer once no reader is left in it. Until then it grows, so that its
  /// pages count too.
  private func waiting(page: Int64) throws -> Int64? {
    try connection.withoutWaiting {
      guard let row = try connection.rows("PRAGMA main.wal_checkpoint(PASSIVE)").first, let pages = row[1].integer,
        let done = row[2].integer
      else { return 0 }
      if row[0].integer == 1 { return nil }
      guard pages > 0 else { return 0 }
      guard done == pages else { return pages * page }
      if pages * page <= most { return 0 }
      // True if readers are left is known only by trying, which keeps others from writing for a moment.
      let restarted = try connection.rows("PRAGMA main.wal_checkpoint(RESTART)").first
      return restarted?[0].integer == 0 ? 0 : pages * page
    }
  }

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}

/// Which processes have a file open.
enum OpenFiles {
  /// The names and numbers of other processes that have a database open, as far as this one may look; empty where the system does not
  /// tell, which only Linux does.
  static func processes(having path: String) -> [String] {
    guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int32($0) }) else {
      return []
    }
    return numbers.sorted().compactMap { number -> String? in
      let folder = "/proc/\(number)/fd"
      guard number != getpid(), let files = try? FileManager.default.contentsOfDirectory(atPath: folder),
        files.contains(where: {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        })
      else { return nil }
      let name = (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) ?? ""
      return "\(name.filter { !$0.isNewline }) \(number)"
    }
  }
}
