import OrderedCollections
import SchemaKit

/// The schemas before and after a plan merged into one, with the change of each table and column.
struct PlannedSchema: Sendable {
  /// The change of a table, view or column.
  enum Status: String, Sendable, CaseIterable {
    case added, changed, dropped

    /// A sign for those who do not see colours.
    var symbol: String {
      switch self {
      case .added: "+"
      case .changed: "~"
      case .dropped: "−"
      }
    }
  }

  /// The changes, by the names after the plan.
  struct Changes: Sendable {
    var tables: [SQLName: Status] = [:]
    /// The tables and views that change, and the tables with an index or trigger that does.
    var touched: Set<SQLName> = []
    var columns: [SQLName: [SQLName: Status]] = [:]
    /// The changes of columns that stay, as text, by the table's name and their own.
    var columnWords: [SQLName: [SQLName: String]] = [:]
    /// The former names of tables, by their new ones.
    var formerTables: [SQLName: SQLName] = [:]
    /// The former names of columns, by the table's new name and their own.
    var formerColumns: [SQLName: [SQLName: SQLName]] = [:]
  }

  /// Everything that exists before or after the plan; a changed table has its dropped columns at the end.
  private(set) var schema: DatabaseSchema
  private(set) var changes = Changes()

  init(_ plan: MigrationPlan, from old: DatabaseSchema, to new: DatabaseSchema) {
    schema = new
    changes.formerTables = plan.renames.formerTables
    changes.formerColumns = plan.renames.formerColumns
    for change in plan.changes where [.table, .view].contains(change.object.kind) {
      let status: Status? =
        switch change.action.kind {
        case .creation: .added
        case .removal: .dropped
        case .change, .copy: .changed
        case .work: nil
        }
      if let status, changes.tables[change.object.name] == nil { changes.tables[change.object.name] = status }
    }
    changes.touched = Set(changes.tables.keys)
    for name in plan.changes.map(\.object).filter({ [.index, .trigger].contains($0.kind) }).map(\.name) {
      let owners = [old, new].flatMap { [$0.indexes[name]?.table, $0.triggers[name]?.table] }
      changes.touched.formUnion(owners.compactMap { $0 })
    }
    let renamed = Set(changes.formerTables.values)
    for table in old.tables.values where new.tables[table.name] == nil && !renamed.contains(table.name) {
      schema.tables[table.name] = table
    }
    for table in old.virtualTables.values where new.virtualTables[table.name] == nil {
      schema.virtualTables[table.name] = table
    }
    for view in old.views.values where new.views[view.name] == nil { schema.views[view.name] = view }
    for index in old.indexes.values where new.tables[index.table] == nil && schema.indexes[index.name] == nil {
      if !renamed.contains(index.table) { schema.indexes[index.name] = index }
    }
    for trigger in old.triggers.values where new.triggers[trigger.name] == nil {
      if new.tables[trigger.table] == nil, !renamed.contains(trigger.table) {
        schema.triggers[trigger.name] = trigger
      }
    }
    for (name, status) in changes.tables where status == .changed {
      let former = changes.formerTables[name] ?? name
      if let before = old.tables[former], let after = new.tables[name] { compare(before, after) }
    }
  }

  private mutating func compare(_ old: TableSchema, _ new: TableSchema) {
    let former = changes.formerColumns[new.name] ?? [:]
    var statuses: [SQLName: Status] = [:]
    for column in new.columns {
      guard let before = old.column(former[column.name] ?? column.name) else {
        statuses[column.name] = .added
        continue
      }
      let change = TableChange.ColumnChange(from: before, to: column, kinds: before.differences(from: column))
      if before.name != column.name || !change.kinds.isEmpty { statuses[column.name] = .changed }
      if !change.kinds.isEmpty {
        changes.columnWords[new.name, default: [:]][column.name] = change.edits.map(\.sentence).joined(separator: ", ")
      }
    }
    let taken = Set(former.values)
    let dropped = old.columns.filter { new.column($0.name) == nil && !taken.contains($0.name) }
    for column in dropped { statuses[column.name] = .dropped }
    changes.columns[new.name] = statuses
    schema.tables[new.name]?.columns += dropped
  }
}
