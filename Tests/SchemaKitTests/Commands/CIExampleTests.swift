import Foundation
import Testing

@Suite("CI", .enabled(if: Validators.isExpected, "PyYAML is not there; make setup-tests fetches it"))
struct CIExampleTests {
  @Test("the steps of the action and of the examples run against a release, and evaluate nothing in their inputs")
  func steps() throws {
    let folder = try CommandFolder()
    let script = SourceTree.root.appendingPathComponent("scripts/ci/test_ci.py").path
    let run = try CommandRun(
      [script], in: folder, program: try Validators.interpreter,
      // The steps run without the library that the tests may run on.
      environment: Validators.environment.merging(["SCHEMACTL": CommandRun.schemactl, "LD_LIBRARY_PATH": ""]) { $1 })
    #expect(run.status == 0, "\(run.errors)")
    // The last lines of unittest: how many ran, and that none failed.
    let count = try #require(run.errors.firstMatch(of: /Ran (\d+) tests/)).output.1
    #expect(Int(count) ?? 0 > 10)
  }
}
