import SchemaKitFoundation

// The short transactions of an online copy, and what is waited for between them.
extension OnlineRun {
  /// The least number of rows that are read in a second.
  private static let slowestRows = 20_000

  /// Lets others know that this writes nothing while it reads tables from end to end, which may take this many seconds, and
  /// counts as half an hour at most.
  func announceSilence(over copies: [OnlineCopy]) throws {
    guard let table = copies.first?.table else { return }
    let rows = copies.compactMap { step(of: $0).flatMap { steps[$0].rows } }.reduce(0, +)
    _ = try batch { try journal.beat(owner: owner, table: table, silence: min(1800, Int64(rows / Self.slowestRows))) }
  }

  /// Runs work in a transaction that writes, and returns how long it held the lock.
  func batch(_ body: () throws -> Void) throws -> Duration {
    var start = WorkClock.now
    try waiting {
      start = WorkClock.now
      try body()
    }
    return WorkClock.now - start
  }

  /// Runs a transaction that writes, and again where somebody else keeps the lock for longer than the connection waits: a run that
  /// has taken hours is not given up for that.
  ///
  /// - Parameter isEnding: True if it removes what a run has in the file, which goes on for some seconds after Ctrl-C.
  func waiting<T>(isEnding: Bool = false, _ body: () throws -> T) throws -> T {
    let start = WorkClock.now
    let end = start + (isEnding ? min(limits.logWait, .seconds(10)) : limits.logWait)
    while true {
      do {
        return try connection.transaction(.immediate, body)
      } catch let error as SQLiteError where error.isBusy && WorkClock.now < end {
        if !isEnding {
          try stopIfCancelled()
          if let copy = steps.compactMap(\.onlineCopy).first { tellWaiting(copy, WorkClock.now - start) }
        }
        WorkClock.pause(.milliseconds(20))
      }
    }
  }

  /// The number of rows of the log that are to be copied again.
  func pendingRows(_ copy: OnlineCopy) throws -> Int64 {
    let drained = try journal.progress(of: copy.table).drained
    return try connection.integer("SELECT count(*) FROM main.\(copy.log.quoted) WHERE number > \(drained)") ?? 0
  }

  func lastLogged(_ copy: OnlineCopy) throws -> Int64 {
    try connection.integer("SELECT max(number) FROM main.\(copy.log.quoted)") ?? 0
  }

  func lastLogged(_ copies: [OnlineCopy]) throws -> [SQLName: Int64] {
    try copies.reduce(into: [:]) { try $0[$1.table] = lastLogged($1) }
  }

  func stopIfCancelled() throws {
    if observer.isCancelled() { throw ApplyError(reason: .cancelled) }
  }

  /// Waits until another batch can be written.
  ///
  /// - Throws: `ApplyError` if the log was not checkpointed in time.
  func waitForLog(_ copy: OnlineCopy) throws {
    try LogBudget(connection: connection, limits: limits, isCancelled: observer.isCancelled) { waited in
      tellWaiting(copy, waited)
      _ = try batch { try journal.beat(owner: owner, table: copy.table) }
    }.wait()
  }

  func step(of copy: OnlineCopy) -> Int? { steps.firstIndex { $0.onlineCopy?.table == copy.table } }

  func tellWaiting(_ copy: OnlineCopy, _ waited: Duration) {
    guard let index = step(of: copy) else { return }
    var progress = ApplyProgress(
      activity: .waiting, stepIndex: index, stepCount: steps.count, step: steps[index], elapsed: waited)
    progress.processes = (connection as? any LocalEngine)?.filePath.map(OpenFiles.processes) ?? []
    observer.onProgress(progress)
  }
}
