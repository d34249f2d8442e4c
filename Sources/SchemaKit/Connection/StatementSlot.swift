/// A slot for the compiled statement of one SQL text, kept by whoever runs it repeatedly.
///
/// It has identity because the statement in it is shared by all runs.
final class StatementSlot {
  let sql: String
  fileprivate var statement: Statement?

  init(_ sql: String) { self.sql = sql }
}

extension SQLiteConnection {
  /// Lends the statement of a slot, compiled on first use, and takes it back reset, even if the body throws.
  ///
  /// If the statement is in use further up the stack, a temporary second one is lent.
  func withStatement<T>(
    _ slot: StatementSlot, key: RowKey? = nil, _ body: (Statement) throws -> T
  ) throws -> T {
    let statement = try lend(slot, key: key)
    defer { takeBack(statement) }
    return try body(statement)
  }

  /// Lends the statement of a slot until it is taken back.
  ///
  /// - Parameter key: The key by which the statement finds its one row; nil if it may read any row.
  func lend(_ slot: StatementSlot, key: RowKey? = nil) throws -> Statement {
    try requireOpen()
    let statement: Statement
    if let kept = slot.statement, !kept.isInUse, try isCurrent(kept) {
      statement = kept
    } else {
      statement = try prepareSingle(slot.sql)
      if slot.statement?.isInUse != true { slot.statement = statement }
    }
    statement.isInUse = true
    statements.lent += 1
    noteReads(of: statement, key: key)
    return statement
  }

  func takeBack(_ statement: Statement) {
    statements.lent -= 1
    statement.reset()
    statement.isInUse = false
  }
}
