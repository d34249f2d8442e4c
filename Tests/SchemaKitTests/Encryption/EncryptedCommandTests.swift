import Foundation
import Testing

@testable import SchemaKit

/// The options that give a key; what they do needs SQLCipher.
@Suite("schemactl: keys")
struct KeyOptionTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  @Test("a key file that is missing or empty, and a key given twice, are errors")
  func refused() throws {
    try folder.write("", to: "empty.key")
    try folder.write("CREATE TABLE t (a);", to: "s.sql")
    let missing = try folder.run("plan", "a.db", "--to", "s.sql", "--key-file", "none.key")
    #expect(missing.status == 1 && missing.errors.contains("--key-file: none.key cannot be read: No such file"))
    let empty = try folder.run("plan", "a.db", "--to", "s.sql", "--key-file", "empty.key")
    #expect(empty.status == 1 && empty.errors.contains("the first line of empty.key is empty"))
    let both = try folder.run("plan", "a.db", "--to", "s.sql", "--key-file", "empty.key", "--ask-key")
    #expect(both.status == 64 && both.errors.contains("cannot be combined"))
    let unasked = try folder.run("plan", "a.db", "--to", "s.sql", "--ask-key")
    #expect(unasked.status == 64 && unasked.errors.contains("--ask-key needs a terminal"))
    let input = try folder.run("plan", "a.db", "--to", "-", "--key-file", "-", input: "k\n")
    #expect(input.status == 64)
    #expect(!folder.exists("a.db"))
  }

  @Test("a key cannot be given as a setting")
  func noSetting() throws {
    try folder.write("CREATE TABLE t (a);", to: "s.sql")
    try folder.write("key-file = \"k\"\n", to: "schemactl.toml")
    let setting = try folder.run("plan", "a.db", "--to", "s.sql")
    #expect(setting.status == 1 && setting.errors.contains("there is no setting key-file"))
    try folder.write("", to: "schemactl.toml")
    let variable = try CommandRun(
      ["plan", "a.db", "--to", "s.sql"], in: folder, environment: ["SCHEMACTL_KEY_FILE": "k"])
    #expect(variable.errors.contains("SCHEMACTL_KEY_FILE"))
  }

  @Test(
    "without SQLCipher a key is refused, and no file is made",
    .enabled(if: !SQLiteConnection.canEncrypt, "SQLCipher is linked"))
  func withoutCipher() throws {
    try folder.write("secret\n", to: "k")
    try folder.write("CREATE TABLE t (a);", to: "s.sql")
    let run = try folder.run("apply", "a.db", "--to", "s.sql", "--create", "--yes", "--key-file", "k")
    #expect(run.status == 1 && run.errors.contains("linked with SQLite, which does not encrypt"))
    #expect(!folder.exists("a.db"))
  }
}

@Suite(
  "schemactl: encrypted databases",
  .enabled(if: SQLiteConnection.canEncrypt, "SQLite is linked, which does not encrypt"))
