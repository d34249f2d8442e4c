import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A custom busy handler")
struct BusyHandlerTests {
  let file: TemporaryDatabase

  init() throws { file = try TemporaryDatabase.pets() }

  /// Runs work while another connection holds the right to write.
  private func whileLocked(_ body: (SQLiteConnection) throws -> Void) throws {
    let holder = try SQLiteConnection(path: file.path)
    try holder.execute("BEGIN IMMEDIATE")
    try body(holder)
    if holder.isInTransaction { try holder.execute("ROLLBACK") }
  }

  @Test("it is asked with the number of the attempt, and false ends the wait")
  func givesUp() throws {
    let attempts = Record<Int>()
    let session = try Session(at: file.path, schema: Pets.one) {
      $0.busyTimeout = 0
      $0.busyHandler = { attempt in
        attempts.append(attempt)
        return attempt < 2
      }
    }
    try whileLocked { _ in
      for _ in 1...2 {
        let error = #expect(throws: SQLiteError.self) { try session.save(PetOne(id: nil, name: "Late")) }
        #expect(error?.isBusy == true)
      }
    }
    #expect(attempts.all == [0, 1, 2, 0, 1, 2])
    try session.save(PetOne(id: nil, name: "Later"))
    #expect(try session.count(PetOne.self) == 4)
  }

  @Test("it waits for as long as it says true")
  func waits() throws {
    let holder = try SQLiteConnection(path: file.path)
    try holder.execute("BEGIN IMMEDIATE")
    let gate = Gate()
    let released = Gate()
    let thread = Thread { [lent = Unchecked(holder)] in
      _ = gate.block()
      try? lent.value.execute("COMMIT")
      released.open()
    }
    thread.start()
    let session = try Session(at: file.path, schema: Pets.one) {
      $0.busyHandler = { attempt in
        gate.open()
        return released.block() && attempt < 100
      }
    }
    try session.save(PetOne(id: nil, name: "Patient"))
    #expect(try file.value("SELECT count(*) FROM pets") == .int(4))
  }

  @Test("a cancelled task stops waiting, whatever the handler says")
  func cancelled() async throws {
    let db = try await Database(at: file.path, schema: Pets.one) {
      $0.busyHandler = { _ in
        Thread.sleep(forTimeInterval: 0.005)
        return true
      }
    }
    let holder = try SQLiteConnection(path: file.path)
    try holder.execute("BEGIN IMMEDIATE")
    let isDone = try await isDone {
      let task = Task { try await db.save(PetOne(id: nil, name: "Never")) }
      try await Task.sleep(for: .milliseconds(30))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(isDone)
    try holder.execute("ROLLBACK")
    #expect(try file.value("SELECT count(*) FROM pets") == .int(3))
  }

  @Test("a borrowed connection keeps the handler of its lender")
  func borrowed() throws {
    let lender = try RawSQLite()
    let error = #expect(throws: SQLiteConnectionError.self) {
      try Session(over: lender.lent(), schema: Pets.one) { $0.busyHandler = { _ in false } }
    }
    #expect(error == .belongsToLender("busyHandler"))
    let attempts = Record<Int>()
    let own = try Session(over: SQLiteConnection(path: file.path), schema: Pets.one) {
      $0.busyHandler = {
        attempts.append($0)
        return false
      }
    }
    try whileLocked { _ in #expect(throws: SQLiteError.self) { try own.save(PetOne(id: nil, name: "Late")) } }
    #expect(attempts.all == [0])
  }
}

/// Hands a value to another thread, which alone uses it then.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
