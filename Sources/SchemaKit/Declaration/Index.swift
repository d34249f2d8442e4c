/// An index over columns or expressions of a table.
///
/// ```swift
/// Index("notes_by_modified", on: \.modified, .descending)
/// Index("notes_by_title", on: .sql("lower(title)"), .column(\.modified, .descending)).where("deleted = 0")
/// ```
public struct Index<Root>: Sendable {
  var declared: DeclaredIndex

  /// Declares an index on columns in ascending order.
  public init(_ name: String, on columns: (any PartialKeyPath<Root> & Sendable)...) {
    declared = DeclaredIndex(name: name, terms: columns.map { .init(source: .column($0)) })
  }

  /// Declares an index on one column in the given order.
  public init(_ name: String, on column: any PartialKeyPath<Root> & Sendable, _ order: SortDirection) {
    declared = DeclaredIndex(name: name, terms: [.init(source: .column(column), order: order)])
  }

  /// Declares an index on terms, each a column or an expression with its own order and collation.
  public init(_ name: String, on terms: IndexTerm<Root>...) {
    declared = DeclaredIndex(name: name, terms: terms.map(\.declared))
  }

  /// Rejects rows that are equal in all terms.
  public func unique() -> Self { changing { $0.isUnique = true } }

  /// Includes only those rows in the index for which an SQL expression is true.
  public func `where`(_ sql: String) -> Self { changing { $0.predicate = sql } }

  private func changing(_ change: (inout DeclaredIndex) -> Void) -> Self {
    var copy = self
    change(&copy.declared)
    return copy
  }
}

/// One term of an index.
public struct IndexTerm<Root>: Sendable {
  let declared: DeclaredIndex.Term

  /// A column, with its order and collation if they are not the defaults.
  public static func column(
    _ path: any PartialKeyPath<Root> & Sendable,
    _ order: SortDirection? = nil,
    collate collation: Collation? = nil
  ) -> Self {
    Self(declared: .init(source: .column(path), collation: collation, order: order))
  }

  /// An SQL expression over the columns of the row.
  public static func sql(_ sql: String, _ order: SortDirection? = nil, collate collation: Collation? = nil) -> Self {
    Self(declared: .init(source: .sql(sql), collation: collation, order: order))
  }
}

/// The content of an ``Index``, without its model's type.
struct DeclaredIndex: Sendable {
  struct Term: Sendable {
    enum Source: Sendable {
      case column(any AnyKeyPath & Sendable)
      case sql(String)
    }
    var source: Source
    var collation: Collation?
    var order: SortDirection?
  }
  var name: String
  var terms: [Term]
  var isUnique = false
  var predicate: String?
}

/// Collects the indexes in a builder's braces.
@resultBuilder
public enum IndexBuilder<Root> {
  public static func buildExpression(_ index: Index<Root>) -> Index<Root> { index }
  public static func buildBlock(_ indexes: Index<Root>...) -> [Index<Root>] { indexes }
}
