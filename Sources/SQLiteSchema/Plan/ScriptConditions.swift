import OrderedCollections

/// The conditions that a script checks before it changes anything, since it may run long after its plan was made.
package struct ScriptConditions: Sendable, Hashable {
  /// An object that must be unchanged, with everything that belongs to it.
  package struct Object: Sendable, Hashable {
    package var name: String
    /// The stored statements; those of a table or view include its indexes and triggers.
    package var texts: [String]
    /// True if indexes and triggers belong to it.
    package var isTable: Bool
  }
  /// A foreign key that no row may violate which did not violate it before.
  package struct Reference: Sendable, Hashable {
    package var child: SQLName
    package var columns: [SQLName]
    package var parent: SQLName
  }
  /// A foreign key of a changed table.
  package struct ReferenceChange: Sendable, Hashable {
    package var reference: Reference
    /// The foreign key before; nil if it is new, so that no row may violate it.
    package var former: Reference?
    /// True if rows are identified by the same rowid before and after.
    package var keepsRowIDs: Bool
  }
  /// Rows that must not be there, and were not when the plan was made.
  package struct Rows: Sendable, Hashable {
    /// The hazard that the rows would raise.
    package var code: HazardCode
    package var table: SQLName
    package var column: SQLName?
    /// A query for how many there are; nil where none can tell without temporary rows.
    package var count: String?

    package init(code: HazardCode, table: SQLName, column: SQLName?, count: String?) {
      self.code = code
      self.table = table
      self.column = column
      self.count = count
    }
  }
  /// The number of foreign-key columns that refer to a table that is dropped, or whose rows change.
  package struct References: Sendable, Hashable {
    package var table: SQLName
    package var count: Int
  }
  package var objects: [Object] = []
  /// The tables that refer to those that are dropped or whose rows change, and those that are changed along with them.
  package var children: [Object] = []
  package var inbound: [References] = []
  /// Empty unless the plan is for an engine that was named.
  package var rows: [Rows] = []
  package var references: [ReferenceChange] = []
  /// A table in which no row may refer to nothing that did not before.
  package struct ChildAfter: Sendable, Hashable {
    package var name: SQLName
    package var formerName: SQLName
    /// True if rows are identified by the same rowid before and after.
    package var keepsRowIDs: Bool
  }
  /// The tables in which no row may refer to nothing before, by their names then, and after.
  package var childrenBefore: [SQLName] = []
  package var childrenAfter: [ChildAfter] = []

  package init() {}

  /// The assumptions of a plan's steps.
  ///
  /// - Parameter target: The schema after the plan.
  ///
  /// ALTER TABLE reads a table's definition when it runs. All other steps write, drop or replace a definition as the
  /// plan has it, and a rename may be one that swaps two names, which is undone when done twice.
  package init(of plan: MigrationPlan, source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff) {
    let renamed = Set(plan.renames.columns.filter { !$0.renames.isEmpty }.map(\.table))
    var seen: Set<SQLName> = []
    for step in plan.steps where step.strategy.kind != .work {
      let isSafe = step.strategy.isPlainAlter && step.formerName == nil && !renamed.contains(step.object.name)
      let name = step.formerName ?? step.object.name
      guard !isSafe, seen.insert(SQLName("\(step.object.kind) \(name)")).inserted else { continue }
      if let object = Self.object(step.object.kind, name, in: source) { objects.append(object) }
    }
    for name in Self.tablesAtRisk(of: plan) {
      inbound.append(References(table: name, count: source.tables.values.reduce(0) { $0 + $1.columnCount(to: name) }))
    }
    let referring = source.tables.values.filter { table in inbound.contains { table.columnCount(to: $0.table) > 0 } }
    let touched = plan.steps.flatMap { $0.copiedChildren.union($0.updatedChildren) }.map(plan.renames.formerTable)
    for name in referring.map(\.name) + touched.sorted() where seen.insert(SQLName("table \(name)")).inserted {
      if let object = Self.object(.table, name, in: source) { children.append(object) }
    }
    childrenBefore = source.tables.values.filter { $0.isChild(of: plan.tablesWithReferencesAtRisk) }.map(\.name)
    childrenAfter = target.tables.values.filter { $0.isChild(of: plan.tablesWithReferencesAtRisk) }.map { table in
      let formerName = plan.renames.formerTable(table.name)
      let former = source.tables[formerName]
      let keepsRows = former.map { table.keepsRowKeys(of: $0) { plan.renames.formerColumn($0, of: table.name) } }
      return ChildAfter(
        name: table.name, formerName: formerName, keepsRowIDs: keepsRows == true && !table.isWithoutRowID)
    }
    for change in diff.changedTables {
      let (table, renames) = (change.to, plan.renames)
      let former = source.tables[renames.formerTable(table.name)]
      references += change.addedForeignKeys.map { key in
        let columns = key.columns.map { renames.formerColumn($0, of: table.name) }
        let others = former?.foreignKeys.filter {
          Set($0.columns) == Set(columns) && $0.parent == renames.formerTable(key.parent)
        }
        let own = others?.first { $0.columns == columns } ?? others?.first
        let keepsRows = former.map { table.keepsRowKeys(of: $0) { renames.formerColumn($0, of: table.name) } }
        return ReferenceChange(
          reference: Reference(child: table.name, columns: key.columns, parent: key.parent),
          former: own.map { Reference(child: renames.formerTable(table.name), columns: $0.columns, parent: $0.parent) },
          keepsRowIDs: keepsRows == true && !table.isWithoutRowID)
      }
    }
  }

  /// The tables whose rows are deleted or change where they are, by their names before.
  private static func tablesAtRisk(of plan: MigrationPlan) -> [SQLName] {
    let names = plan.steps.filter { step in
      step.object.kind == .table
        && (step.strategy.remakesTable || step.strategy.drops || step.strategy.updatesRows)
    }.flatMap { step in
      [step.strategy.drops ? step.object.name : plan.renames.formerTable(step.object.name)]
        + step.copiedChildren.union(step.updatedChildren).map(plan.renames.formerTable)
    }
    return Set(names).sorted()
  }

  private static func object(_ kind: ObjectReference.Kind, _ name: SQLName, in source: DatabaseSchema) -> Object? {
    switch kind {
    case .index: source.indexes[name].map { Object(name: $0.name.text, texts: [$0.sql], isTable: false) }
    case .trigger: source.triggers[name].map { Object(name: $0.name.text, texts: [$0.sql], isTable: false) }
    default:
      (source.tables[name]?.sql ?? source.views[name]?.sql ?? source.virtualTables[name]?.sql).map { own in
        Object(
          name: (source.tables[name]?.name ?? name).text,
          texts: [own] + source.indexes.values.filter { $0.table == name }.map(\.sql)
            + source.triggers.values.filter { $0.table == name }.map(\.sql), isTable: true)
      }
    }
  }
}

extension TableSchema {
  /// The number of columns of its foreign keys that refer to a table.
  fileprivate func columnCount(to table: SQLName) -> Int {
    foreignKeys.filter { $0.parent == table }.reduce(0) { $0 + $1.columns.count }
  }

  /// True if it has foreign keys, and it or a table that they refer to is among some.
  fileprivate func isChild(of tables: Set<SQLName>) -> Bool {
    !foreignKeys.isEmpty && (tables.contains(name) || foreignKeys.contains { tables.contains($0.parent) })
  }
}
