// The form of values that nobody has recorded: files of others, and of programs that did not record it.
extension FormInquiry {
  /// The change of a column whose form is told by its values alone; nil where they can stay.
  ///
  /// A file whose definition does not change is not refused for what stands in it: only where all values are of another
  /// coding, beyond doubt, are they stored anew. Where the definition changes too, what the values are must be known.
  func assumedChange() throws -> FormChange? {
    guard !isUndo else { return nil }
    let changesType = before.affinity != column.affinity
    if isConverted {
      // A change of the type has the declared conversion done whatever the values are.
      guard canCall, !changesType, !isQuick, let unread = declared.unread(before.name.quoted), try exists(unread) else {
        return nil
      }
      return FormChange(from: unknown, to: declared.form, way: .convert)
    }
    let candidates = Recoder.codings(of: declared.form.type).map {
      ValueForm(type: declared.form.type, coding: $0.isEmpty ? nil : $0)
    }
    guard !candidates.isEmpty else { return nil }
    if isQuick { return changesType ? FormChange(from: unknown, to: declared.form, way: .unknown) : nil }
    let values = try extremes()
    guard !values.isEmpty, changesType || !fits(declared.form, values) else { return nil }
    let fitting = candidates.filter { $0 != declared.form && fits($0, values) }
    if let form = chosen(among: fitting, of: candidates, values), try canCall && all(are: form) {
      return FormChange(from: form, to: declared.form, way: .recode, isAssumed: true)
    }
    guard changesType, !fitting.isEmpty || !fits(declared.form, values) else { return nil }
    return FormChange(from: unknown, to: declared.form, way: .unknown)
  }

  private var unknown: ValueForm { ValueForm(type: declared.form.type, coding: "an unknown coding") }

  /// The least and the greatest value of each storage class; where the definition stays, of the first rows alone.
  private func extremes() throws -> [SQLValue] {
    let name = before.name.quoted
    let some = before.affinity == column.affinity ? "(SELECT \(name) FROM \(table.rows) LIMIT 100)" : table.rows
    return try connection.rows(
      "SELECT min(+\(name)), max(+\(name)) FROM \(some) WHERE \(name) IS NOT NULL GROUP BY typeof(\(name))"
    ).flatMap(\.self)
  }

  /// True if values are of a form, and mean something likely in it.
  private func fits(_ form: ValueForm, _ values: [SQLValue]) -> Bool {
    values.allSatisfy { value in
      // A text says by itself what it is.
      if form.type == "Date", value.text == nil {
        return Recoder.seconds(value, as: form.coding).map(Self.likelySeconds.contains) ?? false
      }
      return Recoder.from(form, to: form)?.recode(value).effect == .exact
    }
  }

  /// The likely dates of a program, in seconds since 1970: 1995 to 2045. In most other codings the numbers of
  /// such dates are dates far from them.
  private static let likelySeconds = 788_918_400.0...2_366_841_600.0

  /// The only form that fits. Where a program of ours has written the values, of several the type's own, and of none the one
  /// that has the column's type.
  private func chosen(
    among forms: [ValueForm], of candidates: [ValueForm], _ values: [SQLValue]
  ) -> ValueForm? {
    if forms.count == 1 { return forms[0] }
    guard isOfSchemaKit else { return nil }
    if !forms.isEmpty { return forms.first { $0.coding == nil } }
    let stored = candidates.filter { form in
      form != declared.form && Recoder.columnType(of: form) == before.affinity.rawValue
        && values.allSatisfy { Recoder.from(form, to: form)?.recode($0).effect != .unread }
    }
    return stored.count == 1 ? stored[0] : stored.first { $0.coding == nil }
  }

  /// True if every value is one of a form.
  private func all(are form: ValueForm) throws -> Bool {
    try !exists(FormChange(from: form, to: declared.form, way: .recode).has(.unread, on: before.name.quoted))
  }
}
