/// A saved plan that cannot be read or used. Nothing was changed.
public struct SavedPlanError: Error, Sendable, Equatable {
  /// The file or other place that the plan was read from.
  public let source: String
  /// A description of the problem, in a sentence without a full stop.
  public let problem: String

  /// True if the plan is in a format that this version no longer reads, so that it has to be made again.
  public let isOutdated: Bool

  package init(source: String, problem: String, isOutdated: Bool = false) {
    self.source = source
    self.problem = problem
    self.isOutdated = isOutdated
  }
}

extension SavedPlanError: CustomStringConvertible {
  public var description: String { "\(source): \(problem). Nothing was changed." }
}
