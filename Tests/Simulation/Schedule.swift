import Foundation
import RandomSchemas

/// Lets exactly one of several threads run, and chooses by the seed which one goes on after each operation.
///
/// It has identity because all threads share it. Only the thread whose turn it is touches its state; the semaphores hand the
/// turn over.
final class Schedule: @unchecked Sendable {
  private enum State {
    case ready
    /// Not before this time, in nanoseconds.
    case sleeping(Int)
    case done
  }

  /// A thread of the simulation.
  private final class Worker: @unchecked Sendable {
    let name: String
    let turn = DispatchSemaphore(value: 0)
    var state = State.ready
    init(_ name: String) { self.name = name }
  }

  private var workers: [Worker] = []
  private var random: SeededGenerator
  /// The chance, in percent, that another thread goes on after an operation.
  private let restlessness: Int
  private let finished = DispatchSemaphore(value: 0)
  private(set) var current = 0
  private var isRunning = false
  /// The virtual time, in nanoseconds.
  var time = 0

  init(seed: Int, restlessness: Int) {
    random = SeededGenerator(seed: seed)
    self.restlessness = restlessness
  }

  /// Runs bodies on threads of their own until each has ended.
  func run(_ bodies: [(name: String, body: @Sendable () -> Void)]) {
    workers = bodies.map { Worker($0.name) }
    for (index, entry) in bodies.enumerated() {
      let worker = workers[index]
      let thread = Thread { [self] in
        worker.turn.wait()
        entry.body()
        worker.state = .done
        handOver(from: index)
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    isRunning = true
    current = random.number(0...workers.count - 1)
    workers[current].turn.signal()
    finished.wait()
    isRunning = false
    workers = []
  }

  /// The name of the thread whose turn it is.
  var currentName: String { isRunning ? workers[current].name : "judge" }

  /// Called between two operations: another thread may go on.
  func pass() {
    guard isRunning, random.chance(restlessness) else { return }
    switchTurn()
  }

  /// Lets virtual time pass for the thread whose turn it is.
  func sleep(nanoseconds: Int) {
    guard isRunning else {
      time += nanoseconds
      return
    }
    workers[current].state = .sleeping(time + nanoseconds)
    switchTurn()
  }

  private func switchTurn() {
    let mine = current
    guard let next = chooseNext(), next != mine else { return }
    current = next
    workers[next].turn.signal()
    workers[mine].turn.wait()
  }

  private func handOver(from index: Int) {
    guard let next = chooseNext() else {
      finished.signal()
      return
    }
    current = next
    workers[next].turn.signal()
  }

  /// Chooses among the threads that are ready. Where all sleep, time passes until one wakes up.
  private func chooseNext() -> Int? {
    wakeSleepers()
    var ready = workers.indices.filter { if case .ready = workers[$0].state { true } else { false } }
    if ready.isEmpty {
      let times = workers.compactMap { if case .sleeping(let end) = $0.state { end } else { nil } }
      guard let first = times.min() else { return nil }
      time = max(time, first)
      wakeSleepers()
      ready = workers.indices.filter { if case .ready = workers[$0].state { true } else { false } }
    }
    return random.any(ready)
  }

  private func wakeSleepers() {
    for worker in workers {
      if case .sleeping(let end) = worker.state, end <= time { worker.state = .ready }
    }
  }
}
