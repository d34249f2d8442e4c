import SchemaKit

extension PlannedChange {
  /// The changes, a text for each edit; a substitute if the whole definition is new.
  var changes: [String] {
    isReplacement ? [formerSpelling.map { "formerly \($0)" } ?? "new definition"] : edits.map(\.sentence)
  }

  /// The reasons for the chosen way, a clause for each.
  var reasons: [String] {
    passedOver.map(\.sentence) + (motive.map { [$0.sentence] } ?? [])
      + filledIndexes.map { step in
        let words = step.changes.joined(separator: ", ")
        return step.object.name == object.name ? words : "\(step.object): \(words)"
      }
  }

  /// All statements, in order.
  var allStatements: [PlannedStatement] { preparation + statements + restoration }
}

extension [PlannedChange] {
  /// The number of single changes.
  var editCount: Int { reduce(0) { $0 + Swift.max(1, $1.edits.count) } }

  /// The number of objects of each kind that are concerned, in words: 2 tables and 1 index.
  var subjects: String {
    let kinds = [ObjectReference.Kind.table, .index, .view, .trigger, .dataStep]
    let counts = kinds.compactMap { kind -> String? in
      let names = Set(map(\.object).filter { $0.kind == kind }.map(\.name))
      return names.isEmpty ? nil : Wording.counted(names.count, kind.rawValue)
    }
    return Wording.list(counts)
  }

  /// The number of objects that change where they are.
  var changeCount: Int { count(.change) }

  /// The number of changes of a kind.
  func count(_ kind: MigrationStep.Strategy.Kind) -> Int { count { $0.action.kind == kind } }
}

extension [ObjectReference] {
  /// The number of objects of each kind, in words: 2 indexes and 1 trigger.
  var inWords: String {
    Wording.list(
      [ObjectReference.Kind.index, .view, .trigger].compactMap { kind in
        let number = count { $0.kind == kind }
        return number == 0 ? nil : Wording.counted(number, kind.rawValue)
      })
  }
}

extension MigrationPlan {
  /// The views and triggers that are suspended and restored for no table of their own, in words.
  var suspendedInWords: String { suspensions.filter { $0.strategy.creates }.map(\.object).inWords }
}
