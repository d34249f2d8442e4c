// What SQLite compares, adds up or searches is the stored form, so each of these asks first whether that is the value.

extension Field {
  /// The field as messages name it.
  var label: String {
    guard let column else { return term.text }
    return table.map { "\($0).\(column)" } ?? column
  }

  /// The term where its order matters: an error for values that SQLite does not sort as Swift does.
  var orderedTerm: SQL {
    if coding?.isOrdered ?? Value.isOrderedAsStored { return term }
    return SQL(flaw: .notOrdered(label))
  }

  /// The term beside another field: an error where the same value is stored otherwise there.
  func term(beside other: Field) -> SQL {
    if isStored(like: other) { return term }
    return SQL(
      flaw: .otherCoding(
        column: other.label, coding: other.coding?.name, other: label, otherCoding: coding?.name))
  }

  /// The term where SQLite calculates with it: an error for values that are not stored as the numbers that they are.
  var numberTerm: SQL { isStoredAsNumber ? term : SQL(flaw: .notANumber(label, storage: storage)) }

  /// The term where SQLite looks for texts in it: an error for values that are not stored as the texts that they are.
  var textTerm: SQL {
    if Value.isJSON { return SQL(flaw: .notAText(label, storage: "JSON")) }
    let type = storageType
    let mayBeText = type.isEmpty || [.text, .numeric].contains(Affinity(declaredType: type, isStrict: false))
    return mayBeText ? term : SQL(flaw: .notAText(label, storage: storage))
  }

  var isStoredAsNumber: Bool {
    guard coding?.name == nil, !Value.isDate, !Value.isJSON else { return false }
    let type = storageType
    return type.isEmpty || type == "NUMERIC"
      || [.integer, .real].contains(Affinity(declaredType: type, isStrict: false))
  }

  /// Whether each value is stored alike in both columns.
  private func isStored(like other: Field) -> Bool {
    guard coding?.name == other.coding?.name else { return false }
    guard let coding, let otherCoding = other.coding else { return true }
    // A function that makes codings may have made two with other arguments.
    return [1, 2, 171, 40_000].allSatisfy { seed in
      guard let sample = SampleValue.of(Value.Unwrapped.self, seed: seed) else { return true }
      return coding.recoded(sample) == otherCoding.recoded(sample)
    }
  }

  private var storageType: String { coding?.columnType.name ?? Value.columnType.name }

  private var storage: String {
    let type = storageType.isEmpty ? "any type" : storageType
    return coding?.name.map { "\(type) with \($0)" } ?? type
  }
}
