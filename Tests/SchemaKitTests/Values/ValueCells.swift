import Foundation
import SchemaKit
import Testing

/// A row that holds a value of a type, and an optional of it.
struct ValueCell<Value: ColumnValue & Sendable>: Model {
  let id: Int64?
  let value: Value
  let maybe: Value?

  static var table: ModelTable<Self> {
    ModelTable("cells", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value)
      Column("maybe", \.maybe)
    }
  }
}

/// Another way to store a type, as a type of its own so that a model can be made for it.
protocol TestedCoding: SendableMetatype {
  associatedtype Value: ColumnValue & Sendable
  static var coding: ColumnCoding<Value> { get }
}

/// A row that holds a value, and an optional one, in a coding.
struct CodedCell<Coding: TestedCoding>: Model {
  let id: Int64?
  let value: Coding.Value
  let maybe: Coding.Value?

  static var table: ModelTable<Self> {
    ModelTable("coded_cells", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value, storing: Coding.coding)
      Column("maybe", \.maybe, storing: Coding.coding)
    }
  }
}

enum SecondsCoding: TestedCoding { static var coding: ColumnCoding<Date> { .secondsSince1970 } }
enum MillisecondsCoding: TestedCoding { static var coding: ColumnCoding<Date> { .millisecondsSince1970 } }
enum ISOCoding: TestedCoding { static var coding: ColumnCoding<Date> { .iso8601 } }
enum JulianCoding: TestedCoding { static var coding: ColumnCoding<Date> { .julianDay } }
enum DigitsCoding: TestedCoding { static var coding: ColumnCoding<UInt64> { .text } }
enum BytesCoding: TestedCoding { static var coding: ColumnCoding<UInt64> { .bigEndianBlob } }

/// A coding whose stored form is of another storage class than its type's own.
enum RomanCoding: TestedCoding {
  static var coding: ColumnCoding<Int> {
    ColumnCoding(
      type: .text, encode: { .text(String(repeating: "I", count: $0)) },
      decode: { stored in
        guard let text = stored.text, text.utf8.allSatisfy({ $0 == UInt8(ascii: "I") }) else {
          throw ColumnValueError(expected: "a Roman number", found: stored.storageClass)
        }
        return text.utf8.count
      })
  }
}

enum Weekday: String, ColumnValue, CaseIterable {
  case monday, tuesday
  case wednesday = "mid'week"
  case thursday = ""
}
enum Rung: Int8, ColumnValue, CaseIterable {
  case low = -128
  case none = 0
  case high = 127
}
struct Tag: RawRepresentable, ColumnValue, Hashable { var rawValue: String }

/// A value of an author's own that is neither raw nor Codable.
struct Colour: ColumnValue, Hashable {
  var red: UInt8, green: UInt8, blue: UInt8

  static var columnType: ColumnType { .text }

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  init(sqlValue: SQLValue) throws {
    guard let text = sqlValue.text, text.utf8.count == 6, let number = UInt32(text, radix: 16) else {
      throw ColumnValueError(expected: "Colour", found: sqlValue.storageClass)
    }
    self.init(UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255))
  }

  func sqlValue() throws -> SQLValue {
    let number = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(number, radix: 16)
    return .text(String(repeating: "0", count: 6 - digits.count) + digits)
  }
}

/// A nested value as JSON, with everything that JSON could spoil.
struct Recipe: JSONColumnValue, Hashable, Sendable {
  struct Step: Codable, Hashable, Sendable { var text: String, minutes: Double?, next: [Step] }
  var title: String
  var steps: [Step]
  var amounts: [String: Int64]
  var levels: [Int: [String]]
  var image: Data?
  var cooked: Date?
  var isGood: Bool
}

/// The values of a type before they were saved and after they were read by a session opened for it.
struct ValueJourney {
  let file: TemporaryDatabase

  init() throws { file = try TemporaryDatabase() }

  /// Saves each value in two rows, and reads them back in every way there is.
  func run<Value: ColumnValue & Sendable>(
    _ values: [Value], isSame: (Value, Value) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let cells = values.flatMap {
      [ValueCell(id: nil, value: $0, maybe: $0), ValueCell(id: nil, value: $0, maybe: nil)]
    }
    try run(cells, \.value, \.maybe, isSame, location) { id, value, maybe in
      ValueCell(id: id, value: value, maybe: maybe)
    }
  }

  /// The same for a coding.
  func run<Coding: TestedCoding>(
    _ coding: Coding.Type, _ values: [Coding.Value], isSame: (Coding.Value, Coding.Value) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let cells = values.flatMap {
      [CodedCell<Coding>(id: nil, value: $0, maybe: $0), CodedCell<Coding>(id: nil, value: $0, maybe: nil)]
    }
    try run(cells, \.value, \.maybe, isSame, location) { CodedCell<Coding>(id: $0, value: $1, maybe: $2) }
  }

  private func run<M: Model, Value: ColumnValue & Sendable>(
    _ cells: [M], _ value: any KeyPath<M, Value> & Sendable, _ maybe: any KeyPath<M, Value?> & Sendable,
    _ isSame: (Value, Value) -> Bool, _ location: SourceLocation,
    _ make: (Int64?, Value, Value?) -> M
  ) throws {
    let schema = ModelSchema { M.self }
    do {
      let session = try Session(at: file.path, schema: schema)
      try session.save(cells)
    }
    let session = try Session(at: file.path, schema: schema)
    let selected = try session.select(M.self, { ($0[dynamicMember: value], $0[dynamicMember: maybe]) })
    let loaded = try session.all(M.self)
    let queried = try session.query(M.self, SQL(raw: "SELECT * FROM \(M.table.name) ORDER BY id"))
    try #require(loaded.count == cells.count && queried.count == cells.count && selected.count == cells.count)
    for (index, cell) in cells.enumerated() {
      let (expected, expectedMaybe) = (cell[keyPath: value], cell[keyPath: maybe])
      let found = try #require(try find(M.self, Int64(index + 1), in: session))
      for (how, read, readMaybe) in [
        ("all", loaded[index][keyPath: value], loaded[index][keyPath: maybe]),
        ("find", found[keyPath: value], found[keyPath: maybe]),
        ("query", queried[index][keyPath: value], queried[index][keyPath: maybe]),
        ("select", selected[index].0, selected[index].1),
      ] {
        #expect(isSame(expected, read), "\(how): \(expected) became \(read)", sourceLocation: location)
        let isSameMaybe = expectedMaybe.map { wanted in readMaybe.map { isSame(wanted, $0) } ?? false }
        #expect(
          isSameMaybe ?? (readMaybe == nil), "\(how): \(String(describing: expectedMaybe)) is wrong",
          sourceLocation: location)
      }
    }
    // What is read is stored again as it was.
    let before = try file.query("SELECT * FROM \(M.table.name) ORDER BY id")
    try session.save(loaded)
    #expect(try file.query("SELECT * FROM \(M.table.name) ORDER BY id") == before, sourceLocation: location)
  }

  private func find<M: Model>(_ type: M.Type, _ id: Int64, in session: Session) throws -> M? {
    try session.find(type, id)
  }
}

extension ValueJourney {
  func run<Value: ColumnValue & Sendable & Equatable>(
    _ values: [Value], _ location: SourceLocation = #_sourceLocation
  ) throws {
    try run(values, isSame: { $0 == $1 }, location)
  }
}
