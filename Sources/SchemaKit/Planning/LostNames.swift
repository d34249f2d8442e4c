import OrderedCollections

/// Finds views and triggers that would mean something else because a column that they use loses its name.
///
/// The name may then be that of a column of another table, a truth value, a text or the rowid, and a NATURAL JOIN compares one column
/// less. Nothing fails, and the rows are others. As in ``CapturedNames``, such a statement is compiled to another program: here over the
/// tables of before, with and without the names.
///
/// *Cost:* nothing if no view or trigger has the name of a dropped or renamed column; else creates tables and views in memory
/// twice, and compiles those that have it.
struct LostNames {
  let names: NameUsers

  /// - Parameters:
  ///   - connection: The clone of the catalog after the change, whose functions are there.
  ///   - known: Views and triggers of which something is said already.
  func hazards(on connection: SQLiteConnection, besides known: Set<String>) throws -> [Hazard] {
    let users = names.users(of: lostColumns).filter { !known.contains($0.after.name.text) && !firesOnLost($0) }
    guard !users.isEmpty else { return [] }
    let views = names.laterViews
    func after(_ lost: ColumnReference? = nil, _ typeOfOthers: String? = nil) throws -> MeaningTrial {
      try MeaningTrial(laterNames(lost), views: views, like: connection, typeOfOthers: typeOfOthers)
    }
    let before = try MeaningTrial(names.source, views: names.source.views.values.map(\.sql), like: connection)
    let trial = try after()
    let typed = try users.contains(where: \.isNatural) ? (after(nil, "INTEGER"), after(nil, "TEXT")) : nil
    return users.compactMap { user in
      // What does not compile any more is found to be broken.
      guard let old = before.program(of: user.before), let new = trial.program(of: user.after) else { return nil }
      let isOther =
        old != new || typed.map { user.isNatural && $0.program(of: user.after) != $1.program(of: user.after) } == true
      guard isOther else { return nil }
      return user.firstColumn { (try? after($0))?.program(of: user.after) != old }
        .map { user.hazard($0, isLost: true) }
    }
  }

  /// The columns whose names tables lose, by these names.
  private var lostColumns: [SQLName: [SQLName]] {
    var found: [SQLName: [SQLName]] = [:]
    for table in names.result.tables.values {
      guard let former = names.source.tables[names.renames.formerTable(table.name)] else { continue }
      for column in former.columns where table.column(column.name) == nil {
        found[column.name, default: []].append(table.name)
      }
    }
    return found
  }

  /// True for a trigger on updates of a lost column, which never fires any more.
  private func firesOnLost(_ user: NameUsers.User) -> Bool {
    guard let trigger = names.result.triggers[user.after.name] else { return false }
    return trigger.updateColumns.contains { column in
      user.columns.contains { $0.table == trigger.table && $0.column == column }
    }
  }

  /// The schema before the change under the names of after, and with names that nothing uses for columns that are dropped.
  ///
  /// - Parameter lost: The only column that loses its name; nil for all.
  private func laterNames(_ lost: ColumnReference?) -> DatabaseSchema {
    var schema = names.source
    schema.tables = [:]
    var number = 0
    for table in names.source.tables.values {
      let later = names.result.tables[names.renames.newTable(table.name)]
      let formerNames = later.flatMap { names.renames.formerColumns[$0.name] } ?? [:]
      let newNames = Dictionary(formerNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
      var columns: [SQLName: SQLName] = [:]
      for column in table.columns {
        let new = newNames[column.name] ?? column.name
        let isKept = later?.column(new) != nil && formerNames[new].map { $0 == column.name } ?? true
        if later == nil || isKept {
          columns[column.name] = new
        } else if let lost, lost != ColumnReference(later?.name ?? table.name, column.name) {
          columns[column.name] = column.name
        } else {
          columns[column.name] = MeaningTrial.other(number)
          number += 1
        }
      }
      var renamed = table.named(columns)
      renamed.name = later?.name ?? names.renames.newTable(table.name)
      schema.tables[renamed.name] = renamed
    }
    return schema
  }
}
