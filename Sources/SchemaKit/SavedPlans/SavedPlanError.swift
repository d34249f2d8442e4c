/// A saved plan that cannot be read or used. Nothing was changed.
public struct SavedPlanError: Error, Sendable, Equatable {
  /// The file or other place that the plan was read from.
  public let source: String
  /// What is wrong with it, in a sentence without a full stop.
  public let problem: String

  package init(source: String, problem: String) {
    self.source = source
    self.problem = problem
  }
}

extension SavedPlanError: CustomStringConvertible {
  public var description: String { "\(source): \(problem). Nothing was changed." }
}
