package import SchemaKit

/// The history of a database, printed.
package struct HistoryReport: Sendable {
  package var database: String
  package var entries: [HistoryEntry]
  /// The points on which the history and the file disagree.
  package var findings: [Finding]

  package init(database: String, entries: [HistoryEntry], findings: [Finding] = []) {
    self.database = database
    self.entries = entries
    self.findings = findings
  }

  /// The report for people, oldest entry first.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    guard !entries.isEmpty || !findings.isEmpty else {
      return "\(database) has no history: SchemaKit has not changed it, or only with --no-ledger.\n"
    }
    let blocks = entries.map { entry in
      ([heading(of: entry, style: style)] + details(of: entry, style: style, isVerbose: isVerbose))
        .joined(separator: "\n")
    }
    let last = findings.map { "\(style.yellow($0.code)) \($0.message) \($0.fix)" }
    return (blocks + last).joined(separator: "\n") + "\n"
  }

  private func heading(of entry: HistoryEntry, style: Style) -> String {
    let time = entry.appliedAt.replacing("T", with: " ").prefix(19)
    let (from, to) = (entry.fromFingerprint.prefix(8), entry.toFingerprint.prefix(8))
    let way = from == to ? String(to) : "\(from) → \(to)"
    let isUndone = entries.contains { $0.undoneEntry == entry.id }
    let state = entry.isLive || entry.kind == .undo ? "" : isUndone ? "  (undone)" : "  (left behind)"
    let schema = entry.schema == "(file)" ? "" : "  schema \(entry.schema)"
    let kind = style.bold(entry.kind.rawValue.padded(to: 8))
    return "\(String(entry.id).padded(to: 3)) \(time) UTC  \(kind)  \(way)\(schema)\(state)"
  }

  private func details(of entry: HistoryEntry, style: Style, isVerbose: Bool) -> [String] {
    let program = entry.program.isEmpty ? "SchemaKit" : entry.program
    let library = program.hasSuffix(entry.library) ? program : "\(program) (SchemaKit \(entry.library))"
    var lines = entry.summaryLines
    lines.append(
      style.dim("by \(library), SQLite \(entry.engine), in \(Wording.duration(milliseconds: entry.milliseconds))"))
    if isVerbose, !entry.plan.isEmpty { lines.append(style.dim(entry.plan + ";")) }
    return lines.map { $0.indented(by: 4) }
  }

  /// The report for programs.
  package func json() -> String {
    struct FindingPart: Encodable {
      var code: String
      var message: String
      var fix: String
    }
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var database: String
      var entries: [HistoryEntry]
      var findings: [FindingPart]
    }
    return JSONDocument.of(
      Document(
        database: database, entries: entries,
        findings: findings.map { FindingPart(code: $0.code, message: $0.message, fix: $0.fix) }))
  }
}
