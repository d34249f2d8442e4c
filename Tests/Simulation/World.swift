import CSQLite
import RandomSchemas
import SchemaKit
import SchemaKitFoundation
import SchemaKitTesting

/// Files, time, chance and faults of one simulation: everything outside the programs that run in it.
final class World: @unchecked Sendable {
  // Only the thread whose turn it is touches the state; see ``Schedule``.
  private(set) var files: SimulatedFiles!
  let schedule: Schedule
  private(set) var trace = Trace()
  /// The number of operations so far: of files and locks, and statements.
  private(set) var steps = 0
  /// The number of faults that struck.
  private(set) var faults = 0
  private var random: SeededGenerator
  private var plan: [Fault]
  /// True once the machine has stopped: no operation succeeds any more.
  private(set) var isHalted = false
  /// The operation in which the machine stopped.
  private var torn: FileOperation?
  private var isGone = false
  /// True while no fault may strike and nothing is counted, as when the file is judged.
  private var isCalm = true
  /// The shift of the wall clock, in milliseconds.
  private var shift = 0
  private let start = ContinuousClock.now
  private let limit: Int

  /// - Parameters:
  ///   - plan: The faults, each with the operation at which it strikes.
  ///   - isLying: True if the disk forgets what it was told to keep.
  ///   - limit: The number of operations after which a run counts as endless.
  init(seed: Int, restlessness: Int, plan: [Fault], isLying: Bool = false, limit: Int = 400_000) {
    random = SeededGenerator(seed: seed)
    schedule = Schedule(seed: seed &+ 1, restlessness: restlessness)
    self.plan = plan.sorted { $0.at < $1.at }
    self.limit = limit
    files = SimulatedFiles([:], isLying: isLying) { [unowned self] in perform($0) }
  }

  /// True if the run did not end within its limit of operations.
  var isEndless: Bool { steps >= limit }

  func randomNumber(below bound: Int) -> Int { random.number(0...bound - 1) }

  /// The wall clock, in milliseconds since the beginning of the Julian period.
  var julianMilliseconds: Int { 212_667_000_000_000 + shift + schedule.time / 1_000_000 }

  /// Makes this the world that SQLite and the library see.
  func providingTime<T>(_ body: () throws -> T) rethrows -> T {
    precondition(SimulatedFileSystem.isRegistered, "SQLite refuses the simulated file system.")
    SimulatedFileSystem.world = self
    WorkClock.simulated = self
    sqlite3_randomness(0, nil)
    defer {
      SimulatedFileSystem.world = nil
      WorkClock.simulated = nil
    }
    return try body()
  }

  /// Runs work of programs: operations are counted, faults strike.
  func disturbed<T>(_ body: () throws -> T) rethrows -> T {
    isCalm = false
    defer { isCalm = true }
    return try body()
  }

  // MARK: - Operations

  /// Called before each statement of a program.
  func statement(_ text: String) {
    guard !isCalm else { return }
    steps += 1
    trace.add(schedule.currentName)
    trace.add(text)
    schedule.time += 2_000
    strike(during: nil)
    schedule.pass()
  }

  /// Called with everything that a program says of its end.
  func observe(_ text: String) { trace.add(text) }

  private func perform(_ event: FileEvent) -> Int32 {
    if isHalted { return event.failure }
    guard !isCalm else { return SQLITE_OK }
    steps += 1
    note(event)
    schedule.time += 20_000
    if steps >= limit { return event.failure }
    schedule.pass()
    // Another thread may have met the end of the machine meanwhile.
    if isHalted { return event.failure }
    let code = isGone ? event.failure : strike(during: event)
    trace.add(Int(code))
    return code
  }

  private func note(_ event: FileEvent) {
    trace.add(schedule.current)
    switch event {
    case .opening(let name): trace.add("open \(name)")
    case .reading(let name, let offset, let count):
      trace.add(name)
      trace.add(offset)
      trace.add(count)
    case .locking(_, let level): trace.add(Int(level))
    case .unlocking(_, let level): trace.add(-Int(level))
    case .changing(let operation):
      trace.add(operation.file)
      switch operation {
      case .write(_, let offset, let bytes):
        trace.add(offset)
        trace.add(bytes)
      case .truncate(_, let size): trace.add(size)
      case .create, .sync, .delete: trace.add("\(operation)")
      }
    }
  }

