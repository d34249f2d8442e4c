extension PlanError: AdvisingError {
  public var description: String { message.words(for: .programs) }

  package var message: Remedy {
    switch reason {
    case .refused(_, let hazards):
      Remedy(
        hazards.map { "\($0.code.rawValue) \($0.object)\($0.rowsInWords): \($0.message) \($0.advice ?? "")" },
        separator: "\n") + "\nNothing was changed."
    case .unprovable(let failure):
      "No plan could be proved on an empty copy of the catalog: \(failure.sentence). Nothing was changed."
    case .pending(let plan):
      "The database needs \(plan.steps.count.counted("step")) to reach the declared schema, and changes are not allowed "
        + "here. Nothing was changed."
    case .undeclaredColumns(_, let columns):
      "The models do not declare \(columns.joined(separator: ", ")). Declare it in the model, list it in removed: to drop "
        + "it, or keep it with undeclaredColumns = .keep. Nothing was changed."
    case .cannotKeep(let column, let obstacle):
      "Column \(column) cannot be kept: \(obstacle.sentence). Declare it in the model, or list it in removed: to drop it. "
        + "Nothing was changed."
    case .stale(_, let differences):
      "The saved plan is stale: \(differences.map(\.sentence).joined(separator: "; ")). Nothing was changed; make the plan "
        + "again."
    case .cannotExpand(let obstacles):
      Remedy(
        ["The database cannot serve the older and the newer program at once:"] + obstacles.map { "- \($0.sentence)" },
        separator: "\n")
        + "\nMake these changes once no older program is left, \(.completePhase(insteadOf: "expand")). Nothing was changed."
    }
  }
}

extension PlanError.KeepObstacle {
  /// The obstacle as a clause, without a full stop.
  fileprivate var sentence: String {
    switch self {
    case .primaryKey: "it is in the primary key of the file's table, and not in the declared one"
    case .type(""): "it has no type, and the declared table is STRICT"
    case .type(let type): "its type is \(type), and the declared table is STRICT"
    case .uses(let name): "it needs \(name), which removed: drops"
    }
  }
}

extension PlanError.Failure {
  /// The failure as a clause, without a full stop.
  fileprivate var sentence: String {
    switch self {
    case .unreadable: "the database could not be read"
    case .noOrder: "no order of steps was found that SQLite accepts"
    case .statement(let sql, let message): "\(sql) fails: \(message)"
    case .otherThanDeclared(let names):
      "the plan would leave \(names.map(\.text).joined(separator: ", ")) other than declared"
    }
  }
}
