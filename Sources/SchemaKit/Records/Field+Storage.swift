// SQLite compares, adds up and searches the stored form, so each of these first checks that it is equivalent to the
// value.

extension Field {
  /// The name of the field in messages.
  var label: String {
    guard let column else { return term.text }
    return table.map { "\($0).\(column)" } ?? column
  }

  /// The term for use in an ordering: an error for values that SQLite does not sort as Swift does.
  var orderedTerm: SQL {
    if coding?.isOrdered ?? Value.isOrderedAsStored { return term }
    return SQL(flaw: .notOrdered(label))
  }

  /// The term for comparison with another field: an error if that field stores the same value differently.
  func term<Other>(beside other: Field<Other>) -> SQL {
    if isStored(like: other) { return term }
    return SQL(
      flaw: .otherCoding(
        column: other.label, coding: other.coding?.name, other: label, otherCoding: coding?.name))
  }

  /// The term for use in arithmetic: an error for values that are not stored as plain numbers.
  var numberTerm: SQL { isStoredAsNumber ? term : SQL(flaw: .notANumber(label, storage: storage)) }

  /// The term for addition: also in a coding in which the sum of the stored numbers is that of the values.
  var additiveTerm: SQL {
    coding?.isAdditive == true || isStoredAsNumber || isPlainDuration
      ? term : SQL(flaw: .notANumber(label, storage: storage))
  }

  /// The term for a search among the elements of a collection: an error if it is not stored as JSON text.
  var elementsTerm: SQL {
    Value.isJSON && coding?.name == nil ? term : SQL(flaw: .notElements(label, storage: storage))
  }

  /// The term for text searches: an error for values that are not stored as plain text.
  var textTerm: SQL {
    if Value.isJSON { return SQL(flaw: .notAText(label, storage: "JSON")) }
    let type = storageType
    let mayBeText = type.isEmpty || [.text, .numeric].contains(Affinity(declaredType: type, isStrict: false))
    return mayBeText ? term : SQL(flaw: .notAText(label, storage: storage))
  }

  /// True for durations in their default form, whose stored numbers add up as they do.
  private var isPlainDuration: Bool { coding?.name == nil && Value.Unwrapped.self == Duration.self }

  var isStoredAsNumber: Bool {
    guard coding?.name == nil, !Value.isDate, !Value.isJSON, !isPlainDuration else { return false }
    let type = storageType
    return type.isEmpty || type == "NUMERIC"
      || [.integer, .real].contains(Affinity(declaredType: type, isStrict: false))
  }

  /// True if each value is stored identically in both columns.
  private func isStored<Other>(like other: Field<Other>) -> Bool {
    guard coding?.name == other.coding?.name else { return false }
    guard let coding, let otherCoding = other.coding else { return true }
    // Two codings made by the same function may have been made with different arguments.
    return [1, 2, 171, 40_000].allSatisfy { seed in
      guard let sample = SampleValue.of(Value.Unwrapped.self, seed: seed) else { return true }
      return coding.recoded(sample) == otherCoding.recoded(sample)
    }
  }

  var storageType: String { coding?.columnType.name ?? Value.columnType.name }

  private var storage: String {
    let type = storageType.isEmpty ? "any type" : storageType
    return coding?.name.map { "\(type) with \($0)" } ?? type
  }
}
