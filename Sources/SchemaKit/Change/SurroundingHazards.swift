/// Finds the hazards in the surroundings of a plan, outside schema and rows: the connection's open transaction, its
/// temporary objects, existing foreign key violations, and free disk space.
struct SurroundingHazards {
  let connection: any SQLConnection
  let profile: EngineProfile
  /// The free space for a file, in bytes; nil where that is not known.
  var freeSpace: (String) -> Int64? = { _ in nil }
  /// True if the plan is carried out outside transactions of others.
  var mayCopyOnline = true

  /// The hazards of a plan on this connection.
  func hazards(of plan: MigrationPlan, orphans: ForeignKeyGuard.Findings) throws -> [Hazard] {
    guard !plan.isEmpty else { return [] }
    return try openTransaction(plan, orphans: orphans) + temporaryObjects(plan) + existingViolations(orphans)
      + lackingSpace(plan) + onlineObstacles(plan)
  }

  private func onlineObstacles(_ plan: MigrationPlan) throws -> [Hazard] {
    guard let step = plan.steps.first(where: { $0.strategy.isOnline }) else { return [] }
    func hazard(_ obstacle: OnlineObstacle) -> [Hazard] {
      [Hazard(.notOnline, table: step.object.name, cause: HazardCause(SurroundingHazard.notOnline(obstacle)))]
    }
    guard let local = connection as? any LocalEngine, !local.isBorrowed, !local.isInMemory, mayCopyOnline else {
      return hazard(.sharedConnection)
    }
    let mode = try connection.value("PRAGMA main.journal_mode")?.text ?? ""
    return mode == "wal" ? [] : hazard(.journalMode(mode))
  }

  /// A copied table takes up its space in the file twice, with its new indexes, and once more in a WAL. The journal keeps the pages of
  /// updated rows.
  private func lackingSpace(_ plan: MigrationPlan) throws -> [Hazard] {
    if let table = plan.onlineCopies.first?.table {
      let room = OnlineRoom(connection: connection, plan: plan, freeSpace: freeSpace)
      return try room.shortage().map { [Hazard(lacking: $0, for: plan, table: table)] } ?? []
    }
    let copies = plan.steps.filter { ($0.strategy.copiesRows || $0.strategy.putsAside) && ($0.rows ?? 0) > 0 }
    // Kept rows are not included in the cost.
    let twice = copies.filter { plan.cost == nil || $0.strategy.putsAside }.reduce(0) { $0 + ($1.bytes ?? 0) } * 2
    let needed = Int64((plan.cost?.freeBytes ?? 0) + twice)
    let large = copies + plan.steps.filter(\.updatesRows)
    guard needed > 0, let largest = large.max(by: { ($0.bytes ?? 0) < ($1.bytes ?? 0) }),
      let path = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'main'")?.text, !path.isEmpty,
      let free = freeSpace(path), free < needed
    else { return [] }
    return [
      Hazard(
        .lackingSpace, table: largest.object.name,
        cause: HazardCause(
          SurroundingHazard.lackingSpace(
            objects: large.map(\.object.description), neededBytes: needed, path: path, freeBytes: free)))
    ]
  }

  /// `PRAGMA foreign_keys` is ignored inside a transaction: https://sqlite.org/pragma.html#pragma_foreign_keys
  private func openTransaction(_ plan: MigrationPlan, orphans: ForeignKeyGuard.Findings) throws -> [Hazard] {
    guard !profile.canSuspendForeignKeys, plan.violatesReferencesForAWhile else { return [] }
    let refused = plan.steps.filter(\.dropsReferencedTable).map(\.object.name)
    var hazards = refused.map {
      Hazard(
        .openTransaction, table: $0,
        cause: HazardCause(SurroundingHazard.openTransaction(profile: profile.name?.rawValue)))
    }
    if let orphan = orphans.keys.min(by: { ($0.child, $0.parent) < ($1.child, $1.parent) }), refused.isEmpty {
      hazards.append(
        Hazard(
          .openTransaction, table: orphan.child,
          cause: HazardCause(
            SurroundingHazard.violatedWhileForeignKeysStayOn(
              parent: orphan.parent.text, profile: profile.name?.rawValue))))
    }
    if profile.name == nil, try connection.pragmaInteger("defer_foreign_keys") == 1 {
      let table = plan.steps.first { $0.object.kind == .table }?.object.name ?? ""
      hazards.append(
        Hazard(.openTransaction, table: table, cause: HazardCause(SurroundingHazard.foreignKeysAreDeferred)))
    }
    return hazards
  }

  private func temporaryObjects(_ plan: MigrationPlan) throws -> [Hazard] {
    let rebuilt = plan.rebuiltTables
    guard !rebuilt.isEmpty else { return [] }
    let rows = try connection.rows("SELECT type, name, tbl_name FROM sqlite_temp_master WHERE type = 'trigger'")
    return rows.compactMap { row in
      guard let name = row[1].text, let table = row[2].text, rebuilt.contains(SQLName(table)) else { return nil }
      return Hazard(
        .temporaryObject, table: SQLName(table), cause: HazardCause(SurroundingHazard.temporaryTrigger(name: name)))
    }
  }

  /// A hazard for each child and parent.
  private func existingViolations(_ orphans: ForeignKeyGuard.Findings) -> [Hazard] {
    let relations = Dictionary(grouping: orphans) { [$0.key.child, $0.key.parent] }
    return relations.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { relation, findings in
      let (child, parent) = (relation[0], relation[1])
      let count = findings.reduce(0) { $0 + $1.value.count }
      return Hazard(
        .existingViolations, table: child, count: count,
        cause: HazardCause(
          SurroundingHazard.violatedBefore(
            parent: parent.text, mismatch: findings.lazy.compactMap(\.value.mismatch).first)))
    }
  }
}

extension Hazard {
  /// Too little room for tables that are copied online.
  init(lacking room: OnlineRoom.Shortage, for plan: MigrationPlan, table: SQLName) {
    let objects = plan.onlineCopies.map { ObjectReference(.table, $0.table).description }
    self.init(
      .lackingSpace, table: table,
      cause: HazardCause(
        SurroundingHazard.lackingSpace(
          objects: objects, neededBytes: room.needed, path: room.path, freeBytes: room.free)))
  }
}
