import SchemaKit
package import SchemaKitOperations

/// The schemas of a fleet in words.
package struct FleetCensusReport: Sendable {
  let census: FleetCensus
  let files: FleetFiles
  let title: String

  /// - Parameter title: The user's name for the files.
  package init(_ census: FleetCensus, of files: FleetFiles, title: String) {
    self.census = census
    self.files = files
    self.title = title
  }

  /// True if every file has the schema.
  package var isInSync: Bool {
    census.problems.allSatisfy { $0.state == .skipped } && census.schemas.allSatisfy(\.isCurrent)
  }

  /// The report for people.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    let schemas = Set(census.schemas.map(\.fingerprint)).count
    var blocks = [
      style.bold(
        "\(title): \(Wording.counted(files.files.count, "file")), \(Wording.counted(schemas, "distinct schema"))")
    ]
    let width = census.schemas.map { Wording.counted($0.fileCount, "file").count }.max() ?? 0
    blocks += census.schemas.map { schema in
      let count = Wording.counted(schema.fileCount, "file")
      let status = schema.isCurrent ? style.green("in sync") : style.yellow("needs changes")
      let recorded =
        schema.recordedCount == schema.fileCount
        ? "" : schema.recordedCount == 0 ? ", no history" : ", \(Wording.number(schema.recordedCount)) with a history"
      let head =
        "  \(String(repeating: " ", count: width - count.count))\(style.bold(count))  \(schema.fingerprint.prefix(8))  "
        + "\(status)\(recorded), such as \(schema.example)"
      let changes = Self.changes(of: schema)
      let shown = isVerbose ? changes[...] : changes.prefix(6)
      let rest = changes.count - shown.count
      return
        ([head] + shown.map { $0.indented(by: width + 4) }
        + (rest > 0 ? ["and \(Wording.number(rest)) more; -v shows all".indented(by: width + 4)] : []))
        .joined(separator: "\n")
    }
    blocks += FleetText.problems(census.problems, style: style, isVerbose: isVerbose)
    blocks += FleetText.others(files, isVerbose: isVerbose)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// The changes that files of a schema lack, a line for each object. The strategy depends on their rows.
  static func changes(of schema: FleetCensus.Schema) -> [String] {
    schema.plan.changes.map { change in
      let verb = [.create, .drop].contains(change.action) ? "\(change.action.rawValue) " : ""
      let edits = change.changes.joined(separator: ", ")
      return verb + change.object.label + (edits.isEmpty ? "" : ": \(edits)")
    }
  }

  /// The report for programs.
  package func json() -> String {
    JSONDocument.of(
      Document(
        files: files.files.count, isInSync: isInSync, schemas: census.schemas.map(Document.Schema.init),
        problems: census.problems, excluded: FleetText.counts(files.excluded),
        sameFiles: FleetText.sameFiles(files)))
  }
}

private struct Document: Encodable {
  struct Schema: Encodable {
    var fingerprint: String
    var files: Int
    var recorded: Int
    var example: String
    var isInSync: Bool
    var changes: [String]

    init(_ schema: FleetCensus.Schema) {
      fingerprint = schema.fingerprint
      files = schema.fileCount
      recorded = schema.recordedCount
      example = schema.example
      isInSync = schema.isCurrent
      changes = FleetCensusReport.changes(of: schema)
    }
  }
  var formatVersion = JSONDocument.formatVersion
  var files: Int
  var isInSync: Bool
  var schemas: [Schema]
  var problems: [FleetProblem]
  var excluded: [String: Int]
  var sameFiles: [[String]]
}
