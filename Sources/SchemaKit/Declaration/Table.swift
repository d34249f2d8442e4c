/// The table of a model: its columns, constraints, indexes and triggers.
///
/// The columns stand in the order of the initializer's arguments. A missing column or one of another type does not
/// compile; two of the same type in the wrong order are found when the schema is first used.
public struct Table<Root: Sendable>: Sendable {
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
  ///   - make: The initializer that takes the columns' values, in most structs `Self.init`.
  ///   - removed: Columns that older files have and that may be dropped with all they hold.
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

extension Table {
  /// Makes SQLite refuse values of other types than the declared ones. Needs SQLite 3.37.
  public func strict() -> Self { changing { $0.isStrict = true } }

  /// Keeps the rows under their primary key instead of a rowid.
  public func withoutRowID() -> Self { changing { $0.isWithoutRowID = true } }

  /// Names the table had before, the newest first.
  public func renamed(from names: String...) -> Self {
    changing { $0.formerNames += names.map { SQLName($0) } }
  }

  /// Columns that older files have and that may be dropped with all they hold.
  public func removed(_ columns: String...) -> Self {
    changing { $0.removedColumns.formUnion(columns.map { SQLName($0) }) }
  }

  /// Leaves out the check of the column order, for an initializer that stops the program on values it dislikes.
  public func withoutOrderCheck() -> Self { changing { $0.checksOrder = false } }

  private func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Table {
  /// How each column is stored; empty when all are stored as their types say.
  var codings: [(any AnyColumnCoding)?] {
    group.columns.contains { $0.coding != nil } ? group.columns.map(\.coding) : []
  }

  /// The values of a row, one for each column, generated ones included.
  func values(of root: Root) throws -> [SQLValue] {
    let sink = ValueSink(capacity: group.columns.count)
    var row = RowWriter(sink, codings: codings)
    try group.write(root, &row)
    return sink.values
  }

  /// The model that a row's values make.
  func make(from values: [SQLValue]) throws -> Root {
    var row = RowReader(ValueRow(values), count: values.count, codings: codings)
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

  /// The column of a property; nil when the table has none for it.
  func columnName(at path: AnyKeyPath) -> String? {
    group.columns.first { $0.path() == path }?.name
  }
}
