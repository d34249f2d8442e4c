import OrderedCollections

// New names for tables and columns.
extension Planner {
  func renameSteps() -> [MigrationStep] {
    var steps = renames.tables.indices.map { index in
      let rename = renames.tables[index]
      var step = MigrationStep.altering(
        ObjectReference(.table, rename.new),
        [.renameTable(from: renames.tables.origin(of: index), to: rename.new)],
        [PlannedStatement("ALTER TABLE \"main\".\(rename.old.quoted) RENAME TO \(rename.new.quoted)")]
          + renameStatistics(rename))
      step.formerName = rename.old
      return step.onBehalf(of: renames.tables.destination(ofDetour: index))
    }
    if let step = catalogRenameStep() { return steps + [step] }
    for change in renames.columns {
      let table = change.table
      steps += change.renames.indices.map { index in
        let rename = change.renames[index]
        let sql =
          "ALTER TABLE \"main\".\(table.quoted) RENAME COLUMN \(rename.old.quoted) TO \(rename.new.quoted)"
        let isDetour = change.renames.destination(ofDetour: index) != nil
        return MigrationStep.altering(
          ObjectReference(.table, table), [.renameColumn(from: change.renames.origin(of: index), to: rename.new)],
          [PlannedStatement(sql)]
        ).onBehalf(of: isDetour ? table : nil)
      }
    }
    return steps
  }

  /// The step that gives columns their new names by the texts that ALTER TABLE would write; nil where that does it itself.
  private func catalogRenameStep() -> MigrationStep? {
    guard let renamesInCatalog, renames.tables.isEmpty, renames.columns.count == 1, let first = renames.columns.first,
      !hasRefused(editing: first.table)
    else { return nil }
    func changed<Object>(
      _ type: String, _ old: OrderedDictionary<SQLName, Object>, _ new: OrderedDictionary<SQLName, Object>,
      _ sql: (Object) -> String
    ) -> [(object: String, sql: String)] {
      new.compactMap { name, object in
        guard let before = old[name], sql(before) != sql(object) else { return nil }
        return (SQLQuoting.literal("\(type) \(name)"), SQLQuoting.literal(sql(object)))
      }
    }
    let texts =
      changed("table", source.tables, renamed.tables, \.sql) + changed("index", source.indexes, renamed.indexes, \.sql)
      + changed("view", source.views, renamed.views, \.sql)
      + changed("trigger", source.triggers, renamed.triggers, \.sql)
    let cases = texts.map { "WHEN \($0.object) THEN \($0.sql)" }.joined(separator: " ")
    var step = MigrationStep.editingCatalog(
      ObjectReference(.table, first.table),
      renames.columns.flatMap { change in
        change.renames.indices.map {
          SchemaEdit.renameColumn(from: change.renames.origin(of: $0), to: change.renames[$0].new)
        }
      },
      [
        // At once: between two of them the texts would not fit each other.
        PlannedStatement(
          "UPDATE \"main\".sqlite_master SET sql = CASE type || ' ' || name \(cases) ELSE sql END "
            + "WHERE type || ' ' || name IN (\(texts.map(\.object).joined(separator: ", ")))", role: .catalog)
      ])
    step.renamedEntries = texts.count
    step.passedOver = [.alterRefused(renamesInCatalog)]
    return step
  }

  /// ALTER TABLE RENAME leaves the statistics of ANALYZE under the old name.
  private func renameStatistics(_ rename: OrderedRename) -> [PlannedStatement] {
    ["sqlite_stat1", "sqlite_stat4"].filter { source.systemTables.contains(SQLName($0)) }.map { table in
      let old = SQLQuoting.literal(rename.old.text)
      let new = SQLQuoting.literal(rename.new.text)
      let prefix = SQLQuoting.literal("sqlite_autoindex_\(rename.old.text)_")
      return PlannedStatement(
        """
        UPDATE "main".\(table) SET tbl = \(new), idx = CASE WHEN idx = tbl THEN \(new) \
        WHEN substr(idx, 1, length(\(prefix))) = \(prefix) \
        THEN 'sqlite_autoindex_' || \(new) || '_' || substr(idx, length(\(prefix)) + 1) ELSE idx END \
        WHERE tbl = \(old) COLLATE NOCASE
        """, role: .statistics)
    }
  }
}

extension [OrderedRename] {
  /// The name that a thing had before it got a temporary one on the way; its old name otherwise.
  fileprivate func origin(of index: Int) -> SQLName {
    self[..<index].last { $0.new.text == self[index].old.text }?.old ?? self[index].old
  }

  /// The name that a thing ends with when a rename gives it a temporary one; nil for a rename of its own.
  fileprivate func destination(ofDetour index: Int) -> SQLName? {
    self[(index + 1)...].first { $0.old.text == self[index].new.text }?.new
  }
}
