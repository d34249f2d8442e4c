import SchemaKitFoundation

extension ValueForm {
  /// The form of a Swift type's values.
  ///
  /// The type counts by its name alone, so that it may move from module to module. The rest depends on what it reads:
  /// the cases of an enumeration, the keys that it asks of JSON, what a type of the program's own makes of some values.
  static func of<Value: ColumnValue>(_ type: Value.Type) -> ValueForm {
    let name = "\(Value.Unwrapped.self)"
    if isKnown(Value.Unwrapped.self) { return ValueForm(type: name) }
    return ValueForm(type: name, shape: shape(of: Value.Unwrapped.self))
  }

  /// The form of values in a coding.
  ///
  /// - Parameter sample: Values of the column as the coding stores them.
  static func of<Value: ColumnValue>(
    _ type: Value.Type, coding: any AnyColumnCoding, sample: (Int) -> SQLValue?
  ) -> ValueForm {
    var form = of(type)
    guard let name = coding.name else { return form }
    form.coding = name
    guard !name.hasPrefix(".") else { return form }
    // The place in the source changes with every line above it; what the coding makes of values does not.
    form.coding = ValueForm.ownCoding
    form.shape = digest(of: coding.columnType.name, sample)
    return form
  }

  private static func isKnown(_ type: any ColumnValue.Type) -> Bool {
    let known: [any ColumnValue.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
      UInt64.self,
      Bool.self, Double.self, Float.self, String.self, Data.self, Date.self, UUID.self, URL.self, Decimal.self,
      [UInt8].self,
      FileAttachment.self, Character.self, Duration.self, TimeZone.self, Locale.self, DateComponents.self,
    ]
    return known.contains { $0 == type }
  }

  private static func shape<Value: ColumnValue>(of type: Value.Type) -> String? {
    if let cases = cases(of: type), let shape = CaseNames.shape(of: cases) { return shape }
    if Value.isJSON, let decodable = type as? any Decodable.Type {
      return "json " + hash(of: JSONDemand.lines(of: decodable).joined(separator: "\n"))
    }
    return digest(of: Value.columnType.name) { SampleValue.of(type, seed: $0) }
  }

  /// The cases of an enumeration that lists them, by names that are not the program's words for them.
  private static func cases<Value: ColumnValue>(of type: Value.Type) -> [(name: String, value: String)]? {
    guard type is any RawRepresentable.Type, !(type is any CustomStringConvertible.Type),
      !(type is any JSONColumnValue.Type), let listed = type as? any CaseIterable.Type
    else { return nil }
    func values<Listed: CaseIterable>(_ listed: Listed.Type) -> [(name: String, value: String)?] {
      Listed.allCases.map { element in
        (try? (element as? any ColumnValue)?.sqlValue())?.caseText.map { ("\(element)", $0) }
      }
    }
    let all = values(listed)
    return all.contains { $0 == nil } ? nil : all.compactMap(\.self)
  }

  /// A digest of some values as they are stored; nil where they differ from time to time.
  private static func digest(of columnType: String, _ sample: (Int) -> SQLValue?) -> String? {
    func samples() -> [String] { (0..<4).map { sample($0).map(canonical) ?? "none" } }
    let first = samples()
    guard first == samples() else { return nil }
    return hash(of: ([columnType] + first).joined(separator: "\n"))
  }

  /// A number for a text that is the same in every run; it tells texts of one's own apart, not those of an adversary.
  ///
  /// See [FNV](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv).
  private static func hash(of text: String) -> String {
    let value = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(value, radix: 16)
  }

  /// A value as text. The keys of a JSON object come in any order.
  private static func canonical(_ value: SQLValue) -> String {
    guard case .text(let text) = value, text.hasPrefix("{") || text.hasPrefix("[") else { return "\(value)" }
    return "json " + String(decoding: text.utf8.sorted(), as: UTF8.self)
  }
}
