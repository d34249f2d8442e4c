import OrderedCollections

extension TargetSchema {
  /// Adds the columns to declared tables that only the file has, as it defines them, with the constraints over them.
  ///
  /// - Parameter isRenamed: True if the file's tables have their new names. Before that a table may be compared with
  ///   another one, which has its name, and a column that cannot be kept is no error yet.
  func keepColumns(
    of file: DatabaseSchema, in effective: inout DatabaseSchema, isRenamed: Bool
  ) throws(PlanError) {
    for table in effective.tables.values where schema.tables[table.name] != nil {
      guard let present = file.tables[table.name] else { continue }
      let hints = hints.tables[table.name] ?? TableHints()
      let awaited = hints.columns.filter { present.column($0.key) == nil }.flatMap(\.value.renamedFrom)
      let undeclared = present.columns.filter { table.column($0.name) == nil }
      let kept = undeclared.filter { !hints.removedColumns.contains($0.name) && !awaited.contains($0.name) }
      let leaving = undeclared.map(\.name).filter { hints.removedColumns.contains($0) && !awaited.contains($0) }
      let obstacle = kept.lazy.compactMap { column in
        table.obstacle(toKeeping: column, of: present, without: leaving).map { (column: column.name, problem: $0) }
      }.first
      if let obstacle {
        guard isRenamed else { continue }
        throw PlanError(
          reason: .cannotKeep(column: "\(table.name).\(obstacle.column)", because: obstacle.problem))
      }
      let constraints = present.constraints(over: Set(kept.map(\.name)))
      do {
        effective.tables[table.name] = try table.appending(kept.map(\.definition), constraints: constraints)
      } catch {
        throw PlanError(reason: .unprovable(.statement(present.sql, message: error.description)))
      }
    }
  }
}

extension TableSchema {
  /// The reason a column of the file's table cannot stand in this one; nil if it can.
  ///
  /// - Parameter leaving: The columns of the file's table that are dropped.
  fileprivate func obstacle(
    toKeeping column: ColumnSchema, of present: TableSchema, without leaving: [SQLName]
  ) -> PlanError.KeepObstacle? {
    if present.primaryKey?.columns.contains(where: { $0.name == column.name }) ?? false { return .primaryKey }
    if isStrict, !Self.strictTypes.contains(SQLName(column.type ?? "")) {
      return .type(column.type ?? "")
    }
    let own = present.constraints(over: [column.name])
    let used = leaving.first { name in
      column.uses(name) || present.constraints(over: [name]).contains(where: own.contains)
    }
    return used.map { .uses($0) }
  }
}
