import OrderedCollections

/// SK218: a change that files of other devices do not follow.
///
/// Applies to a schema with the rules ``SchemaRules/synchronised``. Until every program is the new one, rows arrive that were
/// written under the schema of before: names that are gone are missed by the old program and the new one alike, and a rule that
/// holds in one file alone stops the merge. The fault is in the declaration, so that it needs consent as such.
package enum SynchronisationHazard: SchemaHazardRule {
  case renamedTable(from: SQLName)
  case droppedTable
  case renamedColumn(from: SQLName)
  case droppedColumn
  /// A column becomes one of another type; nil where none is declared.
  case changedType(from: String?, to: String?)
  case computedColumn
  case changedKey(from: [SQLName], to: [SQLName])
  case fault(SynchronisationFault)

  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    guard change.rules.contains(.synchronised), !change.isUndo else { return [] }
    func isOwn(_ table: TableSchema) -> Bool { table.name.folded.hasPrefix("_schemakit_") }
    func hazard(_ rule: SynchronisationHazard, _ table: SQLName, _ column: SQLName? = nil) -> Hazard {
      Hazard(.notSynchronised, table: table, column: column, cause: HazardCause(rule))
    }
    let dropped = change.diff.droppedTables.filter { !isOwn($0) }.map { hazard(.droppedTable, $0.name) }
    let tables = change.target.tables.values.filter { !isOwn($0) }.flatMap { table -> [Hazard] in
      let former = change.source.tables[change.renames.formerTable(table.name)]
      var found: [Hazard] = []
      if let former, former.name != table.name { found.append(hazard(.renamedTable(from: former.name), table.name)) }
      for column in table.columns where former != nil && column.generation == nil {
        let old = change.renames.formerColumn(column.name, of: table.name)
        if old != column.name { found.append(hazard(.renamedColumn(from: old), table.name, column.name)) }
      }
      let difference = change.diff.changedTables.first { $0.to.name == table.name }
      for column in difference?.droppedColumns ?? [] where column.generation == nil {
        found.append(hazard(.droppedColumn, table.name, column.name))
      }
      for column in difference?.changedColumns ?? []
      where column.from.generation == nil {
        func declared(_ column: ColumnSchema) -> String? { column.type.flatMap { $0.isEmpty ? nil : $0.typeName } }
        if column.to.generation != nil {
          found.append(hazard(.computedColumn, table.name, column.to.name))
        } else if column.from.affinity != column.to.affinity {
          let rule = Self.changedType(from: declared(column.from), to: declared(column.to))
          found.append(hazard(rule, table.name, column.to.name))
        }
      }
      if let old = difference?.from.primaryKey?.columns, let new = table.primaryKey?.columns, !table.isNumbered,
        Set(old.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) })
          != Set(new.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) })
      {
        found.append(hazard(.changedKey(from: old.map(\.name), to: new.map(\.name)), table.name))
      }
      return found
        + table.newSynchronisationFaults(former: former, in: change).map {
          hazard(.fault($0), table.name, $0.column)
        }
    }
    return dropped + tables
  }

  package func message(for hazard: Hazard) -> String {
    let table = SQLName(hazard.table).quotedIfNeeded
    return switch self {
    case .renamedTable(let former):
      "\(former.quotedIfNeeded) becomes \(table): other devices still send rows of \(former.quotedIfNeeded)."
    case .droppedTable: "Table \(table) is dropped: other devices still send its rows."
    case .renamedColumn(let former):
      "Column \(former.quotedIfNeeded) becomes \(hazard.object): other devices still send values of "
        + "\(former.quotedIfNeeded)."
    case .droppedColumn: "Column \(hazard.object) is dropped: other devices still send its values."
    case .changedType(let old?, let new?):
      "\(hazard.object) becomes \(new): other devices still send values as \(old), and read them so."
    case .changedType(nil, let new):
      "\(hazard.object) becomes \(new ?? "another one"): other devices still send values of any type."
    case .changedType(let old?, nil):
      "\(hazard.object) loses its type: other devices still send values as \(old), and read them so."
    case .computedColumn: "\(hazard.object) becomes a computed column: other devices still send values of it."
    case .changedKey(let old, let new) where old == new:
      "The key of \(table) compares by another collation: other devices still tell its rows apart as before."
    case .changedKey(let old, let new):
      "The key of \(table) becomes \(Self.names(new)): other devices still tell its rows apart by \(Self.names(old))."
    case .fault(let fault): fault.message(table: SQLName(hazard.table))
    }
  }

  private static func names(_ columns: [SQLName]) -> String { columns.map(\.quotedIfNeeded).joined(separator: ", ") }

  package func remedy(for hazard: Hazard) -> Remedy? {
    let advice =
      switch self {
      case .renamedTable: "Keep the name"
      case .droppedTable, .droppedColumn: "Keep it, unused"
      case .renamedColumn: "Keep it, and add the new one beside it"
      case .changedType: "Add a column of the new type beside it"
      case .computedColumn: "Add a computed column beside it"
      case .changedKey: "Keep the key"
      case .fault(let fault): fault.remedy
      }
    return "\(advice); or allow it with \(consent(hazard))."
  }
}

