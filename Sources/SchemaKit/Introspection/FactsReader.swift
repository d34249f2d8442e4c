/// Asks a database the planner's questions about its rows.
///
/// *Cost:* one scan of a table for each question about it; values that change on their way are copied into temporary
/// tables once. Nothing is written to the file.
struct FactsReader {
  let connection: any SQLConnection
  /// Called before each table with its name, the number of tables done and their total.
  var onTable: (String, Int, Int) -> Void = { _, _, _ in }

  /// Returns the facts of every table that was asked about, under the name that the questions use.
  func answer(_ questions: FactQuestions) throws -> [SQLName: TableFacts] {
    // Temporary tables count as writing to a connection that only looks.
    let mayNotWrite = try connection.integer("PRAGMA query_only") == 1
    let isLooking = !questions.setup.isEmpty && mayNotWrite
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    var setupProblem: String?
    for statement in questions.setup where setupProblem == nil {
      do {
        try connection.run(statement)
      } catch let error as SQLiteError where !error.isEnvironmental {
        setupProblem = error.message
      }
    }
    defer { for statement in questions.teardown { try? connection.execute(statement) } }
    var facts: [SQLName: TableFacts] = [:]
    for (index, table) in questions.tables.enumerated() {
      onTable(table.name.text, index, questions.tables.count)
      facts[table.name, default: TableFacts()].merge(try answer(table, setupProblem: setupProblem))
    }
    return facts
  }

  private func answer(_ table: FactQuestions.TableQuestions, setupProblem: String?) throws -> TableFacts {
    var facts = TableFacts()
    let name = "\"main\".\(table.formerName.quoted)"
    facts.rowCount = Int(try connection.integer("SELECT count(*) FROM \(name)") ?? 0)
    if facts.rowCount > 0, !table.columns.isEmpty {
      facts.byteCount = facts.rowCount * (try averageRowSize(of: name, columns: table.columns))
    }
    if let setupProblem, facts.rowCount > 0 {
      facts.findings.append(
        TableFacts.Finding(
          kind: .unprovable(condition: "A conversion or backfill", problem: setupProblem), column: nil, count: 0,
          samples: []))
      return facts
    }
    guard setupProblem == nil else { return facts }
    for question in table.questions {
      do {
        let count = Int(try connection.integer(question.count) ?? 0)
        let samples = count == 0 ? [] : try connection.rows(question.samples).map { Self.text($0.first ?? .null) }
        facts.findings.append(
          TableFacts.Finding(kind: question.kind, column: question.column, count: count, samples: samples))
      } catch let error as SQLiteError where !error.isEnvironmental {
        guard facts.rowCount > 0 else { continue }
        facts.findings.append(
          TableFacts.Finding(
            kind: .unprovable(condition: question.kind.condition, problem: error.message), column: question.column,
            count: 0, samples: []))
      }
    }
    return facts
  }

  /// The size of a row in bytes, from the first rows: two bytes of head for each column beside its content.
  private func averageRowSize(of table: String, columns: [SQLName]) throws -> Int {
    let lengths = columns.map { "coalesce(length(CAST(\($0.quoted) AS BLOB)), 0) + 2" }
    let sql = "SELECT CAST(avg(n) AS INTEGER) FROM (SELECT \(Self.sum(of: lengths[...])) AS n FROM \(table) LIMIT 200)"
    return Int(try connection.integer(sql) ?? 0)
  }

  /// A sum nested in halves: SQLite takes no expression that is deeper than 1,000, and tables have up to 2,000 columns.
  private static func sum(of terms: ArraySlice<String>) -> String {
    guard terms.count > 50 else { return terms.joined(separator: " + ") }
    let middle = terms.startIndex + terms.count / 2
    return "(\(sum(of: terms[..<middle]))) + (\(sum(of: terms[middle...])))"
  }

  /// A key as a person would write it.
  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let bytes): "X'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}

extension TableFacts {
  fileprivate mutating func merge(_ other: TableFacts) {
    rowCount = max(rowCount, other.rowCount)
    byteCount = max(byteCount, other.byteCount)
    findings += other.findings
  }
}

extension TableFacts.Finding.Kind {
  /// What was to be found out, in words.
  fileprivate var condition: String {
    switch self {
    case .failingCheck(let expression): "The new CHECK (\(expression))"
    case .duplicates(let key): "Whether rows are distinct in \(key)"
    case .orphans(let parent): "Whether every row has its parent in \(parent)"
    default: "A question about the rows"
    }
  }
}

extension SQLiteError {
  /// Whether the fault lies with the file or its surroundings and not with the statement.
  package var isEnvironmental: Bool {
    isBusy || isInterrupted || isFull || isCorrupt || isNotADatabase || isReadOnly || isCannotOpen
  }
}
