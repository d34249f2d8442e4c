/// The checksums of a folder's steps, one per line, each covering all steps before it.
///
/// Two branches that record steps both add to the end, so that merging them causes a conflict that somebody must
/// resolve; a union of both texts does not pass either, because each sum is valid for one order only.
package struct MigrationChecksums: Sendable, Hashable {
  /// The name of the file in the folder.
  package static let fileName = "checksums.txt"

  /// A step with its checksum.
  package struct Line: Sendable, Hashable {
    package var name: String
    package var sum: String
  }

  package var lines: [Line]

  /// Computes the checksums of steps.
  package init(of steps: [Migration]) {
    var previous = ""
    lines = steps.map { step in
      previous = Self.sum(of: step, after: previous)
      return Line(name: step.name, sum: previous)
    }
  }

  /// Parses a file's text; comments and empty lines are ignored.
  ///
  /// - Throws: `SchemaError` with the line that is not a checksum.
  package init(text: String, source: String) throws(SchemaError) {
    lines = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      if ["<<<<<<<", "=======", ">>>>>>>"].contains(where: { line.hasPrefix($0) }) {
        throw SchemaError(
          source: source, line: index + 1,
          problem: "two branches have recorded migrations, and a merge left both here; move yours after theirs with "
            + "schemactl migrations rebase --base THEIRS")
      }
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0].utf8.count == 64, words[0].allSatisfy(\.isHexDigit) else {
        throw SchemaError(source: source, line: index + 1, problem: "expected a checksum and the name of a step")
      }
      lines.append(Line(name: String(words[1].trimmed), sum: words[0].lowercased()))
    }
  }

  /// The text of the file.
  package var text: String {
    "# Each checksum covers its step and all steps before it. Written by schemactl migrations; see docs/migrations.md.\n"
      + lines.map { "\($0.sum)  \($0.name)\n" }.joined()
  }

  /// The checksum of one step by itself, by which databases record it whatever comes before it.
  static func own(of step: Migration) -> String { sum(of: step, after: "") }

  /// The checksum of a step after others. Line endings count as one byte, whatever a checkout made of them.
  static func sum(of step: Migration, after previous: String) -> String {
    var text = previous + "\n" + step.name
    for file in step.files {
      let content = file.text.replacing("\r\n", with: "\n")
      text += "\n\(file.suffix) \(content.utf8.count)\n\(content)"
    }
    return SHA256.hexDigest(of: text)
  }
}
