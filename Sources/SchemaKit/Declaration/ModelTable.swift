/// The table of a model: its columns, constraints, indexes and triggers.
///
/// The columns are in the order of the initializer's arguments. A missing column or one of the wrong type does not
/// compile; two of the same type in the wrong order are detected when the schema is first used.
public struct ModelTable<Root: Sendable>: Sendable {
  /// The name in the database.
  public let name: String
  let group: ColumnGroup<Root>
  let constraints: [DeclaredConstraint]
  let indexes: [DeclaredIndex]
  let triggers: [Trigger]
  var isStrict = false
  var isWithoutRowID = false
  var formerNames: [SQLName] = []
  var removedColumns: Set<SQLName>
  var checksOrder = true

  /// Declares a table.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - make: The initializer that takes the columns' values, usually `Self.init`.
  ///   - removed: Columns of older files that may be dropped with everything they hold.
  ///   - columns: A ``Column`` for every argument of the initializer, in the same order.
  ///   - constraints: Constraints over the whole row or over several columns.
  ///   - indexes: The indexes.
  ///   - triggers: The triggers.
  @inlinable @inline(__always)
  public init<each Value: RowValue>(
    _ name: String,
    as make: @escaping @Sendable (repeat each Value) throws -> Root,
    removed: [String] = [],
    @ColumnBuilder<Root> columns: () -> Columns<Root, repeat each Value>,
    @ConstraintBuilder<Root> constraints: () -> [Constraint<Root>] = { [] },
    @IndexBuilder<Root> indexes: () -> [Index<Root>] = { [] },
    @TriggerBuilder triggers: () -> [Trigger] = { [] }
  ) {
    self.init(
      name,
      group: ColumnGroup(as: make, columns: columns),
      constraints: constraints(),
      indexes: indexes(),
      triggers: triggers(),
      removed: removed
    )
  }

  @usableFromInline
  init(
    _ name: String,
    group: ColumnGroup<Root>,
    constraints: [Constraint<Root>],
    indexes: [Index<Root>],
    triggers: [Trigger],
    removed: [String]
  ) {
    self.name = name
    self.group = group
    self.constraints = constraints.map(\.declared)
    self.indexes = indexes.map(\.declared)
    self.triggers = triggers
    removedColumns = Set(removed.map { SQLName($0) })
  }
}

extension ModelTable {
  /// Makes SQLite reject values of types other than the declared ones. Requires SQLite 3.37.
  public func strict() -> Self { changing { $0.isStrict = true } }

  /// Stores the rows by their primary key instead of a rowid.
  public func withoutRowID() -> Self { changing { $0.isWithoutRowID = true } }

  /// Declares the table's former names, the newest first.
  public func renamed(from names: String...) -> Self {
    changing { $0.formerNames += names.map { SQLName($0) } }
  }

  /// Declares columns of older files that may be dropped with everything they hold.
  public func removed(_ columns: String...) -> Self {
    changing { $0.removedColumns.formUnion(columns.map { SQLName($0) }) }
  }

  /// Skips the check of the column order, for an initializer that traps on invalid values.
  public func withoutOrderCheck() -> Self { changing { $0.checksOrder = false } }

  private func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ModelTable {
  /// The coding of each column; empty if all are stored as their types say.
  var codings: [(any AnyColumnCoding)?] {
    group.columns.contains { $0.coding != nil } ? group.columns.map(\.coding) : []
  }

  /// The values of a row, one for each column, including generated ones.
  func values(of root: Root) throws -> [SQLValue] {
    let sink = ValueSink(capacity: group.columns.count)
    var row = RowWriter(sink, codings: codings)
    try group.write(root, &row)
    return sink.values
  }

  /// The model created from a row's values.
  func make(from values: [SQLValue]) throws -> Root {
    var row = RowReader(owning: ValueRow(values), count: values.count, codings: codings)
    do {
      return try group.make(&row)
    } catch var error as ColumnValueError {
      let index = row.position - 1
      if error.column == nil, group.columns.indices.contains(index) {
        error.column = "\(name).\(group.columns[index].name)"
      }
      throw error
    }
  }

  /// The column of a property; nil if the table has none for it.
  func columnName(at path: AnyKeyPath) -> String? {
    group.columns.first { $0.path() == path }?.name
  }
}
