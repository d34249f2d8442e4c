import OrderedCollections

/// The renames that lead from one schema to another, according to hints and letter case.
package struct SchemaRenames: Sendable, Hashable {
  /// Renames of tables, in order.
  package var tables: [OrderedRename] = []
  /// Renames of columns, in order, by the table's new name.
  package var columns: [ColumnRenames] = []
  /// The former names of renamed tables, by their new ones.
  package var formerTables: [SQLName: SQLName] = [:]
  /// The former names of renamed columns, by the table's new name and their own new ones.
  package var formerColumns: [SQLName: [SQLName: SQLName]] = [:]
  /// Tables, virtual ones included, that are dropped before the renames, because another table gets their name: their
  /// names in the file, by the names that tell them apart from those tables in a plan.
  package private(set) var replacedTables: [SQLName: SQLName] = [:]

  /// Swaps that hints ask for and that are not carried out, because more would differ from the declaration afterwards.
  package var declinedExchanges: [DeclinedExchange] = []

  package init(
    tables: [OrderedRename] = [], columns: [ColumnRenames] = [], formerTables: [SQLName: SQLName] = [:],
    formerColumns: [SQLName: [SQLName: SQLName]] = [:], declinedExchanges: [DeclinedExchange] = []
  ) {
    self.tables = tables
    self.columns = columns
    self.formerTables = formerTables
    self.formerColumns = formerColumns
    self.declinedExchanges = declinedExchanges
  }

  /// Names whose hints form a cycle, and that are left unchanged.
  package struct DeclinedExchange: Sendable, Hashable {
    package var names: [SQLName]
    /// The table of the columns; nil if the names are those of tables.
    package var table: SQLName?
  }

  /// The renames of one table's columns.
  package struct ColumnRenames: Sendable, Hashable {
    /// The table's new name.
    package var table: SQLName
    /// The renames in the order in which they must run.
    package var renames: [OrderedRename]
  }
}

/// Two names whose hints point at each other, where the file cannot tell whether they were swapped.
public struct AmbiguousRename: Error, Sendable, Equatable, CustomStringConvertible {
  /// The names, as the declaration has them.
  public let names: [String]
  /// The table of the columns; nil if the names are those of tables.
  public let table: String?

  public var description: String {
    let what =
      table.map { "Columns \(names.joined(separator: " and ")) of table \($0)" }
      ?? "Tables \(names.joined(separator: " and "))"
    return
      "\(what) are declared as renamed from each other, but both are there, and the file cannot tell whether they were "
      + "exchanged for this declaration. Remove the hints, or go through a third name."
  }
}

extension SchemaRenames {
  /// True if nothing is renamed.
  package var isEmpty: Bool { tables.isEmpty && columns.allSatisfy { $0.renames.isEmpty } }

  /// The name that a table has in the file.
  package func formerTable(_ table: SQLName) -> SQLName { formerTables[table] ?? replacedTables[table] ?? table }

  /// The name by which a plan knows a table of the file.
  package func newTable(_ former: SQLName) -> SQLName {
    formerTables.first { $0.value == former }?.key ?? replacedTables.first { $0.value == former }?.key ?? former
  }

  /// The name that a column has in the file.
  package func formerColumn(_ column: SQLName, of table: SQLName) -> SQLName {
    formerColumns[table]?[column] ?? column
  }

  /// The same renames without those of some tables' columns.
  package func without(columnsOf tables: Set<SQLName>) -> SchemaRenames {
    var remaining = self
    remaining.columns.removeAll { tables.contains($0.table) }
    for table in tables { remaining.formerColumns[table] = nil }
    return remaining
  }

  /// Determines the renames between two schemas.
  package static func resolve(
    from source: DatabaseSchema, to target: DatabaseSchema, hints: MigrationHints
  ) throws(AmbiguousRename) -> SchemaRenames {
    var renames = SchemaRenames()
    let resolution = try tableSources(from: source, to: target, hints: hints)
    let tableSources = resolution.sources
    renames.formerTables = tableSources
    renames.declinedExchanges = resolution.declined.map { DeclinedExchange(names: $0, table: nil) }
    var pairs: [(old: SQLName, new: SQLName)] = []
    for table in target.tables.values {
      if let former = tableSources[table.name] {
        pairs.append((old: source.tables[former]?.name ?? former, new: table.name))
      } else if let existing = source.tables[table.name], !tableSources.values.contains(table.name),
        existing.name.text != table.name.text
      {
        pairs.append((old: existing.name, new: table.name))
        renames.formerTables[table.name] = existing.name
      }
    }
    let known = hints.knownRenames?.tables ?? [:]
    let replaced =
      known.keys.filter { source.tables[$0] != nil && !known.values.contains($0) }
      + pairs.map(\.new).filter { source.virtualTables[$0] != nil && target.virtualTables[$0] == nil }
    for name in replaced { renames.replacedTables[SQLName("_schemakit_former_\(name)")] = name }
    // Views and indexes that the target no longer has are dropped before anything takes their names.
    let views = source.views.keys.filter { target.views[$0] != nil }
    let indexes = source.indexes.keys.filter { target.indexes[$0] != nil }
    let taken = Set(source.tables.keys).union(source.virtualTables.keys).union(views).union(source.shadowTables)
      .union(indexes).subtracting(renames.replacedTables.values)
    renames.tables = OrderedRename.ordered(pairs, taken: taken, caseNeedsDetour: true)
    for table in target.tables.values {
      guard let existing = source.tables[renames.formerTable(table.name)],
        tableSources[table.name] != nil || !tableSources.values.contains(table.name)
      else { continue }
      try renames.addColumns(
        from: existing, to: table, hints: hints.tables[table.name] ?? TableHints(),
        renameStates: hints.renameStates, known: hints.knownRenames.map { $0.columns[table.name] ?? [:] })
    }
    return renames
  }

