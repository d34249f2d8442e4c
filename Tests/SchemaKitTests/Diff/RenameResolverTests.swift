import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("RenameResolver")
struct RenameResolverTests {
  private func resolve(
    _ source: [SQLName], _ target: [SQLName], _ hints: [SQLName: [SQLName]], kept: Int = 1, exchanged: Int = 1
  ) throws -> [SQLName: SQLName] {
    try RenameResolver(
      source: source, target: target, formerNames: { hints[$0] ?? [] },
      remainingChanges: { tried, _ in tried.allSatisfy { $0.key == $0.value } ? kept : exchanged }
    ).resolve().sources
  }

  @Test("without hints nothing is renamed")
  func noHints() throws {
    #expect(try resolve(["a", "b"], ["a", "c"], [:]).isEmpty)
  }

  @Test("a hint whose source is there and whose target is not is a rename")
  func simple() throws {
    #expect(try resolve(["a"], ["b"], ["b": ["a"]]) == ["b": "a"])
    #expect(try resolve(["A"], ["b"], ["b": ["a"]]) == ["b": "A"])
  }

  @Test("a hint counts as applied when its source is gone, or its target there")
  func applied() throws {
    #expect(try resolve(["b"], ["b"], ["b": ["a"]]).isEmpty)
    #expect(try resolve(["x"], ["b"], ["b": ["a"]]).isEmpty)
    #expect(try resolve(["a", "b"], ["b"], ["b": ["a"]]).isEmpty)
    #expect(try resolve(["a", "b"], ["a", "b"], ["b": ["a"]]).isEmpty)
  }

  @Test("several former names are tried in order")
  func severalNames() throws {
    #expect(try resolve(["x", "y"], ["n"], ["n": ["w", "x", "y"]]) == ["n": "x"])
    #expect(try resolve(["y"], ["n"], ["n": ["w", "x", "y"]]) == ["n": "y"])
  }

  @Test("a name given once is not given twice")
  func claimedOnce() throws {
    let sources = try resolve(["a"], ["b", "c"], ["b": ["a"], "c": ["a"]])
    #expect(sources == ["b": "a"])
    #expect(try resolve(["a", "z"], ["b", "c"], ["b": ["a"], "c": ["a", "z"]]) == ["b": "a", "c": "z"])
  }

  @Test("a chain moves every name one place on")
  func chain() throws {
    #expect(
      try resolve(["a", "b", "c"], ["b", "c", "d"], ["b": ["a"], "c": ["b"], "d": ["c"]])
        == ["d": "c", "c": "b", "b": "a"])
  }

  @Test("a chain whose end has happened counts as applied")
  func appliedChain() throws {
    #expect(try resolve(["b", "c"], ["b", "c"], ["b": ["a"], "c": ["b"]]).isEmpty)
  }

  @Test("a name that another one has taken leaves a new thing behind")
  func freedName() throws {
    #expect(try resolve(["a"], ["a", "b"], ["b": ["a"]]) == ["b": "a"])
  }

  @Test("an exchange runs when it leaves fewer changes, counts as applied when it leaves more, else is an error")
  func exchange() throws {
    let hints: [SQLName: [SQLName]] = ["a": ["b"], "b": ["a"]]
    #expect(try resolve(["a", "b"], ["a", "b"], hints, kept: 4, exchanged: 0) == ["a": "b", "b": "a"])
    #expect(try resolve(["a", "b"], ["a", "b"], hints, kept: 0, exchanged: 4).isEmpty)
    #expect(throws: RenameResolver.Ambiguity(names: ["a", "b"])) { try resolve(["a", "b"], ["a", "b"], hints) }
  }

  @Test("a circle of three turns as a whole")
  func circle() throws {
    let hints: [SQLName: [SQLName]] = ["a": ["c"], "b": ["a"], "c": ["b"]]
    #expect(
      try resolve(["a", "b", "c"], ["a", "b", "c"], hints, kept: 3, exchanged: 0) == ["a": "c", "b": "a", "c": "b"])
    #expect(throws: RenameResolver.Ambiguity.self) { try resolve(["a", "b", "c"], ["a", "b", "c"], hints) }
  }

  @Test("a hint that names itself is none")
  func selfHint() throws {
    #expect(try resolve(["a"], ["a"], ["a": ["a"]]).isEmpty)
    #expect(try resolve(["b"], ["a"], ["a": ["a", "b"]]) == ["a": "b"])
  }
}
