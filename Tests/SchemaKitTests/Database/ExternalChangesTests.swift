import Foundation
import Testing

@testable import SchemaKit

@Suite("Changes by other processes and connections", .serialized)
struct ExternalChangesTests {
  typealias Entry = Tally.Entry

  /// Another process that writes to the file of a tally.
  ///
  /// Unchecked because one test uses it, and waits for each answer.
  private final class Other: @unchecked Sendable {
    private let probe: KillProbe

    init(_ tally: Tally) throws { probe = try KillProbe(arguments: ["commit", tally.file.path]) }

    deinit { probe.endInput() }

    /// Lets the process do something, and waits for it on a thread that may block.
    func run(_ line: String) async throws {
      try probe.send(line)
      let answer = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: self.probe.firstLine()) }
      }
      try #require(answer == "done", "\(line): \(answer)")
    }
  }

  private static let files: [Place] = [.wal, .rollbackJournal]

  /// Waits for a change by others after which there are so many rows.
  private func follow(
    _ changes: inout AsyncStream<RecordChange<Entry>>.Iterator, of database: Database, to count: Int
  ) async throws {
    repeat {
      let change = try #require(await changes.next())
      #expect(change.kind == .external && change.key.values.isEmpty)
    } while try await database.count(Entry.self) < count
  }

  @Test(
    "commits of another process are told, and what is read then has them or later ones", arguments: files, [0.0, 3.0])
  func commits(_ place: Place, pause: Double) async throws {
    let tally = try await Tally(place)
    let other = try Other(tally)
    let changes = try await tally.database.changes(Entry.self)
    let isDone = try await isDone {
      async let writing: Void = other.run("commit 100 \(pause)")
      var iterator = changes.makeAsyncIterator()
      try await follow(&iterator, of: tally.database, to: 100)
      try await writing
    }
    #expect(isDone)
  }

  @Test(
    "each is told without waiting for the next, long before the file would be looked at anyway", arguments: files)
  func oneByOne(_ place: Place) async throws {
    let tally = try await Tally(place)
    let other = try Other(tally)
    let changes = try await tally.database.changes(Entry.self)
    // Looking once a second would take longer than this.
    let isDone = try await isDone(within: 80) {
      var iterator = changes.makeAsyncIterator()
      for count in 1...100 {
        try await other.run("commit 1 0")
        try await follow(&iterator, of: tally.database, to: count)
      }
    }
    #expect(isDone)
  }

  @Test("checkpoints, a WAL that begins anew, VACUUM and a change of journal mode hide no commit", arguments: files)
  func housekeeping(_ place: Place) async throws {
    let tally = try await Tally(place)
    let other = try Other(tally)
    let changes = try await tally.database.changes(Entry.self)
    let isDone = try await isDone {
      var iterator = changes.makeAsyncIterator()
      var count = 0
      // Nobody can leave WAL mode while another connection is open.
      let modes = place == .wal ? [] : ["TRUNCATE", "PERSIST", "WAL"].map { "PRAGMA journal_mode = \($0)" }
      let work = ["PASSIVE", "RESTART", "TRUNCATE"].map { "PRAGMA wal_checkpoint(\($0))" } + ["VACUUM"]
      for line in work + modes + work {
        try await other.run(line)
        for _ in 0..<3 {
          try await other.run("commit 1 0")
          count += 1
          try await follow(&iterator, of: tally.database, to: count)
        }
        try await tally.database.run { _ = try? $0.query("PRAGMA wal_checkpoint(TRUNCATE)") }
      }
    }
    #expect(isDone)
  }

  @Test("neither rollbacks nor the database's own commits are told as changes by others", arguments: files)
  func noOthers(_ place: Place) async throws {
    if place == .rollbackJournal {
      try EncryptedFiles.skip("a rollback encrypts the first page anew, which SQLCipher takes for a commit")
    }
    let tally = try await Tally(place)
    let other = try Other(tally)
    let changes = try await tally.database.changes(Entry.self)
    // With hardly any cache, what is rolled back has reached the file.
    try await other.run("PRAGMA cache_size = 4")
    let many = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT 1, i FROM n"
    try await other.run("BEGIN; INSERT INTO entries (worker, value) \(many); ROLLBACK")
    try await other.run("BEGIN IMMEDIATE; COMMIT; DELETE FROM entries WHERE id = 0")
    for key in 1...50 { try await tally.database.save(Entry(id: Int64(key), worker: 0, value: 0)) }
    try await Task.sleep(for: .milliseconds(100))
    try await tally.database.save(Entry(id: 99, worker: 0, value: 0))
    var kinds: Set<RecordChangeKind> = []
    for await change in changes {
      kinds.insert(change.kind)
      if change.key.integer == 99 { break }
    }
    #expect(kinds == [.insert])
  }

  @Test("two databases on one file in one process are others to each other", arguments: files)
  func sameProcess(_ place: Place) async throws {
    let tally = try await Tally(place)
    let second = try await Database(at: tally.file.path, schema: Tally.schema)
    let heard = try await tally.database.changes(Entry.self)
    let own = try await second.changes(Entry.self)
    let saving = Task {
      for _ in 0..<20 { try await second.save(Entry(id: nil, worker: 0, value: 0)) }
    }
    let isDone = try await isDone {
      var iterator = heard.makeAsyncIterator()
      try await follow(&iterator, of: tally.database, to: 20)
      for await change in own {
        #expect(change.kind == .insert)
        if change.key.integer == 20 { break }
      }
    }
    #expect(isDone)
    try await saving.value
  }

  @Test("the file is watched while somebody observes, and no longer than there is a database", arguments: files)
  func watching(_ place: Place) async throws {
    weak var watch: FileWatch?
    do {
      let tally = try await Tally(place)
      let database = tally.database
      #expect(await database.watch == nil)
      var changes: AsyncStream<RecordChange<Entry>>? = try await database.changes(Entry.self)
      var others: AsyncStream<RecordChange<Tally.Counter>>? = try await database.changes(Tally.Counter.self)
      watch = await database.watch
      #expect(watch != nil)
      _ = changes
      changes = nil
      #expect(try await eventually { try await database.run { $0.store.observers?.isEmpty == false } })
      #expect(watch != nil)
      _ = others
      others = nil
      #expect(try await eventually { watch == nil })
      #expect(await database.watch == nil)
      changes = try await database.changes(Entry.self)
      watch = await database.watch
      #expect(watch != nil)
      try RawSQLite(tally.file.path).exec("INSERT INTO entries VALUES (1, 1, 1)")
      var iterator = changes?.makeAsyncIterator()
      #expect(await iterator?.next()?.kind == .external)
    }
    #expect(try await eventually { watch == nil })
  }

  @Test("where the system tells nothing, the file is looked at again and again")
  func withoutEvents() async throws {
    let watch = FileWatch("/nowhere/at all.db")
    let seen = Record<Int>()
    let isDone = try await isDone {
      // The last of them are a second apart.
      for await _ in watch.hints {
        seen.append(seen.all.count)
        if seen.all.count == 20 { break }
      }
    }
    #expect(isDone && seen.all.count == 20)
    withExtendedLifetime(watch) {}
  }

  @Test("a database in memory is not watched")
  func inMemory() async throws {
    let tally = try await Tally(.memory)
    let changes = try await tally.database.changes(Entry.self)
    #expect(await tally.database.watch == nil)
    try await tally.database.save(Entry(id: 1, worker: 0, value: 0))
    for await change in changes {
      #expect(change.kind == .insert)
      break
    }
  }
}

