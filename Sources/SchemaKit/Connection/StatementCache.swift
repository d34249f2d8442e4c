/// The compiled statements of one connection by their text; the least recently used one is evicted first.
struct StatementCache {
  private var statements: [ExactText: Statement] = [:]
  private var uses = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// The number of statements it holds.
  var count: Int { statements.count }

  /// The statement with a text, marked as in use; nil if it is not cached or already in use.
  mutating func take(_ sql: String) -> Statement? {
    guard let statement = statements[ExactText(sql)], !statement.isInUse else { return nil }
    uses += 1
    statement.lastUse = uses
    statement.isInUse = true
    return statement
  }

  /// Caches a statement that is in use, unless one with the same text is cached already.
  mutating func keep(_ statement: Statement) {
    let text = ExactText(statement.sql)
    guard statements[text] == nil else { return }
    if statements.count >= capacity { removeOldest() }
    uses += 1
    statement.lastUse = uses
    statements[text] = statement
  }

  /// Removes a statement that can no longer be trusted.
  mutating func remove(_ statement: Statement) {
    guard statements[ExactText(statement.sql)] === statement else { return }
    statements[ExactText(statement.sql)] = nil
  }

  /// Removes all statements.
  mutating func removeAll() { statements = [:] }

  private mutating func removeOldest() {
    let idle = statements.values.lazy.filter { !$0.isInUse }
    guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return }
    statements[ExactText(oldest.sql)] = nil
  }

  /// True if a statement can be run again without being recompiled.
  ///
  /// A PRAGMA cannot: many of them do their work, or read their value, while they are compiled.
  /// https://sqlite.org/pragma.html#syntax
  static func canKeep(_ sql: String) -> Bool {
    guard let first = sql.utf8.first(where: { !($0 == 0x20 || (0x09...0x0D).contains($0)) }) else { return false }
    // Only texts that begin with a word, so that no PRAGMA hides behind a comment, and no word that begins like PRAGMA.
    return (0x41...0x5A).contains(first & 0xDF) && first & 0xDF != UInt8(ascii: "P")
  }
}
