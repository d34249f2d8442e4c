package import SchemaKit

/// The rows and values that a database keeps for undo, printed.
package struct KeptReport: Sendable {
  package var database: String
  package var kept: [KeptValues]
  /// True if it was discarded.
  package var isDiscarded = false

  package init(database: String, kept: [KeptValues]) {
    self.database = database
    self.kept = kept
  }

  private var rowCount: Int { kept.reduce(0) { $0 + $1.rowCount } }

  /// The report for people, with a line for each table of kept values.
  package func text(style: Style = .plain) -> String {
    guard !kept.isEmpty else { return "\(database) keeps nothing for undo.\n" }
    let lines = kept.map { kept in
      let entry = kept.entry.map { "entry \($0)" } ?? "no entry"
      return "  \(entry.padded(to: 9)) \(kept.words) \(style.dim("in \(kept.storage)"))"
    }
    return (["\(database) keeps for undo:"] + lines).joined(separator: "\n") + "\n"
  }

  /// The result of discarding, in one sentence.
  package var ending: String {
    "Discarded \(Wording.counted(rowCount, "row")) in \(Wording.counted(kept.count, "table")). undo does not bring them "
      + "back any more; VACUUM gives their room back to the disk."
  }

  /// The report for programs.
  package func json() -> String {
    struct Item: Encodable {
      var object: String
      var rows: Int
      var storage: String
      var entry: Int?
    }
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var database: String
      var outcome: String
      var kept: [Item]
    }
    let items = kept.map { Item(object: $0.object, rows: $0.rowCount, storage: $0.storage.text, entry: $0.entry) }
    return JSONDocument.of(
      Document(database: database, outcome: isDiscarded ? "discarded" : "unchanged", kept: items))
  }
}
