/// The fields of a fragment that a model embeds.
@dynamicMemberLookup
public struct FragmentFields<Root: Model, Part: Fragment> {
  let scope: FieldScope
  let path: KeyPath<Root, Part>

  /// The column of a property.
  public subscript<Value: ColumnValue>(dynamicMember inner: any KeyPath<Part, Value> & Sendable) -> Field<Value> {
    scope.field(at: path.appending(path: inner))
  }

  /// A property that is true or false, as a condition.
  @_disfavoredOverload
  public subscript<Value: ColumnValue>(dynamicMember inner: any KeyPath<Part, Value> & Sendable) -> Filter
  where Value.Unwrapped == Bool {
    let field: Field<Value> = scope.field(at: path.appending(path: inner))
    return field.isTrue
  }

  /// The columns of a fragment inside the fragment.
  public subscript<Value: Fragment>(
    dynamicMember inner: any KeyPath<Part, Value> & Sendable
  ) -> FragmentFields<Root, Value> {
    FragmentFields<Root, Value>(scope: scope, path: path.appending(path: inner))
  }

  /// The columns of an optional fragment inside the fragment.
  public subscript<Value: Fragment>(
    dynamicMember inner: any KeyPath<Part, Value?> & Sendable
  ) -> OptionalFragmentFields<Root, Value> {
    OptionalFragmentFields(scope: scope, whole: path.appending(path: inner))
  }
}

/// The fields of an optional fragment that a model embeds: `{ $0.address.city == "Bath" }`, or
/// `{ $0.address.isNil }`.
///
/// Where the fragment is nil, each of its fields is.
@dynamicMemberLookup
public struct OptionalFragmentFields<Root: Model, Part: Fragment> {
  let scope: FieldScope
  /// The path that stands for all columns.
  private let whole: AnyKeyPath
  /// The path to the columns, which is compared with others and never followed.
  private let path: KeyPath<Root, Part>

  init(scope: FieldScope, whole: KeyPath<Root, Part?>) {
    self.scope = scope
    self.whole = whole
    path = whole.appending(path: \.!)
  }

  private init(scope: FieldScope, whole: AnyKeyPath, path: KeyPath<Root, Part>) {
    self.scope = scope
    self.whole = whole
    self.path = path
  }

  /// True if there is no value: all columns are NULL.
  public var isNil: Filter { scope.isNil(at: whole) }

  /// The column of a property.
  public subscript<Value: ColumnValue>(
    dynamicMember inner: any KeyPath<Part, Value> & Sendable
  ) -> Field<Value.Unwrapped?> {
    scope.optionalField(at: path.appending(path: inner))
  }

  /// A property that is true or false, as a condition.
  @_disfavoredOverload
  public subscript<Value: ColumnValue>(dynamicMember inner: any KeyPath<Part, Value> & Sendable) -> Filter
  where Value.Unwrapped == Bool {
    let field: Field<Bool?> = scope.optionalField(at: path.appending(path: inner))
    return field.isTrue
  }

  /// The columns of a fragment inside the fragment.
  public subscript<Value: Fragment>(
    dynamicMember inner: any KeyPath<Part, Value> & Sendable
  ) -> OptionalFragmentFields<Root, Value> {
    let path = path.appending(path: inner)
    return OptionalFragmentFields<Root, Value>(scope: scope, whole: path, path: path)
  }

  /// The columns of an optional fragment inside the fragment.
  public subscript<Value: Fragment>(
    dynamicMember inner: any KeyPath<Part, Value?> & Sendable
  ) -> OptionalFragmentFields<Root, Value> {
    OptionalFragmentFields<Root, Value>(scope: scope, whole: path.appending(path: inner))
  }
}

extension FieldScope {
  /// The column of a property in an optional fragment.
  fileprivate func optionalField<Wrapped: ColumnValue>(at path: AnyKeyPath) -> Field<Wrapped?> {
    let field: Field<Wrapped> = field(at: path)
    // The property itself need not be optional, and its coding neither.
    let coding: (any AnyColumnCoding)? = (field.coding as? ColumnCoding<Wrapped>)?.optional ?? field.coding
    return Field<Wrapped?>(
      field.term, coding: coding, column: field.column, of: field.table, isNeverNull: field.isNeverNull)
  }

  /// The condition that the columns of a fragment which a program writes are NULL.
  fileprivate func isNil(at path: AnyKeyPath) -> Filter {
    guard let indexes = shape.fragments[path] else {
      return Filter(SQL(flaw: .unknownField(model: shape.model, field: "\(path)")))
    }
    let columns = indexes.map { shape.columns[$0] }.filter { !$0.isGenerated }
    return Filter(
      SQL(raw: "(" + columns.map { "\(qualifier).\($0.quoted) IS NULL" }.joined(separator: " AND ") + ")"))
  }
}
