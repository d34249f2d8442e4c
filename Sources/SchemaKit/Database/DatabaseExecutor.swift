import Dispatch

/// Runs the work of one connection in order, on threads that may block.
///
/// SQLite waits for locks and for the disk inside its calls. On the threads that Swift's tasks share, one per core, a
/// few waiting connections would block the whole program.
final class DatabaseExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs work that is not part of an actor, and returns its result.
  func run<Result>(_ body: @escaping @Sendable () throws -> sending Result) async throws -> sending Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        do { continuation.resume(returning: try body()) } catch { continuation.resume(throwing: error) }
      }
    }
  }
}
