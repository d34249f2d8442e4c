import SchemaKit
package import SchemaKitOperations

/// The results of a run over a fleet, in words.
package struct FleetRunReport: Sendable {
  /// The purpose of the run.
  package enum Verb: String, Sendable { case apply, undo, status }

  let report: FleetReport
  let title: String
  let verb: Verb

  /// - Parameter title: The user's name for the run.
  package init(_ report: FleetReport, title: String, verb: Verb) {
    self.report = report
    self.title = title
    self.verb = verb
  }

  /// The report for people.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    var blocks = [style.bold(headline)]
    if report.waves.count > 1 || isVerbose { blocks.append(report.waves.map(Self.line).joined(separator: "\n")) }
    blocks += FleetText.problems(report.problems, style: style, isVerbose: isVerbose)
    blocks += FleetText.losses(report.losses, style: style, isVerbose: isVerbose)
    blocks.append(lastLine(style: style))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var headline: String {
    "\(title): \(Wording.counted(report.fileCount, "file")): \(Wording.list(Self.counts(report.counts)))"
  }

  private static func counts(_ counts: [FleetState: Int]) -> [String] {
    FleetState.allCases.compactMap { state in
      counts[state].map { "\(Wording.number($0)) \(FleetText.words(for: state, isPlural: $0 != 1))" }
    }
  }

  /// A wave in a line.
  package static func line(_ wave: FleetReport.Wave) -> String {
    let counts = FleetState.allCases.compactMap { state in
      wave.counts[state.rawValue].map { "\(Wording.number($0)) \(FleetText.words(for: state, isPlural: $0 != 1))" }
    }
    return
      "  wave \(wave.number) of \(wave.of), \(Wording.counted(wave.files, "file")): \(counts.joined(separator: ", "))"
  }

  package func lastLine(style: Style = .plain) -> String {
    let time = report.milliseconds > 0 ? " in \(Wording.duration(milliseconds: report.milliseconds))" : ""
    let done = "\(Wording.counted(report.processedCount, "file")) worked on\(time)"
    return switch report.ending {
    case .complete where verb == .status:
      report.counts[.waiting] == nil
        ? "Every file had its turn." : "Not every file had its turn; fleet apply with this journal goes on."
    case .complete:
      report.problems.allSatisfy { $0.state == .skipped }
        ? style.green("Done: \(done).") : "Done but for these: \(done)."
    case .tooManyFailures:
      style.red("Stopped: more files failed than --max-failures allows.")
        + " \(done). What was changed is whole; mend the cause and run fleet apply again, or go back with fleet undo."
    case .stopped(let reason):
      style.red("Stopped between two waves\(reason.isEmpty ? "" : ": \(reason)").")
        + " \(done). Run fleet apply again to go on, or go back with fleet undo."
    case .cancelled: style.yellow("Stopped on request.") + " \(done). Run the command again to go on."
    }
  }

  /// The report for programs.
  package func json() -> String { JSONDocument.of(document) }

  /// The report as the last line of a stream.
  package func eventLine() -> String { JSONDocument.line(of: ResultEvent(result: document)) }

  /// The waves, as lines of a stream.
  package var waveLines: String { report.waves.map(Self.eventLine).joined() }

  /// A wave as a line of a stream, and as a hook gets it.
  package static func eventLine(_ wave: FleetReport.Wave) -> String {
    JSONDocument.line(of: WaveEvent(wave: wave))
  }

  private var document: Document {
    let (outcome, reason): (String, String?) =
      switch report.ending {
      case .complete: ("complete", nil)
      case .tooManyFailures: ("tooManyFailures", nil)
      case .stopped(let reason): ("stopped", reason)
      case .cancelled: ("cancelled", nil)
      }
    return Document(
      run: report.run, outcome: outcome, reason: reason, milliseconds: report.milliseconds,
      processed: report.processedCount,
      counts: Dictionary(uniqueKeysWithValues: report.counts.map { ($0.key.rawValue, $0.value) }), waves: report.waves,
      problems: report.problems,
      losses: report.losses.isEmpty ? nil : report.losses.map { Document.Loss(path: $0.path, message: $0.message) })
  }

  /// JUnit's XML: a case for each wave, and one for each file that is not done.
  package func junit(program: String) -> String {
    let suite = Markup.escaped("\(program) fleet \(verb.rawValue)")
    let problems = report.problems.filter { $0.state != .skipped }
    let failed = problems.count
    let cases =
      report.waves.map {
        "    <testcase classname=\"\(suite)\" name=\"\(Markup.escaped("wave \($0.number) of \($0.of)"))\"/>"
      }
      + problems.flatMap { problem in
        [
          "    <testcase classname=\"\(suite)\" name=\"\(Markup.escaped(problem.path))\">",
          "      <failure type=\"\(problem.state.rawValue)\" message=\"\(Markup.escaped(problem.message))\"/>",
          "    </testcase>",
        ]
      }
    let count = report.waves.count + failed
    return
      ([
        #"<?xml version="1.0" encoding="UTF-8"?>"#,
        "<testsuites tests=\"\(count)\" failures=\"\(failed)\">",
        "  <testsuite name=\"\(suite)\" tests=\"\(count)\" failures=\"\(failed)\" errors=\"0\">",
      ] + cases + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
  }

  /// A page that needs nothing from the network.
  package func html() -> String {
    func row(_ cells: [String]) -> String {
      Markup.element("tr", [:], cells.map { Markup.text("td", [:], $0) }.joined())
    }
    func table(_ head: [String], _ rows: [[String]]) -> String {
      let head = Markup.element("tr", [:], head.map { Markup.text("th", [:], $0) }.joined())
      return Markup.element("table", [:], ([head] + rows.map(row)).joined(separator: "\n")) + "\n"
    }
    let waves = report.waves.map { wave in
      let counts = FleetState.allCases.compactMap { state in
        wave.counts[state.rawValue].map { "\($0) \(state.rawValue)" }
      }
      return ["\(wave.number)", Wording.number(wave.files), counts.joined(separator: ", ")]
    }
    let problems = report.problems.map { [$0.path, $0.state.rawValue, $0.message] }
    let losses = report.losses.map { [$0.path, $0.message] }
    let body =
      Markup.text("h1", [:], headline) + "\n" + Markup.text("p", [:], lastLine()) + "\n"
      + Markup.text("h2", [:], "Waves") + "\n" + table(["Wave", "Files", "States"], waves)
      + (problems.isEmpty
        ? "" : Markup.text("h2", [:], "Files that are not done") + "\n" + table(["File", "State", "Reason"], problems))
      + (losses.isEmpty
        ? ""
        : Markup.text("h2", [:], "Files in which not everything comes back") + "\n" + table(["File", "What"], losses))
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/><title>\(Markup.escaped(title))</title>
      <style>\(Self.style)</style></head>
      <body>
      \(body)</body></html>

      """
  }

  private static let style =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem}"
    + "table{border-collapse:collapse;width:100%}th,td{border:1px solid #8886;padding:.3rem .6rem;text-align:left}"
}

private struct Document: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var run: String
  var outcome: String
  var reason: String?
  var milliseconds: Int
  var processed: Int
  var counts: [String: Int]
  var waves: [FleetReport.Wave]
  var problems: [FleetProblem]
  var losses: [Loss]?

  struct Loss: Encodable {
    var path: String
    var message: String
  }
}

private struct ResultEvent: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var event = "result"
  var result: Document
}

private struct WaveEvent: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var event = "wave"
  var wave: FleetReport.Wave
}
