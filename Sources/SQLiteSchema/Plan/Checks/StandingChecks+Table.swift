/// Asks what rows break already. The declaration must not be able to answer: SQLite takes a column under NOT NULL to hold no
/// NULL, and an index to have an entry for each row. So the questions go by storage classes, and read the table itself.
/// `c < ''` compares under the affinity of the column, which makes numbers of texts that look like some; `+c` has no
/// affinity ([Comparison Expressions](https://sqlite.org/datatype3.html#comparison_expressions)).
extension StandingChecks {
  /// - Parameters:
  ///   - table: The table as the file has it.
  ///   - name: The table as the declaration calls it.
  ///   - asksStoredValues: True to compare stored generated values with what this SQLite computes.
  ///   - columns: The columns that the questions are about, by the names of the file; nil for all, and the CHECKs.
  ///   - dropped: The columns whose values go, by the names of the file.
  ///   - known: Classes that are known to hold all values of a column, by the names of the file.
  package init(
    of table: TableSchema, as name: SQLName, asksStoredValues: Bool, reading columns: Set<SQLName>? = nil,
    dropping dropped: Set<SQLName> = [], knowing known: [SQLName: Set<StoredClasses>] = [:]
  ) {
    let projection = RowProjection(reading: table)
    let read = columns.map(table.columns(behind:))
    var questions: [Question] = []
    var classes: [ClassedValue] = []
    for column in table.columns
    where column.generation?.isStored != false && read?.contains(column.name) != false && !dropped.contains(column.name)
    {
      let stores = StoredClasses(of: column, in: table)
      let asked = Self.questions(about: column, of: table, as: projection.reference(column.name))
      if !asked.isEmpty, known[column.name]?.contains(where: { $0.implies(stores) }) != true {
        questions += asked
        classes.append(ClassedValue(value: projection.reference(column.name), stores: stores))
      }
      guard asksStoredValues, let expression = column.generation?.expression else { continue }
      let value = projection.reference(column.name)
      let computed = "+(\(expression.enclosed))"
      // Other affinities decide the class themselves.
      var isOtherClass = column.affinity == .blob ? " OR \(RowProjection.isOtherNumber(value, computed))" : ""
      // An integer beyond 2^53 is stored as the nearest REAL.
      if column.affinity == .real {
        isOtherClass += " AND NOT (typeof(\(computed)) = 'integer' AND \(value) IS CAST(\(computed) AS REAL))"
      }
      // Under the numeric affinity of older versions that text is minus infinity, which no number is less than.
      if column.isTypedByItsWords { isOtherClass += " AND \(value) < '-9e999' COLLATE BINARY" }
      questions.append(
        Question(
          fault: .staleValue, column: column.name,
          condition: "\(value) IS NOT \(computed) COLLATE BINARY\(isOtherClass)"))
    }
    questions += (read == nil ? table.checks : []).map { check in
      Question(fault: .check(check.expression.text), column: nil, condition: "NOT \(check.expression.enclosed)")
    }
    self.init(
      table: name, rows: projection.fromClauseInOrder, key: projection.sampleKey, questions: questions,
      classes: classes)
  }

