import Foundation
import Testing

@Suite("The GitHub action")
struct ActionTests {
  let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// What the action's script gives to schemactl, an argument a line, with the given environment.
  private func arguments(_ environment: [String: String]) throws -> [String] {
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > arguments\n", to: "schemactl")
    let settings = environment.map { "\($0.key)=\(quoted($0.value))" }.joined(separator: " ")
    let script = SourceTree.root.appendingPathComponent("scripts/ci-check.sh").path
    let run = try CommandRun(
      ["-c", "chmod +x schemactl; env PATH=\"$PWD:$PATH\" \(settings) bash \(quoted(script))"], in: folder,
      program: "/bin/bash")
    #expect(run.status == 0, "\(run.errors)")
    return try String(contentsOf: folder.url("arguments"), encoding: .utf8).components(separatedBy: "\n").dropLast()
  }

  private func quoted(_ text: String) -> String { "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'" }

  @Test("gives each input as one argument, and each line of the others")
  func arguments() throws {
    #expect(
      try arguments([
        "SCHEMA": "my schema.sql", "MIGRATIONS": "steps", "BASE": "origin/main", "DATABASE": "app.db",
        "ARGUMENTS": "--ignore=tmp *\n\n--order=strict\n",
      ]) == [
        "12", "check", "--to", "my schema.sql", "--migrations", "steps", "--base", "origin/main", "--ignore=tmp *",
        "--order=strict", "app.db", "--format", "github",
      ])
  }

  @Test(
    "evaluates nothing in its inputs",
    arguments: [
      "$(touch pwned)", "`touch pwned`", "; touch pwned", "'; touch pwned; '", "x\ntouch pwned", "${IFS}&touch pwned",
    ])
  func hostile(text: String) throws {
    for input in ["SCHEMA", "MIGRATIONS", "BASE", "DATABASE", "ARGUMENTS"] {
      let given = try arguments(["SCHEMA": "s.sql"].merging([input: text]) { $1 })
      #expect(!folder.exists("pwned"), "\(input)")
      #expect(given.joined(separator: "\n").contains(text), "\(input)")
    }
  }
}
