import Logging

extension Configuration {
  /// The request for a change to a schema, with the consent of the configuration; and whether a change is allowed at all.
  ///
  /// - Parameter ended: The schema without what a file has for an older program, if that goes.
  func request(
    to target: TargetSchema, over connection: any SQLConnection, ending ended: TargetSchema? = nil
  ) -> (request: ChangeRequest, isAllowed: Bool) {
    var request = request
    let isAllowed = migration.permission.grant(&request, for: target)
    request.observer.onPlan = { plan in
      if !plan.isEmpty { logger.debug("\(plan.summaryLines.joined(separator: "; "))") }
      for hint in plan.idleHints { logger.notice("\(hint.message)") }
      try undeclaredColumns.check(plan, for: ended ?? target)
      try migration.permission.check(plan, on: connection)
      try onPlan(plan)
    }
    return (request, isAllowed)
  }

  /// The request for a change, without consent and data steps.
  package var request: ChangeRequest {
    var request = ChangeRequest(program: program)
    request.observer.onProgress = onProgress
    request.observer.isCancelled = isCancelled
    request.plan.verification = verification
    request.plan.isQuick = isQuick
    return request
  }

  /// The copy that is made before a file is changed, if one is due.
  package func copy(of connection: SQLiteConnection) -> FileCopy {
    FileCopy(of: connection.filePath ?? "", on: connection, backup) { [logger] file, make in
      let made = try make { _ in }
      logger.notice("The database was copied to \(made.path).")
      return made
    }
  }

  /// A declared schema as this configuration wants it in the file.
  func target(_ declared: TargetSchema) -> TargetSchema {
    var target = declared
    target.keepsUndeclaredColumns = undeclaredColumns == .keep
    target.digest += undeclaredColumns.digestMark
    return target
  }
}

extension Configuration.UndeclaredColumns {
  /// The part of the digest that stands for this setting: with another setting, the file is compared again.
  var digestMark: String { self == .keep ? "+columns" : "" }

  /// Refuses a plan that drops columns which nothing declares, if it must.
  ///
  /// - Throws: `PlanError.undeclaredColumns`.
  func check(_ plan: MigrationPlan, for target: TargetSchema) throws {
    guard self == .refuse else { return }
    let dropped = plan.steps.flatMap { step in
      let removed = target.hints.tables[step.object.name]?.removedColumns ?? []
      return step.edits.compactMap { edit -> String? in
        guard case .dropColumn(let name) = edit, !removed.contains(name) else { return nil }
        return "\(step.object.name).\(name)"
      }
    }
    if !dropped.isEmpty { throw PlanError(reason: .undeclaredColumns(plan, columns: dropped)) }
  }
}
