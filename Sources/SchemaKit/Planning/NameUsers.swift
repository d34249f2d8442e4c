import OrderedCollections

/// The views and triggers that stay as they are written while columns get or lose names which they use.
struct NameUsers {
  /// The schema before, and the one after.
  let source: DatabaseSchema
  let result: DatabaseSchema
  let renames: SchemaRenames
  /// The dependencies of the views and triggers before the change.
  let needed: Dependencies

  /// A view or trigger as it is compiled.
  struct Object {
    var name: SQLName
    var sql: String
    /// The event and the table of a trigger; nil for a view.
    var trigger: (event: String, table: SQLName)?
  }

  /// A view or trigger, with the columns whose names it uses.
  struct User {
    var kind: ObjectReference.Kind
    /// The statement before the change, and after.
    var before: Object
    var after: Object
    /// The columns, by the names of their tables after the change.
    var columns: [ColumnReference]
    /// The words of the statement that can be names.
    var usedNames: Set<SQLName>
    /// True if NATURAL joins compare columns that the statement does not name.
    var isNatural: Bool

    /// The first column that a condition holds for.
    func firstColumn(where condition: (ColumnReference) -> Bool) -> ColumnReference? {
      columns.count > 1 ? columns.first(where: condition) ?? columns.first : columns.first
    }

    /// The hazard that a column of a name makes.
    func hazard(_ column: ColumnReference, isLost: Bool) -> Hazard {
      let name = column.column ?? ""
      let cause: BrokenObjectHazard =
        if isNatural, !usedNames.contains(name) {
          .naturalJoin(kind: kind, table: column.table, column: name, isLost: isLost)
        } else if isLost {
          .lostName(kind: kind, table: column.table, column: name)
        } else {
          .capturedName(kind: kind, table: column.table, column: name)
        }
      var hazard = Hazard(.brokenObject, table: after.name, cause: HazardCause(cause))
      hazard.isDeclaredFault = true
      return hazard
    }
  }

  /// Returns the users of some columns.
  ///
  /// - Parameter columns: The names of tables after the change, by the names of their columns.
  func users(of columns: [SQLName: [SQLName]]) -> [User] {
    guard !columns.isEmpty else { return [] }
    let views = result.views.values.compactMap { view in
      source.views[view.name].flatMap { former in
        user(.view, Object(name: former.name, sql: former.sql), Object(name: view.name, sql: view.sql), columns)
      }
    }
    let triggers = result.triggers.values.compactMap { trigger in
      source.triggers[trigger.name].flatMap { former in
        user(
          .trigger, Object(name: former.name, sql: former.sql, trigger: (former.event, former.table)),
          Object(name: trigger.name, sql: trigger.sql, trigger: (trigger.event, trigger.table)), columns)
      }
    }
    return views + triggers
  }

  private func user(
    _ kind: ObjectReference.Kind, _ before: Object, _ after: Object, _ new: [SQLName: [SQLName]]
  ) -> User? {
    guard let tokens = try? SQLLexer.tokens(of: before.sql), isUnchanged(before.sql, after.sql) else { return nil }
    let used = Set(tokens.compactMap(\.name))
    let isNatural = tokens.contains { $0.isKeyword("NATURAL") }
    // A view of which no column is read is not among what SQLite tells of.
    let named = used.filter(source.hasRelation)
    let tables = named.reduce(into: named) { $0.formUnion(needed.all(of: $1).map(\.table)) }
      .union(needed.all(of: before.name).map(\.table))
    let columns = new.keys.filter { isNatural || used.contains($0) }.sorted().flatMap { column in
      (new[column] ?? []).filter { tables.contains(renames.formerTable($0)) }.map { ColumnReference($0, column) }
    }
    return columns.isEmpty
      ? nil
      : User(kind: kind, before: before, after: after, columns: columns, usedNames: used, isNatural: isNatural)
  }

  /// True if two texts differ in nothing but names that the change renames.
  func isUnchanged(_ before: String, _ after: String) -> Bool {
    if before == after { return true }
    guard let old = try? SQLLexer.tokens(of: before), let new = try? SQLLexer.tokens(of: after), old.count == new.count
    else { return false }
    return zip(old, new).allSatisfy { old, new in
      if old.text == new.text { return true }
      guard let former = old.name, let name = new.name else { return false }
      return former == name || renames.newTable(former) == name
        || renames.formerColumns.values.contains { $0[name] == former }
    }
  }

  /// The views before the change, as far as they stay.
  var formerViews: [String] {
    result.views.values.map { view in
      source.views[view.name].flatMap { isUnchanged($0.sql, view.sql) ? $0.sql : nil } ?? view.sql
    }
  }

  /// The views of before as they are after the change, as far as they stay.
  var laterViews: [String] {
    source.views.values.map { view in
      result.views[view.name].flatMap { isUnchanged(view.sql, $0.sql) ? $0.sql : nil } ?? view.sql
    }
  }
}

extension TableSchema {
  /// The table with other names for its columns.
  func named(_ names: [SQLName: SQLName]) -> TableSchema {
    var table = self
    for place in table.columns.indices { table.columns[place].name = names[columns[place].name] ?? columns[place].name }
    for place in primaryKey?.columns.indices ?? 0..<0 {
      let column = primaryKey?.columns[place].name
      table.primaryKey?.columns[place].name = column.flatMap { names[$0] } ?? column ?? ""
    }
    for place in uniques.indices {
      for key in uniques[place].columns.indices {
        let column = uniques[place].columns[key].name
        table.uniques[place].columns[key].name = names[column] ?? column
      }
    }
    return table
  }
}
