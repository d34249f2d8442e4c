import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The environment of a migration")
struct ConnectionEnvironmentTests {
  struct Failure: Error {}
  static let all = ConnectionEnvironmentOptions(
    turnsForeignKeysOff: true, allowsFastDelete: true, turnsRecursiveTriggersOff: true)
  let database: SQLiteConnection

  init() throws { database = try SQLiteConnection.memory() }

  private func state() throws -> [String: Int64] {
    var state: [String: Int64] = [:]
    for (setting, _) in Self.all.wanted { state[setting.name] = try setting.read(database) }
    return state
  }

  /// Every setting away from what a migration wants.
  private func disturb() throws -> [String: Int64] {
    for (setting, value) in Self.all.wanted { try setting.write(database, value == 0 ? 1 : 0) }
    let state = try state()
    for (setting, value) in Self.all.wanted {
      // count_changes may be compiled out; the others are there in every SQLite supported.
      if state[setting.name] == nil, setting.name == "count_changes" { continue }
      #expect(state[setting.name] == 1 - value, "\(setting.name)")
    }
    return state
  }

  @Test("every setting is made for the work and put back after it")
  func restored() throws {
    let before = try disturb()
    let during = try withMigrationEnvironment(on: database, Self.all) { try state() }
    for (setting, value) in Self.all.wanted where during[setting.name] != nil {
      #expect(during[setting.name] == value, "\(setting.name)")
    }
    #expect(try state() == before)
  }

  @Test("every setting is put back when the work throws, also in the middle of a transaction")
  func restoredAfterFailure() throws {
    let before = try disturb()
    #expect(throws: Failure.self) {
      try withMigrationEnvironment(on: database, Self.all) {
        try database.transaction { throw Failure() }
      }
    }
    #expect(try state() == before)
  }

  @Test("settings that were right are left alone")
  func untouched() throws {
    let during = try withMigrationEnvironment(on: database) { try database.pragmaInteger("foreign_keys") }
    #expect(during == 0)
    #expect(try database.pragmaInteger("foreign_keys") == 0)
  }

  @Test("what the options leave out stays as it is")
  func options() throws {
    _ = try disturb()
    let options = ConnectionEnvironmentOptions(turnsForeignKeysOff: false)
    let during = try withMigrationEnvironment(on: database, options) { try state() }
    for name in ["foreign_keys", "secure_delete", "recursive_triggers"] {
      #expect(during[name] == 1, "\(name)")
    }
    #expect(during["legacy_alter_table"] == 0)
    #expect(during["DQS_DML"] == 0)
  }

  @Test("an open transaction refuses to give up foreign keys, before anything else is changed")
  func inTransaction() throws {
    let before = try disturb()
    try database.transaction(.deferred) {
      #expect(throws: SQLiteConnectionError.environmentNotSettable("foreign_keys")) {
        try withMigrationEnvironment(on: database, Self.all) { Issue.record("the work must not begin") }
      }
    }
    #expect(try state() == before)
  }

  @Test("an open transaction is not an obstacle when foreign keys are off already")
  func inTransactionOff() throws {
    let result = try database.transaction { try withMigrationEnvironment(on: database) { 7 } }
    #expect(result == 7)
  }

  @Test("a transaction that the work leaves open is reported, since foreign keys stay off in it")
  func leftOpen() throws {
    try database.execute("PRAGMA foreign_keys = ON")
    #expect(throws: SQLiteConnectionError.environmentNotRestored("foreign_keys")) {
      try withMigrationEnvironment(on: database) { try database.execute("BEGIN") }
    }
  }

  @Test("a connection that is lost after the work is reported as lost")
  func lost() throws {
    try database.execute("PRAGMA foreign_keys = ON")
    let connection = LosingConnection(base: database)
    let error = #expect(throws: RemoteError.self) {
      try withMigrationEnvironment(on: connection) { connection.isLost = true }
    }
    #expect(error?.reason == .connectionLost(problem: "gone"))
  }

  /// A connection to a server that goes away.
  private final class LosingConnection: SQLConnection {
    private let base: SQLiteConnection
    var isLost = false

    init(base: SQLiteConnection) { self.base = base }

    var engineVersionNumber: Int { base.engineVersionNumber }
    var isInTransaction: Bool { base.isInTransaction }
    private func check() throws { if isLost { throw RemoteError(reason: .connectionLost(problem: "gone")) } }

    func execute(_ sql: String) throws {
      try check()
      try base.execute(sql)
    }
    func prepareOnly(_ sql: String) throws { try base.prepareOnly(sql) }
    func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
      try check()
      return try base.run(sql, bindings)
    }
    func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
      try check()
      try base.forEachRow(sql, bindings, body)
    }
  }

  @Test("the fast way of secure_delete comes back as such")
  func fastSecureDelete() throws {
    try database.execute("PRAGMA secure_delete = FAST")
    let during = try withMigrationEnvironment(on: database, Self.all) { try database.pragmaInteger("secure_delete") }
    #expect(during == 0)
    #expect(try database.pragmaInteger("secure_delete") == 2)
  }

  @Test("a double-quoted word is not text during the work")
  func doubleQuotes() throws {
    try database.execute("CREATE TABLE t (x)")
    try EnvironmentSetting.configuration("DQS_DML", 1013).write(database, 1)
    #expect(try database.value("SELECT \"nothing\"") == .text("nothing"))
    try withMigrationEnvironment(on: database) {
      #expect(throws: SQLiteError.self) { try database.value("SELECT \"nothing\"") }
    }
    #expect(try database.value("SELECT \"nothing\"") == .text("nothing"))
  }

  @Test("settings come back also when the work was cancelled")
  func cancelled() throws {
    let before = try disturb()
    var isCancelled = false
    let check = { isCancelled }
    let error = #expect(throws: SQLiteError.self) {
      try database.withCancellation(every: 1, check: check) {
        try withMigrationEnvironment(on: database, Self.all) {
          isCancelled = true
          try database.run(WaitingTests.endless)
        }
      }
    }
    #expect(error?.isInterrupted == true)
    #expect(try state() == before)
  }
}
