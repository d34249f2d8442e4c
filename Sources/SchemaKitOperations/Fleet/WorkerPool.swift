import Dispatch
import SchemaKitFoundation

/// Some threads that share work.
struct WorkerPool: Sendable {
  let size: Int

  init(size: Int) { self.size = max(1, size) }

  /// Calls a body once for each number below a count, each on one of the threads, and returns when all have ended.
  ///
  /// - Parameter isStopped: Once it returns true, no further number is given out; those that were are finished.
  func forEach(
    _ count: Int, until isStopped: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let numbers = Numbers(count: count)
    let surroundings = SQLiteConnection.Surroundings.current
    let group = DispatchGroup()
    for index in 0..<min(size, count) {
      // A queue of its own gets a thread of its own, however many wait for locks.
      DispatchQueue(label: "SchemaKit.fleet.\(index)").async(group: group) {
        surroundings.run {
          while !isStopped(), let number = numbers.next() { body(number) }
        }
      }
    }
    group.wait()
  }
}

/// Numbers that several threads take, each once.
private final class Numbers: @unchecked Sendable {
  // `lock` guards the number.
  private let lock = Lock()
  private let count: Int
  private var taken = 0

  init(count: Int) { self.count = count }

  func next() -> Int? {
    lock.withLock {
      guard taken < count else { return nil }
      taken += 1
      return taken - 1
    }
  }
}
