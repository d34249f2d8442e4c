import Foundation
import Testing

@Suite("Settings of schemactl.toml and the environment")
struct SettingsTests {
  @Test("an option stands over a variable, that over the environment's table, and that over the rest of the file")
  func precedence() throws {
    let scene = try SettingsScene(
      """
      schema = "common.sql"
      [environments.ci]
      schema = "environment.sql"
      """)
    let variables = ["SCHEMACTL_SCHEMA": "variable.sql"]
    let flag = try scene.run("check", "app.db", "--env", "ci", "--to", "flag.sql", variables: variables)
    #expect(flag.output == "in sync: app.db has the schema of flag.sql\n")
    let variable = try scene.run("check", "app.db", "--env", "ci", variables: variables)
    #expect(variable.output == "in sync: app.db has the schema of variable.sql\n")
    let environment = try scene.run("check", "app.db", "--env", "ci")
    #expect(environment.output == "in sync: app.db has the schema of environment.sql\n")
    let common = try scene.run("check", "app.db")
    #expect(common.output == "in sync: app.db has the schema of common.sql\n")
    let none = try scene.run("check", "app.db", "--config", "none")
    #expect(none.status == 64 && none.errors.contains("--to SCHEMA is missing"))
  }

  @Test("SCHEMACTL_ENV chooses an environment, --env another, and an empty variable none")
  func environments() throws {
    let scene = try SettingsScene(
      """
      [environments.a]
      schema = "common.sql"
      [environments.b]
      schema = "flag.sql"
      """)
    let variables = ["SCHEMACTL_ENV": "a"]
    #expect(try scene.run("check", "app.db", variables: variables).output.contains("common.sql"))
    #expect(try scene.run("check", "app.db", "--env", "b", variables: variables).output.contains("flag.sql"))
    #expect(try scene.run("check", "app.db", variables: ["SCHEMACTL_ENV": ""]).status == 64)
  }

