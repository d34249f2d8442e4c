import Foundation
import Testing

@testable import SchemaKitCommands

@Suite("What may stand in schemactl.toml")
struct SettingsFileTests {
  private static let names =
    "database, schema, layout, migrations, apply, ignore, create, strict-order, strategy, verify, lock-timeout, backup, "
    + "no-backup, untrusted, color and skip"

  @Test(
    "a mistake is an error with its line, what is expected, and the nearest name",
    arguments: [
      ("databse = \"a.db\"", "1: there is no setting databse; did you mean database?"),
      ("\n\nlock_timeout = 3", "3: there is no setting lock_timeout; did you mean lock-timeout?"),
      ("[environments.a]\ntables = 3", "2: there is no setting tables; there are \(names)."),
      ("[environment.a]", "1: there is no setting environment; did you mean environments?"),
      ("[production]", "1: there is no table [production]; write an environment as [environments.production]."),
      ("environments = 3", "1: environments holds tables, such as [environments.production], and not the number 3."),
      (
        "[environments]\nschema = \"a.sql\"",
        "2: [environments] holds tables, such as [environments.production], and schema is the text \"a.sql\"."
      ),
      ("database = 1", "1: database takes a path in quotes, and not the number 1."),
      ("database = \"\"", "1: database takes a path in quotes, and not an empty text."),
      ("database = 2026-01-01", "1: database takes a path in quotes, and not a date or time."),
      ("schema = \"-\"", "1: schema cannot be standard input in a file; name - on the command line."),
      (
        "ignore = \"tmp_*\"",
        "1: ignore takes a list of texts in quotes, such as [\"a\", \"b\"], and not the text \"tmp_*\"."
      ),
      (
        "skip = [\"SL101\", 3]",
        "1: skip takes a list of texts in quotes, such as [\"a\", \"b\"], and nothing else stands in it."
      ),
      ("lock-timeout = \"5\"", "1: lock-timeout takes a number from 0 to 1000000 seconds, and not the text \"5\"."),
      ("lock-timeout = -1", "1: lock-timeout takes a number from 0 to 1000000 seconds, and not the number -1."),
      ("lock-timeout = inf", "1: lock-timeout takes a number from 0 to 1000000 seconds, and not the number inf."),
      ("[[environments]]", "1: environments holds tables, such as [environments.production], and not a list."),
      ("untrusted = 1", "1: untrusted takes true or false, and not the number 1."),
      ("verify = true", "1: verify takes one of \"full\", \"counts\", \"paranoid\", and not true."),
      ("color = \"allways\"", "1: color cannot be \"allways\"; did you mean always?"),
      ("apply = \"both\"", "1: apply cannot be \"both\"; there are schema and migrations."),
      ("schema = \"a\"\nto = \"b\"", "2: schema and to are the same setting; keep one of them."),
      ("format = \"json\"", "1: format is not a setting: --format is given for one run, on its command line."),
      (
        "rename = [\"a=b\"]",
        "1: rename is not a setting; write it into the schema, behind a column or table: -- schemakit: renamed from OLD."
      ),
      ("env = \"a\"", "1: env is not a setting; choose the environment with --env or SCHEMACTL_ENV."),
    ])
  func mistakes(text: String, problem: String) throws {
    let error = try #require(throws: CommandError.self) { try SettingsFile(text: text, path: "x/schemactl.toml") }
    #expect(error.sentence == "x/schemactl.toml:\(problem)")
    #expect(error.code == .failed)
  }

  @Test("a text that is not TOML is an error with line and column", arguments: ["x = ", "[a", "a = 1\na = 2", "= 3"])
  func broken(text: String) throws {
    let error = try #require(throws: CommandError.self) { try SettingsFile(text: "\n\n" + text, path: "s.toml") }
    let line = text.contains("\n") ? 4 : 3
    #expect(error.sentence.hasPrefix("s.toml:\(line):"), "\(error.sentence)")
    #expect(error.sentence.contains(": not TOML: "))
  }

  @Test("a file that is not text, or cut off by a zero byte, is an error")
  func noText() throws {
    let scene = try SettingsScene()
    for bytes in [Data([0xFF, 0xFE, 0x61]), Data("schema = \"a.sql\"\n\0untrusted = maybe".utf8)] {
      try bytes.write(to: scene.folder.url("schemactl.toml"))
      let run = try scene.run("lint", "common.sql")
      #expect(run.status == 1 && run.errors == "schemactl: schemactl.toml is not UTF-8 text.\n")
    }
    for text in ["schema = \"common.sql\\u0000\"", "\"a\\u0000b\" = 1"] {
      try scene.write(text)
      let run = try scene.run("lint", "common.sql")
      #expect(run.status == 1 && run.errors == "schemactl: schemactl.toml: \\u0000 is not allowed in a setting.\n")
    }
  }

