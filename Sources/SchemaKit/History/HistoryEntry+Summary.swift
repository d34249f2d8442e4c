/// The first lines of a summary say where a change came from. They are a part of the ledger's format: what is written
/// here is read here, and in the files of older versions.
extension HistoryEntry {
  private static let stepPrefix = "step "
  private static let undoPrefix = "undo entry "

  /// The lines for a recorded step and for the files of rows that it runs.
  package static func lines(ofStep name: String, dataFiles: [String]) -> [String] {
    [stepPrefix + name] + dataFiles.map { "rows: \($0)" }
  }

  /// The line for the undo of an entry.
  package static func line(ofUndoing entry: Int) -> String { "\(undoPrefix)\(entry)" }

  /// The recorded step that the entry applied; nil for any other change.
  package var recordedStep: String? { kind == .apply ? firstLine(after: Self.stepPrefix) : nil }

  /// The number of the entry that this one undid; nil for any other change.
  package var undoneEntry: Int? { kind == .undo ? firstLine(after: Self.undoPrefix).flatMap { Int($0) } : nil }

  /// The summary, line by line.
  package var summaryLines: [String] { summary.split(separator: "\n").map { String($0) } }

  private func firstLine(after prefix: String) -> String? {
    let line = summary.prefix { $0 != "\n" }
    return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : nil
  }
}