  @Test("-v says where each setting came from that is not an option, and nothing else does")
  func origins() throws {
    let scene = try SettingsScene(
      """
      # What all have in common.
      to = "common.sql"
      lock-timeout = 3

      [environments.production]
      color = "never"
      database = "app.db"
      """)
    let run = try scene.run("plan", "--env", "production", "-v", variables: ["SCHEMACTL_IGNORE": "tmp_*, x"])
    #expect(run.status == 0)
    #expect(
      run.errors == """
        schemactl: note: lock-timeout from schemactl.toml, line 3
        schemactl: note: color from schemactl.toml, [environments.production], line 6
        schemactl: note: database from schemactl.toml, [environments.production], line 7
        schemactl: note: schema from schemactl.toml, line 2
        schemactl: note: ignore from SCHEMACTL_IGNORE

        """)
    let given = try scene.run("plan", "app.db", "--to", "common.sql", "--lock-timeout", "1", "--color", "auto", "-v")
    #expect(given.status == 0 && given.errors == "")
    #expect(try scene.run("plan", "--env", "production").errors == "")
    let chosen = try scene.run("plan", "-v", variables: ["SCHEMACTL_ENV": "production"])
    #expect(chosen.errors.hasPrefix("schemactl: note: environment production from SCHEMACTL_ENV\n"))
  }

  @Test("without a file and variables everything is as it was")
  func noFile() throws {
    let scene = try SettingsScene()
    let run = try scene.run("check", "app.db", "--to", "common.sql", "-v")
    #expect(run.status == 0 && run.errors == "")
    let missing = try scene.run("apply", "--to", "common.sql", "--yes")
    #expect(missing.status == 64 && missing.output == "")
    #expect(
      missing.errors
        == "schemactl: DATABASE is missing. Name the database file, or write database = \"FILE\" into a schemactl.toml.\n"
    )
    for command in ["lint", "inspect"] {
      let run = try scene.run(command)
      #expect(run.status == 64 && run.errors.hasPrefix("schemactl: SCHEMA is missing:"), "\(command)")
    }
  }

  @Test("a database that neither the command line nor the file names is an error that says how to name it")
  func missingDatabase() throws {
    let scene = try SettingsScene("schema = \"common.sql\"")
    let commands = [
      ["plan"], ["apply", "--yes"], ["undo", "--yes"], ["history"], ["doctor"], ["migrations", "status"],
      ["migrations", "baseline"],
    ]
    for command in commands {
      let run = try CommandRun(command, in: scene.folder)
      #expect(run.status == 64, "\(command)")
      #expect(
        run.errors == "schemactl: DATABASE is missing. Name the database file, or write database = \"FILE\" into "
          + "schemactl.toml.\n", "\(command)")
    }
    try scene.write("[environments.a]\ndatabase = \"app.db\"\n[environments.b]\ncolor = \"never\"")
    #expect(
      try scene.run("apply", "--yes").errors == "schemactl: DATABASE is missing. Name the database file, or choose an "
        + "environment of schemactl.toml with --env: a.\n")
    #expect(
      try scene.run("apply", "--yes", "--env", "b").errors == "schemactl: DATABASE is missing. [environments.b] of "
        + "schemactl.toml names none: name the file here, or write database = \"FILE\" there.\n")
  }

  @Test("paths in a file are relative to its folder, wherever the command runs")
  func relativePaths() throws {
    let scene = try SettingsScene("schema = \"common.sql\"\ndatabase = \"app.db\"")
    let below = try scene.run(in: "a/b", "check", "-v")
    #expect(below.output == "in sync: ../../app.db has the schema of ../../common.sql\n")
    #expect(below.errors.contains("database from ../../schemactl.toml, line 2\n"))
    let named = try scene.run(in: "a", "check", "--config", "../schemactl.toml")
    #expect(named.output == "in sync: ../app.db has the schema of ../common.sql\n")
    let path = scene.folder.url("app.db").path
    try scene.write("schema = \"common.sql\"\ndatabase = \"\(path)\"")
    #expect(try scene.run(in: "a", "check").output == "in sync: \(path) has the schema of ../common.sql\n")
  }

  @Test("the nearest file is taken, and none from outside of the repository")
  func nearestFile() throws {
    let scene = try SettingsScene("schema = \"common.sql\"")
    try FileManager.default.createDirectory(at: scene.folder.url("a/b/.git"), withIntermediateDirectories: true)
    #expect(try scene.run(in: "a", "lint").output == "nothing found: ../common.sql\n")
    #expect(try scene.run(in: "a/b/c", "lint").status == 64)
    try scene.folder.write("schema = \"../../flag.sql\"", to: "a/b/schemactl.toml")
    #expect(try scene.run(in: "a/b/c", "lint").output == "nothing found: ../../../flag.sql\n")
    // A folder of this name is no file.
    try FileManager.default.createDirectory(
      at: scene.folder.url("d/schemactl.toml"), withIntermediateDirectories: true)
    #expect(try scene.run(in: "d", "lint").output == "nothing found: ../common.sql\n")
  }

  @Test("--config and SCHEMACTL_CONFIG name a file, or none")
  func config() throws {
    let scene = try SettingsScene("schema = \"common.sql\"")
    try scene.write("schema = \"flag.sql\"", to: "other.toml")
    #expect(try scene.run("lint", "--config", "other.toml").output == "nothing found: flag.sql\n")
    let variables = ["SCHEMACTL_CONFIG": "other.toml"]
    #expect(try scene.run("lint", variables: variables).output == "nothing found: flag.sql\n")
    #expect(
      try scene.run("lint", "--config", "schemactl.toml", variables: variables).output == "nothing found: common.sql\n")
    let missing = try scene.run("lint", "--config", "gone.toml")
    #expect(missing.status == 64 && missing.errors == "schemactl: --config gone.toml: there is no such file.\n")
    let none = try scene.run("lint", variables: ["SCHEMACTL_CONFIG": "gone.toml"])
    #expect(none.status == 64 && none.errors == "schemactl: SCHEMACTL_CONFIG gone.toml: there is no such file.\n")
    let off = try scene.run("lint", "--config", "none", "--env", "ci")
    #expect(off.status == 64 && off.errors.contains("--config none reads none"))
  }

  @Test("an environment that is not there is an error that says which are")
  func unknownEnvironment() throws {
    let scene = try SettingsScene("[environments.staging]\n[environments.production]")
    let run = try scene.run("plan", "--env", "prod")
    #expect(run.status == 64)
    #expect(
      run.errors == "schemactl: --env prod: schemactl.toml has no such environment; it has production, staging.\n")
    try scene.write("schema = \"common.sql\"")
    let none = try scene.run("plan", variables: ["SCHEMACTL_ENV": "prod"])
    #expect(none.errors.contains("SCHEMACTL_ENV prod: schemactl.toml has no environments; write [environments.prod]."))
    let noFile = try SettingsScene().run("plan", "--env", "prod")
    #expect(noFile.status == 64 && noFile.errors.contains("--env prod needs a schemactl.toml with [environments.prod]"))
  }

  @Test("consent is never taken from a file or a variable, not even from an environment that is not chosen")
  func consent() throws {
    for (name, value) in [("allow", "[\"lossy\"]"), ("yes", "true"), ("keep", "true"), ("allow-empty", "false")] {
      let scene = try SettingsScene("schema = \"common.sql\"\n[environments.a]\n\(name) = \(value)")
      let run = try scene.run("apply", "app.db")
      #expect(run.status == 1)
      #expect(
        run.errors
          == "schemactl: schemactl.toml:3: \(name) cannot be set in a file: consent counts for one run, given on "
          + "its command line by whoever has seen the plan. Remove it, and pass --\(name) where it is needed.\n")
      let variable = name.uppercased().replacingOccurrences(of: "-", with: "_")
      let other = try SettingsScene().run(
        "apply", "app.db", "--to", "common.sql", variables: ["SCHEMACTL_\(variable)": "1"])
      #expect(other.status == 64)
      #expect(other.errors.hasPrefix("schemactl: SCHEMACTL_\(variable): \(name) cannot be set in the environment:"))
    }
  }

  @Test("--no-strict-order and --no-untrusted stand over a file that has the opposite")
  func negatedFlags() throws {
    let scene = try SettingsScene("strict-order = true\nuntrusted = true\ndatabase = \"app.db\"\nschema = \"o.sql\"")
    try scene.folder.write("CREATE TABLE t (name TEXT, id INTEGER PRIMARY KEY);", to: "o.sql")
    #expect(try scene.run("check").status == 2)
    let run = try scene.run("check", "--no-strict-order", "--no-untrusted", "-v")
    #expect(run.status == 0)
    #expect(!run.errors.contains("order") && !run.errors.contains("untrusted"))
    #expect(try scene.run("check", variables: ["SCHEMACTL_STRICT_ORDER": "false"]).status == 0)
  }

  @Test("a variable that is nothing is a warning with the nearest name; one that cannot be understood is an error")
  func variables() throws {
    let scene = try SettingsScene()
    let run = try scene.run(
      "check", "app.db", "--to", "common.sql", variables: ["SCHEMACTL_DATABSE": "x", "SCHEMACTL_FORMAT": "json"])
    #expect(run.status == 0 && run.output.hasPrefix("in sync"))
    #expect(
      run.errors == """
        schemactl: warning: SCHEMACTL_DATABSE is not a setting; did you mean SCHEMACTL_DATABASE?
        schemactl: warning: SCHEMACTL_FORMAT: format is not a setting: --format is given for one run, on its command line.

        """)
    for (name, value, problem) in [
      ("LOCK_TIMEOUT", "-1", "-1 is not a number from 0 to 1000000 seconds."),
      ("UNTRUSTED", "maybe", "maybe is neither true nor false."),
      ("STRATEGY", "rebuilt", "strategy cannot be \"rebuilt\"; did you mean rebuild?"),
    ] {
      let run = try scene.run("check", "app.db", variables: ["SCHEMACTL_\(name)": value])
      #expect(run.status == 64)
      #expect(run.errors == "schemactl: SCHEMACTL_\(name): \(problem)\n")
    }
    let both = try scene.run("lint", variables: ["SCHEMACTL_TO": "common.sql", "SCHEMACTL_SCHEMA": "flag.sql"])
    #expect(both.status == 64 && both.errors.contains("SCHEMACTL_TO: schema and to are the same setting"))
  }
}