  private static func tableSources(
    from source: DatabaseSchema, to target: DatabaseSchema, hints: MigrationHints
  ) throws(AmbiguousRename) -> RenameResolver.Resolution {
    if let known = hints.knownRenames { return RenameResolver.Resolution(sources: known.tables) }
    let resolver = RenameResolver(
      source: Array(source.tables.keys), target: Array(target.tables.keys),
      formerNames: { hints.tables[$0]?.renamedFrom ?? [] },
      renameState: { hints.renameStates[FormerName(table: $0, column: nil, former: $1)] },
      remainingChanges: { tried, resolved in
        // ALTER TABLE RENAME rewrites the foreign keys that refer to a table, including its own.
        let newNames = Dictionary(
          resolved.merging(tried) { $1 }.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        return tried.reduce(0) { sum, pair in
          guard var old = source.tables[pair.value], let new = target.tables[pair.key] else { return sum }
          for index in old.foreignKeys.indices {
            old.foreignKeys[index].parent = newNames[old.foreignKeys[index].parent] ?? old.foreignKeys[index].parent
          }
          return sum + TableChange(from: old, to: new).size
        }
      })
    do {
      return try resolver.resolve()
    } catch {
      throw AmbiguousRename(names: error.names.map(\.text), table: nil)
    }
  }

  private mutating func addColumns(
    from source: TableSchema, to target: TableSchema, hints: TableHints,
    renameStates: [FormerName: FormerName.RenameState],
    known: [SQLName: SQLName]?
  ) throws(AmbiguousRename) {
    let resolver = RenameResolver(
      source: source.columns.map(\.name), target: target.columns.map(\.name),
      formerNames: { hints.columns[$0]?.renamedFrom ?? [] },
      renameState: { renameStates[FormerName(table: target.name, column: $0, former: $1)] },
      remainingChanges: { tried, _ in
        tried.reduce(0) { sum, pair in
          guard let old = source.column(pair.value), let new = target.column(pair.key) else { return sum }
          return sum + old.differences(from: new).count
        }
      })
    let sources: [SQLName: SQLName]
    if let known {
      sources = known
    } else {
      do {
        let resolution = try resolver.resolve()
        sources = resolution.sources
        declinedExchanges += resolution.declined.map { DeclinedExchange(names: $0, table: target.name) }
      } catch {
        throw AmbiguousRename(names: error.names.map(\.text), table: target.name.text)
      }
    }
    var former = sources
    let claimed = Set(sources.values)
    var pairs: [(old: SQLName, new: SQLName)] = []
    for column in target.columns {
      if let old = sources[column.name] {
        pairs.append((old: source.column(old)?.name ?? old, new: column.name))
      } else if let existing = source.column(column.name), !claimed.contains(column.name),
        existing.name.text != column.name.text
      {
        pairs.append((old: existing.name, new: column.name))
        former[column.name] = existing.name
      }
    }
    if let known {
      // A column that now has a name which another column gets back has a temporary name until it is dropped.
      for column in source.columns where known[column.name] != nil && !claimed.contains(column.name) {
        let aside = SQLName("_schemakit_former_\(column.name)")
        pairs.append((old: column.name, new: aside))
        former[aside] = column.name
      }
    }
    guard !pairs.isEmpty else { return }
    formerColumns[target.name] = former
    let steps = OrderedRename.ordered(
      pairs, taken: Set(source.columns.map(\.name)), caseNeedsDetour: false)
    columns.append(ColumnRenames(table: target.name, renames: steps))
  }
}

extension TableChange {
  /// The number of individual differences.
  package var size: Int {
    addedColumns.count + droppedColumns.count + changedColumns.reduce(0) { $0 + $1.kinds.count }
      + (isPrimaryKeyChanged ? 1 : 0) + addedUniques.count + droppedUniques.count + addedChecks.count
      + droppedChecks.count + addedForeignKeys.count + droppedForeignKeys.count + (isStrictnessChanged ? 1 : 0)
      + (isRowIDChanged ? 1 : 0)
  }
}
