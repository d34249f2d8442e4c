import Dispatch
import SchemaKit
import SchemaKitFoundation
import SchemaKitReports

/// Says on standard error how far the work is, once it has taken a second: on a terminal in one line that is written
/// over, elsewhere in a line for each activity and one every ten seconds.
///
/// It has identity because a timer speaks when the work itself cannot.
final class ProgressPrinter: @unchecked Sendable {
  private let console: Console
  /// The database whose journal is watched; nil where there is none.
  private let database: String?
  private let timer: any DispatchSourceTimer
  // `lock` guards the variables below it.
  private let lock = Lock()
  private var latest: ProgressLine?
  private var told = ContinuousClock.now
  private var shown: (title: String, at: ContinuousClock.Instant)?
  private var isOver = false

  /// The time between two updates of a line on a terminal, and between two lines elsewhere.
  private static let intervals = (drawing: 0.25, printing: Duration.seconds(10))

  init(console: Console, database: String? = nil) {
    self.console = console
    self.database = database
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { [weak self] in self?.show() }
    timer.schedule(deadline: .now() + 1, repeating: Self.intervals.drawing)
    timer.activate()
  }

  deinit { timer.cancel() }

  /// To be called as work begins and goes on.
  func tell(_ progress: ApplyProgress) {
    guard let line = ProgressLine(progress) else { return }
    lock.withLock {
      latest = line
      told = .now
    }
  }

  /// To be called before work that is not a step of a plan, and as it goes on.
  func tell(_ title: String, figures: [String] = []) {
    lock.withLock {
      latest = ProgressLine(title: title, figures: figures)
      told = .now
    }
  }

  /// To be called when nothing more is to be said.
  func end() {
    timer.cancel()
    lock.withLock {
      if !isOver, shown != nil { console.clearProgress() }
      isOver = true
    }
  }

  private func show() {
    lock.withLock {
      guard !isOver, var line = latest else { return }
      let now = ContinuousClock.now
      line.elapsed += now - told
      let isNew = shown?.title != line.title
      let isDue = shown.map { now - $0.at >= Self.intervals.printing } ?? true
      guard console.drawsProgress || isNew || isDue else { return }
      shown = (line.title, now)
      console.progress(line.text(journalBytes: database.flatMap(JournalFile.bytes)))
    }
  }
}

/// Tells how far an apply is: people on standard error, programs in events on standard output.
///
/// It has identity because it remembers when it spoke.
final class ProgressTeller {
  private let console: Console
  private let database: String?
  private let format: ApplyFormat
  private let printer: ProgressPrinter
  private var last: ContinuousClock.Instant?

  /// The time for which a stream is silent about one step.
  private static let interval = Duration.milliseconds(500)

  init(console: Console, database: String? = nil, format: ApplyFormat) {
    self.console = console
    self.database = database
    self.format = format
    printer = ProgressPrinter(console: console, database: database)
  }

  /// To be called as work begins and goes on.
  func tell(_ progress: ApplyProgress) {
    printer.tell(progress)
    guard format == .ndjson else { return }
    let now = ContinuousClock.now
    let isDue = last.map { now - $0 >= Self.interval } ?? true
    guard isDue || progress.activity == .step || progress.elapsed == .zero else { return }
    last = now
    console.print(ProgressEvent(progress, journalBytes: database.flatMap(JournalFile.bytes)).line)
  }

  /// To be called before work that is not a step of a plan, and as it goes on.
  func tell(_ title: String, figures: [String] = []) { printer.tell(title, figures: figures) }

  /// To be called when nothing more is to be said.
  func end() { printer.end() }
}

/// A line about work that goes on.
struct ProgressLine: Equatable {
  /// The work.
  var title: String
  /// The progress; empty if it is not known.
  var figures: [String] = []
  /// The remaining time; nil if it is not known.
  var remaining: Duration?
  var elapsed = Duration.zero

  init(title: String, figures: [String] = []) {
    self.title = title
    self.figures = figures
  }

  /// Creates a line for progress that is worth reporting; nil for the beginning of a step that has no rows.
  init?(_ progress: ApplyProgress) {
    guard let verb = Self.verb(for: progress) else { return nil }
    let step = progress.step
    elapsed = progress.elapsed
    switch progress.activity {
    case .fileCheck, .references: title = verb
    case .waiting:
      let names = progress.processes.joined(separator: ", ")
      title =
        "waiting for readers of the write-ahead log, or for the lock"
        + (names.isEmpty ? "" : " (the file is open in \(names))")
    default: title = "step \(progress.stepIndex + 1) of \(progress.stepCount): \(verb) \(step.object)"
    }
    if let rows = progress.rows, let done = progress.rowsDone, let fraction = progress.fraction {
      figures.append("\(Int(fraction * 100)) % of \(Wording.counted(rows, "row"))")
      if let pace = progress.rowsPerSecond, done > 0 { figures.append("\(Wording.number(pace)) a second") }
      remaining = progress.remaining
    } else if progress.activity == .step, let rows = step.rows {
      figures.append(Wording.counted(rows, "row"))
    }
  }

  /// The line, which a narrow terminal cuts at the end: what is left to wait comes first.
  ///
  /// - Parameter journalBytes: The size of the journal; nil when there is none.
  func text(journalBytes: Int? = nil) -> String {
    var parts = figures
    if let remaining {
      parts.insert("about \(Wording.span(remaining)) left", at: 0)
    } else if elapsed >= .seconds(1) {
      parts.append("\(Wording.span(elapsed)) so far")
    }
    if let journalBytes, journalBytes >= 1 << 20 { parts.append("journal \(Wording.bytes(journalBytes))") }
    return title + (parts.isEmpty ? " …" : ": " + parts.joined(separator: ", "))
  }

  private static func verb(for progress: ApplyProgress) -> String? {
    switch progress.activity {
    case .fileCheck: "checking the file for damage"
    case .copying: "copying"
    case .rewriting: "rewriting"
    case .comparing: "comparing the rows of"
    case .indexing: "making indexes of"
    case .dataStep: "working on rows for"
    case .references: "checking foreign keys"
    case .waiting: "waiting for others of"
    case .step:
      (progress.step.rows ?? 0) > 0 ? progress.step.strategy.copiesRows ? "copying" : "rewriting" : nil
    }
  }
}

/// The file beside a database that a change is written to, or rolled back from.
enum JournalFile {
  /// Its size; nil when there is none. See [temporary files](https://sqlite.org/tempfiles.html).
  static func bytes(besides database: String) -> Int? {
    ["-journal", "-wal"].compactMap { FileManager.default.fileSize(atPath: database + $0) }.max()
  }
}
