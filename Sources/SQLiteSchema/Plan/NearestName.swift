/// Finds the name that somebody may have meant.
package enum NearestName {
  /// The candidate that takes the fewest changes of letters; nil where none is near.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    let name = name.lowercased().map { $0 == "_" ? "-" : $0 }
    let near = candidates.map { (candidate: $0, distance: distance(name, Array($0))) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, min(name.count, near.candidate.count) / 3) else { return nil }
    return near.candidate
  }

  /// A list for the end of a sentence: what was meant, or all there is.
  package static func hint(for name: String, among candidates: [String]) -> String {
    of(name, among: candidates).map { "did you mean \($0)?" } ?? "there are \(Wording.list(candidates))."
  }

  /// The number of letters to add, drop, replace, or swap with the next.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      (before, last) = (last, current)
    }
    return last[right.count]
  }
}
