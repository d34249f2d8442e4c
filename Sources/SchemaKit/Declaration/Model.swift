/// A Swift type whose values are the rows of a table.
///
/// ```swift
/// struct Note: Model {
///   let id: Int64?
///   var title: String
///
///   static let table = ModelTable("notes", as: Self.init) {
///     Column("id", \.id).primaryKey(autoincrement: true)
///     Column("title", \.title).check("length(title) > 0")
///   }
/// }
/// ```
///
/// A class passes its initializer, `as: Note.init`, or a closure:
/// `Table<Note>("notes", as: { Note(id: $0, title: $1) })`.
public protocol Model: Sendable {
  /// The table, with a column for every argument of the initializer, in the same order.
  static var table: ModelTable<Self> { get }

  /// Appends the values of all columns in order. Implement it only in models that are `RowEncodable`.
  func encode(into row: inout RowWriter) throws

  /// Creates a value from the next columns of a row. Implement it only in models that are `RowDecodable`.
  static func decode(from row: inout RowReader) throws -> Self

  /// Creates a value from each row, advancing to the next row with a function that returns false after the last. A
  /// model has no reason to implement it.
  static func decodeAll(from row: inout RowReader, next: () throws -> Bool) throws -> [Self]
}

extension Model {
  public func encode(into row: inout RowWriter) throws { try Self.table.group.write(self, &row) }

  public static func decode(from row: inout RowReader) throws -> Self { try Self.table.group.make(&row) }

  public static func decodeAll(from row: inout RowReader, next: () throws -> Bool) throws -> [Self] {
    try Self.table.group.makeAll(&row, next)
  }
}

/// A nested value whose properties are columns of the models that embed it.
///
/// ```swift
/// struct Audit: Fragment {
///   let created: Date
///   let author: String
///
///   static let columns = ColumnGroup(as: Self.init) {
///     Column("created", \.created)
///     Column("created_by", \.author)
///   }
/// }
/// ```
///
/// A model embeds it with `Column(embedding: \.audit)`. The property may be optional, see there.
public protocol Fragment: RowValue, Sendable {
  /// The columns, one for every argument of the initializer, in the same order.
  static var columns: ColumnGroup<Self> { get }
}

extension Fragment {
  public init(row: inout RowReader) throws { self = try Self.columns.make(&row) }

  public func write(to row: inout RowWriter) throws { try Self.columns.write(self, &row) }

  public static func readOptional(from row: inout RowReader) throws -> Self? { try columns.readOptional(from: &row) }

  public static func writeNil(to row: inout RowWriter) {
    for _ in columns.columns { row.appendNull() }
  }
}
