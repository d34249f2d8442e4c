// The end of an online copy: the last transaction, and what is left of the old rows.
extension OnlineRun {
  /// The closing remarks about values that others wrote during the copy and that are not there any more.
  func notes(of hazards: [Hazard], to target: TargetSchema) -> [String] {
    let lost = hazards.filter { hazard in
      // A former name that a contraction drops has its values under the new one.
      let isFormerName = hazard.column.map {
        target.removes($0, of: hazard.table) && !change.target.removes($0, of: hazard.table)
      }
      return (hazard.count ?? 0) > 0 && isFormerName != true
    }
    return lost.map {
      "Others wrote rows during the copy whose former values are in no copy of the file: \($0.message)"
    }
  }

  /// Lets the tables change places and does the rest of the plan, inside a transaction; nil if others have written too much
  /// meanwhile.
  ///
  /// Queries for the number of rows: an index tells it faster than the table does, and only the table is sure.
  private static func counts(of table: SQLName) -> [String] {
    ["", " NOT INDEXED"].map { "SELECT count(*) FROM main.\(table.quoted)\($0)" }
  }

  /// - Parameter most: The most entries of a log that are copied under the lock.
  func cutOver(
    _ copies: [OnlineCopy], seen: [SQLName: Int64], distinct: [SQLName: Int64], _ prepared: Change.Prepared,
    most: Int64, start: ContinuousClock.Instant
  ) throws -> ApplyReport? {
    for copy in copies {
      try journal.beat(owner: owner, table: copy.table)
      let pending = try pendingRows(copy)
      if pending > most { return nil }
      try drain(copy, most: pending)
      // A table without an index has no rows that are replaced.
      if copy.canBeReplaced {
        let expected = try journal.progress(of: copy.table).rows
        // An index may have a collation that this program lacks; counting compares nothing.
        let isEqual = try connection.watchingCollations { watch in
          try Self.counts(of: copy.table).contains { sql in try watch.asking { try connection.integer(sql) } == expected
          }
        }
        if !isEqual { try refuse([[.text("row count")]], copy) }
      }
    }
    let ledger = Ledger(connection: connection)
    try ledger.checkFormat()
    try observer.onLocked()
    try change.refuseNewerFile()
    try change.refuseOlderWrites()
    let written = try refuseHazards(of: copies, since: seen, prepared)
    _ = try refuseDuplicates(copies, since: distinct, prepared)
    try journal.removeTriggersAndLogs()
    try journal.noteFreeing()
    var change = change
    change.request.isFileChecked = true
    var report = try change.apply(prepared, start: start, hasOnlineCopies: true)
    // Whoever opens the file compares it until the old rows are freed, so that they are found if this process is killed.
    try ledger.forgetCookie(of: change.target.name)
    try journal.noteCookie()
    report.notes += notes(of: written, to: prepared.target)
    return report
  }

  /// Frees the old rows in short transactions.
  func free(_ plan: MigrationPlan) throws {
    var environment = ConnectionEnvironmentOptions()
    environment.turnsForeignKeysOff = false
    environment.isNested = true
    environment.allowsFastDelete = !plan.losesContent
    try withMigrationEnvironment(on: connection, environment) {
      for copy in plan.onlineCopies {
        try freeIndexes(of: copy)
        try free(copy)
      }
      try connection.transaction(.immediate) {
        let isAsLeft = try journal.isCookieCurrent()
        try removeOwn()
        let ledger = Ledger(connection: connection)
        if try isAsLeft && ledger.exists() { try ledger.noteCookie(of: change.target.name) }
      }
    }
  }

  private func free(_ copy: OnlineCopy) throws {
    var size = BatchSize(limits.lock)
    var isDone = false
    while !isDone {
      try stopIfCancelled()
      try waitForLog(copy)
      let took = try batch {
        try journal.checkOwner(owner, table: copy.table)
        let end = try connection.integer(copy.endOfOldRange, [.integer(.min), .integer(Int64(size.rows))])
        guard let end else {
          isDone = true
          return
        }
        try connection.run(copy.freeOldRows, [.integer(end)])
      }
      size.adapt(to: took)
      try pace.rest(took)
    }
  }

  /// Does the rest of a run that was killed after its change was made.
  func finishFreeing() throws {
    try journal.refuseRunning()
    guard try journal.run()?.phase == .freeing else { return }
    try connection.transaction(.immediate) { try journal.cleanUp() }
  }
}

extension TargetSchema {
  /// True if it says that a column goes.
  fileprivate func removes(_ column: String, of table: String) -> Bool {
    hints.tables[SQLName(table)]?.removedColumns.contains(SQLName(column)) == true
  }
}
