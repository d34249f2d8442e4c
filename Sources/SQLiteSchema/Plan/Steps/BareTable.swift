/// The table that rows are copied into before it gets its definition.
///
/// It stores rows as the target does and declares nothing that could change one on its way: a column that does not change
/// has no type, and so takes each value with the class that it has
/// ([type affinity](https://sqlite.org/datatype3.html#type_affinity)). A column that changes has the affinity of its new
/// type. Computed columns that are read from the rows are left out, and stored ones are columns like others. UNIQUE, CHECK,
/// NOT NULL of before, defaults and foreign keys come with the definition, by an edit of
/// [the catalog](https://sqlite.org/schematab.html).
///
/// REAL is the exception: a whole number in a REAL column is stored as an integer
/// ([record format](https://sqlite.org/fileformat2.html#record_format)), which a column without a type would not do. So it
/// stays REAL where no row holds a text there that looks like a number.
package struct BareTable {
  /// The source of a column's value in the copy.
  private enum Content {
    /// The value of the old row, whatever its class, where an expression does not replace it.
    case carried(from: ColumnSchema, value: String)
    /// The result of an expression, under the column's affinity.
    case stored(String)
    /// The kept value of a column, whatever its class.
    case restored(String)
    /// SQLite computes it as it stores the row.
    case computed(ColumnSchema.Generation)
    /// SQLite assigns a number.
    case assigned
  }

  package let change: TableChange
  package let projection: RowProjection
  /// The columns of the old table with values that their type would change; nil if the rows were not examined.
  package let mismatches: Set<SQLName>?
  /// The columns of the old table with NULL under NOT NULL, which an expression takes for something else than NULL.
  private let nulls: Set<SQLName>
  private var contents: [(column: ColumnSchema, content: Content)] = []
  /// The columns that need their type and collation during the copy, since an expression reads them.
  private var read: Set<SQLName>
  /// The columns whose values change, or compare otherwise.
  private let changing: Set<SQLName>

  private var target: TableSchema { projection.target }

  /// - Parameter read: The columns that indexes compute with while the table is bare.
  package init(
    change: TableChange, projection: RowProjection, mismatches: Set<SQLName>?, nulls: Set<SQLName> = [],
    read: Set<SQLName> = []
  ) {
    self.change = change
    self.projection = projection
    self.mismatches = mismatches
    self.nulls = nulls
    changing = projection.changingColumns
    let target = projection.target
    self.read = target.columns(readThrough: read)
    for column in target.columns where column.generation?.isStored == true && !carriesComputed(column) {
      guard let expression = column.generation?.expression, !canSelect(column, expression) else { continue }
      self.read.insert(column.name)
    }
    self.read = target.columns(readThrough: self.read)
    contents = target.columns.compactMap { column in content(of: column).map { (column, $0) } }
  }

  private func content(of column: ColumnSchema) -> Content? {
    if let generation = column.generation {
      guard generation.isStored else { return read.contains(column.name) ? .computed(generation) : nil }
      if carriesComputed(column), let before = projection.sourceColumn(of: column) {
        return .carried(from: before, value: projection.reference(before.name))
      }
      return canSelect(column, generation.expression)
        ? .stored("(\(generation.expression.key))") : .computed(generation)
    }
    guard let value = projection.expression(of: column) else {
      return target.rowIDAlias?.name == column.name ? .assigned : .stored(column.defaultValue?.expression ?? "NULL")
    }
    let before = projection.sourceColumn(of: column)
    if projection.isRestored(column), !column.isNotNull || projection.defaultNeedsNoType(column) {
      return .restored(value)
    }
    guard let before, before.affinity == column.affinity, !before.isStoredOtherwise, !projection.usesConversion(column),
      !projection.fillsNulls(column) || projection.fillNeedsNoType(column)
    else { return .stored(value) }
    return .carried(from: before, value: value)
  }

  /// True for a stored column whose values are taken over.
  private func carriesComputed(_ column: ColumnSchema) -> Bool {
    guard let before = projection.sourceColumn(of: column) else { return false }
    return before.generation != nil && !changing.contains(column.name)
  }

  /// True if a stored column can be computed from the old rows: what it reads keeps its name, values, type and collation. A
  /// CHECK was examined with values that their types had converted.
  private func canSelect(_ column: ColumnSchema, _ expression: CanonicalSQL) -> Bool {
    let inputs = target.columnsRead(by: expression)
    if let mismatches, inputs.contains(where: { mismatches.contains(projection.sourceName($0)) }),
      target.checks.contains(where: { $0.expression.mentions(column.name) })
    {
      return false
    }
    return !column.isTypedByItsWords
      && inputs.allSatisfy { name in
        !changing.contains(name) && projection.sourceName(name) == name && projection.source.column(name) != nil
      }
  }

  // MARK: - Properties

  /// The columns whose values are taken over, but for NULLs that are replaced.
  package var carried: Set<SQLName> {
    Set(contents.compactMap { if case .carried = $0.content { $0.column.name } else { nil } })
  }

  /// The columns of which every value is taken over, NULLs included.
  package var unchanged: Set<SQLName> {
    Set(contents.filter { carried.contains($0.column.name) && !projection.fillsNulls($0.column) }.map(\.column.name))
  }

  /// The columns of which a value changes that the change does not name: what computes with a column needs its type, which
  /// converts what does not fit, and so does what fills NULLs.
  package var convertedMismatches: [SQLName] {
    guard let mismatches else { return [] }
    return contents.compactMap { column, content in
      guard let before = projection.sourceColumn(of: column) else { return nil }
      if case .carried = content, read.contains(column.name), nulls.contains(before.name) { return column.name }
      guard mismatches.contains(before.name) else { return nil }
      switch content {
      // An INTEGER PRIMARY KEY stores integers alone: https://sqlite.org/lang_createtable.html#rowid
      case .carried: return read.contains(column.name) || target.rowIDAlias?.name == column.name ? column.name : nil
      case .stored: return before.affinity == column.affinity && !projection.usesConversion(column) ? column.name : nil
      case .restored, .computed, .assigned: return nil
      }
    }
  }

  /// The columns whose kept values the copy stores under their type, which converts what does not fit: what computes with a
  /// column needs its type, and so does a default that takes the place of NULL.
  package var retypedColumns: [SQLName] {
    contents.compactMap { column, content in
      if case .restored = content { return read.contains(column.name) ? column.name : nil }
      return projection.isRestored(column) ? column.name : nil
    }
  }

  /// The declared type of a column of the copy; nil for none.
  package func type(of column: ColumnSchema) -> String? {
    if target.rowIDAlias?.name == column.name { return "INTEGER" }
    guard let content = contents.first(where: { $0.column.name == column.name })?.content else { return nil }
    if case .carried(let before, _) = content, !read.contains(column.name) {
      let isReal = column.affinity == .real && mismatches?.contains(before.name) == false
      return isReal ? Affinity.real.typeName : nil
    }
    if case .restored = content, !read.contains(column.name) { return nil }
    return column.affinity == .blob ? nil : column.affinity.typeName
  }

  /// The statement that creates it in `main`.
  package func create(as name: SQLName) -> String {
    var terms = contents.map { definition(of: $0.column, $0.content) }
    if target.isWithoutRowID, let key = target.primaryKey {
      let columns = key.columns.map { column in
        "\(column.name.quoted) COLLATE \((column.collation ?? "BINARY").quoted)\(column.isDescending ? " DESC" : "")"
      }
      terms.append("PRIMARY KEY (\(columns.joined(separator: ", ")))")
    }
    return "CREATE TABLE \"main\".\(name.quoted) (\(terms.joined(separator: ", ")))"
      + (target.isWithoutRowID ? " WITHOUT ROWID" : "")
  }

  private func definition(of column: ColumnSchema, _ content: Content) -> String {
    var words = [column.name.quoted] + [type(of: column)].compactMap { $0 }
    if target.rowIDAlias?.name == column.name { return words.joined(separator: " ") + " PRIMARY KEY" }
    if read.contains(column.name), let collation = column.collation { words.append("COLLATE \(collation.quoted)") }
    if case .computed(let generation) = content {
      if let type = column.wordsOfType { words.append(type) }
      words.append("AS (\(generation.expression.key)) \(generation.isStored ? "STORED" : "VIRTUAL")")
    } else if isNewlyRequired(column) {
      words.append("NOT NULL")
    }
    return words.joined(separator: " ")
  }

  /// True if the change forbids NULL in a column: what it asks of rows is asked by SQLite too.
  private func isNewlyRequired(_ column: ColumnSchema) -> Bool {
    guard column.isNotNull, column.generation == nil else { return false }
    return projection.sourceColumn(of: column).map { !$0.isNotNull || projection.usesConversion(column) } ?? true
  }

  /// The columns that the copy writes, with their values.
  package var terms: [(column: String, value: String)] {
    contents.compactMap { column, content in
      switch content {
      case .carried(_, let value), .stored(let value), .restored(let value): (column.name.quoted, value)
      case .computed, .assigned: nil
      }
    }
  }

  // MARK: - Verification

  /// Conditions that are true for a row that differs from its copy.
  ///
  /// Neither side has an affinity: numbers of other classes, and texts that look like numbers, would be equal otherwise.
  /// A column without a type cannot change the class of a value. Where the copy has a type, or where the same number can be
  /// expected as an integer and as a real, the classes are compared as well.
  package func differences(old: String, new: String) -> [String] {
    contents.compactMap { column, content in
      guard let before = projection.sourceColumn(of: column), !isKeyOfBoth(column) else { return nil }
      let isKnown = mismatches?.contains(before.name) == false
      switch content {
      case .stored:
        // A value that does not fit is converted with consent.
        guard column.generation == nil, before.affinity == column.affinity, !projection.usesConversion(column),
          !before.isStoredOtherwise, mismatches?.contains(before.name) != true
        else { return nil }
      case .carried: break
      case .restored, .computed, .assigned: return nil
      }
      let (oldValue, newValue) = ("\(old).\(before.name.quoted)", "\(new).\(column.name.quoted)")
      var differs = "+\(oldValue) IS NOT +\(newValue) COLLATE BINARY"
      if !isKnown || column.affinity == .blob || read.contains(column.name) {
        differs += " OR \(RowProjection.isOtherNumber(oldValue, newValue))"
      }
      return projection.exceptingReplacedNulls(differs, of: column, old: oldValue, new: newValue)
    }
  }

  /// Conditions for rows that the definition refuses because of what the change asks of them.
  package var refusedRows: [String] {
    let checks = target.checks.filter { check in
      change.addedChecks.contains(check) || changing.contains { check.expression.mentions($0) }
    }
    // A kept value stood in its column before, whatever its class.
    let restored = Set(contents.compactMap { if case .restored = $0.content { $0.column.name } else { nil } })
    let classes = target.columns.filter { column in
      column.generation?.isStored != false && !restored.contains(column.name)
        && (!projection.source.isStrict || !carried.contains(column.name))
    }.compactMap { column in
      target.isStrict ? column.isRefusedByStrict(column.name.quoted) : nil
    }
    // IS NULL would be answered from the declaration.
    let nulls = target.generatedColumns.filter { $0.isNotNull && changing.contains($0.name) }.map { column in
      "typeof(\(column.name.quoted)) = 'null'"
    }
    return checks.map { replaced($0) + "NOT \($0.expression.enclosed)" } + classes + nulls
  }

  /// The condition for rows with the default that takes the place of NULL, where a CHECK of before reads no other change; the
  /// rest of the rows kept what they had.
  private func replaced(_ check: CheckSchema) -> String {
    let read = target.columns.filter { changing.contains($0.name) && check.expression.mentions($0.name) }
    guard !change.addedChecks.contains(check), read.count == 1, let column = read.first,
      carried.contains(column.name), projection.fillsNulls(column), let value = column.defaultValue
    else { return "" }
    return "\(column.name.quoted) IS \(value.expression) COLLATE BINARY AND "
  }

  /// Finds such rows: SQLite does not look at rows that are there when they get their definition.
  package var demands: [PlannedStatement] {
    let conditions = refusedRows
    guard !conditions.isEmpty else { return [] }
    let key = target.rowKey ?? target.primaryKey?.columns.first?.name.quoted ?? "1"
    return [
      PlannedStatement(
        """
        SELECT \(key) FROM "main".\(target.name.quoted) \(target.rowOrder) \
        WHERE \(conditions[...].nested(by: "OR")) LIMIT 10
        """, role: .verification)
    ]
  }

  /// True for the column that is the rowid before and after, by which rows and copies are joined.
  private func isKeyOfBoth(_ column: ColumnSchema) -> Bool {
    target.rowIDAlias?.name == column.name && projection.source.rowIDAlias?.name == projection.sourceName(column.name)
  }
}