  private static func questions(
    about column: ColumnSchema, of table: TableSchema, as value: String
  ) -> [Question] {
    guard table.rowIDAlias?.name != column.name else { return [] }
    var questions: [Question] = []
    func ask(_ classes: [StandingFault.StorageClass], _ condition: String) {
      let fault = StandingFault.mismatch(type: column.type ?? "", holding: classes, isStrict: table.isStrict)
      questions.append(Question(fault: fault, column: column.name, condition: condition, isAboutClass: true))
    }
    if table.isStrict {
      if let condition = column.isRefusedByStrict(value) {
        ask([.integer, .real, .text, .blob].filter { $0 != column.strictClass }, condition)
      }
    } else {
      // BINARY, as the column may have a collation that this program lacks; NOT, as no index can look that up.
      let number = "(+\(value) >= '' COLLATE BINARY AND NOT \(value) >= '' COLLATE BINARY)"
      switch column.affinity {
      case .text where column.isStoredOtherwise: break
      case .text: ask([.integer, .real], "+\(value) < '' COLLATE BINARY")
      case .real:
        ask([.text], number)
        // A negative zero would be stored as the integer 0.
        ask([], "(\(value) = 0 AND substr(\(value), 1, 1) = '-')")
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
          condition: "((\(value) >= \(limit) OR \(value) <= -\(limit)) AND +\(value) < '' COLLATE BINARY)",
          isAboutClass: true))
    }
    if column.isNotNull {
      questions.append(
        Question(
          fault: .null, column: column.name, condition: RowProjection.isNull(value), isAboutClass: true))
    }
    return questions
  }

  /// Asks whether indexes have an entry for each row. An UPDATE of a row without one finds the file damaged, and an index
  /// that is made anew refuses rows that were equal unseen.
  ///
  /// - Parameters:
  ///   - keys: The keys of which the indexes are made anew with the table.
  ///   - changed: The columns that the change gives other values, or compares otherwise.
  ///   - nullable: The columns that may be NULL from now on.
  ///   - isRemade: Tells which indexes are made anew.
  package mutating func ask(
    about indexes: [IndexSchema], keys: [[KeyColumn]], on table: TableSchema, changing changed: Set<SQLName>,
    nullable: Set<SQLName>, isRemade: (IndexSchema) -> Bool
  ) {
    let name = "\"main\".\(table.name.quoted)"
    func mayBeNull(_ column: SQLName) -> Bool {
      table.column(column)?.isNotNull != true || nullable.contains(column)
    }
    computations = indexes.filter(isRemade).compactMap { index in
      index.computation(for: name, table.rowOrder).map { Computation(index: index.name, query: $0) }
    }
    self.indexes = indexes.filter { $0.isUnique || !isRemade($0) }.map { index in
      let condition = index.predicate.map { " WHERE \($0.enclosed)" } ?? ""
      // SQLite answers count(*) from whatever index is shortest.
      let entries = "SELECT count(1) FROM \(name) INDEXED BY \(index.name.quoted)\(condition)"
      let rows = "SELECT count(1) FROM \(name) \(table.rowOrder)\(condition)"
      let terms = index.terms.map { term in
        Term(
          value: term.column.map { "+\($0.quoted)" } ?? term.expression.grouped,
          collation: term.collation, mayBeNull: term.column.map(mayBeNull) ?? true)
      }
      return IndexQuestion(
        index: index.name, entries: entries, rows: rows, isWhole: index.predicate == nil,
        duplicates: index.isUnique
          ? Self.duplicates(in: table, terms, where: index.predicate?.enclosed) : nil,
        repeats: index.isUnique && index.terms.allSatisfy { $0.column != nil && $0.collation == nil }
          ? Self.repeats(in: index.name, of: table, terms, where: index.predicate?.enclosed) : nil,
        dependsOnText: !index.reads(changed) && index.dependsOnText,
        isRemade: isRemade(index))
    }
    self.indexes += keys.map { columns in
      let terms = columns.map { column in
        Term(
          value: "+\(column.name.quoted)", collation: column.collation,
          mayBeNull: mayBeNull(column.name))
      }
      let isCollated = columns.contains { $0.collation != nil }
      let own = table.constraintIndex(over: columns)
      let entries = own.map { "SELECT count(1) FROM \(name) INDEXED BY \($0.quoted)" }
      return IndexQuestion(
        index: SQLName("(\(columns.map(\.name.text).joined(separator: ", ")))"),
        entries: entries, rows: "SELECT count(1) FROM \(table.rows)",
        duplicates: Self.duplicates(in: table, terms),
        repeats: isCollated ? nil : own.map { Self.repeats(in: $0, of: table, terms) },
        dependsOnText: isCollated && columns.allSatisfy { !changed.contains($0.name) })
    }
  }

  /// A term of an index.
  private struct Term {
    var value: String
    var collation: SQLName?
    var mayBeNull: Bool
  }

  /// The query that compares each entry of an index with the one before it, without a sort and without the rows.
  private static func repeats(
    in index: SQLName, of table: TableSchema, _ terms: [Term], where condition: String? = nil
  ) -> String {
    """
    SELECT EXISTS (SELECT 1 FROM "main".\(table.name.quoted) INDEXED BY \(index.quoted)\(present(terms, where: condition)) \
    GROUP BY \(terms.map { $0.value.drop { $0 == "+" } }.joined(separator: ", ")) HAVING count(*) > 1)
    """
  }

  /// The query that counts the rows which are equal in an index.
  private static func duplicates(in table: TableSchema, _ terms: [Term], where condition: String? = nil) -> String {
    let groups = terms.map { "\($0.value) COLLATE \(($0.collation ?? "BINARY").quoted)" }.joined(separator: ", ")
    return """
      SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM "main".\(table.name.quoted) \(table.rowOrder)\(present(terms, where: condition)) \
      GROUP BY \(groups) HAVING count(*) > 1)
      """
  }

  /// The WHERE clause for rows that can be equal to another one.
  private static func present(_ terms: [Term], where condition: String?) -> String {
    // NULL is distinct from NULL, but not where the column forbids it: SQLite calls two of them equal then.
    let present = [condition].compactMap(\.self) + terms.filter(\.mayBeNull).map { "typeof(\($0.value)) <> 'null'" }
    return present.isEmpty ? "" : " WHERE \(present.joined(separator: " AND "))"
  }
}

extension IndexSchema {
  /// The query that computes the index for all rows, and gives none of them; nil where nothing can fail.
  fileprivate func computation(for table: String, _ order: String) -> String? {
    let values = terms.filter { $0.column == nil && $0.expression.canFail }.map {
      "typeof\($0.expression.enclosed) = ''"
    }
    guard !values.isEmpty || predicate?.canFail == true else { return nil }
    // Rows outside of a partial index have no terms.
    let conditions = [predicate?.enclosed, values.isEmpty ? nil : "(\(values.joined(separator: " OR ")))"]
    return "SELECT count(1) FROM \(table) \(order) WHERE \(conditions.compactMap(\.self).joined(separator: " AND "))"
  }
}
