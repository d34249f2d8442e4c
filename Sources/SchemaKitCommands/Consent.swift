import SchemaKit

/// The consent given on the command line.
struct Consent {
  var policy = PlanPolicy.lossless
  /// Each piece with the text it was given as; nil for the way back to an older schema.
  private var pieces: [(text: String, allowance: PlanPolicy.Allowance?)] = []

  init(_ options: ConsentOptions) throws {
    for text in options.allow { pieces.append((text, try policy.add(allow: text))) }
  }

  /// Warns of consent that nothing in the plan asked for: it may be misspelt, or stand there by habit.
  func warnOfUnused(in plan: MigrationPlan, isNewer: Bool, console: Console) {
    for (text, allowance) in pieces {
      let isUsed = allowance.map { allowance in plan.hazards.contains { allowance.covers($0) } } ?? isNewer
      if !isUsed { console.warn("--allow \(text) was not needed.") }
    }
  }
}
