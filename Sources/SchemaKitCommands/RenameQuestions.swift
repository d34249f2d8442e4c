import SchemaKit

/// Asks on a terminal whether what would be dropped has a new name, once for each.
struct RenameQuestions {
  /// The drops that were asked about.
  private var asked: Set<Drop> = []

  private struct Drop: Hashable {
    var table: String
    var column: String?
  }

  init() {}

  /// The renames that somebody has confirmed, of all that a refused plan leaves open.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - refusals: The hazards of the drops that nobody has consented to.
  ///   - source: The schema of the file.
  ///   - target: The declared schema.
  ///   - console: Where to ask.
  mutating func ask(
    about plan: MigrationPlan, _ refusals: [Hazard], from source: DatabaseSchema, to target: DatabaseSchema,
    on console: Console
  ) -> [RenameOption] {
    var confirmed: [RenameOption] = []
    for hazard in refusals where asked.insert(Drop(table: hazard.table, column: hazard.column)).inserted {
      let candidates = plan.likelyRenames(behind: hazard, from: source, to: target).filter { candidate in
        !confirmed.contains { $0.newTable == candidate.newTable && $0.newColumn == candidate.newColumn }
      }
      guard let answer = choice(of: candidates, hazard, on: console) else { continue }
      confirmed.append(answer)
      console.note([
        "taken for a rename. To say so without being asked: --rename \(answer.text.shellWord), or \(answer.hint)."
      ])
    }
    return confirmed
  }

  private func choice(of candidates: [RenameOption], _ hazard: Hazard, on console: Console) -> RenameOption? {
    guard let first = candidates.first else { return nil }
    console.error(hazard.message)
    guard candidates.count > 1 else {
      return console.ask("Was it renamed to \(Self.newName(first))? What it holds stays then.") ? first : nil
    }
    let list = candidates.enumerated().map { "\($0 + 1) \(Self.newName($1))" }
    guard
      let number = console.askForNumber(
        "Was it renamed? What it holds stays then. Type \(list.joined(separator: ", ")), or press Enter for no:",
        upTo: candidates.count)
    else { return nil }
    return candidates[number - 1]
  }

  private static func newName(_ rename: RenameOption) -> String { "\(rename.newColumn ?? rename.newTable)" }
}
