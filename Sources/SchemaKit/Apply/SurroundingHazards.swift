/// Finds the hazards in the surroundings of a plan, outside schema and rows: the connection's open transaction, its
/// temporary objects, existing foreign key violations, and free disk space.
struct SurroundingHazards {
  let connection: any SQLConnection
  let profile: EngineProfile
  /// How much room there is for a file; nil where that is not known.
  var freeSpace: (String) -> Int64? = { _ in nil }

  /// The hazards of a plan on this connection.
  func hazards(of plan: MigrationPlan, orphans: ForeignKeyGuard.Findings) throws -> [Hazard] {
    guard !plan.isEmpty else { return [] }
    return try openTransaction(plan) + temporaryObjects(plan) + existingViolations(orphans) + lackingSpace(plan)
  }

  /// A copied table takes up its space in the file twice, with its new indexes, and once more in a WAL.
  private func lackingSpace(_ plan: MigrationPlan) throws -> [Hazard] {
    let copies = plan.steps.filter { ($0.strategy.copiesRows || $0.strategy == .keep) && ($0.rows ?? 0) > 0 }
    // Kept rows are not included in the cost.
    let twice = copies.filter { plan.cost == nil || $0.strategy == .keep }.reduce(0) { $0 + ($1.bytes ?? 0) } * 2
    let needed = Int64((plan.cost?.freeBytes ?? 0) + twice)
    guard needed > 0, let largest = copies.max(by: { ($0.bytes ?? 0) < ($1.bytes ?? 0) }),
      let path = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'main'")?.text, !path.isEmpty,
      let free = freeSpace(path), free < needed
    else { return [] }
    return [
      Hazard(
        .lackingSpace, table: largest.object.name,
        message:
          "Copying \(copies.map(\.object.description).joined(separator: ", ")) needs about \(needed >> 20) MiB beside "
          + "\(path), where \(free >> 20) MiB are free.",
        remedy: "Make room, or move the database to a larger disk.")
    ]
  }

  /// `PRAGMA foreign_keys` is ignored inside a transaction: https://sqlite.org/pragma.html#pragma_foreign_keys
  private func openTransaction(_ plan: MigrationPlan) -> [Hazard] {
    guard plan.needsForeignKeysOff, !profile.canSuspendForeignKeys,
      let table = plan.steps.first(where: \.dropsTable)
    else { return [] }
    return [
      Hazard(
        .openTransaction, table: table.object.name,
        message: "A transaction is open on this connection with foreign keys on; dropping the old \(table.object) "
          + "inside it would delete the rows of its children.",
        remedy: "Commit or roll back first, or migrate over a connection of its own.")
    ]
  }

  private func temporaryObjects(_ plan: MigrationPlan) throws -> [Hazard] {
    let rebuilt = plan.rebuiltTables
    guard !rebuilt.isEmpty else { return [] }
    let rows = try connection.rows("SELECT type, name, tbl_name FROM sqlite_temp_master WHERE type = 'trigger'")
    return rows.compactMap { row in
      guard let name = row[1].text, let table = row[2].text, rebuilt.contains(SQLName(table)) else { return nil }
      return Hazard(
        .temporaryObject, table: SQLName(table),
        message: "TEMP trigger \(name) goes with the old \(table) and is made again on this connection. "
          + "Other connections must make theirs again themselves.")
    }
  }

  /// A hazard for each child and parent.
  private func existingViolations(_ orphans: ForeignKeyGuard.Findings) -> [Hazard] {
    let relations = Dictionary(grouping: orphans) { [$0.key.child, $0.key.parent] }
    return relations.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { relation, findings in
      let (child, parent) = (relation[0], relation[1])
      let count = findings.reduce(0) { $0 + $1.value.count }
      let what =
        findings.lazy.compactMap(\.value.mismatch).first
        ?? "\(count.counted("row")) of \(child) \(count == 1 ? "refers" : "refer") to rows of \(parent) that do not exist"
      return Hazard(
        .existingViolations, table: child, count: count,
        message: "Violated before the change, and left as it is: \(what).", remedy: "Fix the rows when you can.")
    }
  }
}