extension RowProjection {
  /// True if what replaces NULL is stored as it is under the column's type.
  fileprivate func fillNeedsNoType(_ column: ColumnSchema) -> Bool {
    hints.columns[column.name]?.backfill == nil && column.defaultValue != nil && defaultNeedsNoType(column)
  }

  /// True if a column's default, where it has one, is stored as it is under the column's type.
  fileprivate func defaultNeedsNoType(_ column: ColumnSchema) -> Bool {
    guard let value = column.defaultValue else { return true }
    switch (value.form, column.affinity) {
    case (.integer, .integer), (.integer, .numeric), (.text, .text), (_, .blob): return true
    default: return false
    }
  }

  /// The condition for a value that differs from its copy, but for NULLs that are replaced or restored.
  func exceptingReplacedNulls(_ differs: String, of column: ColumnSchema, old: String, new: String) -> String {
    var differs = differs
    if fillsNulls(column) { differs = "(\(old) IS NOT NULL AND (\(differs)))" }
    if restoresNulls(column) { differs = "(\(new) IS NOT NULL AND (\(differs)))" }
    return differs
  }
}

extension TableSchema {
  /// The columns that an expression of the table reads.
  fileprivate func columnsRead(by expression: CanonicalSQL) -> Set<SQLName> {
    Set(columns.map(\.name).filter(expression.mentions))
  }

  /// Some columns, and all that the computed ones among them read.
  fileprivate func columns(readThrough names: Set<SQLName>) -> Set<SQLName> {
    var found = names
    var open = Array(names)
    while let name = open.popLast() {
      guard let expression = column(name)?.generation?.expression else { continue }
      open += columnsRead(by: expression).filter { found.insert($0).inserted }
    }
    return found
  }
}
