import CSQLite

/// A place for the compiled statement of one SQL text, kept by whoever runs it again and again.
///
/// It has identity because the statement in it is shared by all runs.
final class StatementSlot {
  let sql: String
  fileprivate var statement: Statement?

  init(_ sql: String) { self.sql = sql }
}

extension SQLiteConnection {
  /// Lends the statement of a slot, compiled at the first use, and takes it back reset, also when the body throws.
  ///
  /// A statement that is in use further up the stack gets a second one for this time.
  func withStatement<T>(_ slot: StatementSlot, _ body: (Statement) throws -> T) throws -> T {
    if let statement = slot.statement, !statement.isInUse { return try lend(statement, body) }
    let statement = try prepareSingle(slot.sql)
    if slot.statement == nil { slot.statement = statement }
    return try lend(statement, body)
  }

  private func lend<T>(_ statement: Statement, _ body: (Statement) throws -> T) throws -> T {
    statement.isInUse = true
    defer {
      statement.reset()
      statement.isInUse = false
    }
    return try body(statement)
  }
}

extension Statement {
  /// Makes it ready for the next run with the values that are bound, or that will be bound over them.
  func rewind() { sqlite3_reset(handle) }
}
