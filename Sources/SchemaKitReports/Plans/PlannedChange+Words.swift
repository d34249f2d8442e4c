import SchemaKit

extension PlannedChange {
  /// What changes, a text for each edit; what stands in place of them where the whole definition is new.
  var changes: [String] {
    isReplacement ? [formerSpelling.map { "formerly \($0)" } ?? "new definition"] : edits.map(\.sentence)
  }

  /// Why it is done so, a clause for each reason.
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
  /// How many single changes there are.
  var editCount: Int { reduce(0) { $0 + Swift.max(1, $1.edits.count) } }

  /// How many objects of each kind are concerned, in words: 2 tables and 1 index.
  var subjects: String {
    let kinds = [ObjectReference.Kind.table, .index, .view, .trigger, .dataStep]
    let counts = kinds.compactMap { kind -> String? in
      let names = Set(map(\.object).filter { $0.kind == kind }.map(\.name))
      return names.isEmpty ? nil : Wording.counted(names.count, kind.rawValue)
    }
    return Wording.list(counts)
  }

  /// How many objects change where they are.
  var changeCount: Int { count(.change) }

  /// How many changes are of a kind.
  func count(_ kind: MigrationStep.Strategy.Kind) -> Int { count { $0.action.kind == kind } }
}

extension [ObjectReference] {
  /// How many of each kind there are, in words: 2 indexes and 1 trigger.
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
