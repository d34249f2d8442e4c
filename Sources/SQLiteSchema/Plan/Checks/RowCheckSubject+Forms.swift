// Values that the declared types cannot read.
extension RowCheckSubject {
  /// Values that the declared type could not read once they are stored: of another kind than before, made by an author's
  /// expression, or read by another type than before.
  package func unreadable(_ column: ColumnSchema) -> RowCheckDraft? {
    guard let declared = projection.hints.forms[column.name], isReadAnew(column),
      let condition = declared.unread(column.name.quoted)
    else { return nil }
    return RowCheckDraft(
      kind: .unreadable(form: declared.form.words), column: column.name, form: .rows(where: condition),
      needsProbe: probeOnly.contains(column.name), prefilter: mayBeUnreadable(column, declared),
      classed: declared.form.readsAll(of: column.affinity) ? undoubted(column) : nil)
  }

  private func isReadAnew(_ column: ColumnSchema) -> Bool {
    guard projection.sourceColumn(of: column) != nil else {
      return projection.hints.columns[column.name]?.backfill != nil
    }
    if projection.recoding(of: column) != nil { return false }
    return projection.hints.formChanges[column.name] != nil || isConverted(column)
      || projection.usesDeclaredConversion(column)
      || (projection.fillsNulls(column) && projection.hints.columns[column.name]?.backfill != nil)
  }

  /// A condition on the rows of the file which is true at least for those whose value the type could not read. Values
  /// that raise no doubt are stored as CAST gives them.
  private func mayBeUnreadable(_ column: ColumnSchema, _ declared: DeclaredForm) -> String? {
    guard isConverted(column), let doubt = doubt(about: column), let before = projection.sourceColumn(of: column)
    else { return nil }
    if declared.form.readsAll(of: column.affinity) { return doubt }
    guard let condition = declared.unread("CAST(\(projection.reference(before.name)) AS \(column.affinity.rawValue))")
    else { return nil }
    return "CASE WHEN \(doubt) THEN 1 ELSE \(condition) END"
  }

  /// The flags of a column whose values get another form, as the file has them.
  package static func formFlags(
    of column: ColumnSchema, in projection: RowProjection
  ) -> [(kind: RowCheckResults.Finding.Kind, condition: String)] {
    guard let before = projection.sourceColumn(of: column), let change = projection.hints.formChanges[column.name]
    else {
      return []
    }
    let value = projection.reference(before.name)
    let words = (from: change.from.words, to: change.to.words)
    var flags: [(kind: RowCheckResults.Finding.Kind, condition: String)] = []
    if projection.recoding(of: column) != nil {
      flags += [
        (.recoded(from: words.from, to: words.to), change.has(.changes, on: value)),
        (.unreadBefore(form: words.from), change.has(.unread, on: value)),
        (.notStorable(type: words.to), change.has(.unstorable, on: value)),
      ]
    }
    if change.way == .unknown { flags.append((.unknownForm(from: words.from, to: words.to), "\(value) IS NOT NULL")) }
    if change.isAssumed { flags.append((.assumedForm(words.from), "\(value) IS NOT NULL")) }
    return flags
  }
}
