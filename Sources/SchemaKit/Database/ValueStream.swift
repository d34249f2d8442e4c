/// A value of a database that stays fresh: what a closure reads now, then what it reads after each commit that changes it.
///
/// Made by ``Database/values(_:)``. Each iteration reads for itself. It ends when its task is cancelled or the database is
/// closed, and with the error of a read that fails.
public struct ValueStream<Value: Sendable>: AsyncSequence, Sendable {
  let database: Database
  let fetch: @Sendable (Reader) throws -> Value

  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  /// True if two values are equal, as far as their type can tell.
  private func areEqual(_ one: Value, _ other: Value) -> Bool {
    func compare<Same: Equatable>(_ type: Same.Type) -> Bool { (one as? Same) == (other as? Same) }
    guard let type = Value.self as? any Equatable.Type else { return false }
    return compare(type)
  }

  /// Reads the value when it is asked for the first time, and from then on when it may be another.
  public struct Iterator: AsyncIteratorProtocol {
    let stream: ValueStream
    private var observation: ValueObservation?
    private var latest: Value?
    private var hasEnded = false

    init(stream: ValueStream) { self.stream = stream }

    /// Waits for the next value; nil once the task is cancelled.
    ///
    /// - Throws: What the closure throws; the stream has ended then.
    public mutating func next() async throws -> Value? {
      if hasEnded { return nil }
      do {
        if let value = try await nextDifferent() { return value }
      } catch is CancellationError where Task.isCancelled {
      } catch SQLiteConnectionError.closed {
      } catch {
        end()
        throw error
      }
      end()
      return nil
    }

    private mutating func nextDifferent() async throws -> Value? {
      if observation == nil { observation = try await ValueObservation(of: stream.database) }
      guard let observation else { return nil }
      while await observation.isWoken() {
        let value = try await observation.read(stream.fetch)
        if let latest, stream.areEqual(latest, value) { continue }
        latest = value
        return value
      }
      return nil
    }

    private mutating func end() {
      hasEnded = true
      observation = nil
    }
  }
}

/// One reader of a fresh value: it is woken by commits, and ends when nobody holds it.
private final class ValueObservation: Sendable {
  private let database: Database
  private let number: Int
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init(of database: Database) async throws {
    // Several wakes between two reads count as one.
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake.yield()
    self.database = database
    number = try await database.observeValues(wake)
  }

  deinit {
    wake.finish()
    Task { [database, number] in await database.endObservingValues(number) }
  }

  /// Waits until the value may be another; false once the task is cancelled or the database is gone.
  func isWoken() async -> Bool {
    for await _ in wakes { return true }
    return false
  }

  /// Reads the value, and says which commits may change it.
  func read<Value: Sendable>(_ fetch: @Sendable (Reader) throws -> Value) async throws -> Value {
    let (value, region) = try await database.read { reader in
      try reader.connection.recordingReads { try fetch(reader) }
    }
    // A commit since the read may have written what nothing watched yet.
    if try await database.observe(region, number) { wake.yield() }
    return value
  }
}

extension Database {
  /// A value that stays fresh: what the closure reads now, then what it reads after each commit that changes it.
  ///
  /// ```swift
  /// for try await notes in db.values({ try $0.all(Note.self, where: { $0.isDone == false }) }) {
  ///   show(notes)
  /// }
  /// ```
  ///
  /// The closure sees one state of the database, and runs again only after commits that write a table that it has read: rows
  /// that come or go, and an UPDATE that sets a column among those it has read. Where `find` alone has read a table, only writes
  /// of the rows with these keys count. A value that is equal to the one before is left out, if its type is `Equatable`.
  /// Commits that come while a value is being read or used count as one. Commits of other connections and processes are
  /// noticed as well, as by ``changes(_:)``.
  ///
  /// The closure should depend on nothing but the rows of the database. A change of the schema by SQL is noticed with the
  /// next commit that writes rows. It cannot be used on a server.
  ///
  /// *Cost:* the queries of the closure for each of these commits, and a call of a function for each row that is written to a
  /// table that it reads. A closure that reads a virtual table, such as a full-text index, runs after each commit that writes
  /// anything.
  public nonisolated func values<Value: Sendable>(
    _ fetch: @escaping @Sendable (Reader) throws -> Value
  ) -> ValueStream<Value> {
    ValueStream(database: self, fetch: fetch)
  }

  fileprivate func observeValues(_ wake: AsyncStream<Void>.Continuation) throws -> Int {
    // The stream ends when the database lets the observer go.
    let end = StreamEnd { wake.finish() }
    let number = try session.store.observeValues { end.whileOpen(wake.yield()) }
    watchOthers()
    return number
  }

  fileprivate func observe(_ region: ReadRegion, _ number: Int) throws -> Bool {
    try session.store.valueObservers?.observe(region, for: number) ?? false
  }

  fileprivate func endObservingValues(_ number: Int) {
    session.store.endObservingValues(number)
    if session.store.otherCommits == nil { watch = nil }
  }
}
