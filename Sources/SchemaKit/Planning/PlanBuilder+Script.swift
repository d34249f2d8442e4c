// The conditions that a script checks again: the rows may have changed since its plan was made, or may not have been there to
// be examined.
extension PlanBuilder {
  /// The rows that a plan counts on not to be there, other than those that it may lose with consent.
  func rowConditions(
    of plan: MigrationPlan, rules: HazardRules, _ knowledge: Knowledge
  ) throws -> [ScriptConditions.Rows] {
    guard let questions = knowledge.questions else { return [] }
    let accepted = plan.hazards.filter { ![.note, .blocked].contains($0.hazardClass) }
    return try questions.tables.flatMap { table in
      try table.questions.compactMap { question in
        var found = RowCheckResults()
        found.findings = [
          RowCheckResults.Finding(kind: question.kind, column: question.column, count: 1, samples: [])
        ]
        guard let hazard = rules.hazards(of: table.name, checkResults: found).first, !hazard.isNote,
          !accepted.contains(where: { $0.isAbout(hazard) })
        else { return nil }
        return ScriptConditions.Rows(
          code: hazard.code, table: table.name, column: question.column, count: try count(for: question))
      }
    }
  }

  /// A query that counts nothing now, and that needs no temporary rows.
  private func count(for question: RowCheck) throws -> String? {
    guard !question.reads.isEmpty else { return question.count }
    guard let scan = question.prefilter else { return nil }
    let count = "SELECT count(*) FROM \(scan.rows)" + (scan.condition.map { " WHERE \($0)" } ?? "")
    // It may count rows that come to no harm.
    do {
      return try connection.integer(count) == 0 ? count : nil
    } catch let error as SQLiteError where !error.isEnvironmental {
      // A collation that is not there: a script without it could not count either.
      return nil
    }
  }
}

extension Hazard {
  fileprivate func isAbout(_ other: Hazard) -> Bool {
    code == other.code && table == other.table && column == other.column
  }
}
