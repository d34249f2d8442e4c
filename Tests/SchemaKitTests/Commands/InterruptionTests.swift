import Foundation
import Testing

@Suite("Interrupted commands")
struct InterruptionTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "big.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
      INSERT INTO t SELECT i, 'row ' || i FROM n;
      """)
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT CHECK (length(body) > 0));", to: "t.sql")
  }

  @Test("Ctrl-C during apply rolls back, says so, and exits with 130")
  func interrupt() throws {
    let (status, text) = try stopped(by: "kill -INT $p")
    #expect(status == 130)
    #expect(text.contains("interrupted; everything was rolled back, and nothing was changed."))
  }

  @Test("SIGTERM and SIGHUP during apply roll back, say so, and exit with 143 and 129")
  func ended() throws {
    let terminated = try stopped(by: "kill -TERM $p")
    #expect(terminated.status == 143)
    #expect(
      terminated.errors.contains(
        "ended from outside (SIGTERM); everything was rolled back, and nothing was changed."))
    let hungUp = try stopped(by: "kill -HUP $p")
    #expect(hungUp.status == 129)
    #expect(
      hungUp.errors.contains("the terminal was closed (SIGHUP); everything was rolled back, and nothing was changed."))
  }

  @Test("what nohup started goes on when the terminal is closed")
  func nohup() throws {
    let (status, _) = try stopped(by: "kill -HUP $p; sleep 1; kill -TERM $p", prefix: "nohup")
    #expect(status == 143)
  }

  /// Starts an apply that cannot commit, stops it, and checks that the file is as it was.
  private func stopped(by command: String, prefix: String = "") throws -> (status: Int32, errors: String) {
    let before = try folder.bytes("big.db")
    // A second connection that reads holds the commit up, so that the signal always comes in time.
    let reader = try RawSQLite(folder.url("big.db").path)
    defer { reader.close() }
    try reader.exec("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM t")
    let schemactl = CommandRun.schemactl
    let script =
      "\(prefix) \(schemactl) apply big.db --to t.sql --yes --lock-timeout 60 & p=$!; sleep 2; \(command); wait $p"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(!folder.exists("big.db-journal"))
    #expect(try folder.bytes("big.db") == before)
    return (process.terminationStatus, text)
  }

  @Test("Ctrl-C during a rehearsal removes the copy, says so, and exits with 130", .needs(.strict))
  func interruptRehearsal() throws {
    // Takes longer for all rows than anybody waits, and nobody computes it before the copy is changed.
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT CHECK (length(hex(zeroblob(100000 + id))) > 0));",
      to: "slow.sql")
    let before = try folder.bytes("big.db")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    let schemactl = CommandRun.schemactl
    let script = """
      \(schemactl) apply big.db --to slow.sql --quick --rehearse & p=$!
      for i in $(seq 600); do compgen -G '.big.db.rehearsal-*/big.db' > /dev/null && break; sleep 0.1; done
      compgen -G '.big.db.rehearsal-*/big.db' > /dev/null && echo 'the copy is there' >&2
      sleep 1; kill -INT $p; wait $p
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(text.contains("the copy is there"))
    #expect(text.contains("the rehearsal failed: interrupted; everything was rolled back, and nothing was changed."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
    #expect(try folder.bytes("big.db") == before)
  }

  @Test("a reader that has seen enough is not an error")
  func brokenPipe() throws {
    let schemactl = CommandRun.schemactl
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "\(schemactl) apply big.db --to t.sql --yes | true; echo ${PIPESTATUS[0]}"]
    process.currentDirectoryURL = folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "0\n")
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(!said.lowercased().contains("pipe"))
    #expect(try folder.run("check", "big.db", "--to", "t.sql").status == 0)
  }
}
