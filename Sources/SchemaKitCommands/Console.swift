import Foundation
import SchemaKit

/// Where a command writes: data to standard output, everything else to standard error.
struct Console {
  /// The name of the program, which begins each line on standard error.
  var program: String
  var style: Style
  var isQuiet: Bool
  var isVerbose: Bool

  init(program: String, options: OutputOptions) {
    self.program = program
    style = Style(isColored: Self.isColored(options.color))
    isQuiet = options.quiet
    isVerbose = options.verbose
  }

  /// Writes data.
  func print(_ text: String) { Self.write(text, to: .standardOutput) }

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

  /// Writes how far the work is.
  func progress(_ sentence: String) { if !isQuiet { say(sentence) } }

  private func say(_ sentence: String) {
    Self.write(
      sentence.split(separator: "\n").map { "\(program): \($0)\n" }.joined(), to: .standardError)
  }

  /// Writes a text; a reader that has gone is no error.
  static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }

  /// Whether somebody sits at a terminal to answer.
  var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question and returns whether the answer was yes.
  func ask(_ question: String) -> Bool {
    Self.write("\(question) [y/N] ", to: .standardError)
    let answer = (readLine() ?? "").lowercased()
    return answer == "y" || answer == "yes"
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