@Suite("Changes by others, as a session is told of them")
struct SessionExternalChangesTests {
  typealias Entry = Tally.Entry

  private static let modes = ["delete", "wal"]

  private func scene(_ mode: String) throws -> (file: TemporaryDatabase, session: Session, other: RawSQLite) {
    let file = try TemporaryDatabase("PRAGMA journal_mode = \(mode); CREATE TABLE old (x); DROP TABLE old")
    let session = try Session(at: file.path, schema: Tally.schema)
    return (file, session, try RawSQLite(file.path))
  }

  private static let insert = "INSERT INTO entries (worker, value) VALUES (1, 1)"

  @Test("each call tells the commits since the last as one, to all observers", arguments: modes)
  func told(_ mode: String) throws {
    let (file, session, other) = try scene(mode)
    defer { withExtendedLifetime(file) {} }
    #expect(!session.checkForExternalChanges())
    try other.exec(Self.insert)
    var told: [String] = []
    let entries = try session.observe(Entry.self) { told += $0.map { "\($0.kind)\($0.key)" } }
    let counters = try session.observe(Tally.Counter.self) { told += $0.map { "counter \($0.kind)" } }
    #expect(!session.checkForExternalChanges() && told.isEmpty)
    try other.exec(Self.insert)
    try other.exec(Self.insert)
    #expect(told.isEmpty)
    #expect(session.checkForExternalChanges() && Set(told) == ["external", "counter external"] && told.count == 2)
    #expect(!session.checkForExternalChanges() && told.count == 2)
    entries.cancel()
    counters.cancel()
    try other.exec(Self.insert)
    #expect(!session.checkForExternalChanges() && told.count == 2)
  }

