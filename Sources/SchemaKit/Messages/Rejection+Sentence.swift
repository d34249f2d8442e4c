extension Rejection {
  /// The reason as a clause, without a full stop.
  public var sentence: String { code.clause(ClauseValues(values)) }
}

extension Motive {
  /// The motive as a clause, without a full stop.
  public var sentence: String { code.clause(ClauseValues(values)) }
}

extension MigrationStep {
  /// The reasons for this strategy rather than a cheaper one, a clause each; empty where there is no choice.
  package var reasons: [String] { passedOver.map(\.sentence) + (motive.map { [$0.sentence] } ?? []) }

  /// The reason for this strategy rather than a cheaper one; nil where there is no choice.
  public var reason: String? { reasons.isEmpty ? nil : reasons.joined(separator: "; ") }
}

extension MigrationStep.PassedOver {
  /// The reasons against the strategy, without its name.
  public var sentenceOfRejections: String { rejections.map(\.sentence).joined(separator: ", ") }

  /// The reasons against the strategy, as a clause that names it.
  package var sentence: String {
    let isPossible = rejections.allSatisfy(\.code.isOfCost)
    return isPossible ? sentenceOfRejections : "\(strategy.refusal): \(sentenceOfRejections)"
  }
}
