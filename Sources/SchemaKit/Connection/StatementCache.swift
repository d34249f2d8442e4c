/// The compiled statements of one connection by their text; the one not used for longest gives way first.
struct StatementCache {
  private var statements: [ExactText: Statement] = [:]
  private var uses = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// How many statements it holds.
  var count: Int { statements.count }

  /// The statement with a text, marked as in use; nil when there is none or when somebody is using it.
  mutating func take(_ sql: String) -> Statement? {
    guard let statement = statements[ExactText(sql)], !statement.isInUse else { return nil }
    uses += 1
    statement.lastUse = uses
    statement.isInUse = true
    return statement
  }

  /// Keeps a statement that is in use, unless there is one with its text already.
  mutating func keep(_ statement: Statement) {
    let text = ExactText(statement.sql)
    guard statements[text] == nil else { return }
    if statements.count >= capacity { removeOldest() }
    uses += 1
    statement.lastUse = uses
    statements[text] = statement
  }

  /// Forgets a statement that can no longer be trusted.
  mutating func remove(_ statement: Statement) {
    guard statements[ExactText(statement.sql)] === statement else { return }
    statements[ExactText(statement.sql)] = nil
  }

  /// Forgets all statements.
  mutating func removeAll() { statements = [:] }

  private mutating func removeOldest() {
    let idle = statements.values.lazy.filter { !$0.isInUse }
    guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return }
    statements[ExactText(oldest.sql)] = nil
  }

  /// Whether a statement may be run again without being compiled again.
  ///
  /// A PRAGMA may not: many of them do their work, or read their value, while they are compiled.
  /// https://sqlite.org/pragma.html#syntax
  static func canKeep(_ sql: String) -> Bool {
    guard let first = sql.utf8.first(where: { !($0 == 0x20 || (0x09...0x0D).contains($0)) }) else { return false }
    // Words only, so that no PRAGMA hides behind a comment, and none that begins like one.
    return (0x41...0x5A).contains(first & 0xDF) && first & 0xDF != UInt8(ascii: "P")
  }
}
