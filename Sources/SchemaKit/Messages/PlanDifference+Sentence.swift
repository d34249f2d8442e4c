extension PlanError.Difference {
  /// The difference in a sentence without a full stop.
  public var sentence: String {
    switch self {
    case .schema(let changed, let created, let dropped):
      return "the database has another schema: "
        + [(changed, "changed"), (created, "came"), (dropped, "went")].filter { !$0.0.isEmpty }
        .map { objects, verb in "\(objects.map { "\($0.kind) \($0)" }.joined(separator: ", ")) \(verb)" }
        .joined(separator: "; ")
    case .engine(let planned, let current):
      return "the plan was made for SQLite \(planned), and this is \(current)"
    case .hazard(let code, let table, let column, let planned, let current):
      let object = "\(code.rawValue) " + (column.map { "\(table).\($0)" } ?? table.text)
      guard let planned else { return "\(object) is new: \(current.words)" }
      return "\(object) concerned \(planned.words), now \(current.words)"
    case .redefined(let names):
      return
        "the plan drops \(names.map(\.text).joined(separator: ", ")) or writes it anew, without what changed in it "
        + "since"
    case .steps(let name, let planned, let current):
      return "the steps for \(name) were \(Self.words(for: planned)), and are \(Self.words(for: current)) now"
    case .statements(let name): return "the statements for \(name) are different"
    case .order: return "the steps are in a different order"
    }
  }

  private static func words(for steps: [PlanError.StepSummary]) -> String {
    let own = steps.filter { !$0.isRestoration }
    guard !own.isEmpty else { return steps.isEmpty ? "none" : "put back only" }
    return own.map { step in
      let edits = step.edits.map(\.sentence).joined(separator: ", ")
      return step.strategy.rawValue + (edits.isEmpty ? "" : " (\(edits))")
    }.joined(separator: ", ")
  }
}

extension PlanError.Extent {
  fileprivate var words: String {
    if !isCounted { return "rows not counted" }
    return rows == 0 && objects > 0 ? objects.counted("problem") : rows.counted("row")
  }
}
