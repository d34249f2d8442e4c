/// Finds expressions of a table by which every INSERT fails, since they read the clock.
///
/// SQLite creates such a CHECK, generated column or index, and finds out when it computes it. See
/// [Deterministic SQL Functions](https://sqlite.org/deterministic.html#special_case_processing_for_date_time_functions).
///
/// *Cost:* for each call of a function of date and time whose arguments are constants, a row in a database in memory.
struct ClockReads {
  private enum Place { case check, valueOfRow, valueOfQuery, index }

  private static let functions: Set<String> = [
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
  ]

  /// A problem with an expression.
  struct Finding {
    /// SQLite's error for an INSERT.
    var problem: String
    /// True if SQLite computes it for each row that is there, too: of a STORED column or an index.
    var isComputedForRows: Bool
  }

  /// Returns what is wrong with a table; nil if its expressions do not read the clock.
  static func finding(in table: TableSchema, indexes: [IndexSchema]) -> Finding? {
    let checks = table.checks.map { (Place.check, $0.expression) }
    let generated = table.columns.compactMap { $0.generation }.map { generation in
      (generation.isStored ? Place.valueOfRow : .valueOfQuery, generation.expression)
    }
    let terms = indexes.flatMap { index in
      (index.terms.filter { $0.column == nil }.map(\.expression) + [index.predicate].compactMap { $0 }).map {
        (Place.index, $0)
      }
    }
    let found = (checks + generated + terms).lazy.compactMap { place, expression in
      problem(in: expression, at: place).map {
        Finding(problem: $0, isComputedForRows: place == .valueOfRow || place == .index)
      }
    }
    // One that fails for rows says the more.
    return found.first(where: \.isComputedForRows) ?? found.first
  }

  private static func problem(in expression: CanonicalSQL, at place: Place) -> String? {
    calls(in: expression.text).lazy.compactMap { problem(of: $0, at: place) }.first
  }

  /// The calls whose arguments are the same for each row.
  private static func calls(in text: String) -> [String] {
    guard let tokens = try? SQLLexer.tokens(of: text) else { return [] }
    let closers = SQLToken.closers(in: tokens[...])
    return tokens.indices.compactMap { index in
      let token = tokens[index]
      if ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(where: token.isKeyword) { return token.text }
      guard let name = token.name, functions.contains(name.folded), index + 1 < tokens.endIndex,
        tokens[index + 1].isSymbol("("), let end = closers[index + 1]
      else { return nil }
      let arguments = tokens[(index + 2)..<end]
      let isConstant = arguments.allSatisfy { argument in
        [.string, .integer, .float].contains(argument.kind) || [",", "+", "-"].contains(where: argument.isSymbol)
      }
      return isConstant ? tokens[index...end].map(\.text).joined(separator: " ") : nil
    }
  }

  private static func problem(of call: String, at place: Place) -> String? {
    guard let database = try? SQLiteConnection.memory() else { return nil }
    let table =
      switch place {
      case .check: "CREATE TABLE t (a, CHECK (\(call) IS NOT a))"
      case .valueOfRow, .valueOfQuery: "CREATE TABLE t (a, b AS (\(call)) STORED)"
      case .index: "CREATE TABLE t (a); CREATE INDEX i ON t (a || \(call))"
      }
    do {
      try database.execute(table)
      try database.execute("INSERT INTO t (a) VALUES (1)")
      return nil
    } catch {
      return (error as? SQLiteError)?.message
    }
  }
}
