/// Decides whether columns can get another collating sequence without touching a row: the indexes that read them are made anew.
///
/// Applies if no stored computed value reads such a column, and no key by which rows are stored: a collation decides how values
/// are compared, not what is stored ([Collating Sequences](https://sqlite.org/datatype3.html#collating_sequences)). An expression or a condition may
/// compare, whatever collation its index has. [REINDEX](https://sqlite.org/lang_reindex.html) refuses rows that become equal, which were counted before.
///
/// *Cost:* one scan and one sort for each index that reads a changed column.
package struct ReindexRule {
  package var change: TableChange
  /// The columns that are compared otherwise, and the computed ones that read what changes.
  package let compared: Set<SQLName>
  /// The columns that only get another type.
  private let retyped: Set<SQLName>

  package init(change: TableChange) {
    self.change = change
    let collated = Self.collated(in: change)
    retyped = RetypeRule.retyped(in: change).subtracting(collated)
    var compared = collated
    var read = collated.union(retyped)
    var count = -1
    while count != read.count {
      count = read.count
      for column in change.to.generatedColumns
      where read.contains(where: { column.generation?.expression.mentions($0) == true }) {
        read.insert(column.name)
        compared.insert(column.name)
      }
    }
    self.compared = compared.subtracting(change.addedColumns.map(\.name))
  }

  /// The columns that get another collation.
  package static func collated(in change: TableChange) -> Set<SQLName> {
    Set(change.changedColumns.filter { $0.kinds.contains(.collation) }.map(\.to.name))
  }

  /// The columns that an index or a constraint compares otherwise.
  package func collations(of keys: [(index: ConstraintIndex, name: SQLName, isCollatedAnew: Bool)]) -> Set<SQLName> {
    Self.collated(in: change).union(keys.filter(\.isCollatedAnew).flatMap(\.index.columns).map(\.name))
  }

  /// Returns why the rows cannot stay, or nil if they can.
  ///
  /// - Parameter written: The columns of which some rows are updated before, under the types and collations of before.
  package func rejection(writing written: Set<SQLName>) -> Rejection? {
    if let column = written.intersection(compared.union(retyped)).min() {
      return Rejection(.propertyDecidesStorage, TableChange.Kind.type.phrase, column.text)
    }
    if let column = change.to.generatedColumns.first(where: {
      $0.generation?.isStored == true && compared.contains($0.name)
    }) {
      return Rejection(.generatedColumn, column.name.text)
    }
    let key = change.to.isWithoutRowID ? change.to.primaryKey?.columns.map(\.name) ?? [] : []
    return key.first { compared.contains($0) || retyped.contains($0) }.map { Rejection(.keyColumnChanges, $0.text) }
  }

  /// True if an index has to be made anew. A number that is stored as an integer is sorted as the same real.
  package func isStale(_ index: IndexSchema) -> Bool {
    index.reads(compared) || !index.columnsComputedWith(of: change.to).isDisjoint(with: retyped)
  }

  /// The statements that make the indexes anew, once the table has its text.
  ///
  /// - Parameters:
  ///   - indexes: The table's indexes that stay.
  ///   - keys: The indexes of constraints that stay.
  package func statements(
    for indexes: [IndexSchema], keys: [(index: ConstraintIndex, name: SQLName, isCollatedAnew: Bool)]
  ) -> [PlannedStatement] {
    (keys.filter(isStale).map(\.name) + indexes.filter(isStale).map(\.name)).map {
      PlannedStatement("REINDEX \"main\".\($0.quoted)")
    }
  }

  /// The columns of the indexes that are made anew.
  package func sortedColumns(
    for indexes: [IndexSchema], keys: [(index: ConstraintIndex, name: SQLName, isCollatedAnew: Bool)]
  ) -> Set<SQLName> {
    let stale = indexes.filter(isStale)
    let read = change.to.columns.map(\.name).filter { name in stale.contains { $0.reads([name]) } }
    return Set(read + keys.filter(isStale).flatMap(\.index.columns).map(\.name))
  }

  private func isStale(_ key: (index: ConstraintIndex, name: SQLName, isCollatedAnew: Bool)) -> Bool {
    key.isCollatedAnew || key.index.columns.contains { compared.contains($0.name) }
  }
}
