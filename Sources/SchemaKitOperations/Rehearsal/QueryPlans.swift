/// A script of queries whose plans are compared before and after a change. None of them is ever run.
package struct QueryScript: Sendable {
  /// One statement with the line on which it begins.
  package struct Query: Sendable, Hashable {
    package var sql: String
    package var line: Int
  }
  package let queries: [Query]

  /// A text that is not a list of queries.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// Parses queries separated by semicolons.
  ///
  /// - Parameter source: The name of their origin, for messages.
  package init(_ text: String, source: String) throws(Failure) {
    let statements: [ScriptStatement]
    do { statements = try SQLScript.statements(in: text) } catch {
      throw Failure(description: "\(source): \(error). Nothing was changed.")
    }
    let verbs = ["SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE"]
    for statement in statements where !verbs.contains(where: { statement.tokens.first?.isKeyword($0) == true }) {
      throw Failure(
        description: "\(source):\(statement.line): only queries have plans that can be compared, not "
          + "\(statement.text.prefix(40)). Nothing was changed.")
    }
    queries = statements.map { Query(sql: $0.text, line: $0.line) }
  }

  /// Returns the plan by which SQLite would run each query on a database, or the reason why it cannot.
  ///
  /// See [EXPLAIN QUERY PLAN](https://sqlite.org/eqp.html).
  func plans(on connection: SQLiteConnection) throws -> [QueryPlan] {
    try queries.map { query in
      do {
        return .lines(Self.outline(try connection.queryPlan(of: query.sql)))
      } catch let error as SQLiteError where !error.isEnvironmental {
        return .failure(error.message)
      }
    }
  }

  /// The rows of EXPLAIN QUERY PLAN as lines, each indented below the one that it belongs to.
  private static func outline(_ rows: [[SQLValue]]) -> [String] {
    var depths: [Int64: Int] = [:]
    return rows.compactMap { row in
      guard row.count == 4, let id = row[0].integer, let parent = row[1].integer, let detail = row[3].text else {
        return nil
      }
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[id] = depth
      return String(repeating: "  ", count: depth) + detail
    }
  }
}

/// The plan by which SQLite would run a query.
package enum QueryPlan: Sendable, Hashable {
  case lines([String])
  /// The reason why it does not compile.
  case failure(String)
}

/// A query with its plans before and after a change.
package struct QueryComparison: Sendable, Hashable {
  /// The effect of a change on a query.
  package enum Verdict: String, Sendable, CaseIterable {
    case same, changed
    /// It compiled before and no longer does.
    case broken
    /// It did not compile before and does now.
    case mended
    /// It compiles neither before nor after.
    case failing
  }
  package var query: QueryScript.Query
  package var before: QueryPlan
  package var after: QueryPlan

  package var verdict: Verdict {
    switch (before, after) {
    case (.lines(let before), .lines(let after)): before == after ? .same : .changed
    case (.lines, .failure): .broken
    case (.failure, .lines): .mended
    case (.failure, .failure): .failing
    }
  }
}
