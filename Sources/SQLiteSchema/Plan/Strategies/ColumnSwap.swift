/// Decides whether columns can change by a new column beside each, which takes over the values and then the name.
///
/// Applies to columns that no key, index, CHECK or generated column reads, if ALTER TABLE can add the new one: to a type,
/// a collating sequence, a default, or NOT NULL with a default. The column moves to the end of the table, so nothing may
/// go by the order of columns. See [ADD COLUMN](https://sqlite.org/lang_altertable.html#altertabaddcol) and
/// [DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column).
struct ColumnSwapRule {
  let change: TableChange
  let projection: RowProjection
  let profile: EngineProfile
  /// The table's indexes that are kept.
  let indexes: [IndexSchema]
  let inbound: [InboundKey]
  let hasRows: Bool
  /// The reason against the other parts of the change.
  let otherRejection: Rejection?

  /// The reason why columns cannot change in this way; nil if they can.
  var rejection: Rejection? {
    guard profile.canDropColumn else { return Rejection(.noDropColumn, "\(profile.version)") }
    if change.changedColumns.isEmpty || change.isPrimaryKeyChanged || !change.addedUniques.isEmpty
      || !change.droppedUniques.isEmpty || !AddColumnRule.covers(change) || !DropColumnRule.covers(change)
      || change.isStrictnessChanged || change.isRowIDChanged
    {
      return Rejection(.notColumnsAlone)
    }
    if change.isOrderChanged {
      return change.positionalUser.map { Rejection(.columnOrderUsed, $0.text) } ?? Rejection(.columnOrder)
    }
    if let otherRejection { return otherRejection }
    if change.from.columns.count + change.addedColumns.count + change.changedColumns.count > profile.maximumColumns {
      return Rejection(.tooManyColumns, "\(profile.maximumColumns)")
    }
    // An UPDATE computes stored columns anew, and a script may meet a file where they hold something else.
    if profile.name != nil, let stored = change.from.columns.first(where: { $0.generation?.isStored == true }) {
      return Rejection(.generatedColumn, stored.name.text)
    }
    if projection.usesExpressions { return Rejection(.readsOtherRows, change.changedColumns[0].to.name.text) }
    for column in change.changedColumns {
      if let problem = rejection(to: column) { return problem }
    }
    return nil
  }

  private func rejection(to column: TableChange.ColumnChange) -> Rejection? {
    let name = column.to.name
    if column.from.generation != nil || column.to.generation != nil { return Rejection(.generatedColumn, name.text) }
    let tables = [change.from, change.to]
    let keys = Set(tables.flatMap(\.keyColumns)).union(tables.flatMap { $0.foreignKeys.flatMap(\.columns) })
    let expressions =
      tables.flatMap(\.checks).map(\.expression)
      + tables.flatMap(\.columns).compactMap { $0.generation?.expression }
    if keys.contains(name) || inbound.contains(where: { $0.parentColumns.contains(name) })
      || indexes.contains(where: { $0.mentions(name) }) || expressions.contains(where: { $0.mentions(name) })
    {
      return Rejection(.columnIsRead, name.text)
    }
    var added = change
    added.addedColumns = [column.to]
    return AddColumnRule.rejection(to: column.to, in: added, hasRows: hasRows, hints: TableHints(), profile: profile)
  }

  /// - Parameter freeName: A name that no column has.
  func statements(freeName: (SQLName) -> SQLName) -> [PlannedStatement] {
    let table = "\"main\".\(change.to.name.quoted)"
    let columns = change.changedColumns.map { (change: $0, beside: freeName($0.to.name)) }
    let definitions = columns.map { column in
      let rest = column.change.to.definition.dropFirst(Self.nameLength(of: column.change.to.definition))
      return PlannedStatement("ALTER TABLE \(table) ADD COLUMN \(column.beside.quoted)\(rest)")
    }
    let values = columns.map { "\($0.beside.quoted) = \(value(of: $0.change.to))" }
    let compared = columns.filter { projection.isUnchanged($0.change.to) }.map {
      "\($0.change.from.name.quoted) IS NOT \($0.beside.quoted) COLLATE BINARY"
    }
    let key = change.from.rowKey ?? change.from.primaryKey?.columns.first?.name.quoted ?? "1"
    let proof =
      compared.isEmpty
      ? []
      : [
        PlannedStatement(
          "SELECT \(key) FROM \(table) WHERE \(compared[...].nested(by: "OR")) LIMIT 10", role: .verification)
      ]
    return definitions
      + [PlannedStatement("UPDATE OR ABORT \(table) SET \(values.joined(separator: ", "))", role: .update)] + proof
      + columns.flatMap { column in
        [
          PlannedStatement("ALTER TABLE \(table) DROP COLUMN \(column.change.from.name.quoted)"),
          PlannedStatement(
            "ALTER TABLE \(table) RENAME COLUMN \(column.beside.quoted) TO \(column.change.to.name.quoted)"),
        ]
      }
  }

  /// The value of a column, without the alias by which a query would find it.
  private func value(of column: ColumnSchema) -> String {
    let value = column.name.quoted
    guard projection.fillsNulls(column), let fill = projection.fill(of: column) else { return value }
    return "coalesce(\(value), \(fill))"
  }

  /// The number of characters that the name takes up in a column's definition.
  private static func nameLength(of definition: String) -> Int {
    guard let name = try? SQLLexer.tokens(of: definition).first else { return 0 }
    return String(decoding: Array(definition.utf8)[..<name.span.end], as: UTF8.self).count
  }
}

extension MigrationStep.Strategy {
  /// With foreign keys on: a new column beside the old one takes its values and its name.
  public static let columnSwap = Self(
    "column-swap", .change, refusal: "nor can a new column take the name",
    rejections: [.notColumnsAlone, .columnIsRead, .tooManyColumns], motives: [.columnBesideTakesName]
  ) {
    $0.altersTable = true
    $0.updatesRows = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let notColumnsAlone = Self("notColumnsAlone", "more changes than the definitions of columns")
  package static let columnIsRead = Self("columnIsRead") {
    "a key, an index, a CHECK or a generated column reads \($0[0])"
  }
  package static let tooManyColumns = Self("tooManyColumns") { "a table has at most \($0[0]) columns here" }
}

extension Motive.Code {
  package static let columnBesideTakesName = Self(
    "columnBesideTakesName", "foreign keys stay on: a new column takes over the values, then the name")
}

extension Planner {
  func columnSwap(_ reference: ReferencedChange) -> ReferencedCandidate {
    let change = reference.change
    let rows = rowCount(of: change.to.name)
    let rule = ColumnSwapRule(
      change: change, projection: reference.projection, profile: profile,
      indexes: renamed.indexes(on: change.to.name).filter { !droppedIndexes.contains($0.name) },
      inbound: reference.inbound,
      hasRows: rows > 0, otherRejection: reference.columnRejection)
    var way = ReferencedCandidate(
      strategy: .columnSwap,
      rejection: strategy == .rebuild
        ? Rejection(.rebuildRequested)
        : rule.rejection ?? fragileTable(among: [change.to.name]).map { _ in Rejection(.updateChangesMismatches) })
    (way.cost, way.rows, way.motive) = (2 * rows, rows, Motive(.columnBesideTakesName))
    way.statements = { () throws(SQLSyntaxError) in
      var taken = Set(change.from.columns.map(\.name)).union(change.to.columns.map(\.name))
      return rule.statements { name in
        var free = SQLName("_schemakit_new_\(name.text)")
        while !taken.insert(free).inserted { free = SQLName("\(free.text)_") }
        return free
      }
    }
    return way
  }
}
