package import SchemaKit

/// The history of a database, printed.
package struct HistoryReport: Sendable {
  package var database: String
  package var entries: [HistoryEntry]

  package init(database: String, entries: [HistoryEntry]) {
    self.database = database
    self.entries = entries
  }

  /// The report for people, oldest entry first.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    guard !entries.isEmpty else { return "\(database) has no history: SchemaKit has not changed it.\n" }
    let blocks = entries.map { entry in
      ([heading(of: entry, style: style)] + details(of: entry, style: style, isVerbose: isVerbose))
        .joined(separator: "\n")
    }
    return blocks.joined(separator: "\n") + "\n"
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
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var database: String
      var entries: [HistoryEntry]
    }
    return JSONDocument.of(Document(database: database, entries: entries))
  }
}
