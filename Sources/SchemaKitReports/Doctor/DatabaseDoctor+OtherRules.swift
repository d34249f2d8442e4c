import SchemaKit

extension DatabaseDoctor {
  /// Indexes that are sound although this SQLite does not find rows by them: another version computed their values.
  ///
  /// - Parameter damage: SQLite's messages, from which these indexes are removed.
  func indexesOfOthers(among damage: inout [String]) throws -> [Finding] {
    guard !damage.isEmpty, let schema = try? SchemaReader.read(connection) else { return [] }
    let (indexes, rest) = try EngineDependenceReader(connection: connection).indexesOfOthers(among: damage, in: schema)
    damage = rest
    guard !indexes.isEmpty else { return [] }
    let writer = connection.lastWriterVersionNumber.map { SQLiteVersion(number: $0) }
    let engine = SQLiteVersion(number: connection.engineVersionNumber)
    let differences = try writer.map { try EngineDifference.between($0, here: engine, on: connection) } ?? []
    return indexes.map { index in
      var finding = Finding(
        .otherRules, table: index.table,
        message: "Index \(index.name.quotedIfNeeded) has "
          + (index.missing > 0
            ? "no entry where SQLite \(engine) looks for \(Wording.counted(index.missing, "row"))"
            : "entries for rows that SQLite \(engine) would leave out")
          + ": another version made it, which computes its values otherwise.",
        fix: "Leave it to that version.")
      finding.member = index.name
      finding.kind = .index
      if let writer, !differences.isDisjoint(with: index.differences) {
        // The file is sound for whom it belongs to.
        finding.severity = .note
        finding.message += " SQLite \(writer) wrote the file last; REINDEX here would break the index there."
      } else {
        finding.fix =
          "REINDEX \(index.name.quotedIfNeeded) if every program on the file computes as this SQLite; else leave it."
      }
      return finding
    }
  }
}
