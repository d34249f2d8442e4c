import Foundation
import Testing

@Suite("Commands with settings")
struct SettingsCommandTests {
  /// A scene with a recorded step that leads to `more.sql`.
  private func recorded(_ settings: String) throws -> SettingsScene {
    let scene = try SettingsScene(settings)
    let run = try scene.run(
      "migrations", "new", "first", "--to", "more.sql", "--config", "none", "--migrations", "steps")
    try #require(run.status == 0, "\(run.errors)")
    return scene
  }

  @Test("apply goes to the schema where a folder is set too, and through the folder where it is all there is")
  func applyWays() throws {
    let scene = try recorded("schema = \"more.sql\"\nmigrations = \"steps\"\ndatabase = \"new.db\"")
    let schema = try scene.run("apply", "--yes", "--create")
    #expect(schema.status == 0 && schema.output.contains("create"))
    #expect(!schema.output.contains("0001-first"))
    try scene.write("migrations = \"steps\"\ndatabase = \"steps.db\"")
    let steps = try scene.run("apply", "--yes", "--create")
    #expect(steps.status == 0 && steps.output.contains("applied: 0001-first"))
    try scene.write("schema = \"more.sql\"\nmigrations = \"steps\"")
    let flag = try scene.run("apply", "flag.db", "--yes", "--create", "--migrations", "steps")
    #expect(flag.status == 0 && flag.output.contains("applied: 0001-first"))
  }

  @Test("apply = \"migrations\" has an environment run the recorded steps, and --to or --plan goes elsewhere")
  func applySetting() throws {
    let scene = try recorded(
      """
      schema = "more.sql"
      migrations = "steps"
      ignore = ["left_*"]
      [environments.production]
      database = "new.db"
      apply = "migrations"
      """)
    try scene.folder.database("new.db", "CREATE TABLE left_alone (id INTEGER PRIMARY KEY)")
    let run = try scene.run("apply", "--env", "production", "--yes")
    #expect(run.status == 0 && run.output.contains("applied: 0001-first"))
    let schema = try scene.run("apply", "other.db", "--env", "production", "--yes", "--create", "--to", "common.sql")
    #expect(schema.status == 0 && !schema.output.contains("0001-first"))
    let plan = try scene.run("plan", "other.db", "--env", "production", "--out", "plan.json")
    #expect(plan.status == 0 && plan.errors.contains("note: this is the plan to the schema; apply runs recorded steps"))
    let saved = try scene.run("apply", "other.db", "--env", "production", "--yes", "--create", "--plan", "plan.json")
    #expect(saved.status == 0 && saved.output.contains("add column more TEXT"), "\(saved.output)")
    let quick = try scene.run("apply", "--env", "production", "--yes", "--quick")
    #expect(quick.status == 64)
    #expect(quick.errors.contains("the settings have apply run the recorded steps, so --quick has no meaning here."))
    try scene.write("apply = \"migrations\"\ndatabase = \"new.db\"\nschema = \"more.sql\"")
    let none = try scene.run("apply", "--yes")
    #expect(none.status == 1)
    #expect(none.errors.contains("schemactl.toml:1: apply = \"migrations\" needs a folder: set migrations as well."))
  }

  @Test("create = false makes a missing database an error that names what is near, for what plans, applies and checks")
  func createSetting() throws {
    let scene = try recorded("schema = \"more.sql\"\ncreate = false")
    let recorded = ["apply", "ap.db", "--yes", "--migrations", "steps"]
    let status = ["migrations", "status", "ap.db", "--migrations", "steps"]
    for command in [["plan", "ap.db"], ["apply", "ap.db", "--yes"], recorded, status, ["check", "ap.db"]] {
      let run = try CommandRun(command, in: scene.folder)
      #expect(run.status == 1)
      #expect(run.errors.contains("ap.db does not exist and will not be created (--no-create). Did you mean app.db?"))
      #expect(run.output.isEmpty && !scene.folder.exists("ap.db"))
    }
    #expect(try scene.run("plan", "app.db").status == 0)
    #expect(try scene.run("apply", "ap.db", "--yes", "--create").status == 0)
    #expect(scene.folder.exists("ap.db"))
  }

