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
        value: { ($0 as? Root)?[keyPath: path] },
        valueType: Value.columnType,
        swiftType: ObjectIdentifier(Value.Unwrapped.self),
        form: { ValueForm.of(Value.self) },
        reads: { (try? Value(sqlValue: $0)) != nil },
        sample: { SampleValue.of(Value.self, seed: $0) }
      )
    ]
    declared[0].attachments = AttachmentNames.reader(for: Value.self)
    declared[0].mayRound = Value.mayRound
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
    let coded: @Sendable (Int) -> SQLValue? = { sample($0).flatMap(coding.recoded) }
    declared[0].sample = coded
    declared[0].form = { ValueForm.of(Value.self, coding: coding, sample: coded) }
    declared[0].reads = { (try? coding.decode($0)) != nil }
  }
}

extension Column where Value: Fragment {
  /// Declares the columns of a nested value, as its type lists them.
  ///
  /// - Parameter prefix: Prepended to every column name, so that a model can embed the same fragment twice. SQL
  ///   expressions of the fragment are used unchanged.
  public init(embedding path: any KeyPath<Root, Value> & Sendable, prefix: String = "") {
    self.path = path
    declared = Value.columns.columns.map {
      $0.embedded(under: { path }, of: path, value: { ($0 as? Root)?[keyPath: path] }, prefix: prefix)
    }
  }
}

extension Column {
  /// Declares the columns of a nested value that may be missing: nil is NULL in all of them. So all of them take NULL,
  /// and the fragment's defaults and backfills are not used.
  ///
  /// ```swift
  /// Column(embedding: \.address, prefix: "address_")
  /// ```
  ///
  /// At least one property of the fragment is not optional, which tells a value from nil. A row with NULL in such a
  /// column and a value in another throws ``RecordError`` when it is read. A key path to one of the columns, as in an
  /// index, is written with `!`: `\.address!.city`. Filters need no sign: `$0.address.city`.
  ///
  /// - Parameter prefix: Prepended to every column name, so that a model can embed the same fragment twice. SQL
  ///   expressions of the fragment are used unchanged.
  public init<Part: Fragment>(embedding path: any KeyPath<Root, Part?> & Sendable, prefix: String = "")
  where Value == Part? {
    self.path = path
    // No API makes `?.` from two key paths. A path with `!` is compared with others, and never followed.
    let present: @Sendable () -> AnyKeyPath = { (path as AnyKeyPath).appending(path: \Part?.!) ?? path }
    let value: @Sendable (Any) -> Any? = { root in
      let part: Part? = (root as? Root)?[keyPath: path] ?? nil
      return part
    }
    let columns = Part.columns.columns
    let hasRequired = columns.contains { $0.isRequired }
    declared = []
    for column in columns {
      var column = column.embedded(under: present, of: path, value: value, prefix: prefix).inOptionalFragment
      if !hasRequired {
        column.flaw = .optionalFragmentOfOptionals(TableDeclaration.spelling(of: path), fragment: "\(Part.self)")
      }
      declared.append(column)
    }
  }
}

extension DeclaredColumn {
  /// The column of a fragment as a column of what embeds it.
  ///
  /// - Parameters:
  ///   - path: The path to the fragment.
  ///   - whole: The path that stands for all columns of the fragment.
  ///   - value: The fragment in a model.
  fileprivate func embedded(
    under path: @escaping @Sendable () -> AnyKeyPath, of whole: any AnyKeyPath & Sendable,
    value fragment: @escaping @Sendable (Any) -> Any?, prefix: String
  ) -> DeclaredColumn {
    var column = self
    column.name = prefix + name
    column.hints.renamedFrom = hints.renamedFrom.map { SQLName(prefix + $0.text) }
    let (innerPath, parts, innerValue) = (self.path, fragments, self.value)
    column.path = { path().appending(path: innerPath()) ?? path() }
    column.fragments = { [whole as AnyKeyPath] + parts().compactMap { path().appending(path: $0) } }
    column.value = { fragment($0).flatMap(innerValue) }
    return column
  }
  /// The column where the fragment may be nil.
  fileprivate var inOptionalFragment: DeclaredColumn {
    var column = self
    column.isInOptionalFragment = true
    column.valueType = valueType.optional
    column.notNull = nil
    // A value in some columns alone would be neither nil nor a fragment.
    column.defaultValue = nil
    column.hints.backfill = nil
    column.backfill = nil
    if let attachments { column.attachments = { $0.isNull ? [] : try attachments($0) } }
    return column
  }
}