struct EncryptedCommandTests {
  private static let key = "open-sesame-4711"
  private static let marker = "MARKED-VALUE"
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write(Self.key + "\nthe rest is not read\n", to: "k")
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, gone TEXT); CREATE TABLE k (name TEXT PRIMARY KEY, n TEXT);\n",
      to: "one.sql")
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL COLLATE NOCASE CHECK (length(a) > 1), b TEXT); "
        + "CREATE TABLE k (name TEXT PRIMARY KEY, n INTEGER);\n", to: "two.sql")
  }

  private func makeRows(_ count: Int = 3) throws {
    let made = try folder.run("apply", "a.db", "--to", "one.sql", "--create", "--yes", "--key-file", "k")
    #expect(made.status == 0, "\(made.errors)")
    let connection = try SQLiteConnection(
      path: folder.url("a.db").path, mode: .readWrite, key: EncryptionKey(passphrase: Self.key))
    try connection.run(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO t SELECT i, ?2 || i, ?2 FROM n
      """, [.integer(Int64(count)), .text(Self.marker)])
    // A value that is not converted as it stands is a hazard, which names the keys of its rows.
    try connection.run("INSERT INTO k VALUES (?1, '1.50')", [.text(Self.marker)])
  }

  @Test("every command works with the key, says so without it, and shows it nowhere")
  func commands() throws {
    try makeRows()
    let commands = [
      [
        "plan", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy", "--format", "json", "--out",
        "p.json",
      ],
      ["plan", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy"], ["doctor", "a.db"],
      ["inspect", "a.db"],
      ["diff", "a.db", "two.sql"], ["check", "a.db", "--to", "two.sql"], ["history", "a.db"],
      ["apply", "a.db", "--to", "two.sql", "--rehearse", "--allow", "destructive", "--allow", "lossy"],
      [
        "apply", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy", "--keep", "--yes", "--backup",
        "b.db",
      ],
      ["check", "a.db", "--to", "two.sql"], ["undo", "a.db", "--yes", "--allow", "lossy"], ["diff", "a.db", "b.db"],
    ]
    for command in commands {
      let without = try CommandRun(command, in: folder)
      #expect(without.status == 1, "\(command)")
      #expect(without.errors.contains("encrypted"), "\(command): \(without.errors)")
      let run = try CommandRun(command + ["--key-file", "k", "-v"], in: folder)
      #expect([0, 2].contains(run.status), "\(command): \(run.errors)")
      #expect(!(run.output + run.errors).contains("sesame"), "\(command)")
    }
    let saved = try String(contentsOf: folder.url("p.json"), encoding: .utf8)
    #expect(!saved.contains("sesame"))
    let wrong = try CommandRun(["inspect", "a.db", "--key-file", "-"], in: folder, input: "other\n")
    #expect(wrong.status == 1 && wrong.errors.contains("a.db is encrypted with another key, or not a database"))
    #expect(try CommandRun(["inspect", "a.db", "--key-file", "-"], in: folder, input: Self.key).status == 0)
  }

  @Test(
    "the schema of an encrypted database may come from one that is not, and the other way round",
    .needsPlainFiles("opens a file that has no key"))
  func otherSchema() throws {
    try makeRows()
    try folder.database(
      "plain.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, gone TEXT); CREATE TABLE k (name TEXT PRIMARY KEY, n TEXT)")
    #expect(try folder.run("check", "a.db", "--to", "plain.db", "--key-file", "k").status == 0)
    let plain = try folder.run("check", "plain.db", "--to", "a.db", "--key-file", "k")
    #expect(plain.status == 1 && plain.errors.contains("plain.db is not encrypted"))
  }

  @Test("--ask-key asks without showing what is typed")
  func asks() throws {
    try makeRows()
    let terminal = try TerminalSession(in: folder)
    try terminal.run("schemactl inspect a.db --ask-key; echo exit=$?")
    _ = try terminal.wait(for: "Key of the database:")
    try terminal.type(Self.key)
    let screen = try terminal.wait(for: #"exit=\d"#)
    #expect(screen.contains("exit=0") && screen.contains("CREATE TABLE") && !screen.contains("sesame"))
  }

  // MARK: - What is written

  private static let recorder = ProcessInfo.processInfo.environment["SCHEMAKIT_WRITE_RECORDER"]

  /// Runs a command and returns what it wrote to, with whether the marker was in it.
  private func writes(
    _ command: [String], killingAt writes: Int? = nil, in name: String = "a.db"
  ) throws -> [(path: String, isMarked: Bool)] {
    let log = folder.url("writes.log")
    try? FileManager.default.removeItem(at: log)
    var environment = [
      "LD_PRELOAD": Self.recorder ?? "", "WRITE_RECORDER_LOG": log.path, "WRITE_RECORDER_MARKER": Self.marker,
    ]
    if let writes { environment.merge(["WRITE_RECORDER_KILL": "\(writes)", "WRITE_RECORDER_KILL_IN": name]) { $1 } }
    let run = try CommandRun(command, in: folder, environment: environment)
    // 9 is SIGKILL's.
    #expect(writes == nil ? [0, 2].contains(run.status) : run.status == 9, "\(command): \(run.status) \(run.errors)")
    guard let text = try? String(contentsOf: log, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      // What the test itself looks at is what the terminal would show.
      guard words.count == 2, !words[1].hasSuffix("/.out"), !words[1].hasSuffix("/.err") else { return nil }
      return (String(words[1]), words[0] == "marked")
    }
  }

  @Test(
    "a program that is killed while it changes the key leaves every row, under the old key or the new one",
    .enabled(if: recorder != nil, "make check-cipher builds the recorder"), arguments: [1, 2, 10, 40, 100_000])
  func killedWhileChangingKey(at writes: Int) throws {
    try makeRows(2_000)
    let path = folder.url("a.db").path
    let other = "another-key"
    let run = try CommandRun(
      ["rekey", path, Self.key, other], in: folder, program: "kill-probe",
      environment: [
        "LD_PRELOAD": Self.recorder ?? "", "WRITE_RECORDER_LOG": folder.url("writes.log").path,
        "WRITE_RECORDER_MARKER": Self.marker, "WRITE_RECORDER_KILL": "\(writes)", "WRITE_RECORDER_KILL_IN": "a.db",
      ])
    #expect(run.status == (writes == 100_000 ? 0 : 9), "\(run.errors)")
    let key = try EncryptionKey(passphrase: writes == 100_000 ? other : Self.key)
    let connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
    #expect(try connection.integer("SELECT count(*) FROM t WHERE a LIKE '\(Self.marker)%'") == 2_000)
    #expect(try connection.value("PRAGMA integrity_check")?.text == "ok")
  }

  @Test(
    "no value reaches a file that is not encrypted: plan, apply, copy, a killed apply, --keep, undo and rehearsal",
    .enabled(if: recorder != nil, "make check-cipher builds the recorder"), arguments: [true, false])
  func noValueIsWritten(isEncrypted: Bool) throws {
    let key = isEncrypted ? ["--key-file", "k"] : []
    if isEncrypted {
      try makeRows(3_000)
    } else {
      // The recorder sees what it is to see.
      try folder.database(
        "a.db",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, gone TEXT);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t SELECT i, '\(Self.marker)' || i, '\(Self.marker)' FROM n;
        CREATE TABLE k (name TEXT PRIMARY KEY, n TEXT); INSERT INTO k VALUES ('\(Self.marker)', '1.50');
        """)
    }
    let apply =
      [
        "apply", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy", "--keep", "--yes", "--backup",
        "b/",
      ] + key
    var all: [(path: String, isMarked: Bool)] = []
    all += try writes(
      ["plan", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy", "--out", "p.json"] + key)
    all += try writes(
      ["apply", "a.db", "--to", "two.sql", "--allow", "destructive", "--allow", "lossy", "--rehearse"] + key)
    for at in [1, 5, 12] { all += try writes(apply, killingAt: at, in: "a.db-journal") }
    all += try writes(["doctor", "a.db"] + key)
    all += try writes(apply)
    all += try writes(["undo", "a.db", "--yes", "--allow", "lossy"] + key)
    let marked = Set(all.filter(\.isMarked).map(\.path))
    if isEncrypted {
      #expect(marked == [])
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.url("b").path).map({ "b/" + $0 }) + [
        "a.db"
      ] {
        #expect(try folder.bytes(file).range(of: Data(Self.marker.utf8)) == nil, "\(file)")
      }
      let connection = try SQLiteConnection(
        path: folder.url("a.db").path, mode: .readWrite, key: EncryptionKey(passphrase: Self.key))
      #expect(
        try connection.integer("SELECT count(*) FROM t WHERE a LIKE '\(Self.marker)%' AND gone IS NOT NULL") == 3_000)
    } else {
      let names = Set(marked.map { ($0 as NSString).lastPathComponent })
      #expect(names.contains("a.db") && names.contains("a.db-journal"), "\(names)")
      #expect(marked.contains { $0.contains("/p.json.part-") }, "\(marked)")
    }
    #expect(
      Set(all.map { ($0.path as NSString).lastPathComponent }).isSuperset(of: ["a.db", "a.db-journal"]))
    // The plan is written under another name first.
    #expect(all.contains { $0.path.contains("/p.json.part-") })
  }
}
