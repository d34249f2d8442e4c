import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: cancellation")
struct SessionCancellationTests {
  private func isCancellation(_ error: any Error) -> Bool {
    if let error = error as? ApplyError, case .cancelled = error.reason { return true }
    return (error as? SQLiteError)?.isInterrupted == true
  }

  @Test("cancelled at any question, the file keeps every byte; asked no more, it is migrated")
  func cancelledAnywhere() throws {
    let database = try TemporaryDatabase.pets()
    let before = try database.bytes
    var isMigrated = false
    var allowed = 0
    while !isMigrated {
      var calls = 0
      do {
        _ = try Session(at: database.path, schema: Pets.checked) {
          $0.isCancelled = {
            calls += 1
            return calls > allowed
          }
        }
        isMigrated = true
      } catch {
        #expect(isCancellation(error), "\(error)")
        #expect(try database.bytes == before, "after \(allowed) calls")
        allowed += 1
      }
      try #require(allowed < 2_000, "the migration is never done")
    }
    #expect(allowed > 5, "there was hardly anything to cancel")
    #expect(try database.value("SELECT count(*) FROM pets") == .int(3))
    #expect(try database.value("SELECT sql FROM sqlite_master WHERE name = 'pets'")?.string?.contains("CHECK") == true)
  }

  @Test("a big copy stops in its midst and is rolled back")
  func midCopy() throws {
    let database = try TemporaryDatabase(
      Pets.sql
        + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
        INSERT INTO pets (name) SELECT 'pet number ' || i FROM n;
        """)
    let before = try database.bytes
    var copyBegan = false
    var callsInCopy = 0
    #expect {
      try Session(at: database.path, schema: Pets.checked) {
        $0.onProgress = { copyBegan = $0.activity == .step && $0.step.strategy == .rebuild }
        $0.isCancelled = {
          if copyBegan { callsInCopy += 1 }
          return callsInCopy > 20
        }
      }
    } throws: {
      isCancellation($0)
    }
    #expect(callsInCopy > 20)
    #expect(try database.bytes == before)
    #expect(try database.value("SELECT count(*) FROM pets") == .int(40000))
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("on a borrowed handle a cancellation takes everything back too")
  func borrowed() throws {
    let lender = try RawSQLite()
    try lender.exec(Pets.sql + Pets.rows)
    var isCancelled = false
    #expect {
      try Session(over: try lender.lent(), schema: Pets.checked) {
        $0.onProgress = { _ in isCancelled = true }
        $0.isCancelled = { isCancelled }
      }
    } throws: {
      isCancellation($0)
    }
    #expect(try lender.rows("SELECT name FROM sqlite_master") == [[.text("pets")]])
    #expect(try lender.rows("SELECT count(*) FROM pets") == [[.int(3)]])
    try lender.exec("BEGIN; ROLLBACK")
  }

  @Test("a warm open does not ask")
  func warm() throws {
    let database = try TemporaryDatabase.pets()
    #expect(try Session(at: database.path, schema: Pets.one) { $0.isCancelled = { true } }.isWarm)
  }
}
