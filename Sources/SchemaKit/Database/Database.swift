import SchemaKitFoundation

/// A database with the declared schema, safe to share between tasks.
///
/// ```swift
/// let db = try await Database(at: "notes.db", schema: NotesModels.schema)
/// let note = try await db.save(Note(id: nil, title: "Ghost"))
/// ```
///
/// The initializer is the only way to create one, and it returns only once the file has been planned, migrated and
/// verified.
///
/// All writes go through one connection, in order. In WAL mode, which files created here use, reads go through separate
/// connections, in parallel with the writes and with other reads; otherwise they wait their turn. All of it happens on
/// threads that may block, never on those that tasks share. Cancelling a task stops its statement at once and throws a
/// `CancellationError`; what it wrote in a transaction is rolled back.
///
/// *Cost:* a call from a task is a hop to another thread and back, 10 to 35 µs; ``read(_:)`` and ``transaction(_:_:)``
/// do many things in one.
public actor Database: RowStreaming {
  let session: Session
  private let executor: DatabaseExecutor
  private let readers: ReaderPool?
  private var cursors = CursorTable()
  /// Listens to other connections; nil while nobody observes.
  var watch: FileWatch?
  /// A report on what opening did to the file.
  public nonisolated let openReport: Session.OpenReport
  /// The rest of the migration, which goes on; nil if nothing is left. See ``MigrationPhase/prepare``.
  public nonisolated let contraction: Contraction?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens a database, and migrates it to the schema before it returns. See ``Session/init(at:schema:configure:)``.
  public init(
    at path: String, schema: ModelSchema, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in }
  ) async throws {
    try await self.init(schema: schema) { isCancelled in
      try Session(at: path, schema: schema) {
        configure(&$0)
        $0.stop(when: isCancelled)
      }
    } finishing: {
      var configuration = Configuration()
      configure(&configuration)
      guard configuration.phase == .prepare else { return nil }
      return Contraction(at: path, schema: schema, configure: configure)
    }
  }

  /// Opens an in-memory database, with the schema created.
  public init(
    inMemory schema: ModelSchema, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in }
  ) async throws {
    try await self.init(schema: schema) { isCancelled in
      try Session(inMemory: schema) {
        configure(&$0)
        $0.stop(when: isCancelled)
      }
    }
  }

  /// Migrates a database on a server to the schema, and works with its objects.
  ///
  /// ```swift
  /// let db = try await Database(schema: NotesModels.schema) {
  ///   try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
  /// }
  /// ```
  ///
  /// All work goes through one connection, in order. Cancelling a task takes effect before its next statement. See
  /// ``Session/init(onServer:schema:configure:)``.
  ///
  /// - Parameter connect: Makes the connection, which belongs to the database from then on.
  public init(
    schema: ModelSchema, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
    onServer connect: @escaping @Sendable () throws -> any ServerConnection
  ) async throws {
    try await self.init(schema: schema) { isCancelled in
      try Session(onServer: connect(), schema: schema) {
        configure(&$0)
        $0.stop(when: isCancelled)
      }
    }
  }

  private init(
    schema: ModelSchema, open: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> Session,
    finishing: () -> Contraction? = { nil }
  ) async throws {
    let executor = DatabaseExecutor(label: "SchemaKit.writer")
    let flag = CancellationFlag()
    self.executor = executor
    do {
      session = try await withTaskCancellationHandler {
        try await executor.run { try open { flag.isSet } }
      } onCancel: {
        flag.set()
      }
    } catch {
      if flag.isSet { throw CancellationError() }
      throw error
    }
    openReport = session.openReport
    readers = try Self.readers(beside: session, models: schema.models)
    let expansion = try Ledger(connection: session.connection).expansion(of: schema.name)
    let isUnfinished = expansion.map { !$0.servesOlder } ?? false
    contraction = isUnfinished && !session.connection.isReadOnly ? finishing() : nil
  }

  private static func readers(beside session: Session, models: [any Model.Type]) throws -> ReaderPool? {
    let connection = session.connection
    // Of a database on a server, a connection for reading alone would cost as much as the first.
    guard let path = connection.filePath, try connection.value("PRAGMA main.journal_mode")?.text == "wal" else {
      return nil
    }
    var options = connection.options
    options.trustsSchema = connection.trustsSchema
    return ReaderPool(limit: max(4, ProcessInfo.processInfo.activeProcessorCount), path: path) { [options] in
      try Reader(at: path, models: models, options)
    }
  }
}

extension Database {
  /// Closes the database; closing it again does nothing.
  ///
  /// Calls that run are waited for, and a ``contraction`` is cancelled. Calls that wait for their turn and later ones throw
  /// ``SQLiteConnectionError/closed(path:)``, and so do streams at their next rows; ``changes(_:)`` end. Statements are
  /// finalized, and a file that nobody else has open is checkpointed. Without it a database closes when nobody holds it any
  /// more.
  ///
  /// - Throws: ``SQLiteConnectionError/inUse(_:)`` if a transaction was left open by SQL; then it stays open.
  public func close() async throws {
    contraction?.cancel()
    _ = try? await contraction?.finish()
    try session.close()
    watch = nil
    try await readers?.close()
  }

  /// Runs work on the connection that writes, uninterrupted by other tasks and outside a transaction.
  public func run<Value: Sendable>(_ body: @Sendable (Session) throws -> Value) throws -> Value {
    try session.connection.cancellable { try body(session) }
  }

