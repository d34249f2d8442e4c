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
      guard !isUsed else { continue }
      let asked = allowance.map { plan.objects(askingFor: $0) } ?? []
      console.warn(
        asked.isEmpty
          ? "--allow \(text) was not needed."
          : "--allow \(text) allows nothing here; the plan asks for \(asked.joined(separator: ", ")).")
    }
  }
}

extension MigrationPlan {
  /// The pieces of consent that the plan asks for, of the class or code of one that names another object.
  fileprivate func objects(askingFor allowance: PlanPolicy.Allowance) -> [String] {
    guard allowance.table != nil else { return [] }
    let anywhere = PlanPolicy.Allowance(allowance.scope)
    return refusals(under: .lossless).filter { anywhere.covers($0) }.map {
      "\($0.code.rawValue):\($0.object)".shellWord
    }
  }
}
