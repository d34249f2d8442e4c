import SchemaKitFoundation

/// A connection that only reads, as passed to the closure of `Database.read`.
///
/// It has identity because it wraps a connection.
public final class Reader: RecordReader {
  public let store: RecordStore

  init(store: RecordStore) { self.store = store }

  /// Opens another connection to a database, for reading.
  init(at path: String, models: [any Model.Type], _ options: ConnectionOptions) throws {
    // Writable where it can be, so that SQLite can recover after a crash.
    let mode: SQLiteConnection.Mode = options.parameters.needsReadOnly ? .readOnly : .readWrite
    let connection = try SQLiteConnection(path: path, mode: mode, options)
    try connection.execute("PRAGMA query_only = ON")
    store = RecordStore(connection, models: models)
  }
}

/// Keeps one reader on its own threads.
actor ReaderActor: RowStreaming {
  private let executor: DatabaseExecutor
  private let open: @Sendable () throws -> Reader
  private var reader: Reader?
  private let path: String
  private var isClosed = false
  private var cursors = CursorTable()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, open: @escaping @Sendable () throws -> Reader) {
    executor = DatabaseExecutor(label: "SchemaKit.reader")
    self.path = path
    self.open = open
  }

  /// Closes the connection, once the queries that run have ended; what a stream fetches next is an error.
  func close() throws {
    isClosed = true
    try reader?.connection.close()
    reader = nil
  }

  /// Runs queries.
  func run<Value: Sendable>(_ body: @Sendable (Reader) throws -> Value) throws -> Value {
    let reader = try opened()
    return try reader.connection.cancellable { try body(reader) }
  }

  private func opened() throws -> Reader {
    if isClosed { throw SQLiteConnectionError.closed(path: path) }
    if let reader { return reader }
    let opened = try open()
    reader = opened
    return opened
  }

  func openCursor<M: Model>(_ request: StreamRequest<M>) throws -> Int {
    try cursors.add(RowCursor(request, on: opened()))
  }

  func nextBatch<M: Model>(of cursor: Int, _ type: M.Type) throws -> [M] { try cursors.nextBatch(of: cursor) }

  func closeCursor(_ cursor: Int) { cursors.remove(cursor) }
}

/// The readers of a database, lent to one task at a time.
final class ReaderPool: @unchecked Sendable {
  // `lock` guards the variables below it.
  private let lock = Lock()
  private var idle: [ReaderActor] = []
  /// The readers that exist, lent ones and those of streams too.
  private var all: [ReaderActor] = []
  private var isClosed = false
  /// The number of readers that are lent to queries or idle, not counting those of streams.
  private var count = 0
  private var waiting: [(number: Int, continuation: CheckedContinuation<ReaderActor?, Never>)] = []
  private var lastNumber = 0

  private let limit: Int
  private let path: String
  private let open: @Sendable () throws -> Reader

  init(limit: Int, path: String, open: @escaping @Sendable () throws -> Reader) {
    self.limit = limit
    self.path = path
    self.open = open
  }

  /// Closes all readers, after the queries that run; those that wait for a reader, and later ones, fail.
  func close() async throws {
    let (readers, waiting) = lock.withLock {
      isClosed = true
      defer { self.waiting = [] }
      return (all, self.waiting)
    }
    for (_, continuation) in waiting { continuation.resume(returning: nil) }
    var failure: (any Error)?
    for reader in readers {
      do { try await reader.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// A new reader; call it with the lock.
  private func make() -> ReaderActor {
    let reader = ReaderActor(path: path, open: open)
    all.append(reader)
    return reader
  }

  /// Lends a reader; if all are lent, waits for the next one that is returned.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  nonisolated(nonsending) func lend() async throws -> ReaderActor {
    if let reader = lendAtOnce() { return reader }
    let number = lock.withLock { () -> Int in
      lastNumber += 1
      return lastNumber
    }
    let reader = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (reader, isRefused) = lock.withLock { () -> (ReaderActor?, Bool) in
          if isClosed { return (nil, true) }
          if let reader = idle.popLast() { return (reader, false) }
          guard count < limit else {
            waiting.append((number, continuation))
            return (nil, false)
          }
          count += 1
          return (make(), false)
        }
        if reader != nil || isRefused {
          continuation.resume(returning: reader)
        } else if Task.isCancelled {
          giveUp(number)
        }
      }
    } onCancel: {
      giveUp(number)
    }
    guard let reader else {
      if lock.withLock({ isClosed }) { throw SQLiteConnectionError.closed(path: path) }
      throw CancellationError()
    }
    return reader
  }

  /// Lends a reader that is idle or need not be waited for.
  private func lendAtOnce() -> ReaderActor? {
    lock.withLock {
      if isClosed { return nil }
      if let reader = idle.popLast() { return reader }
      guard count < limit else { return nil }
      count += 1
      return make()
    }
  }

  private func giveUp(_ number: Int) {
    let continuation = lock.withLock { () -> CheckedContinuation<ReaderActor?, Never>? in
      guard let place = waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return waiting.remove(at: place).continuation
    }
    continuation?.resume(returning: nil)
  }

  /// Lends a reader for a stream, without waiting and beyond the limit.
  ///
  /// The consumer of a stream requests other readers meanwhile; tasks that waited for each other's readers would
  /// deadlock.
  func lendForStream() throws -> ReaderActor {
    try lock.withLock {
      if isClosed { throw SQLiteConnectionError.closed(path: path) }
      guard let reader = idle.popLast() else { return make() }
      count -= 1
      return reader
    }
  }

  /// Takes back the reader of a stream.
  func takeBackFromStream(_ reader: ReaderActor) {
    lock.withLock { count += 1 }
    takeBack(reader)
  }

  /// Takes back a reader, and releases it if there are more than needed.
  func takeBack(_ reader: ReaderActor) {
    let next = lock.withLock { () -> CheckedContinuation<ReaderActor?, Never>? in
      guard waiting.isEmpty else { return waiting.removeFirst().continuation }
      if isClosed { return nil }
      if count > limit {
        count -= 1
        all.removeAll { $0 === reader }
      } else {
        idle.append(reader)
      }
      return nil
    }
    next?.resume(returning: reader)
  }
}