  /// Runs work in a transaction: committed when the body returns, rolled back when it throws.
  ///
  /// ```swift
  /// try await db.transaction { session in
  ///   let author = try session.save(Author(id: nil, name: "Mary"))
  ///   try session.save(Note(id: nil, title: "Ghost", author: author.id))
  /// }
  /// ```
  public func transaction<Value: Sendable>(
    _ kind: TransactionKind = .immediate, _ body: @Sendable (Session) throws -> Value
  ) throws -> Value {
    try session.connection.cancellable { try session.transaction(kind) { try body(session) } }
  }

  /// Runs queries that all see the same state of the database, in parallel with other work if the file is in WAL mode.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @Sendable (Reader) throws -> Value
  ) async throws -> Value {
    try await readOnce { reader in try reader.connection.snapshot { try body(reader) } }
  }

  /// Runs one query, which sees one state of the database without a transaction. It must not be SQL of the program's, which
  /// might begin one.
  nonisolated(nonsending) func readOnce<Value: Sendable>(
    _ body: @Sendable (Reader) throws -> Value
  ) async throws -> Value {
    guard let readers else { return try await readInTurn(body) }
    try Task.checkCancellation()
    let reader = try await readers.lend()
    defer { readers.takeBack(reader) }
    return try await reader.run(body)
  }

  private func readInTurn<Value: Sendable>(_ body: @Sendable (Reader) throws -> Value) throws -> Value {
    try session.connection.cancellable { try body(Reader(store: session.store)) }
  }

  /// Reads every change that SchemaKit made to this database, oldest first.
  public func history() throws -> [HistoryEntry] { try session.history() }
}

extension Database {
  /// The objects that meet a condition, fetched as they are requested.
  ///
  /// ```swift
  /// for try await note in db.stream(Note.self, where: { $0.stars > 3 }) { … }
  /// ```
  public nonisolated func stream<M: Model>(
    _ type: M.Type, where filter: @escaping @Sendable (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: @escaping @Sendable (Fields<M>) -> [Ordering] = { _ in [] }
  ) -> RowStream<M> {
    let request = StreamRequest(filter: filter, orderings: orderings)
    return RowStream { [self] in
      guard let readers else {
        return StreamLease(owner: self, cursor: try await openCursor(request), onEnd: {})
      }
      let reader = try readers.lendForStream()
      do {
        let cursor = try await reader.openCursor(request)
        return StreamLease(owner: reader, cursor: cursor) { readers.takeBackFromStream(reader) }
      } catch {
        readers.takeBackFromStream(reader)
        throw error
      }
    }
  }

  func openCursor<M: Model>(_ request: StreamRequest<M>) throws -> Int {
    cursors.add(try RowCursor(request, on: session))
  }

  func nextBatch<M: Model>(of cursor: Int, _ type: M.Type) throws -> [M] { try cursors.nextBatch(of: cursor) }

  func closeCursor(_ cursor: Int) { cursors.remove(cursor) }

  /// The changes of a model's rows, delivered after the commit that made them.
  ///
  /// Every change made through this database after this function returns is delivered, in order, until the task that
  /// waits for them ends. Commits by other connections and processes are delivered as ``RecordChangeKind/external``,
  /// several close together as one: a read that is made then sees them. Rows deleted by `ON CONFLICT REPLACE` are told of
  /// only with `PRAGMA recursive_triggers = ON`, as [SQLite says](https://sqlite.org/lang_conflict.html). Changes are
  /// buffered until they are consumed, so consume them.
  ///
  /// *Cost:* a row in a temporary table for every row that is written meanwhile. The file is watched, and looked at once
  /// a second where the system tells nothing: less than 0.1 % of a core.
  public func changes<M: Model>(_ type: M.Type) throws -> AsyncStream<RecordChange<M>> {
    let (stream, continuation) = AsyncStream.makeStream(of: RecordChange<M>.self)
    let shape = try session.store.mapping(of: type).shape
    let end = StreamEnd { continuation.finish() }
    let number = try session.store.observe(shape) { changes in
      for change in changes { end.whileOpen(continuation.yield(RecordChange(kind: change.kind, key: change.key))) }
    }
    continuation.onTermination = { [weak self] _ in
      Task { await self?.endObserving(type, number) }
    }
    watchOthers()
    return stream
  }

  private func endObserving<M: Model>(_ type: M.Type, _ number: Int) {
    guard let shape = try? session.store.mapping(of: type).shape else { return }
    session.store.endObserving(shape, number)
    if session.store.otherCommits == nil { watch = nil }
  }
}

/// Ends a stream of changes when its observer is removed, at the latest when the database goes away.
final class StreamEnd: Sendable {
  private let finish: @Sendable () -> Void

  init(finish: @escaping @Sendable () -> Void) { self.finish = finish }

  /// Keeps the stream open for as long as somebody may call this.
  func whileOpen(_ result: some Any) {}

  deinit { finish() }
}

/// The mark that the task that opens a database was cancelled.
private final class CancellationFlag: @unchecked Sendable {
  // `lock` guards `value`.
  private let lock = Lock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

extension Configuration {
  /// Adds a reason to stop a migration.
  fileprivate mutating func stop(when check: @escaping () -> Bool) {
    let isCancelled = isCancelled
    self.isCancelled = { isCancelled() || check() }
  }
}

extension SQLiteConnection {
  /// Runs work that stops when the task it runs in is cancelled.
  func cancellable<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try withCancellation(check: { Task.isCancelled }, body)
    } catch let error as SQLiteError where error.isInterrupted && Task.isCancelled {
      throw CancellationError()
    }
  }
}
