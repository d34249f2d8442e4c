/// A connection to an engine without temporary tables, on which they are tables of the database that nobody else sees: they are
/// rolled back before their transaction goes on.
///
/// *Cost:* the lock for writing, from the first of them to the end of the transaction.
final class WorkConnection: SQLConnection {
  private let base: any SQLConnection
  /// The SQL that takes the tables back; nil before the first.
  private var ending: String?

  init(over base: any SQLConnection) { self.base = base }

  var engineVersionNumber: Int { base.engineVersionNumber }
  var isInTransaction: Bool { base.isInTransaction }

  func execute(_ sql: String) throws { try base.execute(placed(sql)) }

  @discardableResult
  func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int { try base.run(placed(sql), bindings) }

  func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    try base.forEachRow(placed(sql), bindings, body)
  }

  func prepareOnly(_ sql: String) throws { try base.prepareOnly(placed(sql)) }

  func guardingTransaction<T>(_ body: () throws -> T) throws -> T { try base.guardingTransaction(body) }

  /// Takes the tables back.
  func end() {
    if let ending, base.isInTransaction { try? base.execute(ending) }
    ending = nil
  }

  private func placed(_ sql: String) throws -> String {
    let mark = "temp.\"_schemakit_"
    guard sql.contains(mark) else { return sql }
    if ending == nil {
      let isNested = base.isInTransaction
      try base.execute(isNested ? "SAVEPOINT schemakit_work" : "BEGIN IMMEDIATE")
      ending = isNested ? "ROLLBACK TO schemakit_work; RELEASE schemakit_work" : "ROLLBACK"
    }
    return sql.replacing(mark, with: "main.\"_schemakit_")
  }
}
