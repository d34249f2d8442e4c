/// SK109: what an index or a column holds would be computed by another SQLite than the one that wrote the file.
///
/// Applies to an expression or condition of an index and to a STORED column that turn values into others in a way that
/// [versions of SQLite differ in](https://sqlite.org/changes.html), where a row holds such a value. A program on the other version looks
/// for an entry that is not there, and calls the index malformed. Where it is made anew, it is lossy; a note where it stays as
/// it is, and for a CHECK, which is only tested here. The remedy is a `schemactl` on the version of the program, or consent.
package struct OtherWriterHazard: HazardWording {
  package enum Subject: Sendable, Hashable {
    case index(SQLName)
    case storedColumn
    case check(expression: String)
  }

  package var subject: Subject
  /// The version that wrote the file last.
  package var writer: SQLiteVersion
  package var engine: SQLiteVersion
  package var differences: [EngineDifference]
  /// True if the plan makes it anew.
  package var isMadeAnew: Bool

  package init(
    _ subject: Subject, writer: SQLiteVersion, engine: SQLiteVersion, differences: [EngineDifference], isMadeAnew: Bool
  ) {
    self.subject = subject
    self.writer = writer
    self.engine = engine
    self.differences = differences
    self.isMadeAnew = isMadeAnew
  }

  package func message(for hazard: Hazard) -> String {
    let ways = differences.map(\.words).joined(separator: ", and ")
    let end =
      hazard.isCounted ? ": that concerns \(hazard.rowCount)." : "; rows were not asked whether it concerns them."
    return "\(subjectWords(hazard)) SQLite \(writer) wrote the file last, and \(ways) than SQLite \(engine) here\(end)"
  }

  private func subjectWords(_ hazard: Hazard) -> String {
    switch (subject, isMadeAnew) {
    case (.index(let name), true): "Index \(name) is made anew here."
    case (.index(let name), false): "Index \(name) stays as it is."
    case (.storedColumn, true): "Column \(hazard.object) is computed anew here."
    case (.storedColumn, false): "Column \(hazard.object) stays as it is."
    case (.check(let expression), _): "CHECK (\(expression)) is tested here."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    switch (subject, isMadeAnew) {
    case (.check, _): "Rows that pass here may fail for a program on the other version, and the other way round."
    case (.index, false):
      "Searches by it may miss rows here. Leave it to the program that made it; REINDEX here would break it there."
    case (.storedColumn, false): nil
    default:
      "A program on the other version then misses these rows. Make the change with a SQLite that computes as it does, or, "
        + "where no such program is left, allow it with \(consent(hazard))."
    }
  }
}

extension EngineDifference {
  /// Describes the difference of one version, before "than".
  fileprivate var words: String {
    switch self {
    case .realsAsText: "writes REALs as text with other digits (17 since 3.53, 15 before)"
    case .rounding: "rounds other halves up (since 3.43 those that are nearer to it)"
    case .dates: "reads other days for impossible ones and 24:00 (changed in 3.45, 3.49 and 3.54)"
    case .wholeDefaults: "reads another class for a default like 1.0 in older rows (REAL since 3.46)"
    case .truthDefaults: "reads another class for a default of TRUE in older rows (text since 3.44)"
    }
  }
}

extension HazardCode {
  /// An index or a column would hold what another SQLite computes otherwise.
  public static let otherWriter = Self("SK109", .lossy, "values that another SQLite computes otherwise")
}
