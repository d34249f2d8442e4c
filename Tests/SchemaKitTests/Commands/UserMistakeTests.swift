import Foundation
import Testing

@Suite("Mistakes at a terminal")
struct UserMistakeTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "a.db",
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, active TEXT);
      INSERT INTO people VALUES (1, 'Ann Lee', 'yes'), (2, 'Bob', NULL);
      """)
  }

  /// Plans the way to a table with these columns beside its key.
  private func plan(_ columns: String, _ arguments: String...) throws -> String {
    try folder.write("CREATE TABLE people (\n  id INTEGER PRIMARY KEY,\n  \(columns)\n);", to: "s.sql")
    return try CommandRun(["plan", "a.db", "--to", "s.sql"] + arguments, in: folder).output
      // Where lines are wrapped is another matter.
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }

  @Test("a misspelt command is named, with the nearest one")
  func commands() throws {
    for (words, sentence) in [
      (["aply", "a.db", "--to", "s.sql"], "there is no command aply; did you mean apply? See schemactl --help."),
      (
        ["migrations", "staus"],
        "there is no command migrations staus; did you mean status? See schemactl migrations --help."
      ),
    ] {
      let run = try CommandRun(words, in: folder)
      #expect(run.status == 64)
      #expect(run.errors == "schemactl: \(sentence)\n")
    }
    let far = try folder.run("frobnicate")
    #expect(far.status == 64 && far.errors.contains("there are plan, apply, check"))
    #expect(try folder.run("help", "plan").status == 0)
  }

  @Test("a former name of several words is to stand in double quotes")
  func namesOfSeveralWords() throws {
    for (name, problem) in [
      ("a, old stuff", "; a name that is more than a word goes in double quotes: \"old stuff\""), ("\"old\" stuff", ""),
    ] {
      try folder.write(
        "CREATE TABLE people (\n  id INTEGER, new TEXT -- schemakit: renamed from \(name)\n);", to: "s.sql")
      let run = try folder.run("plan", "a.db", "--to", "s.sql")
      #expect(run.status == 1)
      #expect(
        run.errors.hasSuffix("\"\(name)\" is not a list of names separated by commas\(problem).\n"), "\(run.errors)")
    }
  }

  @Test("two hints of a column may stand in one comment")
  func twoHints() throws {
    try folder.write(
      """
      CREATE TABLE people (
        id INTEGER PRIMARY KEY, name TEXT,
        isActive INTEGER -- schemakit: renamed from active -- schemakit: convert active = 'yes'
      );
      """, to: "s.sql")
    let run = try folder.run("apply", "a.db", "--to", "s.sql", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT isActive FROM people ORDER BY id") == [[.int(1)], [.null]])
    let step = "ALTER TABLE people ADD COLUMN age INT;\n-- schemakit: fill people.agge = 7\n"
    try FileManager.default.createDirectory(at: folder.url("migrations"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE people (id INTEGER PRIMARY KEY);", to: "migrations/0001-first.sql")
    try folder.write(step, to: "migrations/0002-second.sql")
    let refused = try folder.run("migrations", "verify")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("\"fill people.agge = 7\" is for a column that does not exist after the step"))
  }

  @Test("names that a shell would take apart stand in quotes where a command is advised")
  func shellWords() throws {
    try folder.database(
      "odd.db",
      "CREATE TABLE \"my t\" (id INTEGER PRIMARY KEY, \"it's\" TEXT); INSERT INTO \"my t\" VALUES (1, 'x');")
    try folder.write("CREATE TABLE \"my t\" (id INTEGER PRIMARY KEY);", to: "s.sql")
    let run = try folder.run("plan", "odd.db", "--to", "s.sql")
    let advice = try #require(run.output.firstMatch(of: /--allow ('SK102:.*)\./)?.1)
    #expect(advice == #"'SK102:"my t"."it'\''s"'"#)
    let schemactl = CommandRun.schemactl
    let script = "\(schemactl) apply odd.db --to s.sql --yes -q --allow \(advice)"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try folder.rows(of: "odd.db", "SELECT count(*) FROM pragma_table_info('my t')") == [[.int(1)]])
  }

  @Test("each expression that cannot be evaluated is shown with what SQLite says, and said once")
  func expressions() throws {
    let text = try plan(
      """
      name TEXT,
        active INTEGER, -- schemakit: convert actve = 'yes'
        initial TEXT NOT NULL -- schemakit: fill substr(nam, 1, 1)
      """)
    #expect(
      text.contains(
        "The conversion of active (actve = 'yes') cannot be evaluated on the rows of people: no such column: actve."))
    #expect(
      text.contains(
        "The fill of initial (substr(nam, 1, 1)) cannot be evaluated on the rows of people: no such column: nam."))
    #expect(!text.contains("SK203"))
  }

  @Test("without a look at the rows, an expression that cannot be read is still said to be one")
  func expressionsUnexamined() throws {
    let text = try plan("name TEXT,\n  active INTEGER -- schemakit: convert actve = 'yes'", "--quick")
    #expect(text.contains("SK203") && text.contains("no such column: actve."))
    #expect(text.contains("Fix the conversion or fill that has this in the declared schema"))
  }

  @Test("the plan shows what values become")
  func values() throws {
    try folder.database("a.db", "INSERT INTO people VALUES (3, NULL, 'no')")
    let text = try plan(
      """
      name TEXT NOT NULL DEFAULT '?',
        active INTEGER NOT NULL DEFAULT 0, -- schemakit: convert active = 'yes'
        initial TEXT NOT NULL -- schemakit: fill substr(name, 1, 1)
      """)
    for words in [
      "active becomes active = 'yes'", "initial is filled with substr(name, 1, 1)", "NULL in name becomes '?'",
    ] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("a hint without its colon is an error, and a comment that begins with the name is none")
  func colon() throws {
    _ = try plan("title TEXT, -- schemakit renamed from name\n  active TEXT")
    let run = try folder.run("plan", "a.db", "--to", "s.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("s.sql:3") && run.errors.contains("here the colon is missing"), "\(run.errors)")
    _ = try plan("name TEXT, -- schemakit fills this\n  active TEXT")
    #expect(try folder.run("plan", "a.db", "--to", "s.sql").errors == "")
  }

  @Test(
    "a hint with a prefix that is nearly right is an error",
    arguments: ["schemkit", "SchemaKt", "schema-kit", "schemactl"])
  func prefix(word: String) throws {
    _ = try plan("title TEXT, -- \(word): renamed from name\n  active TEXT")
    let run = try folder.run("plan", "a.db", "--to", "s.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("s.sql:3") && run.errors.contains("and this one with \"\(word):\""), "\(run.errors)")
  }

  @Test(
    "a comment with a colon before other words is not a hint",
    arguments: ["note: removed in 2", "schemkit: a word", "state: fill"])
  func comment(text: String) throws {
    _ = try plan("name TEXT, -- \(text)\n  active TEXT")
    #expect(try folder.run("plan", "a.db", "--to", "s.sql").errors == "")
  }

  @Test("a rename of a column that stands for the table is pointed out")
  func renameOfTheTable() throws {
    try folder.write(
      "CREATE TABLE people (id INTEGER PRIMARY KEY, title TEXT, active TEXT); -- schemakit: renamed from name\n",
      to: "s.sql")
    let text = try folder.run("plan", "a.db", "--to", "s.sql").output
    #expect(text.contains("The hint \"renamed from name\" stands for table people"), "\(text)")
  }

  @Test("hints are shown as they are written, where rows stand against the schema")
  func remedies() throws {
    #expect(
      try plan("name TEXT,\n  active TEXT NOT NULL").contains("\"-- schemakit: fill EXPR\" on the line of the column"))
    try folder.database("a.db", "UPDATE people SET active = '007'")
    #expect(
      try plan("name TEXT,\n  active INTEGER").contains("\"-- schemakit: convert EXPR\" on the line of the column"))
  }

  @Test("a folder for copies is made, and a copy that has no folder changes nothing")
  func copies() throws {
    _ = try plan("name TEXT,\n  active TEXT,\n  year INTEGER")
    let before = try folder.bytes("a.db")
    let lost = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--backup", "there/not.db")
    #expect(lost.status == 1 && lost.errors.contains("has no folder to go to. Nothing was changed."))
    #expect(try folder.bytes("a.db") == before)
    let kept = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--backup", "copies/of/today/")
    #expect(kept.status == 0, "\(kept.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("copies/of/today").path)
    #expect(names.count == 1 && names[0].hasPrefix("a.db.before-"))
  }

  @Test("a database that drifted from its steps is told apart, change for change")
  func drift() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", to: "s.sql")
    #expect(try folder.run("migrations", "new", "init", "--to", "s.sql").status == 0)
    let missing = try folder.run("migrations", "status", "b.db")
    #expect(missing.status == 2 && missing.errors.contains("b.db does not exist; it counts as empty."))
    #expect(try folder.run("apply", "b.db", "--migrations", "migrations", "--yes", "--create").status == 0)
    try folder.database("b.db", "ALTER TABLE t ADD COLUMN extra INT; CREATE INDEX i ON t (a); CREATE TABLE u (x);")
    let run = try folder.run("migrations", "status", "b.db")
    #expect(run.status == 4)
    #expect(
      run.errors.contains(
        "not as step 0001-init left it: table u is new, table t differs (add column extra INT), index i is new."),
      "\(run.errors)")
    // As the message says.
    #expect(try folder.run("migrations", "new", "drift", "--to", "b.db").status == 0)
    #expect(try folder.run("migrations", "baseline", "b.db").status == 0)
    #expect(try folder.run("migrations", "status", "b.db").status == 0)
    #expect(try folder.run("check", "b.db", "--to", "migrations").status == 0)
  }

  @Test("what is recorded for rows that nobody can look at does not ask to look at them")
  func recording() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", to: "s.sql")
    _ = try folder.run("migrations", "new", "init", "--to", "s.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, b INTEGER UNIQUE);", to: "s.sql")
    let run = try folder.run("migrations", "new", "next", "--to", "s.sql")
    #expect(run.status == 3 && !run.output.contains("--quick"), "\(run.output)")
    #expect(run.output.contains("Allow it with --allow SK102:t.a, and the step consents for every database."))
  }

  @Test("work on rows that an undo left as it was is told before it is done once more")
  func workOnceMore() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, cents INTEGER);", to: "s.sql")
    _ = try folder.run("migrations", "new", "init", "--to", "s.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, cents INTEGER, note TEXT);", to: "s.sql")
    _ = try folder.run("migrations", "new", "next", "--to", "s.sql")
    try folder.write("UPDATE t SET cents = cents * 100;", to: "migrations/0002-next.after.sql")
    #expect(try folder.run("migrations", "hash").status == 0)
    let apply = ["apply", "t.db", "--migrations", "migrations", "--yes", "--create"]
    let first = try CommandRun(apply, in: folder)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
    #expect(try folder.run("undo", "t.db", "--yes").status == 0)
    let second = try CommandRun(apply, in: folder)
    #expect(second.status == 0)
    #expect(
      second.errors.contains(
        "warning: step 0002-next was applied to t.db and undone before. What it did to rows stayed then, and is done once "
          + "more now."), "\(second.errors)")
  }

  @Test("a statement on rows that cannot be compiled is told before any database is touched")
  func wrongWork() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, cents INTEGER);", to: "s.sql")
    _ = try folder.run("migrations", "new", "init", "--to", "s.sql")
    try folder.write("UPDATE legacy SET a = 1;\nUPDATE t SET cent = 1;", to: "migrations/0001-init.after.sql")
    for command in [["migrations", "hash"], ["migrations", "verify"], ["check", "a.db", "--to", "migrations"]] {
      let run = try CommandRun(command, in: folder)
      #expect(run.status == 1 && run.errors.contains("0001-init.after.sql:2: no such column: cent"), "\(run.errors)")
    }
    // Before the step there is no table; what the steps leave alone may be there.
    try folder.write("UPDATE legacy SET a = 1; UPDATE t SET cents = slug(1);", to: "migrations/0001-init.after.sql")
    #expect(try folder.run("migrations", "hash").status == 0)
  }

  @Test("apply tells what a step does and not what its comments say, counts what is lost, and does no conversion twice")
  func toldSteps() throws {
    try folder.database(
      "t.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, fax); INSERT INTO t VALUES (1, 'ab', 2);")
    _ = try folder.run("migrations", "new", "init", "--to", "t.db")
    #expect(try folder.run("migrations", "baseline", "t.db").status == 0)
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER -- schemakit: convert length(v)\n);", to: "s.sql")
    let allow = ["--allow", "SK102:t.fax", "--allow", "SK103:t.v"]
    #expect(try CommandRun(["migrations", "new", "next", "--to", "s.sql"] + allow, in: folder).status == 0)
    let path = "migrations/0002-next.sql"
    try folder.write(
      try String(contentsOf: folder.url(path), encoding: .utf8).replacing("drop column fax", with: "nothing much"),
      to: path)
    #expect(try folder.run("migrations", "hash").status == 0)
    let apply = ["apply", "t.db", "--migrations", "migrations", "--yes", "--create"]
    let first = try CommandRun(apply, in: folder).output
    #expect(first.contains("drop column fax; column v: TEXT → INTEGER; v becomes length(v)"), "\(first)")
    #expect(first.contains("    SK102: Column t.fax is dropped with its values in 1 row.\n"), "\(first)")
    #expect(try folder.run("undo", "t.db", "--yes", "--allow", "lossy").status == 0)
    let second = try CommandRun(apply, in: folder)
    #expect(!second.output.contains("becomes") && second.errors.contains("Its conversion is not done again"))
  }

  @Test("damage is found before a step works on rows, where its schema touches none")
  func damageBeforeWork() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);", to: "s.sql")
    try folder.database(
      "t.db",
      """
      PRAGMA page_size = 4096; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 'row ' || i FROM n;
      """)
    _ = try folder.run("migrations", "new", "init", "--to", "s.sql")
    #expect(try folder.run("migrations", "baseline", "t.db").status == 0)
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INTEGER);", to: "s.sql")
    _ = try folder.run("migrations", "new", "next", "--to", "s.sql")
    try folder.write("UPDATE t SET n = 1 WHERE id = 1;", to: "migrations/0002-next.after.sql")
    #expect(try folder.run("migrations", "hash").status == 0)
    var bytes = try folder.bytes("t.db")
    bytes.replaceSubrange(4096 * 9..<4096 * 10, with: Data(repeating: 0x5A, count: 4096))
    try bytes.write(to: folder.url("t.db"))
    let run = try folder.run("apply", "t.db", "--migrations", "migrations", "--yes", "--no-backup")
    #expect(run.status == 1 && run.errors.contains("t.db is damaged"), "\(run.errors)")
    #expect(try folder.bytes("t.db") == bytes)
  }

  @Test("a database that drifted is refused also where no step is missing, and so is half of a step")
  func driftAndIgnore() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "s.sql")
    _ = try folder.run("migrations", "new", "init", "--to", "s.sql")
    let apply = ["apply", "t.db", "--migrations", "migrations", "--yes", "--create"]
    #expect(try CommandRun(apply, in: folder).output.hasPrefix("t.db (new file): 1 step of migrations to apply"))
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (a);", to: "s.sql")
    _ = try folder.run("migrations", "new", "next", "--to", "s.sql")
    let half = try CommandRun(apply + ["--ignore", "u"], in: folder)
    #expect(half.status == 4 && half.errors.contains("Step 0002-next changes objects that are ignored: u"))
    #expect(try CommandRun(apply, in: folder).status == 0)
    _ = try folder.rows(of: "t.db", "ALTER TABLE t ADD COLUMN mine")
    let drifted = try CommandRun(apply, in: folder)
    #expect(drifted.status == 4 && drifted.errors.contains("The database is not as step 0002-next left it"))
  }

  @Test("the history says what was undone")
  func history() throws {
    _ = try plan("name TEXT,\n  active TEXT,\n  year INTEGER")
    #expect(try folder.run("apply", "a.db", "--to", "s.sql", "--yes").status == 0)
    #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    let lines = try folder.run("history", "a.db").output.split(separator: "\n").filter { $0.contains(" UTC  ") }
    #expect(lines.count == 2 && lines[0].hasSuffix("(undone)") && !lines[1].contains("("), "\(lines)")
  }

  @Test("a database's schema comes without the hints that its text has kept, and so without their consent")
  func storedHints() throws {
    let folder = try CommandFolder()
    let written = """
      CREATE TABLE u ( -- users
        id INTEGER PRIMARY KEY, /* schemakit: renamed from key */ -- schemakit made this
        age INTEGER, -- schemakit: removed nick
        size INT -- schemakit: fill 1 -- schemakit: ignore SL101
      ) /* SchemaKit: renamed from users */
      """
    try folder.database("one.db", written + ";")
    let printed = try folder.run("inspect", "one.db").output
    #expect(
      printed
        == "CREATE TABLE u ( -- users\n  id INTEGER PRIMARY KEY,  -- schemakit made this\n  age INTEGER,\n  size INT\n);\n"
    )
    try folder.write(written + ";", to: "one.sql")
    let own = try folder.run("inspect", "one.sql")
    #expect(own.output.contains("removed nick"), "\(own.errors)")
    try folder.database(
      "two.db",
      "CREATE TABLE u (id INTEGER PRIMARY KEY, age INTEGER, size INT, nick); INSERT INTO u VALUES (1, 2, 3, 4)")
    try folder.write(printed, to: "printed.sql")
    #expect(try folder.run("apply", "two.db", "--to", "printed.sql", "--yes").status == 3)
    #expect(try folder.rows(of: "two.db", "SELECT nick FROM u") == [[.int(4)]])
    try folder.database(
      "one.db",
      """
      CREATE VIEW w AS -- schemakit: removed old
      SELECT 1; CREATE TRIGGER r AFTER INSERT ON u BEGIN SELECT 1; -- schemakit: removed old
      END; CREATE INDEX i ON u (age) -- schemakit: removed old

      """)
    #expect(try !folder.run("inspect", "one.db").output.contains("schemakit:"))
  }

  @Test("a fill that reads another new column is to blame by itself, and is told why it cannot")
  func fillsOfFills() throws {
    let folder = try CommandFolder()
    try folder.database(
      "a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'Ada L')")
    try folder.write(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT,
        first TEXT, -- schemakit: fill substr(name, 1, 3)
        nick TEXT -- schemakit: fill lower(first)
      );
      """, to: "a.sql")
    let output = try folder.run("plan", "a.db", "--to", "a.sql").output
    #expect(!output.contains("The backfill of first"), "\(output)")
    #expect(output.contains("The backfill of nick cannot be evaluated on the rows of t: no such column: first."))
    #expect(
      output.contains(
        "first comes with this change, and its rows have none yet: write the expression with the columns that are"))
  }
}
