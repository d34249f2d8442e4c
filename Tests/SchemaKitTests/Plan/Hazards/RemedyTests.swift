import SQLiteSchema
import Testing

@testable import SchemaKit

@Suite("Remedies")
struct RemedyTests {
  @Test("the command line reads of options, and a program of what it declares")
  func audiences() throws {
    let hazard = Hazard(.droppedColumn, table: "t", column: "a b", count: 1, cause: DroppedColumnHazard().cause)
    #expect(hazard.remedy == "Allow the drop with --allow 'SK102:t.\"a b\"'.")
    #expect(
      hazard.remedyInPrograms
        == "Allow the drop with removed: in the declaration, or a PlanPolicy that allows SK102:t.\"a b\". To keep columns that "
        + "no model declares, set undeclaredColumns = .keep.")
  }

  @Test("an action that begins a sentence begins with a capital")
  func capitals() {
    let remedy: Remedy = "\(.examineRows). \(.keepHistory), or \(.copyUnderLock)."
    #expect(
      remedy.words(for: .commandLine)
        == "Plan without --quick (or from a dump with rows). Leave out --no-ledger, or leave out --strategy online.")
    #expect(!remedy.words(for: .programs).contains("--"))
  }

  @Test("an error of a program names no option, that of the command line does")
  func errors() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
    let error = try #require(throws: PlanError.self) { try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY)") }
    #expect(!error.description.contains("--allow") && error.description.contains("a PlanPolicy that allows SK102:t.a"))
    #expect(error.message.words(for: .commandLine).contains("--allow SK102:t.a"))
  }
}
