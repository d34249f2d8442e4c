// The indexes of a table that is copied online: those that change are made anew for the copy.
extension OnlineRun {
  /// Fills the indexes that the copy does not have yet. Its rows stay as they are meanwhile, and what others write is logged.
  func fillIndexes(of copy: OnlineCopy, _ meter: OnlineMeter) throws {
    var isExamined = true
    for index in copy.indexes {
      if try journal.hasIndex(index.name) {
        // A run that was killed has filled it.
        isExamined = false
        continue
      }
      try fill(index, of: copy, meter)
      if index.filling.differs == nil { isExamined = false }
      try drain(copy)
    }
    if isExamined { return }
    try announceSilence(over: [copy])
    let problems = try connection.texts("PRAGMA main.integrity_check(\(copy.shadow.quoted))")
    if problems != ["ok"] { throw ApplyError(reason: .damaged(problems)) }
  }

  private func fill(_ index: OnlineIndex, of copy: OnlineCopy, _ meter: OnlineMeter) throws {
    let filling = index.filling
    defer { for list in [OnlineIndex.Filling.entryList, OnlineIndex.Filling.nullList] { drop(list) } }
    _ = try batch {
      try journal.beat(owner: owner, table: copy.table)
      // The entries that a killed run has left may be out of date.
      try connection.run("DROP TABLE IF EXISTS main.\(filling.table.quoted)")
      try connection.run(filling.create)
      try journal.noteCookie()
    }
    try announceSilence(over: [copy])
    let count = try list(filling.sort, in: OnlineIndex.Filling.entryList)
    try inBatches(count, of: copy, meter) { try connection.run(filling.fill, [.integer($0), .integer($1)]) }
    if let sql = filling.listNulls {
      try announceSilence(over: [copy])
      let count = try list(sql, in: OnlineIndex.Filling.nullList)
      try inBatches(count, of: copy, meter) { first, last in
        var progress = try journal.progress(of: copy.table)
        for statement in filling.setAside {
          let changed = try connection.run(statement, [.integer(first), .integer(last)])
          if statement == filling.setAside.last { progress.rows -= Int64(changed) }
        }
        try journal.note(progress, of: copy.table)
      }
    }
    _ = try batch {
      try journal.beat(owner: owner, table: copy.table)
      guard let local = connection as? any LocalEngine else { return }
      try CatalogEditor(connection: local).makeIndex(filling.become, of: copy.shadow)
      try journal.noteCookie()
    }
    guard let differs = filling.differs else { return }
    try announceSilence(over: [copy])
    if try connection.integer(differs) != 0 { try refuse([[.text("entries of indexes")]], copy) }
  }

  /// Makes a list in a temporary table, which keeps nobody from writing. Returns how many entries it has.
  private func list(_ sql: String, in table: String) throws -> Int64 {
    drop(table)
    try connection.run(sql)
    return try connection.integer("SELECT count(*) FROM \(table)") ?? 0
  }

  private func drop(_ list: String) { _ = try? connection.run("DROP TABLE IF EXISTS \(list)") }

  /// Does something to the entries of a list, from one number to another, in short transactions.
  private func inBatches(
    _ count: Int64, of copy: OnlineCopy, _ meter: OnlineMeter, _ body: (Int64, Int64) throws -> Void
  ) throws {
    var size = BatchSize(limits.lock)
    var next: Int64 = 1
    while next <= count {
      try stopIfCancelled()
      try waitForRoom(copy)
      let last = min(count, next + Int64(size.rows) - 1)
      let took = try batch {
        try journal.beat(owner: owner, table: copy.table)
        try body(next, last)
      }
      next = last + 1
      size.adapt(to: took)
      meter.tell(last)
      try pace.rest(took)
    }
  }

  /// Asks whether the copies of rows are distinct where the new schema says so, but for those whose latest version is not copied yet.
  ///
  /// - Parameter numbers: The entries of the logs up to which that was asked before; nil to ask about all rows.
  /// - Returns: The entries up to which it is known now.
  func refuseDuplicates(
    _ copies: [OnlineCopy], since numbers: [SQLName: Int64]?, _ prepared: Change.Prepared
  ) throws -> [SQLName: Int64] {
    var plan = prepared.plan
    var known: [SQLName: Int64] = [:]
    for copy in copies {
      let drained = try journal.progress(of: copy.table).drained
      known[copy.table] = drained
      for uniqueness in copy.indexes.compactMap(\.uniqueness) {
        let rows =
          if let number = numbers?[copy.table] {
            try connection.rows(uniqueness.duplicatesOfLogged, [.integer(number), .integer(drained)])
          } else {
            try connection.rows(uniqueness.duplicatesOfUnlogged, [.integer(drained)])
          }
        guard !rows.isEmpty else { continue }
        plan.hazards.append(
          Hazard(
            .duplicates, table: copy.table, count: rows.count, samples: rows.map { "\($0[0].integer ?? 0)" },
            cause: HazardCause(DuplicatesHazard(columns: uniqueness.label))))
      }
    }
    let refusals = plan.hazards.dropFirst(prepared.plan.hazards.count)
    if !refusals.isEmpty { throw PlanError(reason: .refused(plan, hazards: Array(refusals))) }
    return known
  }

  /// Drops the indexes of the old rows, each in a transaction of its own: without them the rows are freed in the order of their pages.
  func freeIndexes(of copy: OnlineCopy) throws {
    let names = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ?1", [.text(copy.shadow.text)])
    for name in names.compactMap({ $0[0].text }).map({ SQLName($0) }) {
      _ = try batch {
        try journal.checkOwner(owner, table: copy.table)
        let isAsLeft = try journal.isCookieCurrent()
        try connection.run("DROP INDEX main.\(name.quoted)")
        if isAsLeft { try journal.noteCookie() }
      }
    }
  }
}
