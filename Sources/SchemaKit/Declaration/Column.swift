/// A column of a table, bound to a property of the model.
///
/// The declared type follows from the property's type, as does NOT NULL unless it is optional; methods add the rest:
///
/// ```swift
/// Column("title", \.title).check("length(title) > 0").collate(.nocase)
/// ```
public struct Column<Root, Value: RowValue>: Sendable {
  @usableFromInline let path: any KeyPath<Root, Value> & Sendable
  var declared: [DeclaredColumn]

  /// Changes the declaration of the column.
  func declaring(_ change: (inout DeclaredColumn) -> Void) -> Self {
    var copy = self
    for index in copy.declared.indices { change(&copy.declared[index]) }
    return copy
  }
}

extension Column where Value: ColumnValue {
  /// Declares a column for a property.
  public init(_ name: String, _ path: any KeyPath<Root, Value> & Sendable) {
    self.path = path
    declared = [
      DeclaredColumn(
        name: name,
        path: { path },
        valueType: Value.columnType,
        swiftType: ObjectIdentifier(Value.Unwrapped.self),
        sample: { SampleValue.of(Value.self, seed: $0) }
      )
    ]
    declared[0].attachments = AttachmentNames.reader(for: Value.self)
    declared[0].mayRound = Value.isDate || Value.isJSON
  }

  /// Declares a column whose values are not stored as their type says.
  public init(_ name: String, _ path: any KeyPath<Root, Value> & Sendable, storing coding: ColumnCoding<Value>) {
    self.init(name, path)
    declaredCoding(coding)
  }

  /// Declares a column of optional values that are not stored as their type says.
  public init<Wrapped>(
    _ name: String, _ path: any KeyPath<Root, Value> & Sendable, storing coding: ColumnCoding<Wrapped>
  ) where Value == Wrapped? {
    self.init(name, path)
    declaredCoding(coding.optional)
  }

  private mutating func declaredCoding(_ coding: ColumnCoding<Value>) {
    let sample = declared[0].sample
    declared[0].valueType = coding.columnType
    declared[0].coding = coding
    declared[0].mayRound = true
    if declared[0].attachments != nil {
      declared[0].attachments = { (try coding.decode($0) as? any AttachmentHolder)?.attachments ?? [] }
    }
    declared[0].sample = { sample($0).flatMap(coding.recoded) }
  }
}

extension Column where Value: Fragment {
  /// Declares the columns of a nested value, as its type lists them.
  ///
  /// - Parameter prefix: Prepended to every column name, so that a model can embed the same fragment twice. SQL
  ///   expressions of the fragment are used unchanged.
  public init(embedding path: any KeyPath<Root, Value> & Sendable, prefix: String = "") {
    self.path = path
    declared = Value.columns.columns.map { inner in
      var column = inner
      column.name = prefix + inner.name
      column.hints.renamedFrom = inner.hints.renamedFrom.map { SQLName(prefix + $0.text) }
      let innerPath = inner.path
      column.path = { (path as AnyKeyPath).appending(path: innerPath()) ?? path }
      let parts = inner.fragments
      column.fragments = { [path] + parts().compactMap { (path as AnyKeyPath).appending(path: $0) } }
      return column
    }
  }
}