  @Test("a broken file stops every command that would take settings, and neither the help nor the version")
  func brokenFile() throws {
    let scene = try SettingsScene("schema = \"common.sql\"\n\nlock-timeout = five\n")
    let run = try scene.run("check", "app.db", "--to", "common.sql")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("schemactl: schemactl.toml:3:17: not TOML: "))
    #expect(run.errors.hasSuffix(". Text goes in quotes.\n"))
    #expect(try scene.run("check", "app.db", "--to", "common.sql", "--config", "none").status == 0)
    #expect(try scene.run("--version").status == 0)
    #expect(try scene.run("help", "check").status == 0)
  }

  @Test("every setting can stand at the top, in an environment, and in a variable", arguments: Setting.allCases)
  func everySetting(setting: Setting) throws {
    let (toml, text, value): (String, String, SettingEntry.Value) =
      switch setting.kind {
      case .path: ("\"/a/b\"", "/a/b", .text("/a/b"))
      case .paths: ("[\"/a/b\"]", "/a/b", .texts(["/a/b"]))
      case .texts: ("[\"a\", \"b\"]", "a, b", .texts(["a", "b"]))
      case .seconds: ("2.5", "2.5", .number(2.5))
      case .flag: ("true", "on", .flag(true))
      case .choice(let words): ("\"\(words[1])\"", words[1], .text(words[1]))
      }
    let file = try SettingsFile(
      text: "\(setting) = \(toml)\n[environments.\"a b\"]\n\(setting) = \(toml)", path: "schemactl.toml")
    let common = try #require(file.common[setting])
    #expect(common.value == value && common.origin.text == "schemactl.toml, line 1")
    let environment = try #require(file.environments["a b"]?[setting])
    #expect(environment.value == value)
    #expect(environment.origin.text == "schemactl.toml, [environments.a b], line 3")
    let name = SettingsVariables.variable(setting)
    let variable = try #require(try SettingsVariables([name: text]).settings[setting])
    #expect(variable.value == value && variable.origin.text == name)
  }

  @Test("keys are found on their lines, however they are written")
  func lines() throws {
    let text = """
      \u{FEFF}a = 1 # b = 2
      "b c" = \"\"\"
      d = 1
      \\\"\"\" \"\"\"\"
      e.f = ['x = 1', "y]\\\"", # z = 1
        { g = 1 },
      ]
      [h . "i"]  # [j]
      k = '''
      l = 1'''
      m = { n = { o = 1979-05-27T07:32:00Z }, p = [[1], [2]] }
      [[q]]
      r = 'a\\'
      [[q]]
      s = 3\r
      t=4
      """
    let lines = TOMLLines(text)
    let expected: [(String, Int)] = [
      ("a", 1), ("b c", 2), ("e", 5), ("e.f", 5), ("e.f.g", 6), ("h", 8), ("h.i", 8), ("h.i.k", 9), ("h.i.m", 11),
      ("h.i.m.n", 11), ("h.i.m.n.o", 11), ("h.i.m.p", 11), ("q", 12), ("q.r", 13), ("q.s", 15), ("q.t", 16),
      ("q.[0]", 12), ("q.[0].r", 13), ("q.[1]", 14), ("q.[1].s", 15), ("q.[1].t", 16), ("e.f.[0]", 5), ("e.f.[2].g", 6),
    ]
    for (path, line) in expected {
      #expect(lines[path.split(separator: ".").map { String($0) }] == line, "\(path)")
    }
    for path in [["b"], ["d"], ["l"], ["x"], ["z"], ["j"], ["h", "i", "l"], ["q", "[0]", "s"], ["q", "[2]"]] {
      #expect(lines[path] == nil, "\(path)")
    }
    // Whatever is read, there is an end.
    for count in 0...text.utf8.count { _ = TOMLLines(String(decoding: Array(text.utf8).prefix(count), as: UTF8.self)) }
  }

  @Test("environments may be written as dotted keys or in one line")
  func spellings() throws {
    for text in [
      "environments.a.color = \"never\"", "environments = { a = { color = \"never\" } }",
      "[environments]\na.color = \"never\"",
    ] {
      let file = try SettingsFile(text: text, path: "schemactl.toml")
      let entry = try #require(file.environments["a"]?[.color])
      #expect(entry.value == .text("never"))
      #expect(entry.origin.text == "schemactl.toml, [environments.a], line \(text.hasPrefix("[") ? 2 : 1)")
    }
  }
}
