/// Makes indexes anew that work on the rows has left with other entries than their rows.
///
/// A row that an UPDATE touches is stored anew as its columns declare, and only the entries of the columns that the UPDATE names
/// change. Where a column holds a value of another class than it stores, as another program's ALTER TABLE or an edit of the
/// catalog leaves it, the entry keeps the value of before.
///
/// *Cost:* `PRAGMA integrity_check` of each table that was updated and has an index.
struct UpdatedIndexes {
  let connection: any SQLConnection

  /// Runs work on the rows, and looks after the indexes of the tables that it updates. A connection with an authorizer of
  /// its own cannot tell which these are.
  ///
  /// - Throws: What the work throws; `SQLiteError` if rows are equal now under a unique index.
  func mending<T>(after work: () throws -> T) throws -> T {
    guard let engine = connection as? any AuthorizingEngine, !engine.isBorrowed else { return try work() }
    var updated: Set<String> = []
    let result = try engine.withAuthorizer(
      { request in
        if let table = request.updatedTable { updated.insert(table) }
        return .allow
      }, work)
    for table in updated.sorted() where try hasIndex(table) {
      let found = try StorageCheck(connection: connection, depth: .full).run(on: table).damage
      if found.contains(where: StorageCheck.isAboutEntries) {
        try connection.run("REINDEX \"main\".\(SQLName(table).quoted)")
      }
    }
    return result
  }

  private func hasIndex(_ table: String) throws -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE)",
      [.text(table)])
      == 1
  }
}
