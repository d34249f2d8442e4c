import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// How a column of one table stores its values, by a type that says nothing else.
protocol StoredAs: Sendable {
  associatedtype Value: ColumnValue & Sendable & Equatable
  static var coding: ColumnCoding<Value>? { get }
}

extension StoredAs {
  static var coding: ColumnCoding<Value>? { nil }
}

/// A row of the table `t` with one value, which may be NULL.
struct StoredRow<Form: StoredAs>: Model {
  let id: Int64?
  var value: Form.Value?

  static var table: ModelTable<Self> {
    let value =
      Form.coding.map { Column<Self, Form.Value?>("value", \.value, storing: $0) } ?? Column("value", \.value)
    return ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      value
    }
  }
}

/// A program whose only table stores values in one form.
struct StoringProgram<Value: Sendable & Equatable>: Sendable, CustomTestStringConvertible {
  let name: String
  let schema: ModelSchema
  let save: @Sendable (Session, [Value?]) throws -> Void
  let load: @Sendable (Session) throws -> [Value?]

  init<Form: StoredAs>(_ form: Form.Type) where Form.Value == Value {
    name = "\(form)"
    schema = ModelSchema { StoredRow<Form>.self }
    save = { session, values in try session.save(values.map { StoredRow<Form>(id: nil, value: $0) }) }
    load = { try $0.all(StoredRow<Form>.self, orderBy: { [$0.id.ascending] }).map(\.value) }
  }

  var testDescription: String { name }

  /// Opens a file, and closes it once the body has run.
  func open<T>(
    _ path: String, _ migration: Configuration.Migration? = nil, isQuick: Bool = false,
    phase: MigrationPhase = .complete, _ body: (Session) throws -> T
  ) throws -> T {
    let session = try Session(at: path, schema: schema) {
      if let migration { $0.migration = migration }
      $0.isQuick = isQuick
      $0.phase = phase
    }
    let result = try body(session)
    try session.close()
    return result
  }

  /// The values of a file, once it has been opened.
  func values(_ path: String, _ migration: Configuration.Migration? = nil) throws -> [Value?] {
    try open(path, migration) { try load($0) }
  }

  /// A file with some values.
  func file(_ values: [Value?]) throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try open(file.path) { try save($0, values) }
    return file
  }

  func plan(_ file: TemporaryDatabase) throws -> MigrationPlan { try SchemaInspector(at: file.path).plan(to: schema) }
}

/// An ordered pair of two different programs of some.
struct FormPair<Value: Sendable & Equatable>: Sendable, CustomTestStringConvertible {
  let old: StoringProgram<Value>
  let new: StoringProgram<Value>
  var testDescription: String { "\(old.name) to \(new.name)" }

  static func all(_ programs: [StoringProgram<Value>]) -> [FormPair] {
    programs.flatMap { old in programs.filter { $0.name != old.name }.map { FormPair(old: old, new: $0) } }
  }
}

enum PlainDate: StoredAs { typealias Value = Date }
enum CocoaDate: StoredAs { static let coding: ColumnCoding<Date>? = .secondsSince2001 }
enum MillisecondDate: StoredAs { static let coding: ColumnCoding<Date>? = .millisecondsSince1970 }
enum TextDate: StoredAs { static let coding: ColumnCoding<Date>? = .iso8601 }
enum JulianDate: StoredAs { static let coding: ColumnCoding<Date>? = .julianDay }
enum PlainDecimal: StoredAs { typealias Value = Decimal }
enum Cents: StoredAs { static let coding: ColumnCoding<Decimal>? = .scaled(digits: 2) }
enum Mills: StoredAs { static let coding: ColumnCoding<Decimal>? = .scaled(digits: 3) }
enum PlainID: StoredAs { typealias Value = UUID }
enum UppercaseID: StoredAs { static let coding: ColumnCoding<UUID>? = .uppercaseText }
enum BytesID: StoredAs { static let coding: ColumnCoding<UUID>? = .bytes }
enum PlainMask: StoredAs { typealias Value = UInt64 }
enum TextMask: StoredAs { static let coding: ColumnCoding<UInt64>? = .text }
enum BytesMask: StoredAs { static let coding: ColumnCoding<UInt64>? = .bigEndianBlob }
enum Words: StoredAs { typealias Value = String }
enum Numbers: StoredAs { typealias Value = Int }
enum Bytes: StoredAs { typealias Value = Int8 }
enum Truths: StoredAs { typealias Value = Bool }
