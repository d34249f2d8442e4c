/// The TEMP triggers of this connection on tables that change: SQLite drops them with an old table, and an update in
/// place must not fire them.
struct TemporaryObjects {
  private let connection: any SQLConnection
  private let triggers: [(name: String, table: SQLName, sql: String)]

  /// Remembers the TEMP triggers on some tables.
  init(on connection: any SQLConnection, tables: Set<SQLName>) throws {
    self.connection = connection
    let sql = "SELECT name, tbl_name, sql FROM sqlite_temp_master WHERE type = 'trigger'"
    triggers = try connection.rows(sql).compactMap { row in
      guard let name = row[0].text, let table = row[1].text, let sql = row[2].text, tables.contains(SQLName(table))
      else { return nil }
      return (name: name, table: SQLName(table), sql: sql)
    }
  }

  /// Drops those on some tables for a while.
  func setAside(on tables: Set<SQLName>) throws {
    for trigger in triggers where tables.contains(trigger.table) {
      try connection.run("DROP TRIGGER temp.\(SQLQuoting.identifier(trigger.name))")
    }
  }

  /// Makes them again where they are gone.
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