  @Test("check looks at the database and the folder of the settings, and at no folder where --to names another schema")
  func check() throws {
    let scene = try recorded("schema = \"more.sql\"\nmigrations = \"steps\"\ndatabase = \"app.db\"")
    let both = try scene.run("check")
    #expect(both.status == 2 && both.output.contains("app.db"))
    #expect(both.output.contains("steps"))
    let other = try scene.run("check", "--to", "common.sql")
    #expect(other.status == 0 && other.output == "in sync: app.db has the schema of common.sql\n")
    try scene.write("schema = \"more.sql\"\nmigrations = \"steps\"")
    let folder = try scene.run("check")
    #expect(folder.status == 0 && !folder.output.contains("app.db"))
    #expect(try scene.run("check", "--base", "steps").status == 0)
    let nothing = try scene.run("check", "--config", "none")
    #expect(nothing.status == 64 && nothing.errors.contains("Nothing to check"))
    #expect(try scene.run("check", "app.db", "--config", "none", "--base", "steps").status == 64)
    try scene.write("schema = \"more.sql\"\nmigrations = \"gone\"")
    let gone = try scene.run("check")
    #expect(gone.status == 1)
    #expect(
      gone.errors == "schemactl: schemactl.toml:2: there is no folder gone. Record its first step with migrations new, "
        + "or take this setting out.\n")
  }

  @Test("the commands on migrations take folder, schema and database")
  func migrations() throws {
    let scene = try recorded("schema = \"more.sql\"\nmigrations = \"steps\"\ndatabase = \"app.db\"")
    #expect(try scene.run("migrations", "verify").output == "in order: steps has 1 step, as recorded\n")
    try scene.folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, \"more\" TEXT, \"most\" TEXT);", to: "more.sql")
    #expect(try scene.run("migrations", "new", "second").output == "steps/0002-second.sql\n")
    #expect(try scene.run("migrations", "new", "third", "--empty").output == "steps/0003-third.sql\n")
    let below = try scene.run(in: "a", "migrations", "hash")
    #expect(below.output == "../steps/checksums.txt\n")
    #expect(try scene.run("migrations", "status").status == 4)
    let fresh = try scene.run("migrations", "status", "fresh.db")
    #expect(fresh.status == 2 && fresh.output.contains("0002-second"))
  }

  @Test("lint and the second schema of diff are the declared schema, and inspect shows the database")
  func schemas() throws {
    let scene = try SettingsScene("schema = \"more.sql\"")
    #expect(try scene.run("lint").output == "nothing found: more.sql\n")
    #expect(try scene.run("diff", "common.sql").status == 2)
    #expect(try scene.run("inspect").output.contains("\"more\" TEXT"))
    try scene.write("schema = \"more.sql\"\ndatabase = \"app.db\"")
    #expect(try !scene.run("inspect").output.contains("more"))
    #expect(try scene.run("inspect", "more.sql").output.contains("more"))
    try scene.write("strict-order = true")
    try scene.folder.write("CREATE TABLE t (name TEXT, id INTEGER PRIMARY KEY);", to: "o.sql")
    #expect(try scene.run("diff", "common.sql", "o.sql").status == 2)
    #expect(try scene.run("diff", "common.sql", "o.sql", "--no-strict-order").status == 0)
  }

  @Test("lint passes over what the settings name, quietly where there is nothing, and --skip stands alone")
  func skip() throws {
    let scene = try SettingsScene("schema = \"keys.sql\"\nskip = [\"SL101\", \"SL105\"]")
    try scene.folder.write(
      "CREATE TABLE p (id INTEGER PRIMARY KEY);\n"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));\n", to: "keys.sql")
    let run = try scene.run("lint")
    #expect(run.status == 0 && run.errors == "")
    let given = try scene.run("lint", "--skip", "SL105")
    #expect(given.status == 2 && given.errors.contains("--skip SL105 passes nothing over."))
    try scene.write("schema = \"keys.sql\"\nskip = [\"SL999\"]")
    let wrong = try scene.run("lint")
    #expect(wrong.status == 1)
    #expect(wrong.errors.hasPrefix("schemactl: schemactl.toml:2: skip holds SL999: there is no rule \"SL999\""))
    let other = try scene.run("lint", "--skip", "SL101")
    #expect(other.status == 0)
  }

  @Test("backup in a file is a folder for copies; what is nearest decides, and no-backup makes none")
  func backup() throws {
    func copies(_ settings: String, variables: [String: String] = [:], _ flags: String...) throws -> [String] {
      let scene = try SettingsScene(settings)
      try FileManager.default.createDirectory(at: scene.folder.url("copies"), withIntermediateDirectories: true)
      try scene.folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "less.sql")
      try scene.folder.database("app.db", "INSERT INTO t VALUES (1, 'a')")
      let run = try CommandRun(
        ["apply", "app.db", "--to", "less.sql", "--yes", "--allow", "SK102", "--env", "a"] + flags, in: scene.folder,
        environment: variables)
      try #require(run.status == 0, "\(run.errors)")
      let files = try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path)
      return files.filter { $0.contains(".before-") || $0 == "one.db" }.map {
        $0.replacingOccurrences(of: #"[0-9a-f]{8}"#, with: "…", options: .regularExpression)
      }
    }
    #expect(try copies("[environments.a]") == ["app.db.before-….db"])
    #expect(try copies("backup = \"copies\"\n[environments.a]") == ["copies/app.db.before-….db"])
    #expect(try copies("backup = \"copies/\"\n[environments.a]") == ["copies/app.db.before-….db"])
    #expect(try copies("backup = \"copies\"\n[environments.a]\nno-backup = true") == [])
    #expect(try copies("no-backup = true\n[environments.a]\nno-backup = false") == ["app.db.before-….db"])
    #expect(
      try copies("backup = \"copies\"\n[environments.a]\nno-backup = false") == ["copies/app.db.before-….db"])
    #expect(try copies("no-backup = true\n[environments.a]\nbackup = \"copies\"") == ["copies/app.db.before-….db"])
    #expect(try copies("[environments.a]\nbackup = \"copies\"", variables: ["SCHEMACTL_NO_BACKUP": "1"]) == [])
    #expect(try copies("[environments.a]\nno-backup = true", "--backup", "one.db") == ["one.db"])
    #expect(try copies("[environments.a]\nbackup = \"copies\"", "--no-backup") == [])
    let both = try SettingsScene("backup = \"copies\"\nno-backup = true").run("apply", "app.db", "--to", "more.sql")
    #expect(both.status == 1)
    #expect(both.errors == "schemactl: schemactl.toml:2: no-backup and backup contradict each other.\n")
  }

  @Test("strategy, verify and lock-timeout count as if they were given")
  func others() throws {
    let scene = try SettingsScene("schema = \"checked.sql\"\nstrategy = \"rebuild\"\nverify = \"paranoid\"")
    try scene.folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "checked.sql")
    #expect(try scene.run("plan", "app.db").output.contains("rebuild"))
    #expect(try !scene.run("plan", "app.db", "--strategy", "auto").output.contains("-/+ rebuild"))
    let notes = try scene.run("apply", "app.db", "--yes", "-v")
    #expect(notes.status == 0 && notes.errors.contains("note: verify from schemactl.toml, line 3\n"))
    try scene.write("lock-timeout = 0.1\nschema = \"more.sql\"")
    let holder = try RawSQLite(scene.folder.url("app.db").path)
    defer { holder.close() }
    try holder.exec("BEGIN EXCLUSIVE")
    let busy = try scene.run("apply", "app.db", "--yes")
    #expect(busy.status == 5 && busy.errors.contains("waiting for 0.1 seconds"))
  }

  @Test("a program with models keeps to them, and takes the rest")
  func models() throws {
    let scene = try SettingsScene("schema = \"more.sql\"\ndatabase = \"notes.db\"")
    let run = try scene.run("check", "-v", program: "notes-schema")
    #expect(run.status == 2 && run.output.contains("notes.db"))
    #expect(run.errors.contains("notes-schema: note: database from schemactl.toml, line 2\n"))
    #expect(
      run.errors.contains("note: schema from schemactl.toml, line 1 is passed over: this program has models\n"))
    #expect(try !scene.run("inspect", program: "notes-schema").output.contains("more"))
    #expect(try scene.run("diff", "more.sql", program: "notes-schema").status == 2)
  }
}
