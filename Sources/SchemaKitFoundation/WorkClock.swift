/// Time that passes only where a simulation lets it pass.
package protocol VirtualTime: Sendable {
  var now: ContinuousClock.Instant { get }
  /// Returns when the duration has passed.
  func pause(_ duration: Duration)
  /// Returns a number from 0 up to 1.
  func randomFraction() -> Double
}

/// The clock of the work on databases, and its pauses: those of the system, or of a simulation.
package enum WorkClock {
  /// The simulation that provides the time. It is set while no work is being done, and nil in every program that users have.
  nonisolated(unsafe) package static var simulated: (any VirtualTime)?

  package static var now: ContinuousClock.Instant { simulated?.now ?? .now }

  /// Lets the thread sleep.
  package static func pause(_ duration: Duration) {
    if let simulated { return simulated.pause(duration) }
    usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
  }

  /// Returns a number from 0 up to 1, by chance.
  package static func randomFraction() -> Double { simulated?.randomFraction() ?? .random(in: 0..<1) }
}
