import Foundation
import Testing

@Suite("On a terminal", .serialized)
struct TerminalTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "a.db",
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO book VALUES (1, 'Kim'), (2, 'Emma');
      """)
  }

  /// A table whose copy takes seconds, since computing a column does.
  private func makeSlowChange() throws {
    try folder.database(
      "slow.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, 'row ' || i FROM n;
      """)
    try folder.write(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT, size INT AS (length(hex(zeroblob(80000 + id % 2)))) STORED);
      """,
      to: "slow.sql")
  }

  private static let slowApply = "schemactl apply slow.db --to slow.sql --strategy rebuild --yes"

  @Test("long work is shown in one line with its share, pace and time left, which is gone at the end")
  func progress() throws {
    try makeSlowChange()
    let terminal = try TerminalSession(in: folder)
    try terminal.run("\(Self.slowApply); echo exit=$?")
    let during = try terminal.wait(
      for: #"schemactl: step 1 of 1: copying t: about \d+ s left, \d+ % of 20,000 rows, [\d,]+ a second"#)
    #expect(during.components(separatedBy: "copying t").count == 2, "the line is written over: \(during)")
    let after = try terminal.wait(for: #"exit=\d"#)
    #expect(after.contains("exit=0"))
    #expect(after.contains("Applied in "))
    #expect(!after.contains("copying t:") && !after.contains("left"), "\(after)")
    #expect(try folder.rows(of: "slow.db", "SELECT count(*) FROM t") == [[.int(20_000)]])
  }

  @Test("a line about progress never wraps")
  func narrow() throws {
    try makeSlowChange()
    let terminal = try TerminalSession(in: folder, columns: 50)
    try terminal.run("\(Self.slowApply); echo exit=$?")
    // What is left to wait stands where a narrow terminal does not cut it.
    let during = try terminal.wait(for: #"schemactl: step 1 of 1: copying t: about \d+ s left"#)
    #expect(during.split(separator: "\n").filter { $0.contains("a second") || $0.contains("left") }.count <= 1)
    let after = try terminal.wait(for: #"exit=\d"#)
    #expect(!after.contains("copying t: "), "\(after)")
  }

  @Test("sentences and hazards are wrapped between words, behind their margin")
  func wrapped() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY);", to: "less.sql")
    let terminal = try TerminalSession(in: folder, columns: 60)
    try terminal.run(
      "schemactl apply a.db --to less.sql 2>/dev/null; schemactl plan absent.sql --to nowhere.sql; echo exit=$?")
    let screen = try terminal.wait(for: #"exit=\d"#)
    let lines = screen.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(lines.contains("  ! SK102  destructive, needs consent: book.name, 2 rows"), "\(screen)")
    #expect(lines.contains("           (keys 1, 2)"))
    #expect(lines.contains("           Column book.name is dropped with its values in 2"), "\(screen)")
    #expect(lines.contains("           rows."))
    #expect(lines.contains("           exist."), "\(screen)")
  }

  @Test("Ctrl-C rolls back, says so, and exits with 130")
  func interrupt() throws {
    try makeSlowChange()
    let before = try folder.bytes("slow.db")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("\(Self.slowApply); echo exit=$?")
    _ = try terminal.wait(for: #"copying t: .*\d+ %"#)
    try terminal.press("C-c")
    let after = try terminal.wait(for: #"exit=\d"#)
    #expect(after.contains("schemactl: interrupted; everything was rolled back, and nothing was changed."))
    #expect(after.contains("exit=130"))
    #expect(try folder.bytes("slow.db") == before)
  }

  @Test("Ctrl-C while rows are examined says so and exits with 130", arguments: ["plan", "check", "apply --yes"])
  func interruptExamination(command: String) throws {
    try folder.database(
      "many.db",
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO t SELECT i FROM n;
      """)
    try folder.write("CREATE TABLE t (a CHECK (length(hex(zeroblob(100000 + a))) > 0));", to: "many.sql")
    let before = try folder.bytes("many.db")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl \(command) many.db --to many.sql; echo exit=$?")
    _ = try terminal.wait(for: "examining the rows of many.db")
    try terminal.press("C-c")
    let after = try terminal.wait(for: #"exit=\d"#)
    #expect(after.contains("schemactl: interrupted; everything was rolled back, and nothing was changed."))
    #expect(after.contains("exit=130"), "\(after)")
    #expect(try folder.bytes("many.db") == before)
  }

  @Test("Ctrl-C at a question ends the program, and nothing is changed")
  func interruptQuestion() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, year INTEGER);", to: "s.sql")
    let before = try folder.bytes("a.db")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql")
    _ = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    try terminal.press("C-c")
    // The shell, too, is told that a key ended it.
    _ = try terminal.wait(for: #"\^C\s+ready>"#)
    try terminal.type("echo exit=$?")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=130"))
    #expect(try folder.bytes("a.db") == before)
  }

  @Test("apply shows the plan and asks; no changes nothing, yes applies")
  func question() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, year INTEGER);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    let asked = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    #expect(asked.contains("year"))
    try terminal.type("n")
    let refused = try terminal.wait(for: #"exit=\d"#)
    #expect(refused.contains("schemactl: not applied. Nothing was changed.") && refused.contains("exit=1"))
    #expect(try folder.rows(of: "a.db", "SELECT count(*) FROM pragma_table_info('book')") == [[.int(2)]])

    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    #expect(try folder.rows(of: "a.db", "SELECT count(*) FROM pragma_table_info('book')") == [[.int(3)]])
  }

  @Test("a column that would be dropped is asked about; yes keeps its values and tells the flag for next time")
  func renameQuestion() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    let asked = try terminal.wait(for: #"Was it renamed to title\? What it holds stays then\. \[y/N\]"#)
    #expect(asked.contains("Column book.name is dropped with its values in 2 rows."))
    try terminal.type("y")
    let shown = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    #expect(shown.contains("--rename book.name=book.title"))
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    #expect(try folder.rows(of: "a.db", "SELECT title FROM book ORDER BY id") == [[.text("Kim")], [.text("Emma")]])
  }

  @Test("no to the question about a rename leaves the plan refused, and nothing is changed")
  func declinedRename() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, note TEXT);", to: "s.sql")
    let before = try folder.bytes("a.db")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: "Type 1 title, 2 note, or press Enter for no:")
    try terminal.press("Enter")
    let refused = try terminal.wait(for: #"exit=\d"#)
    #expect(refused.contains("exit=3") && refused.contains("refused"))
    #expect(try folder.bytes("a.db") == before)
  }

  @Test("a refusal after answers about renames gives the command that knows them, and neither loses anything")
  func answersOfARefusal() throws {
    try folder.database("b.db", "CREATE TABLE c (id INTEGER PRIMARY KEY, a, w); INSERT INTO c VALUES (1, 'x', 7);")
    try folder.write("CREATE TABLE c (id INTEGER PRIMARY KEY, b);", to: "s.sql")
    let terminal = try TerminalSession(in: folder, columns: 160)
    try terminal.run("schemactl apply b.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Was it renamed to b\? What it holds stays then\. \[y/N\]"#)
    try terminal.type("y")
    let refused = try terminal.wait(for: #"exit=\d"#)
    #expect(refused.contains("exit=3"), "\(refused)")
    let command = "schemactl apply b.db --to s.sql --rename c.a=c.b"
    #expect(refused.contains("with your answers about renames, the command is: \(command)"), "\(refused)")
    #expect(refused.components(separatedBy: "refused: SK102 needs consent.").count == 2, "it is said once")
    try terminal.run("\(command) --allow SK102:c.w --yes; echo exit=$?")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    #expect(try folder.rows(of: "b.db", "SELECT b FROM c") == [[.text("x")]])
  }

  @Test("an answer that is neither yes nor no is asked for again, three times at most")
  func unclearAnswer() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, year INTEGER);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    for _ in 1...3 {
      try terminal.type("clear")
      _ = try terminal.wait(for: #"Type y or n\."#)
    }
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=1"))
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Apply this to a\.db\? \[y/N\]"#)
    try terminal.type("ja")
    _ = try terminal.wait(for: #"Type y or n\."#)
    try terminal.type("Yes")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
  }

  @Test("one of several names is chosen by its number, and a renamed table's columns are asked about after it")
  func chosenRename() throws {
    try folder.write(
      "CREATE TABLE novel (id INTEGER PRIMARY KEY, note TEXT, title TEXT, year INTEGER);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Was it renamed to novel\?"#)
    try terminal.type("y")
    _ = try terminal.wait(for: "Type 1 note, 2 title, or press Enter for no:")
    try terminal.type("2")
    _ = try terminal.wait(for: #"Apply this to a\.db\?"#)
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    #expect(try folder.rows(of: "a.db", "SELECT title FROM novel ORDER BY id") == [[.text("Kim")], [.text("Emma")]])
  }

  @Test("the question comes with --keep as well: what is kept is gone from its place")
  func keptRename() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --to s.sql --keep; echo exit=$?")
    _ = try terminal.wait(for: #"Was it renamed to title\?"#)
    try terminal.type("y")
    _ = try terminal.wait(for: #"Apply this to a\.db\?"#)
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    #expect(try folder.rows(of: "a.db", "SELECT title FROM book ORDER BY id") == [[.text("Kim")], [.text("Emma")]])
  }

  @Test("a step is recorded with the rename that somebody confirmed")
  func recordedRename() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT);", to: "s.sql")
    _ = try folder.run("migrations", "new", "first", "--to", "s.sql")
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl migrations new second --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"Was it renamed to title\?"#)
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("exit=0"))
    let step = try String(contentsOf: folder.url("migrations/0002-second.sql"), encoding: .utf8)
    #expect(step.contains("RENAME COLUMN \"name\" TO \"title\""))
  }

  @Test("colour is for terminals: not for a pipe, not under NO_COLOR")
  func colour() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, year INTEGER);", to: "s.sql")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl plan a.db --to s.sql; echo exit=$?")
    _ = try terminal.wait(for: #"exit=\d"#)
    #expect(try terminal.screen(isColored: true).contains("\u{1B}["))
    try terminal.run(
      "schemactl plan a.db --to s.sql | cat -v; NO_COLOR=1 schemactl plan a.db --to s.sql; echo exit=$?")
    let plain = try terminal.wait(for: #"exit=\d"#)
    #expect(!plain.contains("^[["))
    #expect(try !terminal.screen(isColored: true).contains("\u{1B}[3"), "no colour under NO_COLOR")
  }

  @Test("elsewhere than on a terminal progress is plain lines, few of them")
  func plainProgress() throws {
    try makeSlowChange()
    let run = try CommandRun(
      ["apply", "slow.db", "--to", "slow.sql", "--strategy", "rebuild", "--yes"], in: folder)
    #expect(run.status == 0)
    #expect(!run.errors.contains("\r") && !run.errors.contains("\u{1B}"))
    #expect(run.errors.contains("schemactl: step 1 of 1: copying t: "))
  }

  @Test("ndjson tells the plan, the progress and the end, a line each, and an error ends the stream as well")
  func events() throws {
    try makeSlowChange()
    let run = try CommandRun(
      ["apply", "slow.db", "--to", "slow.sql", "--strategy", "rebuild", "--yes", "--format", "ndjson"], in: folder)
    #expect(run.status == 0)
    let events = try Self.events(run.output)
    #expect(events.first?["event"] as? String == "plan" && events.last?["event"] as? String == "result")
    #expect(events.allSatisfy { $0["formatVersion"] as? Int == 2 })
    let copying = events.filter { $0["activity"] as? String == "copying" }
    #expect(!copying.isEmpty)
    let done = copying.compactMap { $0["rowsDone"] as? Int }
    #expect(done == done.sorted() && (done.last ?? 0) > 0 && (done.last ?? 0) < 20_000)
    #expect((events.last?["result"] as? [String: Any])?["outcome"] as? String == "applied")

    try folder.write("CREATE TABLE other (a);", to: "s.sql")
    let refused = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--format", "ndjson")
    #expect(refused.status == 3)
    let report = try Self.events(refused.output)
    #expect(report.count == 1 && (report[0]["result"] as? [String: Any])?["outcome"] as? String == "refused")

    let failed = try folder.run("apply", "a.db", "--to", "none.sql", "--yes", "--format", "ndjson")
    let error = try Self.events(failed.output)
    #expect(failed.status == 1 && error.count == 1)
    #expect(error.first?["event"] as? String == "error" && error.first?["exitCode"] as? Int == 1)
    #expect((error.first?["message"] as? String)?.contains("none.sql") == true)
  }

  private static func events(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("before it asks about recorded steps, apply counts what the next one takes away, or refuses it")
  func recordedMigrations() throws {
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT);", to: "s.sql")
    _ = try folder.run("migrations", "new", "first", "--to", "s.sql")
    _ = try folder.run("migrations", "baseline", "a.db")
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY);", to: "s.sql")
    _ = try folder.run("migrations", "new", "nameless", "--to", "s.sql", "--allow", "SK102:book.name")
    try folder.write("CREATE TABLE book (id INTEGER PRIMARY KEY CHECK (id > 1));", to: "s.sql")
    _ = try folder.run("migrations", "new", "strict", "--to", "s.sql")
    let before = try folder.bytes("a.db")
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl apply a.db --migrations migrations; echo exit=$?")
    let asked = try terminal.wait(for: #"Apply this to a.db\? \[y/N\]"#)
    #expect(asked.contains("in a.db, 0002-nameless takes away:"), "\(asked)")
    #expect(asked.contains("SK102: Column book.name is dropped with its values in 2 rows"), "\(asked)")
    try terminal.type("n")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("not applied. Nothing was changed."))
    #expect(try folder.bytes("a.db") == before)

    try terminal.run("schemactl apply a.db --migrations migrations; echo exit=$?")
    _ = try terminal.wait(for: #"Apply this to a.db\? \[y/N\]"#)
    try terminal.type("y")
    #expect(try terminal.wait(for: #"exit=\d"#).contains("0003-strict is refused"))
    try terminal.run("schemactl apply a.db --migrations migrations; echo exit=$?")
    let refused = try terminal.wait(for: #"exit=\d"#)
    #expect(refused.contains("exit=3") && !refused.contains("Apply this"), "\(refused)")
  }

  @Test("what a terminal has started ends with it, and with the program that began it", arguments: [true, false])
  func ending(isAbandoned: Bool) throws {
    let folder = try CommandFolder()
    var session: TerminalSession? = try TerminalSession(in: folder)
    try session?.type("trap '' TERM HUP; (trap '' TERM HUP; sleep 1000; true) & echo started $!")
    let screen = try #require(try session?.wait(for: "started [0-9]+"))
    let child = try #require(screen.firstMatch(of: /started ([0-9]+)/)?.output.1)
    let processes = try #require(session?.processes) + [try #require(Int32(child))]
    #expect(processes.count == 3)
    if isAbandoned { session?.abandon() } else { session = nil }
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end, processes.contains(where: isRunning) { Thread.sleep(forTimeInterval: 0.05) }
    #expect(processes.filter(isRunning) == [])
  }

  /// Whether a process is there and no zombie that nobody has waited for.
  private func isRunning(_ process: Int32) -> Bool {
    let words = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ") Z"
    return words.split(separator: ")").last?.trimmingPrefix(" ").first != "Z"
  }
}
