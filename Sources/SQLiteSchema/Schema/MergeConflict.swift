/// Finds what a merge leaves in a text where two branches changed the same lines.
///
/// See "How conflicts are presented" in [git-merge](https://git-scm.com/docs/git-merge#_how_conflicts_are_presented).
package enum MergeConflict {
  /// The problem of a text with a conflict, and the remedy.
  package static let problem =
    "a merge left both versions here; keep one of them and remove the lines <<<<<<<, ======= and >>>>>>>"

  /// The line on which the first conflict begins, from 1; nil if there is none.
  package static func line(in text: some Collection<UInt8>) -> Int? {
    var begin: Int?
    var isDivided = false
    for (index, line) in text.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      switch mark(of: line) {
      case UInt8(ascii: "<"): begin = begin ?? index + 1
      case UInt8(ascii: "="): isDivided = begin != nil
      case UInt8(ascii: ">") where isDivided: return begin
      default: break
      }
    }
    return nil
  }

  /// The character that a line repeats seven times before it ends or goes on with a space; nil for any other line.
  private static func mark(of line: some Collection<UInt8>) -> UInt8? {
    guard let first = line.first, first == 60 || first == 61 || first == 62 else { return nil }
    let next = line.dropFirst(7).first
    return line.prefix(7).count == 7 && line.prefix(7).allSatisfy { $0 == first }
      && (next.map { $0 == 32 || $0 == 13 } ?? true)
      ? first : nil
  }

  /// Refuses a text that has one.
  package static func check(_ text: some Collection<UInt8>, source: String) throws(SchemaError) {
    if let line = line(in: text) { throw SchemaError(source: source, line: line, problem: problem) }
  }
}
