import SchemaKitFoundation

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
      var request = options.request(copy, allowing: plan.consent, program: program)
      request.observer.onPlan = { try plan.check($0, of: file.path) }
      request.plan.isOrderStrict = plan.isOrderStrict
      request.memory = memory
      request.known = try memory.catalog(of: connection)
      request.runDataStep = models.dataStepRunner(over: connection)
      let report = try models.withRowFunctions(on: connection) {
        try Change(over: connection, to: target, request).apply()
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
    let start = WorkClock.now
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

  /// The request for changing a file, without what its plan says.
  func request(_ copy: FileCopy, allowing policy: PlanPolicy, program: String) -> ChangeRequest {
    var request = ChangeRequest(allowing: policy, program: program)
    request.plan.verification = verification
    request.copy = copy
    return request
  }
}