  // MARK: - Faults

  /// Lets the faults strike whose time has come.
  ///
  /// - Returns: The result of the operation.
  @discardableResult
  private func strike(during event: FileEvent?) -> Int32 {
    // Memory is short for one operation.
    giveMemory()
    guard let fault = plan.first, fault.at <= steps, fault.kind.fits(event) else { return SQLITE_OK }
    plan.removeFirst()
    faults += 1
    trace.add(fault.kind.rawValue)
    switch fault.kind {
    case .halt:
      isHalted = true
      if case .changing(let operation) = event { torn = operation.firstHalf }
      return event?.failure ?? SQLITE_OK
    case .full: return SQLITE_FULL
    case .failing: return event?.failure ?? SQLITE_OK
    case .gone:
      isGone = true
      return event?.failure ?? SQLITE_OK
    case .busy: return SQLITE_BUSY
    case .noMemory:
      isMemoryShort = true
      sqlite3_hard_heap_limit64(1)
      return SQLITE_OK
    case .interrupt:
      interrupt?()
      return SQLITE_OK
    case .clockForth:
      shift += 86_400_000 * 400
      schedule.time += 3_600_000_000_000
      return SQLITE_OK
    case .clockBack:
      shift -= 86_400_000 * 400
      return SQLITE_OK
    }
  }

  private var isMemoryShort = false

  /// Ends a shortage of memory. The hard limit has lowered the
  /// [soft one](https://sqlite.org/c3ref/hard_heap_limit64.html), under which caches keep fewer pages.
  private func giveMemory() {
    guard isMemoryShort else { return }
    isMemoryShort = false
    sqlite3_hard_heap_limit64(0)
    sqlite3_soft_heap_limit64(0)
  }

  /// Interrupts the statement that a program is running.
  var interrupt: (() -> Void)?

  /// Ends faults that last, and gives the disk that is found when the machine starts again: one of the states that it may be in.
  func restart() {
    giveMemory()
    isGone = false
    guard isHalted else { return }
    isHalted = false
    var states = files.disk.states
    if let torn { states.append(files.disk.torn(torn)) }
    let state = random.pick(states)
    trace.add(state.name)
    files.replace(with: state.files.mapValues(\.bytes))
  }
}

extension World: VirtualTime {
  var now: ContinuousClock.Instant { start + .nanoseconds(schedule.time) }
  func pause(_ duration: Duration) { schedule.sleep(nanoseconds: Int(duration / .nanoseconds(1))) }
  func randomFraction() -> Double { Double(random.number(0...999_999)) / 1_000_000 }
}

/// A fault, and the operation at which it strikes or the next one after it that it fits.
struct Fault: Sendable, Hashable {
  enum Kind: String, Sendable, CaseIterable {
    /// The machine stops.
    case halt
    /// The disk is full in the middle of a write.
    case full
    /// One operation fails with an I/O error.
    case failing
    /// The disk is gone for good.
    case gone
    /// A lock is not given.
    case busy
    /// Memory cannot be allocated.
    case noMemory
    /// A statement is interrupted.
    case interrupt
    case clockForth
    case clockBack

    /// True if it can strike an operation; nil stands for a statement.
    fileprivate func fits(_ event: FileEvent?) -> Bool {
      switch (self, event) {
      case (.full, .changing(.write)?), (.busy, .locking?): true
      case (.full, _), (.busy, _): false
      case (.failing, .unlocking?), (.gone, .unlocking?), (.halt, .unlocking?): false
      case (.failing, nil), (.gone, nil): false
      default: true
      }
    }
  }

  var kind: Kind
  var at: Int
}

extension FileEvent {
  /// The code with which the operation fails. See [Result and Error Codes](https://sqlite.org/rescode.html).
  fileprivate var failure: Int32 {
    switch self {
    case .opening: SQLITE_CANTOPEN
    case .reading: SQLITE_IOERR | 1 << 8
    case .locking: SQLITE_IOERR | 15 << 8
    case .unlocking: SQLITE_OK
    case .changing(.create): SQLITE_CANTOPEN
    case .changing(.write): SQLITE_IOERR | 3 << 8
    case .changing(.sync): SQLITE_IOERR | 4 << 8
    case .changing(.truncate): SQLITE_IOERR | 6 << 8
    case .changing(.delete): SQLITE_IOERR | 10 << 8
    }
  }
}
