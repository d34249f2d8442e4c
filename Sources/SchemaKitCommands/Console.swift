import SQLiteSchema
import SchemaKit
import SchemaKitFoundation
import SchemaKitReports

/// Where a command writes: data to standard output, everything else to standard error.
struct Console {
  /// The name of the program, which begins each line on standard error.
  var program: String
  var style: Style
  var isQuiet: Bool
  var isVerbose: Bool
  private let drawn = DrawnLine()

  init(program: String, options: OutputOptions) {
    self.program = program
    style = Style(isColored: Self.isColored(options.color), columns: Self.columns(of: STDOUT_FILENO))
    isQuiet = options.quiet
    isVerbose = options.verbose
  }

  /// Writes data.
  func print(_ text: String) {
    clearProgress()
    Self.write(text, to: .output)
  }

  /// Writes an error.
  func error(_ sentence: String) { say(sentence) }

  /// Writes something that is worth knowing and keeps nothing from going on.
  func warn(_ sentence: String) { if !isQuiet { say("warning: \(sentence)") } }

  /// Writes notes; many of them only when asked for.
  func note(_ sentences: [String]) {
    guard !isQuiet else { return }
    let shown = isVerbose || sentences.count <= 4 ? sentences.count : 3
    for sentence in sentences.prefix(shown) { say("note: \(sentence)") }
    if shown < sentences.count { say("note: … and \(sentences.count - shown) more of this kind; -v shows them.") }
  }

  /// Writes that many pages of a file hold nothing after a change, and what gives them back to the disk.
  func noteFreePages(of connection: SQLiteConnection, at path: String) {
    var file = Examination.FileProperties()
    guard (try? file.readPages(of: connection)) != nil, let bytes = file.reclaimableBytes else { return }
    note([
      "\(path) now holds \(Wording.bytes(bytes)) of free pages. Later rows use them; VACUUM gives them back to the disk."
    ])
  }

  /// True if standard error is a terminal on which a line can be written over.
  var drawsProgress: Bool { isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

  /// Writes how far the work is, over what was written before where that can be done.
  func progress(_ sentence: String) {
    guard !isQuiet else { return }
    guard drawsProgress else { return say(sentence) }
    let line = String("\(program): \(sentence)".prefix(max(20, (Self.columns(of: STDERR_FILENO) ?? 80) - 1)))
    drawn.isThere = true
    Self.write("\r\(line)\u{1B}[K", to: .error)
  }

  /// Takes the line about the progress away, where there is one.
  func clearProgress() {
    guard drawn.isThere else { return }
    drawn.isThere = false
    Self.write("\r\u{1B}[K", to: .error)
  }

  /// Returns the width of a stream's terminal in characters; nil if it is not a terminal, or does not say.
  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Writes a sentence behind the program's name, each line of it, and on a terminal in lines that fit.
  private func say(_ sentence: String) {
    clearProgress()
    let margin = program.count + 2
    let width = Self.columns(of: STDERR_FILENO).map { max(30, $0 - margin) } ?? .max
    let text = sentence.split(separator: "\n").map { line in
      Wording.wrapped(String(line), width: width).enumerated()
        .map { $0 == 0 ? "\(program): \($1)\n" : $1.indented(by: margin) + "\n" }.joined()
    }
    Self.write(text.joined(), to: .error)
  }

  /// Writes a text; a reader that has gone is not an error. Any other fault of the output is told when the command ends, for
  /// no change may stop halfway for it.
  static func write(_ text: String, to stream: StandardStream) {
    if let code = stream.write(text), stream == .output, code != EPIPE { OutputFault.shared.note(code) }
  }

  /// True if data and errors are read in one place, so that nothing need be said in both.
  var showsBoth: Bool { !isQuiet && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// True if somebody sits at a terminal to answer.
  var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The number of times that a question is asked before an answer must be valid.
  private static let attempts = 3

  /// Asks a question and returns whether the answer was yes. No answer, and none that is understood, is no.
  func ask(_ question: String) -> Bool {
    for _ in 0..<Self.attempts {
      switch answer(to: "\(question) [y/N] ") {
      case "y", "yes": return true
      case nil, "", "n", "no": return false
      default: Self.write("Type y or n.\n", to: .error)
      }
    }
    return false
  }

  /// Asks for a number of a list that begins with 1, and returns it; nil for none.
  func askForNumber(_ question: String, upTo count: Int) -> Int? {
    for _ in 0..<Self.attempts {
      guard let answer = answer(to: "\(question) "), !["", "n", "no"].contains(answer) else { return nil }
      if let number = Int(answer), 1...count ~= number { return number }
      Self.write("Type a number from 1 to \(count), or press Enter for no.\n", to: .error)
    }
    return nil
  }

  /// Asks for what nobody shall read on the screen; nil for none, or after Ctrl-C.
  func askForSecret(_ question: String) -> String? {
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
    // Without signals as well: Ctrl-C would leave a terminal that shows nothing.
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    Self.write("\(question) ", to: .error)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      Self.write("\n", to: .error)
    }
    guard let line = readLine(), !line.contains("\u{3}") else { return nil }
    return line
  }

  private func answer(to question: String) -> String? {
    Self.write(question, to: .error)
    return readLine().map { $0[...].trimmed.lowercased() }
  }

  private static func isColored(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      // See https://no-color.org
      let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
      return isatty(STDOUT_FILENO) == 1 && !isRefused
    }
  }
}

/// True if a line about the progress stands on the terminal.
///
/// It has identity because a timer writes the line, and whoever writes something else takes it away.
private final class DrawnLine: @unchecked Sendable {
  // `lock` guards the flag.
  private let lock = Lock()
  private var flag = false

  var isThere: Bool {
    get { lock.withLock { flag } }
    set { lock.withLock { flag = newValue } }
  }
}

/// The error that kept standard output from being written: a full disk, most often.
final class OutputFault: @unchecked Sendable {
  static let shared = OutputFault()

  // `lock` guards the number of the error.
  private let lock = Lock()
  private var code: Int32?

  func note(_ code: Int32) { lock.withLock { self.code = self.code ?? code } }

  /// The system's message for the error; nil if everything was written.
  var words: String? { lock.withLock { code }.map { String(cString: strerror($0)) } }
}
