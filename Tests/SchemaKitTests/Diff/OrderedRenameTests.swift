import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("OrderedRename")
struct OrderedRenameTests {
  private func order(
    _ renames: [(old: SQLName, new: SQLName)], taken: Set<SQLName>, detour: Bool = false
  ) -> [String] {
    OrderedRename.ordered(renames, taken: taken, caseNeedsDetour: detour).map { "\($0.old)>\($0.new)" }
  }

  @Test("a chain runs from its free end")
  func chain() {
    #expect(order([(old: "a", new: "b"), (old: "b", new: "c")], taken: ["a", "b"]) == ["b>c", "a>b"])
  }

  @Test("an exchange goes through a name that is free")
  func exchange() {
    let steps = order(
      [(old: "a", new: "b"), (old: "b", new: "a")], taken: ["a", "b", "_schemakit_rename_1"])
    #expect(steps.count == 3)
    #expect(steps.contains { $0.hasSuffix(">_schemakit_rename_2") })
  }

  @Test("a change of case takes a detour only where it must")
  func caseOnly() {
    #expect(order([(old: "note", new: "Note")], taken: ["note"]) == ["note>Note"])
    #expect(
      order([(old: "note", new: "Note")], taken: ["note"], detour: true)
        == ["note>_schemakit_rename_1", "_schemakit_rename_1>Note"])
  }

  @Test("whatever the renames, no step meets a name that is taken, and all arrive", arguments: 1...30)
  func permutations(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let names = (1...6).map { SQLName("n\($0)") }
    let shuffled = names.shuffled(using: &generator)
    let renames = zip(names, shuffled).filter { $0 != $1 }.map { (old: $0, new: $1) }
    var there: [SQLName: SQLName] = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
    for step in OrderedRename.ordered(renames, taken: Set(names), caseNeedsDetour: true) {
      #expect(there[step.new] == nil, "\(step.new) is taken")
      there[step.new] = there.removeValue(forKey: step.old)
    }
    for (old, new) in zip(names, shuffled) { #expect(there[new] == old) }
    #expect(there.count == names.count)
  }
}
