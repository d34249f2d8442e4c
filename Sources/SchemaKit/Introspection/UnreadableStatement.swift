/// A CREATE statement of a file that SQLite cannot read, so that it refuses to work with anything in the file: it calls the
/// schema malformed, although every page may be whole.
///
/// An edit of the catalog or another engine leaves one. See
/// [PRAGMA writable_schema](https://sqlite.org/pragma.html#pragma_writable_schema).
package struct UnreadableStatement: Sendable, Hashable {
  /// The kind of the object: table, index, view or trigger.
  package let kind: String
  package let name: SQLName
  /// SQLite's error for the text.
  package let problem: String

  /// The first such statement; nil if SQLite reads them all, or the file cannot be read at all.
  ///
  /// *Cost:* opens the file again, and where SQLite calls the schema malformed, creates its objects in memory.
  package static func first(in connection: SQLiteConnection) -> UnreadableStatement? {
    guard let path = connection.filePath, let fresh = try? connection.openedForInspection(beside: path),
      isMalformed(fresh), let other = try? connection.openedForInspection(beside: path)
    else { return nil }
    return try? first(of: other)
  }

  /// The same for a file that is not open.
  package static func first(inFile path: String) -> UnreadableStatement? {
    guard let connection = try? SQLiteConnection.openedForInspection(path: path, busyTimeout: 0) else { return nil }
    return first(in: connection)
  }

  private static func isMalformed(_ connection: SQLiteConnection) -> Bool {
    do {
      try connection.prepareOnly("SELECT 1 FROM main.sqlite_master")
      return false
    } catch {
      return (error as? SQLiteError)?.isCorrupt == true
    }
  }

  private static func first(of connection: SQLiteConnection) throws -> UnreadableStatement? {
    // With this, SQLite passes over what it cannot read.
    try connection.execute("PRAGMA writable_schema = ON")
    let memory = try SQLiteConnection.memory()
    try memory.installCollationStubs()
    let rows = try connection.rows(
      """
      SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
      ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid
      """)
    for row in rows {
      guard let kind = row[0].text, let name = row[1].text, let sql = row[2].text else { continue }
      do {
        try memory.denyingDangerousStatements { try memory.runStubbing(sql) }
      } catch let error as SQLiteError where error.lackedModule == nil && !error.isNotAuthorized {
        // SQLite makes no virtual table as it reads a schema, so that one whose tokenizer is missing is not at fault.
        if case .virtualTable? = try? SQLParser.create(sql) { continue }
        return UnreadableStatement(kind: kind, name: SQLName(name), problem: error.message)
      } catch {}
    }
    return nil
  }
}
