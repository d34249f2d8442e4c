/// The TEMP triggers of this connection on tables that change: SQLite drops them together with an old table, and an
/// update in place must not fire them.
struct TemporaryObjects {
  private let connection: any SQLConnection
  private var triggers: [(name: String, sql: String)] = []

  init(on connection: any SQLConnection) { self.connection = connection }

  /// Drops the triggers on a table until `restore()`, before a step works on its rows. The table may have been given
  /// its name by another step.
  mutating func setAside(before step: MigrationStep) throws {
    guard step.strategy.remakesTable || step.strategy.updatesRows else { return }
    let tables = step.copiedChildren.union(step.updatedChildren).union([step.object.name])
    let sql = "SELECT name, tbl_name, sql FROM sqlite_temp_master WHERE type = 'trigger'"
    for row in try connection.rows(sql) {
      guard let name = row[0].text, let table = row[1].text, let sql = row[2].text,
        tables.contains(SQLName(table))
      else { continue }
      try connection.run("DROP TRIGGER temp.\(SQLQuoting.identifier(name))")
      triggers.append((name: name, sql: sql))
    }
  }

  /// Recreates those that are missing.
  func restore() throws {
    for trigger in triggers {
      let isThere = try connection.integer(
        "SELECT count(*) FROM sqlite_temp_master WHERE type = 'trigger' AND name = ?1", [.text(trigger.name)])
      guard isThere == 0 else { continue }
      // SQLite stores the statement without the word TEMP.
      let body = trigger.sql.dropFirst("CREATE ".count)
      try connection.run("CREATE TEMP \(body)")
    }
  }
}