  @Test("own commits before, between and after those of others neither count nor hide one", arguments: modes)
  func ownCommits(_ mode: String) throws {
    let (file, session, other) = try scene(mode)
    defer { withExtendedLifetime(file) {} }
    let observation = try session.observe(Entry.self) { _ in }
    let own = Entry(id: nil, worker: 0, value: 0)
    try session.save(own)
    try session.execute("VACUUM")
    try session.execute("CREATE TABLE more (x)")
    try? session.transaction {
      try session.save(own)
      throw CancellationError()
    }
    #expect(!session.checkForExternalChanges())
    try other.exec(Self.insert)
    try session.save(own)
    try session.transaction {
      try session.save(own)
      #expect(session.checkForExternalChanges())
    }
    #expect(!session.checkForExternalChanges())
    try other.exec("BEGIN; \(Self.insert); ROLLBACK")
    try session.save(own)
    #expect(!session.checkForExternalChanges())
    try other.exec(Self.insert)
    #expect(session.checkForExternalChanges())
    observation.cancel()
  }

  @Test("a transaction that reads an earlier state is told when it has ended")
  func snapshot() throws {
    let (file, session, other) = try scene("wal")
    defer { withExtendedLifetime(file) {} }
    let observation = try session.observe(Entry.self) { _ in }
    try session.transaction(.deferred) {
      _ = try session.count(Entry.self)
      try other.exec(Self.insert)
      #expect(!session.checkForExternalChanges())
    }
    #expect(session.checkForExternalChanges())
    observation.cancel()
  }

  @Test("nobody waits for a lock, and the commit that had it is told afterwards", arguments: modes)
  func locked(_ mode: String) throws {
    let (file, session, other) = try scene(mode)
    defer { withExtendedLifetime(file) {} }
    let observation = try session.observe(Entry.self) { _ in }
    try other.exec("PRAGMA cache_size = 4; BEGIN EXCLUSIVE")
    for _ in 0..<2000 { try other.exec(Self.insert) }
    // It would wait for ten seconds, and the test would still be right.
    #expect(!session.checkForExternalChanges())
    try other.exec("COMMIT")
    #expect(session.checkForExternalChanges())
    observation.cancel()
  }

  @Test("a commit is told while somebody holds the lock again, and once", arguments: modes)
  func lockedAgain(_ mode: String) throws {
    if mode == "delete" { try EncryptedFiles.skip("only a lock shows commits to a file with an encrypted header") }
    let (file, session, other) = try scene(mode)
    defer { withExtendedLifetime(file) {} }
    let observation = try session.observe(Entry.self) { _ in }
    for _ in 0..<3 {
      try other.exec(Self.insert)
      try other.exec("BEGIN EXCLUSIVE")
      #expect(session.checkForExternalChanges())
      #expect(!session.checkForExternalChanges())
      try other.exec("COMMIT")
      #expect(!session.checkForExternalChanges())
      try session.save(Entry(id: nil, worker: 0, value: 0))
      #expect(!session.checkForExternalChanges())
    }
    observation.cancel()
  }

  @Test(
    "in rollback-journal mode no lock is taken before somebody has committed",
    .needsPlainFiles("only a lock shows commits to a file with an encrypted header"))
  func lockFree() throws {
    let (file, session, other) = try scene("delete")
    defer { withExtendedLifetime(file) {} }
    let observation = try session.observe(Entry.self) { _ in }
    /// How many actions SQLite is asked for, which needs a lock for the first.
    func actions() throws -> Int {
      var count = 0
      let counting: (AuthorizerRequest) -> AuthorizerAnswer = { _ in
        count += 1
        return .allow
      }
      try session.connection.withAuthorizer(counting) { _ = session.checkForExternalChanges() }
      return count
    }
    #expect(try actions() == 0)
    try session.save(Entry(id: nil, worker: 0, value: 0))
    #expect(try actions() > 0)
    #expect(try actions() == 0)
    try other.exec(Self.insert)
    #expect(try actions() > 0)
    observation.cancel()
  }
}
