import OrderedCollections

/// Finds views and triggers that would mean something else because a column gets a name that they use already.
///
/// SQLite looks up a name when it compiles the statement. A name in double quotes is
/// [a text](https://sqlite.org/quirks.html#dblquote) as long as no column has it, a column of a subquery's table hides one of the
/// query around it, and NATURAL JOIN compares whatever columns share a name. Nothing fails, and the rows are others. Such a statement
/// is compiled to [another program](https://sqlite.org/opcode.html) than without the names.
///
/// *Cost:* nothing if no view or trigger has the name of a new column; else creates tables and views in memory twice, and compiles
/// those that have it.
struct CapturedNames {
  let names: NameUsers

  /// - Parameter connection: The clone of the catalog after the change, whose functions are there.
  func hazards(on connection: SQLiteConnection) throws -> [Hazard] {
    let users = names.users(of: newColumns)
    guard !users.isEmpty else { return [] }
    let (former, formerViews) = (formerNames, names.formerViews)
    func before(_ typeOfOthers: String? = nil) throws -> MeaningTrial {
      try MeaningTrial(former, views: formerViews, like: connection, typeOfOthers: typeOfOthers)
    }
    let after = try MeaningTrial(names.result, views: names.result.views.values.map(\.sql), like: connection)
    let trial = try before()
    let typed = try users.contains(where: \.isNatural) ? (before("INTEGER"), before("TEXT")) : nil
    return users.compactMap { user in
      // What does not compile without the names did not before.
      guard let old = trial.program(of: user.before), let new = after.program(of: user.after) else { return nil }
      let isOther =
        old != new || typed.map { user.isNatural && $0.program(of: user.before) != $1.program(of: user.before) } == true
      return isOther ? user.columns.first { isCapturing($0, in: user) }.map { user.hazard($0, isLost: false) } : nil
    }
  }

  /// True unless a column only has another name than before, and a NATURAL JOIN finds nothing by the new one.
  private func isCapturing(_ column: ColumnReference, in user: NameUsers.User) -> Bool {
    guard let name = column.column, user.isNatural, !user.usedNames.contains(name) else { return true }
    return names.renames.formerColumn(name, of: column.table) == name
      || names.result.tables.values.contains { $0.name != column.table && $0.column(name) != nil }
  }

  /// The columns that tables get, by their names.
  private var newColumns: [SQLName: [SQLName]] {
    var found: [SQLName: [SQLName]] = [:]
    for table in names.result.tables.values {
      guard let former = names.source.tables[names.renames.formerTable(table.name)], former.columns != table.columns
      else { continue }
      for column in table.columns where former.column(column.name) == nil {
        found[column.name, default: []].append(table.name)
      }
    }
    return found
  }

  /// The schema after the change under the names of before, and with names that nothing uses for columns that are added.
  private var formerNames: DatabaseSchema {
    var schema = names.result
    schema.tables = [:]
    var number = 0
    for table in names.result.tables.values {
      let former = names.source.tables[names.renames.formerTable(table.name)]
      var columns: [SQLName: SQLName] = [:]
      for column in table.columns {
        let old = names.renames.formerColumn(column.name, of: table.name)
        if former == nil || former?.column(old) != nil {
          columns[column.name] = old
        } else {
          columns[column.name] = MeaningTrial.other(number)
          number += 1
        }
      }
      var renamed = table.named(columns)
      renamed.name = former?.name ?? table.name
      schema.tables[table.name] = renamed
    }
    return schema
  }
}
