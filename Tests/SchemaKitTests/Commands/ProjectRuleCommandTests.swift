import Foundation
import Testing

@testable import SchemaKitCommands

@Suite("Rules of a project on the command line")
struct ProjectRuleCommandTests {
  private static let keyed = """
    [[lint.rule]]
    id = "keyed-tables"
    level = "warning"
    sentence = "Table {object} has no key."
    select = "SELECT name AS object FROM schema_tables WHERE NOT has_primary_key"
    """

  private func scene(_ settings: String = keyed) throws -> SettingsScene {
    let scene = try SettingsScene(settings)
    try scene.folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY);\nCREATE TABLE log (entry TEXT);\n", to: "s.sql")
    return scene
  }

  @Test("findings stand among those of lint in every form, with its exit codes")
  func forms() throws {
    let scene = try scene()
    let text = try scene.run("lint", "s.sql")
    #expect(text.status == 2 && text.errors == "")
    #expect(
      text.output.hasPrefix("log\n  ! keyed-tables  warning: rule of this project, line 2\n           Table log has no")
    )
    #expect(text.output.hasSuffix("\ns.sql: 1 warning\n"))
    let json = try scene.run("lint", "s.sql", "--format", "json").json
    let finding = try #require((json["findings"] as? [[String: Any]])?.first)
    #expect(finding["code"] as? String == "keyed-tables" && finding["object"] as? String == "log")
    #expect(finding["page"] as? String == "https://sqlite.org/lang_select.html" && json["warnings"] as? Int == 1)
    let github = try scene.run("lint", "s.sql", "--format", "github").output
    #expect(
      github.hasPrefix("::warning file=s.sql,line=2,col=1,title=keyed-tables rule of this project::Table log has no"))
    let sarif = try scene.run("lint", "s.sql", "--format", "sarif").output
    #expect(sarif.contains(#""ruleId" : "keyed-tables""#) && sarif.contains(#""text" : "rule of this project""#))
    #expect(
      try scene.run("lint", "s.sql", "--format", "junit").output.contains("keyed-tables log: s.sql has no likely"))
    #expect(try scene.run("lint", "s.sql", "--format", "markdown").output.contains("keyed-tables"))
    #expect(try scene.run("lint", "s.sql", "--fail-on", "error").status == 0)
  }

  @Test("the level decides the exit code, and -v says where the rules come from")
  func levels() throws {
    let note = try scene(Self.keyed.replacingOccurrences(of: "\"warning\"", with: "\"note\""))
    let run = try note.run("lint", "s.sql", "-v")
    #expect(run.status == 0 && run.errors == "schemactl: note: 1 rule of lint from schemactl.toml, line 1\n")
    let error = try scene(Self.keyed.replacingOccurrences(of: "\"warning\"", with: "\"error\""))
    #expect(try error.run("lint", "s.sql", "--fail-on", "error").status == 2)
    #expect(try error.run("lint", "s.sql", "--config", "none").output == "nothing found: s.sql\n")
  }

  @Test("settings, options and comments pass them over by their ids")
  func skipping() throws {
    let scene = try scene("skip = [\"keyed-tables:log\"]\n\(Self.keyed)")
    #expect(try scene.run("lint", "s.sql").output == "nothing found: s.sql\n")
    try scene.write(Self.keyed)
    #expect(try scene.run("lint", "s.sql", "--skip", "KEYED-TABLES").status == 0)
    #expect(try scene.run("lint", "s.sql", "--rule", "SL101").status == 0)
    #expect(try scene.run("lint", "s.sql", "--rule", "keyed-tables").status == 2)
    try scene.folder.write("CREATE TABLE log (entry TEXT); -- schemakit: ignore keyed-tables\n", to: "c.sql")
    #expect(try scene.run("lint", "c.sql").status == 0)
    #expect(try scene.run("plan", "new.db", "--to", "c.sql").status == 0)
    let gone = try scene.run("lint", "c.sql", "--config", "none")
    #expect(gone.status == 1 && gone.errors.contains("c.sql:1:32: there is no rule \"keyed-tables\" to ignore"))
    try scene.write("skip = [\"keyed\"]\n\(Self.keyed)")
    let wrong = try scene.run("lint", "s.sql")
    #expect(wrong.status == 1 && wrong.errors.contains("schemactl.toml:1: skip holds keyed: there is no rule"))
  }

  @Test(
    "a rule has no function that an extension brings",
    .enabled(if: SampleExtension.canBeCompiled, "cc or sqlite3ext.h is missing"), .needsPlainFiles("it loads a library")
  )
  func extensions() throws {
    let scene = try scene(Self.keyed.replacing("NOT has_primary_key", with: "shelf_code(name)"))
    let library = try SampleExtension.compile(in: scene.folder)
    let run = try scene.run("lint", "s.sql", "--load-extension", library)
    #expect(run.status == 1 && run.errors.contains("no such function: shelf_code"), "\(run.errors)")
  }

  @Test("a database, a snapshot and models are asked as SQL is, and a database stays as it is")
  func sources() throws {
    let scene = try scene()
    try scene.folder.database("b.db", "CREATE TABLE log (entry TEXT)")
    let before = try scene.folder.bytes("b.db")
    #expect(try scene.run("lint", "b.db").output.contains("Table log has no key."))
    #expect(try scene.folder.bytes("b.db") == before)
    try scene.folder.write(scene.run("inspect", "b.db", "--format", "json").output, to: "b.json")
    #expect(try scene.run("lint", "b.json").output.contains("Table log has no key."))
    try scene.write(Self.keyed.replacingOccurrences(of: "NOT has", with: "has"))
    #expect(try scene.run("lint", program: "notes-schema").output.contains("Table Note has no key."))
  }

  @Test(
    "a rule that is wrong is an error with its line, whatever the command",
    arguments: [
      ("lint = 3", "1: lint holds rules, each of which begins with [[lint.rule]], and not the number 3."),
      ("[lint]\nrules = []", "2: there is no setting lint.rules; lint holds rules, each of which begins with"),
      ("[lint.rule]\nid = \"a\"", "1: a rule begins with [[lint.rule]], in double brackets, and lint.rule is a table."),
      ("lint.rule = [\n  3,\n]", "2: a rule is a table, [[lint.rule]], and not the number 3."),
      ("[environments.a]\n[[environments.a.lint.rule]]\nid = \"a\"", "2: rules of lint are for every environment"),
      ("[[lint.rule]]\n\nid = 3", "3: a rule: id takes a text in quotes, and not the number 3."),
      ("[[lint.rule]]\nid = \"a\"\nlevel = \"\"", "3: rule a: level takes a text in quotes, and not an empty text."),
      ("[[lint.rule]]\nid = \"a\"\nselekt = \"\"", "3: rule a: a rule has no selekt; did you mean select?"),
      ("[[lint.rule]]\nlevel = \"note\"", "1: a rule: id is missing; give the rule a name"),
      ("\n[[lint.rule]]\nid = \"a\"\nlevel = \"note\"", "2: rule a: sentence is missing; say what was found"),
      ("[[lint.rule]]\nid = \"SL101\"", "2: a rule: the id \"SL101\" looks like a code of schemactl"),
      ("[[lint.rule]]\nid = \"a\"\nlevel = \"warn\"", "3: rule a: level cannot be \"warn\"; there are error, warning"),
      ("\(keyed)\n\(keyed)", "7: rule keyed-tables: another rule has this id, on line 2; give each its own."),
      (
        "lint.rule = [\n  { id = \"a\", level = \"note\", sentence = \"{x\", select = \"SELECT 1\" },\n]",
        "2: rule a: sentence has a brace"
      ),
    ])
  func mistakes(settings: String, problem: String) throws {
    let error = try #require(throws: CommandError.self) { try SettingsFile(text: settings, path: "schemactl.toml") }
    #expect(error.code == .failed && error.sentence.hasPrefix("schemactl.toml:\(problem)"), "\(error.sentence)")
  }

  @Test("what only the schema shows is an error with the line of the part that is wrong")
  func answers() throws {
    let scene = try scene(
      Self.keyed + "\n\n" + Self.keyed.replacing("keyed-tables", with: "other").replacing("{object}", with: "{x}"))
    let run = try scene.run("lint", "s.sql", "--format", "sarif")
    #expect(run.status == 1 && run.output == "")
    #expect(
      run.errors.hasPrefix("schemactl: schemactl.toml:10: rule other: sentence has {x}, and select gives no such"))
    try scene.write(Self.keyed.replacing("has_primary_key", with: "has_key"))
    #expect(
      try scene.run("lint", "s.sql").errors.hasPrefix("schemactl: schemactl.toml:5: rule keyed-tables: SQLite cannot"))
    // Other commands do not ask the rules.
    #expect(try scene.run("plan", "new.db", "--to", "s.sql").status == 0)
  }
}
