import SchemaKit
import SchemaKitOperations

extension Rehearsal.Result {
  /// The measurements, one line each.
  func lines(style: Style) -> String {
    var lines = [style.bold("Rehearsed on a copy, which is removed again:")]
    func add(_ label: String, _ text: String) { lines.append("  \(label.padded(to: 10)) \(text)") }
    add("migrated", "in \(Wording.duration(milliseconds: report.milliseconds))")
    let rows = report.plan.copiedRows
    if rows > 0 {
      add("rows", "\(Wording.counted(rows, "row")) copied or rewritten")
    } else {
      add("rows", report.plan.areRowsExamined ? "none copied or rewritten" : "not counted")
    }
    let kind = journalMode == "wal" ? "write-ahead log" : "rollback journal"
    add("journal", "\(kind), at most \(Wording.bytes(peakJournalBytes))")
    add("file", "\(Wording.bytes(bytesBefore)) before, \(Wording.bytes(bytesAfter)) after")
    add("integrity", isSound ? style.green("ok") : style.red(integrity.joined(separator: "; ")))
    if !queries.isEmpty {
      add("queries", Self.counts(of: queries))
      lines += queries.flatMap { Self.lines(for: $0, style: style) }
    }
    return lines.joined(separator: "\n")
  }

  private static func counts(of queries: [QueryComparison]) -> String {
    let words: [QueryComparison.Verdict: String] = [
      .same: "as before", .changed: "with another plan", .broken: "broken by the change",
      .mended: "mended by the change", .failing: "broken before and after",
    ]
    return QueryComparison.Verdict.allCases.compactMap { verdict in
      let count = queries.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(words[verdict] ?? "")"
    }.joined(separator: ", ")
  }

  private static func lines(for comparison: QueryComparison, style: Style) -> [String] {
    let mark: String
    switch comparison.verdict {
    case .same: return []
    case .changed: mark = style.yellow("~")
    case .mended: mark = style.green("+")
    case .broken, .failing: mark = style.red("!")
    }
    let text = comparison.query.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let head = "    \(mark) line \(comparison.query.line): \(text.count > 80 ? text.prefix(79) + "…" : text)"
    return [head] + lines(for: comparison.before, label: "before") + lines(for: comparison.after, label: "after")
  }

  private static func lines(for plan: QueryPlan, label: String) -> [String] {
    let texts: [String] =
      switch plan {
      case .lines(let lines): lines.isEmpty ? ["reads no table"] : lines
      case .failure(let message): ["does not compile: \(message)"]
      }
    return texts.enumerated().map { index, text in
      "        " + (index == 0 ? "\(label):" : "").padded(to: 8) + text
    }
  }
}

/// The measurements of a rehearsal, for programs. Its names are a contract.
struct RehearsalEntry: Encodable {
  struct Journal: Encodable {
    var mode: String
    var peakBytes: Int
  }
  struct File: Encodable {
    var bytesBefore: Int
    var bytesAfter: Int
  }
  struct Query: Encodable {
    var line: Int
    var sql: String
    var verdict: String
    var before: [String]?
    var after: [String]?
    var problemBefore: String?
    var problemAfter: String?
  }
  var rows: Int?
  var journal: Journal
  var file: File
  var integrity: [String]
  var queries: [Query]

  init(_ result: Rehearsal.Result) {
    rows = result.report.plan.areRowsExamined ? result.report.plan.copiedRows : nil
    journal = Journal(mode: result.journalMode, peakBytes: result.peakJournalBytes)
    file = File(bytesBefore: result.bytesBefore, bytesAfter: result.bytesAfter)
    integrity = result.integrity
    queries = result.queries.map { comparison in
      Query(
        line: comparison.query.line, sql: comparison.query.sql, verdict: comparison.verdict.rawValue,
        before: comparison.before.lines, after: comparison.after.lines, problemBefore: comparison.before.problem,
        problemAfter: comparison.after.problem)
    }
  }
}

extension QueryPlan {
  fileprivate var lines: [String]? { if case .lines(let lines) = self { lines } else { nil } }
  fileprivate var problem: String? { if case .failure(let message) = self { message } else { nil } }
}
