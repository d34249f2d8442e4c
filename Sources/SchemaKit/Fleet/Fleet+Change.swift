extension Fleet {
  /// Changes one file by a plan that was made for it, with the same proof, transaction and verification as alone.
  ///
  /// - Parameters:
  ///   - program: The program that the history of the file names for the change.
  ///   - isResumed: True if the run may have changed the file before.
  func change(
    _ file: FleetJournal.Entry, by plan: FleetPlan, program: String, isResumed: Bool
  ) -> FleetResult {
    options.work(on: file) { connection, copy in
      var migration = options.migration(over: connection, copy, allowing: plan.consent)
      migration.observer.onPlan = { try plan.check($0, of: file.path) }
      migration.request.isOrderStrict = plan.isOrderStrict
      migration.memory = memory
      migration.known = try memory.catalog(of: connection)
      migration.program = program
      migration.runDataStep = models.dataStepRunner(over: connection)
      let report = try models.withRowFunctions(on: connection) {
        try Migrator(connection: connection, target: target, options: migration).migrate()
      }
      if report.outcome == .applied { return .applied }
      guard isResumed, let last = try Ledger(connection: connection).entries().last else { return .current }
      return last.kind == .apply && last.program == program ? .applied : .current
    }
  }
}

extension FleetOptions {
  /// Works on a file that is to be changed. Returns what became of it; where the work fails, the file is as it was.
  func work(
    on file: FleetJournal.Entry, _ body: (SQLiteConnection, FileCopy) throws -> FleetState
  ) -> FleetResult {
    let path = file.path
    let start = ContinuousClock.now
    var copy: FileCopy?
    var result = FleetResult(path: path, state: .failed)
    do {
      let connection = try openedForChange(path)
      if let identity = file.identity, FileIdentity(ofFileAt: path) != identity {
        throw FleetRefusal(reason: .replaced(path))
      }
      let made = FileCopy(of: path, on: connection, backup)
      copy = made
      result.state = try body(connection, made)
    } catch {
      let problem = problem(path, error, isNamed: file.isNamed)
      result.state = problem.state
      result.message = problem.message
      // Nothing was begun. After any other failure the copy stays.
      if [.busy, .refused, .stale, .newer].contains(problem.state) { copy?.discard() }
    }
    result.copy = copy?.made?.path
    result.milliseconds = start.milliseconds
    return result
  }

  /// The options for migrating a file, without those of the plan.
  func migration(
    over connection: SQLiteConnection, _ copy: FileCopy, allowing policy: PlanPolicy
  ) -> Migrator.Options {
    var options = Migrator.Options()
    options.request.verification = verification
    options.request.policy = policy
    options.copy = copy
    return options
  }
}
