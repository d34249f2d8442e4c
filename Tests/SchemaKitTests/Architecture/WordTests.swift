import Foundation
import Testing

/// Keeps words out that the project once had of its own, where the field has a word.
@Suite("Words")
struct WordTests {
  /// Each with the word to write instead.
  static let replaced = [
    "(\\w*Facts?[A-Z]\\w*|TableFacts|Facts:)": "RowCheck", "[Ss]ieve": "prefilter", "[Ll]adder": "StrategySelection",
    "[Oo]bjection": "rejection", "[Uu]pkeep": "onBehalfOf", "Obstacles\\b": "SuspendedObjects",
    "Standing\\b": "MigrationStatus",
    "[a-z]\\w*Spent": "applied", "spent (conversion|hint|fill)": "applied",
    "(conversion|hint|fill)s? (is|are) spent": "applied",
    "RecordedStep": "Migration", "StepRunner": "MigrationRunner",
    "StandingReport": "MigrationStatusReport", "spentConversion": "appliedConversion",
    "DeclaredTarget": "TargetSchema", "PlanProof": "PlanValidation", "FaithfulTrial": "EnvironmentCheck",
    "misfit": "type mismatch", "takes? consent": "requires consent", "gives? way to": "is replaced by",
    "cannot be meant": "cannot be combined", "reckoned": "estimated", "(numbers|texts) that are none": "not numbers",
    "the way is gone": "once this migration has run", "(?<!there )is no (folder|list|hint|setting|name)": "is not a",
    "author's conversion": "declared conversion", "SketchArtist": "SchemaGenerator", "SecondJudge": "SchemaOracle",
    "Whatever objects": "A type that", "found no row with": "no longer exists", "none is to be made": "was given",
    "is not this schema's": "not managed by this schema", "kept (its|their) words": "is unchanged",
    "in the same words": "with the same SQL", "another order of columns": "a different column order",
    "that (is|are) none": "is not a", "no part of what the plan is": "ignored when plans are compared",
  ]

  /// Old words that the ledger still has.
  private static let exempt = "Sources/SchemaKit/History/Loss+Former.swift"

  @Test("no source, help, message or document has a word of our own where the field has one")
  func words() throws {
    let sources = try ["Sources", "Tests"].flatMap { try SourceTree.swiftFiles(in: $0) }
      .filter { !$0.path.hasSuffix("/WordTests.swift") && $0.path != Self.exempt }.map { ($0.path, $0.text) }
    let documents = try Document.all().map { ($0.path, $0.lines.joined(separator: "\n")) }
    for (path, text) in try sources + documents + [("CHANGELOG.md", Self.changes())] {
      for (word, instead) in Self.found(in: "\(path)\n\(text)") {
        Issue.record("\(path) has \(word); write \(instead)")
      }
    }
  }

  private static func found(in text: String) -> [(word: String, instead: String)] {
    replaced.filter { text.range(of: "(?<![A-Za-z])\($0.key)", options: .regularExpression) != nil }
      .map { ($0.key, $0.value) }
  }

  /// What the changelog says of the next release, without the names in code that it says are replaced.
  private static func changes() throws -> String {
    let lines = try Document("CHANGELOG.md").lines.drop { $0 != "## [Unreleased]" }.dropFirst()
    return lines.prefix { !$0.hasPrefix("## [") }.joined(separator: "\n").replacing(/`[^`]*`/, with: "")
  }

  @Test(
    "the test sees old words, and leaves plain English alone",
    arguments: [
      ("struct FactSieve {", true), ("enum TableFacts {", true), (#"@Suite("Facts: rows")"#, true),
      ("noteSpent(x)", true),
      ("ledger.areSpent(hints)", true), ("the hint is spent", true), ("var upkeepOf: SQLName", true),
      ("PlanBuilder+Obstacles", true), ("enum Standing {", true), ("What has kept its words", true),
      ("a factory of rows", false), ("the time that is spent", false), ("a long-standing rule", false),
      ("names that need quotes are not an obstacle", false), ("a fact about rows", false),
    ])
  func seen(text: String, isOld: Bool) { #expect(Self.found(in: text).isEmpty == !isOld) }
}
