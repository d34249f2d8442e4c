public import Observation

/// A value of a database for a view: it is read when somebody first looks at it, and stays fresh from then on.
///
/// ```swift
/// struct NoteList: View {
///   @State private var notes: ObservedValue<[Note]>
///
///   init(db: Database) { _notes = State(initialValue: ObservedValue(in: db) { try $0.all(Note.self) }) }
///
///   var body: some View { ForEach(notes.value ?? []) { Text($0.title) } }
/// }
/// ```
///
/// Whatever observes it by [Observation](https://developer.apple.com/documentation/observation) is told: a SwiftUI view that
/// reads ``value`` in its body, a UIKit view that reads it in `layoutSubviews`, `withObservationTracking` anywhere. It ends
/// when nobody holds it. It reads as ``Database/values(_:)`` does, at the same cost. For previews and tests, pass a
/// database in memory.
///
/// It has identity because views share it and are told of its changes.
@MainActor @Observable
public final class ObservedValue<Value: Sendable> {
  private var latest: Value?
  private var failure: (any Error)?
  private var isWaiting = true
  @ObservationIgnored private var observation: Task<Void, Never>?
  @ObservationIgnored private let stream: ValueStream<Value>

  /// The value as it was last read; nil until the first read has ended.
  public var value: Value? {
    start()
    return latest
  }

  /// The error that ended the observation; ``value`` stays as it was, and ``reload()`` begins again.
  public var error: (any Error)? {
    start()
    return failure
  }

  /// True until the first read has ended, and again after ``reload()``.
  public var isLoading: Bool {
    start()
    return isWaiting
  }

  /// - Parameter fetch: Reads the value, as for ``Database/values(_:)``.
  public init(in database: Database, _ fetch: @escaping @Sendable (Reader) throws -> Value) {
    stream = database.values(fetch)
  }

  deinit { observation?.cancel() }

  /// Reads the value again, also after an error.
  public func reload() {
    observation?.cancel()
    observation = nil
    (failure, isWaiting) = (nil, true)
    start()
  }

  private func start() {
    guard observation == nil else { return }
    observation = Task { [weak self, stream] in
      do {
        for try await value in stream {
          guard let self, !Task.isCancelled else { return }
          take(value)
        }
        if !Task.isCancelled { self?.take(SQLiteConnectionError.closed(path: nil)) }
      } catch {
        if !Task.isCancelled { self?.take(error) }
      }
    }
  }

  private func take(_ value: Value) {
    latest = value
    if isWaiting { isWaiting = false }
    if failure != nil { failure = nil }
  }

  private func take(_ error: any Error) {
    failure = error
    if isWaiting { isWaiting = false }
  }
}