extension TableSchema {
  /// True if two devices give the same key to different rows, which is a fault of its own.
  fileprivate var isNumbered: Bool {
    guard let key = primaryKey?.columns, key.count == 1, let first = key.first else { return false }
    return column(first.name)?.affinity == .integer
  }

  /// The faults that the table did not have before.
  ///
  /// - Parameter former: The table as it was; nil for a new one.
  fileprivate func newSynchronisationFaults(former: TableSchema?, in change: ComparedSchemas) -> [SynchronisationFault]
  {
    let old = former.map { change.source.indexes(on: $0.name) } ?? []
    let before = former?.synchronisationFaults(indexes: old).map { fault in
      fault.renamed { former in
        columns.map(\.name).first { change.renames.formerColumn($0, of: name) == former } ?? former
      } table: {
        change.renames.newTable($0)
      }
    }
    let known = Set((before ?? []).map(\.withoutIndex))
    return synchronisationFaults(indexes: change.target.indexes(on: name)).filter { !known.contains($0.withoutIndex) }
  }
}

extension SynchronisationFault {
  /// The fault under other names.
  fileprivate func renamed(_ column: (SQLName) -> SQLName, table: (SQLName) -> SQLName) -> SynchronisationFault {
    switch self {
    case .noKey: self
    case .numberedKey(let name): .numberedKey(column(name))
    case .unique(let names, let index): .unique(names.map(column), index: index)
    case .requiredValue(let name): .requiredValue(column(name))
    case .refusedDelete(let names, let parent): .refusedDelete(names.map(column), parent: table(parent))
    }
  }

  /// The fault, whether a constraint or an index has it.
  fileprivate var withoutIndex: SynchronisationFault {
    if case .unique(let columns, _) = self { .unique(columns, index: nil) } else { self }
  }
}

extension SynchronisationFault {
  /// The fault, as a sentence.
  package func message(table: SQLName) -> String {
    let table = table.quotedIfNeeded
    func names(_ columns: [SQLName]) -> String { columns.map(\.quotedIfNeeded).joined(separator: ", ") }
    return switch self {
    case .noKey: "\(table) has no PRIMARY KEY, by which devices know a row as the same."
    case .numberedKey(let column):
      "\(table).\(column.quotedIfNeeded) is an integer key: two devices give the same number to different rows."
    case .unique(let columns, nil):
      "UNIQUE (\(names(columns))) of \(table) holds on each device alone: two of them may add equal rows, and the merge fails."
    case .unique(_, let index?):
      "The unique index \(index.quotedIfNeeded) of \(table) holds on each device alone: two of them may add equal rows, and "
        + "the merge fails."
    case .requiredValue(let column):
      "\(table).\(column.quotedIfNeeded) is NOT NULL without a default: a row that a program without the column wrote has no "
        + "value for it."
    case .refusedDelete(let columns, let parent):
      "\(table) (\(names(columns))) keeps rows of \(parent.quotedIfNeeded) from being deleted: one device deletes a row while "
        + "another refers to it."
    }
  }

  /// The way out, as the beginning of a sentence.
  package var remedy: String {
    switch self {
    case .noKey, .numberedKey: "Give the table a key that no two devices make, such as a UUID in a TEXT column"
    case .unique: "Look for equal rows in the program, or make the values the key"
    case .requiredValue: "Give it a default, or let it be NULL"
    case .refusedDelete: "Declare ON DELETE CASCADE, SET NULL or SET DEFAULT"
    }
  }
}

extension HazardCode {
  /// Files of other devices do not follow the change.
  public static let notSynchronised = Self("SK218", .fault, "a change that other devices do not follow")
}
