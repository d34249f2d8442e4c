/// Questions about what a table declares already, asked before its rows are copied or updated.
///
/// *Cost:* one scan of the table; two more for each fault that is found, to count and name the rows.
package struct StandingChecks: Sendable, Hashable {
  /// One question.
  package struct Question: Sendable, Hashable {
    package var fault: StandingFault
    package var column: SQLName?
    /// True for the rows concerned.
    package var condition: String
    /// True if ``StoredClasses`` answers it.
    package var isAboutClass = false
  }

  /// The table as the declaration calls it.
  package var table: SQLName
  /// The text after FROM.
  package var rows: String
  /// An expression that names a row for people.
  package var key: String
  package var questions: [Question]
  /// The values that questions about classes read.
  package var classes: [ClassedValue]
  /// True if indexes lack rows, each with a query that gives 1 then and counts rows that are equal in a unique one.
  package var indexes: [IndexQuestion] = []

  /// The queries that compute indexes which are made anew, and fail where a row makes an index fail.
  package var computations: [Computation] = []

  /// A query that computes an index for each row.
  package struct Computation: Sendable, Hashable {
    package var index: SQLName
    package var query: String
  }

  /// A question about an index.
  package struct IndexQuestion: Sendable, Hashable {
    /// The index; that of a constraint is called by its columns.
    package var index: SQLName
    /// Counts the entries of the index; nil where they are the rows.
    package var entries: String?
    /// Counts the rows that have an entry.
    package var rows: String
    /// True if every row has one.
    package var isWhole = true
    /// Counts the rows that are equal in a unique index; nil for another.
    package var duplicates: String?
    /// Gives 1 if two entries of a unique index over columns are equal one after the other; nil for another index.
    package var repeats: String?
    /// True if entries can differ from their rows although no row breaks a rule: they are computed, or compared by a
    /// collation.
    package var dependsOnText = false
    /// True if the index is made anew, which equal rows prevent.
    package var isRemade = true
  }

  package init(
    table: SQLName, rows: String, key: String, questions: [Question], classes: [ClassedValue]
  ) {
    self.table = table
    self.rows = rows
    self.key = key
    self.questions = questions
    self.classes = classes
  }

  /// Returns the questions of both about one table, these first.
  package func merging(_ known: StandingChecks) -> StandingChecks {
    var merged = self
    merged.questions += known.questions.filter { !questions.contains($0) }
    merged.classes += known.classes.filter { !classes.contains($0) }
    merged.computations += known.computations.filter { !computations.contains($0) }
    for question in known.indexes {
      if let place = merged.indexes.firstIndex(where: { $0.index == question.index }) {
        merged.indexes[place].isRemade = merged.indexes[place].isRemade || question.isRemade
        merged.indexes[place].dependsOnText = merged.indexes[place].dependsOnText || question.dependsOnText
      } else {
        merged.indexes.append(question)
      }
    }
    return merged
  }

  /// True if the questions include all of others about the table.
  package func covers(_ other: StandingChecks) -> Bool {
    Set(questions).isSuperset(of: other.questions) && Set(computations).isSuperset(of: other.computations)
      && other.indexes.allSatisfy { question in
        indexes.contains {
          $0.index == question.index && ($0.isRemade || !question.isRemade)
            && ($0.dependsOnText || !question.dependsOnText)
        }
      }
  }

  /// True for rows that any question is about.
  package var condition: String { questions.map { "(\($0.condition))" }[...].nested(by: "OR") }

  /// The same, by the function of ``StoredClasses``.
  package var quickCondition: String {
    let others = questions.filter { !$0.isAboutClass }.map { "(\($0.condition))" }
    return (classes.breaks + others)[...].nested(by: "OR")
  }
}

extension ColumnSchema {
  /// The class that the column's type stores in a STRICT table; nil for ANY.
  /// See [STRICT Tables](https://sqlite.org/stricttables.html).
  package var strictClass: StandingFault.StorageClass? {
    switch comparableType {
    case "INT", "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    case "BLOB": .blob
    default: nil
    }
  }

  /// The condition for a value that the column's type refuses in a STRICT table; nil if it takes all. SQLite takes half the
  /// time for it that `NOT IN` takes.
  package func isRefusedByStrict(_ value: String) -> String? {
    strictClass.map { "CASE WHEN typeof(\(value)) = '\($0.rawValue)' THEN 0 ELSE typeof(\(value)) <> 'null' END" }
  }

  /// The condition for a value without a type that the column's [affinity](https://sqlite.org/datatype3.html#type_affinity)
  /// changes when it is stored; nil if it changes none.
  package func changes(untyped value: String) -> String? {
    // Compared with a number of a declared class, a text that looks like a number is one. Any other is greater than all.
    let number = "(typeof(\(value)) = 'text' AND \(value) <= CAST(9e999 AS REAL))"
    switch affinity {
    case .text: return "typeof(\(value)) IN ('integer', 'real')"
    case .real: return "(\(number) OR typeof(\(value)) = 'integer' AND CAST(\(value) AS REAL) <> \(value))"
    case .integer, .numeric:
      return "(\(number) OR typeof(\(value)) = 'real' AND \(value) = CAST(\(value) AS INTEGER))"
    case .blob: return nil
    }
  }
}
