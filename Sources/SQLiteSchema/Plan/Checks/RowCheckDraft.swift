import OrderedCollections

/// A question about a table's rows, before it is decided where they are read.
package struct RowCheckDraft {
  /// A way to find the rows concerned.
  package enum Form {
    /// All of them.
    case everyRow
    /// By looking at each.
    case rows(where: String)
    /// By looking at each and searching another table.
    case search(where: String)
    /// By comparing them with each other: rows that are equal in all terms, among those of a predicate.
    case duplicates(terms: [Term], predicate: String?)

    /// True if each row answers by itself, or with a row of another table.
    var isOfEachRow: Bool {
      if case .duplicates = self { false } else { true }
    }
  }

  /// A value by which rows are compared.
  package struct Term {
    package var value: String
    package var collation: SQLName
    /// True if NULLs are distinct from each other.
    package var mayBeNull: Bool

    fileprivate var text: String { "+\(value) COLLATE \(collation.quoted)" }
  }

  package var kind: RowCheckResults.Finding.Kind
  package var column: SQLName?
  package var form: Form
  /// True if a value is read that only the temporary table has.
  package var needsProbe: Bool
  /// A condition on the rows of the file that is true at least for the rows concerned, for a question that needs the
  /// temporary table.
  package var prefilter: String?
  /// A value of the rows of the file; where all are as expected, no row is concerned. Nil where no value says so.
  package var classed: ClassedValue?
  /// Other tables whose temporary rows are read.
  package var reads: Set<SQLName> = []
  /// The condition on the rows of the file that is read; nil for none.
  package var flag: Int?
  /// True if nothing else of a row is read than the column and the condition.
  package var isAboutColumn = false

  /// The names that the question mentions, those of the columns that it reads among them.
  var names: Set<SQLName> {
    let expressions =
      switch form {
      case .everyRow: [String]()
      case .rows(let condition), .search(let condition): [condition]
      case .duplicates(let terms, let predicate): terms.map(\.text) + [predicate].compactMap { $0 }
      }
    return expressions.reduce(into: []) { names, expression in
      names.formUnion(((try? SQLLexer.tokens(of: expression)) ?? []).compactMap(\.name))
    }
  }
}

extension RowCheckSubject {
  /// The questions, so that one scan of the file, and one of the temporary table, can answer as many as possible.
  ///
  /// A question that compares rows and reads nothing that changes reads the file: values may be there that the temporary table
  /// would convert.
  package func questions(from drafts: [RowCheckDraft]) -> [RowCheck] {
    let isPrefiltered = drafts.allSatisfy { !$0.needsProbe || $0.prefilter != nil }
    let prefilters = OrderedSet(drafts.compactMap { isPrefiltered && $0.needsProbe ? $0.prefilter : nil })
    func readsProbe(_ draft: RowCheckDraft) -> Bool { draft.needsProbe || (!isPrefiltered && draft.form.isOfEachRow) }
    let values = OrderedSet(drafts.compactMap(\.classed?.value))
    let rows = sourceRows(
      for: drafts.filter { !readsProbe($0) }, marking: Array(prefilters), classing: Array(values))
    return drafts.map { draft in
      let readsProbe = readsProbe(draft)
      let classed = draft.classed.flatMap { classed in
        values.firstIndex(of: classed.value).map { ClassedValue(value: classedValue($0), stores: classed.stores) }
      }
      var question = question(for: draft, rows: readsProbe ? probeRows : rows)
      question.reads = draft.reads
      guard readsProbe else {
        question.scan?.classed = classed
        return question
      }
      question.reads.insert(probeName)
      question.prefilter = draft.prefilter.flatMap(prefilters.firstIndex).map {
        RowCheck.Scan(rows: rows, condition: mark($0), classed: classed)
      }
      return question
    }
  }

  private func question(for draft: RowCheckDraft, rows: String) -> RowCheck {
    func question(_ condition: String?, isScan: Bool) -> RowCheck {
      let clause = condition.map { " WHERE \($0)" } ?? ""
      return RowCheck(
        kind: draft.kind, column: draft.column,
        scan: isScan ? RowCheck.Scan(rows: rows, condition: condition) : nil,
        count: "SELECT count(1) FROM \(rows)\(clause)", samples: "SELECT \(key) FROM \(rows)\(clause) LIMIT 10")
    }
    switch draft.form {
    case .everyRow: return question(nil, isScan: true)
    case .rows(let condition): return question(condition, isScan: true)
    case .search(let condition): return question(condition, isScan: false)
    case .duplicates(let terms, let predicate):
      // NULLs are distinct from each other: https://sqlite.org/lang_createtable.html#unique_constraints
      // Under NOT NULL they are not for integrity_check. A NOT NULL or a unique index that stands already must not answer: rows
      // may break it.
      let present = terms.filter(\.mayBeNull).map { "typeof(\($0.value)) <> 'null'" }
      let conditions = (["1"] + [predicate].compactMap { $0 } + present).joined(separator: " AND ")
      let keys = terms.map(\.text).joined(separator: ", ")
      let groups = "FROM \(rows) WHERE \(conditions) GROUP BY \(keys) HAVING count(*) > 1"
      let repeats = RepeatedKeys.call(terms.map { (value: $0.value, collation: $0.collation) }).map {
        "SELECT EXISTS (SELECT 1 FROM \(rows) WHERE \(conditions) AND \($0))"
      }
      // A group can be as large as the table; two of its keys show what it is.
      let sample = """
        CASE WHEN count(*) <= 3 THEN group_concat(\(key), ' = ') \
        ELSE min(\(key)) || ' = … = ' || max(\(key)) END
        """
      return RowCheck(
        kind: draft.kind, column: draft.column, mayConcern: repeats,
        count: "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n \(groups))",
        samples: "SELECT \(sample) \(groups) LIMIT 10")
    }
  }
}
