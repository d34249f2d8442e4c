/// Finds stored values that a Swift type accepts, for testing a declaration.
enum SampleValue {
  /// A value that the type reads and writes back unchanged, varying with the seed if possible.
  static func of<Value: ColumnValue>(_ type: Value.Type, seed: Int) -> SQLValue? {
    if let optional = type as? any OptionalColumnValue.Type { return optional.wrappedSample(seed) }
    let cases = declaredCases(of: type)
    if !cases.isEmpty { return cases[seed % cases.count] }
    if let sample = Value.sampleSQLValue(seed), survives(sample, as: type) { return sample }
    // Most types accept the first one, so that the others need not be created.
    if let sample = likely(for: Value.columnType, seed: seed), survives(sample, as: type) { return sample }
    return candidates(for: Value.columnType, seed: seed).first { survives($0, as: type) }
  }

  private static func survives<Value: ColumnValue>(_ sample: SQLValue, as type: Value.Type) -> Bool {
    guard let value = try? Value(sqlValue: sample), let stored = try? value.sqlValue() else { return false }
    return stored == sample
  }

  /// The stored values of an enumeration whose cases can be listed.
  private static func declaredCases<Value: ColumnValue>(of type: Value.Type) -> [SQLValue] {
    guard let listed = type as? any CaseIterable.Type else { return [] }
    func values<Listed: CaseIterable>(_ listed: Listed.Type) -> [SQLValue] {
      Listed.allCases.compactMap { try? ($0 as? any ColumnValue)?.sqlValue() }
    }
    return values(listed)
  }

  /// The first of the candidates, for a type that has a storage class.
  private static func likely(for type: ColumnType, seed: Int) -> SQLValue? {
    switch type.name {
    case "INTEGER": .integer(Int64(seed))
    case "REAL": .real(Double(seed) + 0.5)
    case "TEXT": .text("\"sample \(seed)\"")
    case "BLOB": .blob(Array("sample \(seed)".utf8))
    default: nil
    }
  }

  private static func candidates(for type: ColumnType, seed: Int) -> [SQLValue] {
    let number = Int64(seed)
    let seeded: [SQLValue] = [
      .text("\"sample \(seed)\""), .text("[\"sample \(seed)\"]"), .text("[\(seed)]"), .text("\(seed)"),
      .integer(number), .real(Double(seed) + 0.5), .blob(Array("sample \(seed)".utf8)), .text("sample \(seed)"),
    ]
    let fixed: [SQLValue] = [.text("[]"), .text("{}"), .text(""), .integer(0), .integer(1), .real(0), .blob([]), .null]
    let kind: String? =
      switch type.name {
      case "INTEGER": "integer"
      case "REAL": "real"
      case "TEXT": "text"
      case "BLOB": "blob"
      default: nil
      }
    let all = seeded + fixed
    return all.filter { $0.storageClass == kind } + all.filter { $0.storageClass != kind }
  }
}

/// An optional, whose samples are those of the type it wraps: NULL says nothing about the order of columns.
private protocol OptionalColumnValue {
  static func wrappedSample(_ seed: Int) -> SQLValue?
}

extension Optional: OptionalColumnValue where Wrapped: ColumnValue {
  fileprivate static func wrappedSample(_ seed: Int) -> SQLValue? { SampleValue.of(Wrapped.self, seed: seed) ?? .null }
}
