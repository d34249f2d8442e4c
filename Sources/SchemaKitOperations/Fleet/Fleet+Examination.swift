extension Fleet {
  /// The state of a file before it is changed: its schema and its plan.
  struct Examination {
    var schema: DatabaseSchema
    var plan: MigrationPlan
    /// True if the ledger of the file knows the schema.
    var isInLedger: Bool
  }

  /// Looks at a file.
  ///
  /// - Throws: `HistoryError` for a newer file, `PlanError` where no plan can be made, `SQLiteError` from the engine.
  func examine(_ path: String) throws -> Examination {
    let connection = try options.openedForInspection(path)
    return try models.withRowFunctions(on: connection) {
      var wish = ChangeRequest()
      wish.plan = request
      wish.memory = memory
      let known = try memory.catalog(of: connection)
      wish.known = known
      let change = Change(over: connection, to: target, wish)
      let plan = try change.examine().plan
      try change.refuseNewerFile()
      let record = try Ledger(connection: connection).record(of: target.name)
      return Examination(schema: known.schema, plan: plan, isInLedger: record != nil)
    }
  }
}
