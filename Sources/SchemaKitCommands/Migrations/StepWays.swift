import SchemaKit

extension RecordedStep {
  /// How the step can mend rows that a database refuses, in words; nil where no hazard is of that kind.
  func ways(outOf hazards: [Hazard]) -> String? {
    var seen: Set<String> = []
    let directives = hazards.compactMap { hazard -> String? in
      guard let column = hazard.column else { return nil }
      let name = "\(SQLName(hazard.table).quotedIfNeeded).\(SQLName(column).quotedIfNeeded)"
      switch hazard.code {
      case .nullsUnderNotNull: return "\"-- schemakit: fill \(name) = EXPR\""
      case .notStorable: return "\"-- schemakit: convert \(name) = EXPR\""
      default: return nil
      }
    }.filter { seen.insert($0).inserted }
    guard hazards.contains(where: { Self.mendable.contains($0.code) }) else { return nil }
    let statements = "UPDATE and DELETE into \(dataPath(isBefore: true))"
    let ways = directives.isEmpty ? statements : "\(Wording.list(directives)) into \(path), or \(statements)"
    return "To mend such rows in the step, write \(ways); then run schemactl migrations hash."
  }

  private static var mendable: Set<HazardCode> {
    [.nullsUnderNotNull, .notStorable, .duplicates, .orphans, .failingCheck]
  }
}
