/// Looks for rows that break what their table declares already.
///
/// *Cost:* one scan of each table, and two more for each fault that is found.
struct StandingFaultReader {
  let connection: any SQLConnection
  private var watch: CollationWatch?

  init(connection: any SQLConnection) { self.connection = connection }

  /// The findings in the rows of each table. A question that cannot be asked here, since it calls what this program lacks, has
  /// no answer.
  ///
  /// - Parameter counted: The numbers of rows that are known; an index with as many entries lacks none.
  func answer(_ checks: [StandingChecks], counted: [SQLName: Int] = [:]) throws -> [SQLName: [RowCheckResults.Finding]]
  {
    try connection.watchingCollations { watch in
      var reader = self
      reader.watch = watch
      return try reader.answers(to: checks, counted: counted)
    }
  }

  private func answers(
    to checks: [StandingChecks], counted: [SQLName: Int]
  ) throws -> [SQLName: [RowCheckResults.Finding]] {
    try checks.reduce(into: [:]) { results, check in
      let found = try findings(of: check)
      results[check.table] =
        try found + indexFindings(of: check, mayBeStale: !found.isEmpty, rowCount: counted[check.table])
        + failures(of: check)
    }
  }

  /// The indexes that SQLite fails to compute for a row.
  private func failures(of checks: StandingChecks) throws -> [RowCheckResults.Finding] {
    try checks.computations.compactMap { computation in
      try asking {
        do {
          _ = try connection.integer(computation.query)
          return nil
        } catch let error as SQLiteError where error.isOfRows {
          return RowCheckResults.Finding(
            kind: .standing(.failingIndex(computation.index, error: error.message)), count: 1, samples: [])
        }
      }
    }
  }

  /// The answer of a query; nil where it calls a function or compares by a collation that this program lacks.
  private func asking<T>(_ body: () throws -> T?) throws -> T? {
    do {
      return try watch.asking(body)
    } catch let error as SQLiteError where !error.isEnvironmental {
      return nil
    } catch is LackedCollation {
      return nil
    }
  }

  /// - Parameters:
  ///   - mayBeStale: True if any index may have other entries than its rows give, though none is missing.
  ///   - rowCount: The number of rows; nil if it is not known.
  private func indexFindings(
    of checks: StandingChecks, mayBeStale: Bool, rowCount: Int?
  ) throws -> [RowCheckResults.Finding] {
    var counted: [String: Int64?] = [:]
    func count(_ query: String) throws -> Int64? {
      if let count = counted[query] { return count }
      let count = try connection.integer(query)
      counted[query] = count
      return count
    }
    return try checks.indexes.flatMap { question in
      try asking {
        func finding(_ fault: StandingFault, _ count: Int) -> RowCheckResults.Finding {
          RowCheckResults.Finding(kind: .standing(fault), count: count, samples: [])
        }
        let lacks =
          try question.entries.map { query in
            let entries = try connection.integer(query)
            if question.isWhole, let rowCount, entries == Int64(rowCount) { return false }
            return try entries != count(question.rows)
          } ?? false
        var found = lacks ? [finding(.lackingIndex(question.index), 1)] : []
        func repeats() throws -> Bool { try question.repeats.map { try connection.integer($0) == 1 } ?? false }
        let mayRepeat = try lacks || question.isRemade && (mayBeStale || question.dependsOnText || repeats())
        if mayRepeat, let duplicates = question.duplicates {
          let count = Int(try connection.integer(duplicates) ?? 0)
          if count > 0 { found.append(finding(.equalRows(question.index), count)) }
        }
        return found
      } ?? []
    }
  }

  private func findings(of checks: StandingChecks) throws -> [RowCheckResults.Finding] {
    guard !checks.questions.isEmpty else { return [] }
    // The quick question may have no answer; then each is asked by itself.
    if try asking({ try mayFind(checks) }) == false { return [] }
    return try checks.questions.compactMap { question in
      try asking {
        do {
          return try finding(of: question, in: checks)
        } catch let error as SQLiteError where error.isOfRows {
          guard case .check(let expression, _) = question.fault else { throw error }
          return RowCheckResults.Finding(
            kind: .standing(.check(expression, error: error.message)), count: 1, samples: [])
        }
      }
    }
  }

  /// True if a row breaks anything. It takes one scan.
  private func mayFind(_ checks: StandingChecks) throws -> Bool {
    func exists(_ condition: String) throws -> Bool {
      try connection.integer("SELECT EXISTS (SELECT 1 FROM \(checks.rows) WHERE \(condition))") != 0
    }
    let local = connection as? SQLiteConnection
    return try local?.withClassFunction(StoredClasses.function) { try exists(checks.quickCondition) }
      ?? exists(checks.condition)
  }

  private func finding(
    of question: StandingChecks.Question, in checks: StandingChecks
  ) throws -> RowCheckResults.Finding? {
    let which = "FROM \(checks.rows) WHERE \(question.condition)"
    let count = Int(try connection.integer("SELECT count(*) \(which)") ?? 0)
    guard count > 0 else { return nil }
    let samples = try connection.rows("SELECT \(checks.key) \(which) LIMIT 10").map {
      RowCheckReader.text($0.first ?? .null)
    }
    return RowCheckResults.Finding(
      kind: .standing(question.fault), column: question.column, count: count, samples: samples)
  }
}

extension SQLiteError {
  /// True if a value made an expression fail, and not something that this program lacks.
  fileprivate var isOfRows: Bool {
    !isEnvironmental && !isMissingElsewhere && !isLackingExtension && !isMissingQueryPlan && !isUntrustedUse
  }
}
