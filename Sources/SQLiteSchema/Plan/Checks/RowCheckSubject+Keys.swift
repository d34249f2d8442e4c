extension RowCheckSubject {
  /// Rows that are equal in a key.
  package func duplicates(in key: [KeyColumn], what: String) -> RowCheckDraft {
    let terms = key.map { column in
      RowCheckDraft.Term(
        value: column.name.quoted, collation: column.collation ?? "BINARY", mayBeNull: target.takesNull(column.name))
    }
    let names = key.map(\.name.text).joined(separator: ", ")
    return RowCheckDraft(
      kind: .duplicates(of: "\(what) (\(names))", reading: key.map(\.name)), column: nil,
      form: .duplicates(terms: terms, predicate: nil),
      needsProbe: key.contains { probeOnly.contains($0.name) })
  }

  /// Rows that are equal in a unique index.
  package func duplicates(in index: IndexSchema) -> RowCheckDraft {
    // An expression in an index has BINARY, also where it would have another one in a query.
    let terms = index.terms.map { term in
      RowCheckDraft.Term(
        value: term.column?.quoted ?? term.expression.grouped, collation: term.collation ?? "BINARY",
        mayBeNull: term.column.map(target.takesNull) ?? true)
    }
    return RowCheckDraft(
      kind: .duplicates(
        of: "unique index \(index.name)", reading: target.columns.map(\.name).filter { index.reads([$0]) }),
      column: nil,
      form: .duplicates(terms: terms, predicate: index.predicate?.enclosed), needsProbe: needsProbe(index))
  }

  /// Where a foreign key looks for parents.
  package struct Parent {
    package var table: TableSchema
    /// The rows of the table as they will be; nil for a table that is only being created and has none.
    package var subject: RowCheckSubject?
    /// True if the file can look rows up by the columns referred to.
    package var hasKey: Bool
  }

  /// Rows whose parent is not there.
  ///
  /// - Parameter known: The flag of rows whose parent was not there before either, for a foreign key that is not new.
  package func orphans(of key: ForeignKeySchema, parent: Parent, known: Int?) -> RowCheckDraft {
    let columns = key.columns.map { "\(target.name.quoted).\($0.quoted)" }
    var conditions = columns.map { "\($0) IS NOT NULL" }
    if let known { conditions.append("NOT \(flag(known))") }
    var draft = RowCheckDraft(
      kind: .orphans(parent: key.parent.text), column: key.columns.first, form: .everyRow,
      needsProbe: key.columns.contains { probeOnly.contains($0) }, flag: known)
    if let subject = parent.subject {
      let names = key.parentColumns.isEmpty ? parent.table.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
      let usesProbe = !parent.hasKey || names.contains { subject.changing.contains($0) }
      if usesProbe { draft.reads = [subject.target.name] }
      let found = Self.parentExists(
        rows: usesProbe ? subject.probe : "\"main\".\(subject.source.name.quoted)",
        columns: usesProbe ? names : names.map { subject.projection.sourceName($0) }, values: columns)
      conditions.append("NOT \(found)")
    }
    draft.form = .search(where: conditions.joined(separator: " AND "))
    return draft
  }

  /// The flag for a row of the file whose parent is not there.
  ///
  /// - Parameter parent: The parent as the file has it; nil when it has none, so that every reference is to nothing.
  package static func orphaned(
    columns: [SQLName], parent: TableSchema?, parentColumns: [SQLName], hasKey: Bool, in projection: RowProjection
  ) -> String {
    let values = columns.map { projection.reference($0) }
    let present = values.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    // Without a key to look parents up by, SQLite refuses the foreign key as a whole.
    guard let parent, hasKey else { return present }
    let found = parentExists(rows: "\"main\".\(parent.name.quoted)", columns: parentColumns, values: values)
    return "\(present) AND NOT \(found)"
  }

  /// The parent's affinity and collating sequence decide: https://sqlite.org/foreignkeys.html#fk_basics
  private static func parentExists(rows: String, columns: [SQLName], values: [String]) -> String {
    let matches = zip(columns, values).map { "\"_parent\".\($0.quoted) = +\($1)" }
    let condition = matches.count == values.count ? matches.joined(separator: " AND ") : "FALSE"
    return "EXISTS (SELECT 1 FROM \(rows) AS \"_parent\" WHERE \(condition))"
  }
}

extension TableSchema {
  /// True unless a column is declared NOT NULL.
  fileprivate func takesNull(_ name: SQLName) -> Bool { column(name)?.isNotNull != true }
}
