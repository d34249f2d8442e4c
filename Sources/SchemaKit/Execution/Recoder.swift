import SchemaKitFoundation

/// Stores the values of a column in another form of the same Swift type.
///
/// It knows the codings of this library, and enumerations whose cases were recorded by name: the program that
/// wrote the values need not be there.
struct Recoder: Sendable {
  /// A value in the new form, and what became of it.
  let recode: @Sendable (SQLValue) -> (value: SQLValue, effect: FormChange.Effect)
  /// True if a value in the new form reads as what recoding makes of one in the old form.
  let isRecoded: @Sendable (_ old: SQLValue, _ new: SQLValue) -> Bool

  /// The recoder from one form to another; nil where none is known.
  static func from(_ old: ValueForm, to new: ValueForm) -> Recoder? {
    guard old.type == new.type else { return nil }
    if let cases = CaseNames(old), let others = CaseNames(new) { return between(cases, others) }
    switch new.type {
    case "Date": return between(Self.dates[old.coding ?? ""], Self.dates[new.coding ?? ""])
    case "UInt64": return between(Self.numbers[old.coding ?? ""], Self.numbers[new.coding ?? ""])
    case "UUID": return between(Self.identifiers[old.coding ?? ""], Self.identifiers[new.coding ?? ""])
    case "Decimal": return between(decimals(old.coding), decimals(new.coding))
    default: return nil
    }
  }

  /// The codings of this library for a type, by their names; the empty one is that of the type itself.
  static func codings(of type: String) -> [String] {
    switch type {
    case "Date": Array(dates.keys)
    case "UInt64": Array(numbers.keys)
    case "UUID": Array(identifiers.keys)
    case "Decimal": [""]
    default: []
    }
  }

  /// The declared type of a column that has values of a form.
  static func columnType(of form: ValueForm) -> String? {
    let name = form.coding ?? ""
    return switch form.type {
    case "Date": dates[name]?.columnType.name
    case "UInt64": numbers[name]?.columnType.name
    case "UUID": identifiers[name]?.columnType.name
    case "Decimal": decimals(form.coding)?.columnType.name
    default: nil
    }
  }

  /// A date in a coding of this library, in seconds since 1970; nil for another value.
  static func seconds(_ value: SQLValue, as coding: String?) -> Double? {
    guard let coding = dates[coding ?? ""], let date = try? coding.decode(value) else { return nil }
    return date.timeIntervalSince1970
  }

  private static let dates = byName(
    [
      plain(), .secondsSince2001, .millisecondsSince1970, .iso8601, .julianDay,
    ] as [ColumnCoding<Date>])
  private static let numbers = byName([plain(), .text, .bigEndianBlob] as [ColumnCoding<UInt64>])
  private static let identifiers = byName([plain(), .uppercaseText, .bytes] as [ColumnCoding<UUID>])

  private static func decimals(_ name: String?) -> ColumnCoding<Decimal>? {
    guard let name else { return plain() }
    let prefix = ".scaled(digits: "
    guard name.hasPrefix(prefix), let digits = Int(name.dropFirst(prefix.count).dropLast()) else { return nil }
    return .scaled(digits: digits)
  }

  private static func byName<Value>(_ codings: [ColumnCoding<Value>]) -> [String: ColumnCoding<Value>] {
    Dictionary(codings.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// A type's own coding.
  private static func plain<Value: ColumnValue>() -> ColumnCoding<Value> {
    ColumnCoding<Value>(
      nil, type: Value.columnType, encode: { try $0.sqlValue() }, decode: { try Value(sqlValue: $0) })
  }

  private static func between<Value: Equatable & SendableMetatype>(
    _ old: ColumnCoding<Value>?, _ new: ColumnCoding<Value>?
  ) -> Recoder? {
    guard let old, let new else { return nil }
    @Sendable func recoded(_ stored: SQLValue) -> (value: SQLValue, effect: FormChange.Effect) {
      if stored.isNull { return (stored, .exact) }
      guard let value = try? old.decode(stored) else { return (stored, .unread) }
      guard let result = try? new.encode(value) else { return (stored, .unstorable) }
      guard let read = try? new.decode(result) else { return (stored, .unstorable) }
      return (result, read == value ? .exact : .changes)
    }
    return Recoder(recode: recoded) { stored, result in
      if stored.isNull || result.isNull { return stored.isNull && result.isNull }
      guard let expected = try? new.decode(recoded(stored).value), let read = try? new.decode(result) else {
        return false
      }
      return expected == read
    }
  }

  /// Takes each case of an enumeration to the one of the same name.
  private static func between(_ old: CaseNames, _ new: CaseNames) -> Recoder {
    @Sendable func recoded(_ stored: SQLValue) -> (value: SQLValue, effect: FormChange.Effect) {
      if stored.isNull { return (stored, .exact) }
      guard let value = stored.caseText.flatMap({ old.value(of: $0, in: new) }).flatMap({ SQLValue(caseText: $0) })
      else {
        return (stored, .unread)
      }
      return (value, .exact)
    }
    return Recoder(recode: recoded) { $1 == recoded($0).value }
  }
}
