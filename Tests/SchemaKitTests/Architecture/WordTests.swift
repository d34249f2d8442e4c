import Foundation
import Testing

/// Keeps words out that the project once had of its own, where the field has a word.
@Suite("Words")
struct WordTests {
  /// Each with the word to write instead.
  static let replaced = [
    "FactQuestion": "RowCheck", "FactSubject": "RowCheckSubject", "TableFacts": "RowCheckResults", "sieve": "prefilter",
    "Ladder": "StrategySelection", "RecordedStep": "Migration", "StepRunner": "MigrationRunner",
    "StandingReport": "MigrationStatusReport", "spentConversion": "appliedConversion",
    "DeclaredTarget": "TargetSchema", "PlanProof": "PlanValidation", "FaithfulTrial": "EnvironmentCheck",
    "misfit": "type mismatch", "takes? consent": "requires consent", "gives? way to": "is replaced by",
    "cannot be meant": "cannot be combined", "reckoned": "estimated", "(numbers|texts) that are none": "not numbers",
    "the way is gone": "once this migration has run", "(?<!there )is no (folder|list|hint|setting|name)": "is not a",
    "author's conversion": "declared conversion", "SketchArtist": "SchemaGenerator", "SecondJudge": "SchemaOracle",
  ]

  /// Old words that the ledger still has.
  private static let exempt = "Sources/SchemaKit/History/Loss+Former.swift"

  @Test("no source, help, message or document has a word of our own where the field has one")
  func words() throws {
    let sources = try ["Sources", "Tests"].flatMap { try SourceTree.swiftFiles(in: $0) }
      .filter { !$0.path.hasSuffix("/WordTests.swift") && $0.path != Self.exempt }.map { ($0.path, $0.text) }
    let documents = try Document.all().map { ($0.path, $0.lines.joined(separator: "\n")) }
    for (path, text) in sources + documents {
      for (word, instead) in Self.replaced
      where text.range(of: "(?<![A-Za-z])\(word)", options: .regularExpression) != nil {
        Issue.record("\(path) has \(word); write \(instead)")
      }
    }
  }
}
