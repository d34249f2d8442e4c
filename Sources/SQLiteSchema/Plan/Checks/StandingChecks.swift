/// Questions about what a table declares already, asked before its rows are copied or updated.
///
/// The declaration must not be able to answer them: SQLite takes a column under NOT NULL to hold no NULL, and an index to
/// have an entry for each row. So they go by storage classes, and read the table itself. `c < ''` compares under the
/// affinity of the column, which makes numbers of texts that look like some; `+c` has no affinity
/// ([Comparison Expressions](https://sqlite.org/datatype3.html#comparison_expressions)).
///
/// *Cost:* one scan of the table; one more for each fault that is found, to name the rows.
package struct StandingChecks: Sendable, Hashable {
  /// One question.
  package struct Question: Sendable, Hashable {
    package var fault: StandingFault
    package var column: SQLName?
    /// True for the rows concerned.
    package var condition: String
  }

  /// The table as the declaration calls it.
  package var table: SQLName
  /// What stands behind FROM.
  package var rows: String
  /// An expression that names a row for people.
  package var key: String
  package var questions: [Question]

  /// - Parameters:
  ///   - table: The table as the file has it.
  ///   - name: The table as the declaration calls it.
  ///   - asksStoredValues: True to compare stored generated values with what this SQLite computes.
  package init(of table: TableSchema, as name: SQLName, asksStoredValues: Bool) {
    self.table = name
    let projection = RowProjection(reading: table)
    rows = projection.fromClauseInOrder
    key = projection.sampleKey
    questions = []
    for column in table.columns where column.generation?.isStored != false {
      questions += Self.questions(about: column, of: table, as: projection.reference(column.name))
      guard asksStoredValues, let expression = column.generation?.expression else { continue }
      let value = projection.reference(column.name)
      questions.append(
        Question(
          fault: .staleValue, column: column.name,
          condition: "\(value) IS NOT +(\(expression.enclosed)) COLLATE BINARY"))
    }
    questions += table.checks.map { check in
      Question(fault: .check(check.expression.text), column: nil, condition: "NOT \(check.expression.enclosed)")
    }
  }

  /// True for rows that any question is about.
  package var condition: String { questions.map { "(\($0.condition))" }[...].nested(by: "OR") }

  private static func questions(
    about column: ColumnSchema, of table: TableSchema, as value: String
  ) -> [Question] {
    guard table.rowIDAlias?.name != column.name else { return [] }
    var questions: [Question] = []
    func ask(_ classes: [StandingFault.StorageClass], _ condition: String) {
      let fault = StandingFault.misfit(type: column.type ?? "", holding: classes, isStrict: table.isStrict)
      questions.append(Question(fault: fault, column: column.name, condition: condition))
    }
    if table.isStrict {
      if let stored = strictClass(of: column), let condition = misfitOfStrictType(column, as: value) {
        ask([StandingFault.StorageClass.integer, .real, .text, .blob].filter { $0 != stored }, condition)
      }
    } else {
      // BINARY, as the column may have a collation that this program lacks.
      let number = "(+\(value) >= '' COLLATE BINARY AND \(value) < '' COLLATE BINARY)"
      switch column.affinity {
      case .text: ask([.integer, .real], "+\(value) < '' COLLATE BINARY")
      case .real: ask([.text], number)
      case .integer, .numeric:
        ask([.text], number)
        // A real that is a whole number would be stored as an integer.
        ask([.real], "(typeof(\(value)) = 'real' AND \(value) = CAST(\(value) AS INTEGER))")
      case .blob: break
      }
    }
    if column.affinity == .real {
      let limit = "9007199254740992"
      questions.append(
        Question(
          fault: .largeNumber, column: column.name,
          condition: "((\(value) >= \(limit) OR \(value) <= -\(limit)) AND +\(value) < '' COLLATE BINARY)"))
    }
    if column.isNotNull {
      questions.append(Question(fault: .null, column: column.name, condition: "\(value) IS (SELECT NULL)"))
    }
    return questions
  }

  /// The condition for a value that the column's type refuses in a STRICT table; nil if it takes all.
  package static func misfitOfStrictType(_ column: ColumnSchema, as value: String) -> String? {
    strictClass(of: column).map { "typeof(\(value)) NOT IN ('\($0.rawValue)', 'null')" }
  }

  /// The class that a STRICT type stores; nil for ANY. See [STRICT Tables](https://sqlite.org/stricttables.html).
  private static func strictClass(of column: ColumnSchema) -> StandingFault.StorageClass? {
    switch column.comparableType {
    case "INT", "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    case "BLOB": .blob
    default: nil
    }
  }
}
