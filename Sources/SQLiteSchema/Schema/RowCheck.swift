/// Questions to ask of the rows before anything is written: plain SQL, made by the planner, run by introspection.
package struct RowChecks: Sendable, Hashable {
  /// The questions about one table.
  package struct TableChecks: Sendable, Hashable {
    /// The table as the declaration calls it; as the file does when it is dropped.
    package var name: SQLName
    /// The table as the file calls it.
    package var formerName: SQLName
    /// Columns whose lengths add up to the size of a row.
    package var columns: [SQLName]
    /// The number by which a row is found; nil where rows have none.
    package var rowKey: String?
    package var questions: [RowCheck]
    /// The clause that makes SQLite read the rows and not an index; nil for a virtual table or a view, which has none.
    package var order: String?
    /// The query that a view gets, where the rows are those that it will have; nil for the rows of the file.
    package var query: String?

    package init(
      name: SQLName, formerName: SQLName, columns: [SQLName], rowKey: String?, questions: [RowCheck], order: String?
    ) {
      self.name = name
      self.formerName = formerName
      self.columns = columns
      self.rowKey = rowKey
      self.questions = questions
      self.order = order
    }

    /// True if the questions are about what a full-text index knows of the rows.
    package var isOfIndex: Bool { questions.contains { if case .newlyFound = $0.kind { true } else { false } } }

    /// The text after FROM that reads the rows themselves: an index may hold fewer, or none.
    package var rows: String {
      query.map { "(\($0))" } ?? "\"main\".\(formerName.quoted)" + (order.map { " \($0)" } ?? "")
    }

    /// A query for the number of rows. NOT INDEXED is obeyed here, and the name of a key is not.
    package var count: String {
      let rows = query == nil && order != nil ? "\"main\".\(formerName.quoted) NOT INDEXED" : rows
      return "SELECT count(*) FROM \(rows)"
    }
  }

  /// The statements that store a table's rows in a temporary table, with values as the new schema would store them.
  package struct Preparation: Sendable, Hashable {
    /// A name for the rows: that of the table, unless they are only a part of its columns.
    package var table: SQLName
    /// The table.
    package var owner: SQLName
    package var statements: [String]
    /// Statements that drop the temporary table.
    package var teardown: [String]
  }

  /// The author's expression for one column, evaluated by itself to find out whose fault a failure is.
  package struct Trial: Sendable, Hashable {
    package var column: SQLName
    /// The description of the expression.
    package var words: String
    package var query: String
    /// A query over no row, which counts one where the value is one for all rows together.
    package var emptyQuery: String
  }

  package var preparations: [Preparation] = []
  /// The author's expressions for the columns of each table, under the names that the declaration uses.
  package var trials: [SQLName: [Trial]] = [:]
  package var tables: [TableChecks] = []
}

/// One question about rows.
package struct RowCheck: Sendable, Hashable {
  /// Rows that are looked at one by one. Questions about the same rows are answered by one scan of them.
  package struct Scan: Sendable, Hashable {
    /// The text after FROM.
    package var rows: String
    /// The condition for the rows concerned; nil if all are.
    package var condition: String?
    /// A value of each row; where all are as expected, no row is concerned. Nil where no value says so.
    package var classed: ClassedValue?

    package init(rows: String, condition: String?, classed: ClassedValue? = nil) {
      self.rows = rows
      self.condition = condition
      self.classed = classed
    }
  }

  package var kind: RowCheckResults.Finding.Kind
  package var column: SQLName?
  /// The scan that finds the rows one by one; nil if they have to be compared with others.
  package var scan: Scan?
  /// Rows of the file among which all those concerned are; when there are none, the question is answered.
  package var prefilter: Scan?
  /// A query by ``RepeatedKeys`` that gives 0 if no rows are concerned; nil where there is none.
  package var mayConcern: String?
  /// A query for the number of rows concerned.
  package var count: String
  /// A query for the keys of at most ten of them.
  package var samples: String
  /// The temporary rows that the queries read, by the names that their preparations give them.
  package var reads: Set<SQLName> = []
}
