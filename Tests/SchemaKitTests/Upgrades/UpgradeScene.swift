import Foundation
import Testing

/// A folder of cases, with the schema they are to have.
struct UpgradeScene {
  let folder: CommandFolder

  /// Writes files; those of cases lie in `upgrades`.
  init(_ files: [String: String]) throws {
    folder = try CommandFolder()
    for (path, text) in files { try folder.write(text, to: path) }
  }

  /// What `test` finds in a run, each as the case, the way, and the code.
  func findings(_ options: String...) throws -> [String] {
    let run = try CommandRun(["test", "--seed", "7", "--format", "json"] + options, in: folder)
    let cases = try #require(run.json["cases"] as? [[String: Any]], "\(run.errors)")
    let found = cases.flatMap { tested in
      (tested["findings"] as? [[String: Any]] ?? []).map { finding in
        let hazards = (finding["hazards"] as? [String] ?? []).map { " \($0)" }.joined()
        return "\(tested["name"] ?? "") \(finding["way"] ?? ""): \(finding["code"] ?? "")\(hazards)"
      }
    }
    #expect(run.status == (found.isEmpty ? 0 : 2), "\(run.output)")
    return found
  }
}
