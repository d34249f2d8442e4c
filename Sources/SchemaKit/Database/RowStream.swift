/// The objects of a model that meet a condition, fetched one after the other as they are requested.
///
/// At most a few hundred are read ahead, however slowly they are consumed. In WAL mode they all come from the state of
/// the database in which the first was read; otherwise rows that are written meanwhile may or may not be among them.
public struct RowStream<M: Model>: AsyncSequence, Sendable {
  let start: @Sendable () async throws -> StreamLease<M>

  public func makeAsyncIterator() -> Iterator { Iterator(start: start) }

  /// Iterates over the objects.
  public struct Iterator: AsyncIteratorProtocol {
    let start: @Sendable () async throws -> StreamLease<M>
    private var lease: StreamLease<M>?
    private var batch: ArraySlice<M> = []
    private var isAtEnd = false

    init(start: @escaping @Sendable () async throws -> StreamLease<M>) { self.start = start }

    /// The next object; nil after the last.
    ///
    /// - Throws: `CancellationError` in a cancelled task; ``RecordError`` for a value that does not fit.
    public mutating func next() async throws -> M? {
      if let object = batch.popFirst() { return object }
      guard !isAtEnd else { return nil }
      try Task.checkCancellation()
      do {
        let lease: StreamLease<M>
        if let open = self.lease { lease = open } else { lease = try await start() }
        self.lease = lease
        batch = try await lease.nextBatch()[...]
      } catch {
        end()
        throw error
      }
      guard let object = batch.popFirst() else {
        end()
        return nil
      }
      return object
    }

    private mutating func end() {
      isAtEnd = true
      lease = nil
    }
  }
}

/// The query of a stream.
struct StreamRequest<M: Model>: Sendable {
  let filter: @Sendable (Fields<M>) -> Filter?
  let orderings: @Sendable (Fields<M>) -> [Ordering]
}

/// An actor that keeps cursors for streams.
protocol RowStreaming: Actor {
  func openCursor<M: Model>(_ request: StreamRequest<M>) throws -> Int
  func nextBatch<M: Model>(of cursor: Int, _ type: M.Type) throws -> [M]
  func closeCursor(_ cursor: Int)
}

/// The right to a cursor, which ends when nobody holds it any more.
final class StreamLease<M: Model>: Sendable {
  private let owner: any RowStreaming
  private let cursor: Int
  private let onEnd: @Sendable () -> Void

  init(owner: any RowStreaming, cursor: Int, onEnd: @escaping @Sendable () -> Void) {
    self.owner = owner
    self.cursor = cursor
    self.onEnd = onEnd
  }

  func nextBatch() async throws -> [M] { try await owner.nextBatch(of: cursor, M.self) }

  deinit {
    let (owner, cursor, onEnd) = (owner, cursor, onEnd)
    Task {
      await owner.closeCursor(cursor)
      onEnd()
    }
  }
}

/// A statement that is read in batches. It has identity because it owns the statement.
final class RowCursor<M: Model> {
  private let mapping: ModelMapping<M>
  private let connection: SQLiteConnection
  private let statement: Statement
  private var reader: RowReader
  private var isAtEnd = false
  private var failure: (any Error)?

  init(_ request: StreamRequest<M>, on reader: some RecordReader) throws {
    mapping = try reader.store.mapping(of: M.self)
    connection = reader.connection
    let fields = reader.fields(of: mapping)
    let clauses = try RowQuery(filter: request.filter(fields), orderings: request.orderings(fields)).clauses()
    statement = try connection.prepareSingle(mapping.allSlot.sql + clauses.text)
    try statement.bind(clauses.values)
    self.reader = mapping.reader(statement)
  }

  func nextBatch(size: Int = 256) throws -> [M] {
    if let failure { throw failure }
    try connection.requireOpen()
    var batch: [M] = []
    do {
      try connection.cancellable {
        while !isAtEnd, batch.count < size {
          if try step() { batch.append(try mapping.object(&reader)) } else { isAtEnd = true }
        }
      }
    } catch {
      // Rows read before the error are delivered first.
      if batch.isEmpty { throw error }
      failure = error
    }
    if isAtEnd || failure != nil { statement.reset() }
    return batch
  }

  private func step() throws -> Bool {
    do {
      return try statement.step()
    } catch let error as SQLiteError where error.isBusy {
      throw connection.afterWaiting(error)
    }
  }
}

/// The open cursors of an actor by their numbers.
struct CursorTable {
  private var cursors: [Int: AnyObject] = [:]
  private var lastNumber = 0

  mutating func add<M: Model>(_ cursor: RowCursor<M>) -> Int {
    lastNumber += 1
    cursors[lastNumber] = cursor
    return lastNumber
  }

  func nextBatch<M: Model>(of number: Int) throws -> [M] { try (cursors[number] as? RowCursor<M>)?.nextBatch() ?? [] }

  mutating func remove(_ number: Int) { cursors[number] = nil }
}
