/// Why an object could not be saved, loaded or found.
public struct RecordError: Error, Sendable, Hashable {
  /// The cause.
  public enum Reason: Sendable, Hashable {
    /// The model is not part of the schema that the session was opened with, so its table was not verified.
    case notInSchema(model: String)
    /// The table has no primary key, so that no row of it can be found or replaced.
    case noPrimaryKey(table: String)
    /// A key with another number of values, or of another storage class, than the primary key has.
    case wrongKey(table: String, expected: String, found: String)
    /// The object's key is nil, so that no row can be meant.
    case noKey(table: String)
    /// There is no row with this key.
    case notFound(table: String, key: RecordKey)
    /// The property is no column of the model's table.
    case unknownField(model: String, field: String)
    /// The field is an expression, and only a column can be given a value.
    case notAColumn(String)
    /// The column is computed by SQLite and cannot be written.
    case generatedColumn(table: String, column: String)
    /// A value that SQLite cannot store, with what is wrong about it.
    case unstorable(String)
    /// A stored value does not fit the Swift type. `row` is the rowid, or the key of a table without rowids.
    case value(table: String, column: String, row: RecordKey?, expected: String, found: String, problem: String?)
    /// A constraint refused the row. The columns are those it is about, as far as SQLite tells.
    case constraint(ConstraintKind, table: String, columns: [String], cause: SQLiteError)
    /// There is no foreign key from one model to the other, or more than one.
    case noRelation(from: String, to: String, count: Int)
    /// A page was asked for behind a place that belongs to another order.
    case foreignCursor
    /// Another number of values than the statement has parameters, or a name that is none of them.
    case parameters(expected: String, found: String)
    /// A row has no such column.
    case noColumn(String, available: [String])
    /// The model cannot be read from a result that lacks a column.
    case missingColumn(model: String, column: String)
    /// Something that a transaction which is rolled back would undo, and that must outlive it.
    case insideTransaction(String)
    /// Values that SQLite stores in a form which it does not sort as Swift does.
    case notOrdered(String)
    /// Two columns that store the same value in different forms; a coding of nil is the form that the type says.
    case otherCoding(column: String, coding: String?, other: String, otherCoding: String?)
    /// Values that SQLite cannot calculate with, because they are not stored as numbers, or not as the same ones.
    case notANumber(String, storage: String)
    /// Values that are not stored as texts, and in which none can be looked for.
    case notAText(String, storage: String)
    /// An update gives a column two values.
    case assignedTwice(table: String, column: String)
    /// The `encode(into:)` of a model does not write what its table declares.
    case encoding(model: String, problem: String)
    /// The `decode(from:)` of a model does not read what its table declares.
    case decoding(model: String, problem: String)
    /// A name that cannot be the name of an attachment, or one that is taken.
    case attachment(id: String, problem: String)
  }

  /// A kind of constraint.
  public enum ConstraintKind: String, Sendable, Hashable {
    case check = "CHECK"
    case notNull = "NOT NULL"
    case unique = "UNIQUE"
    case primaryKey = "PRIMARY KEY"
    case foreignKey = "FOREIGN KEY"
    case other
  }

  /// The cause.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }
}

/// The primary key of a row, or its rowid where there is no other.
public struct RecordKey: Sendable, Hashable {
  /// The values of the key's columns, in the order of the key.
  public let values: [SQLValue]

  /// Creates a key from stored values.
  public init(_ values: [SQLValue]) { self.values = values }

  /// The key when it is a single integer, such as a rowid.
  public var integer: Int64? { values.count == 1 ? values[0].integer : nil }

  /// The key when it is a single text.
  public var text: String? { values.count == 1 ? values[0].text : nil }
}

extension RecordKey: CustomStringConvertible {
  public var description: String {
    values.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): SQLQuoting.literal(text)
      case .blob(let bytes): "BLOB of \(bytes.count) bytes"
      }
    }.joined(separator: ", ")
  }
}

/// The keys of the rows that were saved together, in the order of the objects.
public struct RecordKeys: Sendable, Hashable, RandomAccessCollection {
  let width: Int
  var values: [SQLValue] = []

  public var startIndex: Int { 0 }
  public var endIndex: Int { values.count / width }
  public subscript(position: Int) -> RecordKey {
    RecordKey(Array(values[position * width..<(position + 1) * width]))
  }

  /// The keys as integers; those that are none are left out.
  public var integers: [Int64] { width == 1 ? values.compactMap(\.integer) : [] }
}
