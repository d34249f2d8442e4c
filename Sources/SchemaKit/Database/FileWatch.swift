import Dispatch
import SchemaKitFoundation

/// Says when it is worth looking whether others have committed to a database.
///
/// The system tells of writes, which come before the commit that they belong to, and sometimes it tells of nothing: on
/// network drives, or for memory shared with another container. So it says so at each write, then after a millisecond,
/// and then at intervals that grow to a second and stay there.
final class FileWatch: @unchecked Sendable {
  /// An element for each time that it is worth looking; those nobody waited for count as one.
  let hints: AsyncStream<Void>

  // Everything below is used on `queue` only, once `init` has returned.
  private let queue = DispatchQueue(label: "SchemaKit.watch")
  private let continuation: AsyncStream<Void>.Continuation
  private let timer: any DispatchSourceTimer
  private var events: FileEvents?
  private var interval = FileWatch.shortest
  private var wasWritten = false

  /// In milliseconds.
  private static let shortest = 1.0
  private static let longest = 1000.0

  init(_ path: String) {
    (hints, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.waited() }
    queue.sync {
      events = FileEvents(database: path, queue: queue) { [weak self] in self?.heard() }
      wait(Self.shortest)
      timer.activate()
    }
  }

  deinit {
    timer.cancel()
    continuation.finish()
  }

  private func heard() {
    events?.takeEvents()
    // While somebody writes on and on, once a millisecond is enough.
    guard interval > Self.shortest else {
      wasWritten = true
      return
    }
    continuation.yield()
    wait(Self.shortest)
  }

  private func waited() {
    events?.findFiles()
    continuation.yield()
    wait(wasWritten ? Self.shortest : min(interval * 1.5, Self.longest))
    wasWritten = false
  }

  private func wait(_ milliseconds: Double) {
    interval = milliseconds
    let nanoseconds = Int(milliseconds * 1e6)
    timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 10))
  }
}

extension Database {
  /// Listens to others, from now on and for as long as somebody observes.
  func watchOthers() {
    guard watch == nil, let path = session.connection.filePath else { return }
    let watch = FileWatch(path)
    self.watch = watch
    Task.detached { [weak self, hints = watch.hints] in
      for await _ in hints { await self?.tellOthersCommits() }
    }
  }

  private func tellOthersCommits() { session.store.tellOthersCommits() }
}
