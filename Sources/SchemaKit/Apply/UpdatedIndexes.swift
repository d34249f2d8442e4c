import OrderedCollections

/// Makes indexes anew that statements on the rows leave with other entries than their rows.
///
/// A row that an UPDATE touches is stored anew as its columns declare, and only the entries of the columns that the UPDATE names
/// change. Where a column holds a value of another class than it stores, as another program's ALTER TABLE or an edit of the
/// catalog leaves it, the entry keeps the value of before.
///
/// *Cost:* one scan of each table that is updated and has an index; `PRAGMA integrity_check` of those that hold such values.
package struct UpdatedIndexes {
  let connection: any SQLConnection

  package init(connection: any SQLConnection) { self.connection = connection }

  /// Runs statements, and looks after the indexes of the tables that they update. A connection with an authorizer of its own
  /// cannot tell which these are.
  ///
  /// - Throws: What the work throws; `SQLiteError` if rows are equal afterwards under a unique index.
  package func mending(_ statements: [String], by work: () throws -> Void) throws {
    let tables = try fragileTables(of: statements)
    try work()
    for table in tables {
      do {
        let found = try StorageCheck(connection: connection, depth: .full).run(on: table.text).damage
        guard found.contains(where: StorageCheck.isAboutEntries) else { continue }
      } catch let error as SQLiteError where error.isOfStatement {
        // An index needs a function or a collation that this program lacks.
        continue
      }
      do {
        try connection.run("REINDEX \"main\".\(table.quoted)")
      } catch let error as SQLiteError where error.isConstraint {
        throw SQLiteError(
          code: error.extendedCode,
          message:
            "the UPDATE of \(table) stores values as its columns declare, and rows are equal then: \(error.message)")
      }
    }
  }

  /// The tables with indexes that statements update, with values of another class than their columns store.
  private func fragileTables(of statements: [String]) throws -> [SQLName] {
    guard let engine = connection as? any AuthorizingEngine, !engine.isBorrowed else { return [] }
    var updated: Set<SQLName> = []
    let noting = { (request: AuthorizerRequest) -> AuthorizerAnswer in
      if let table = request.updatedTable { updated.insert(SQLName(table)) }
      return .allow
    }
    // Whatever is wrong with a statement is told when it runs.
    for statement in statements { try? engine.withAuthorizer(noting) { try connection.prepareOnly(statement) } }
    guard !updated.isEmpty else { return [] }
    let schema = try SchemaReader.read(connection)
    let checks = updated.sorted().compactMap { schema.tables[$0] }
      .filter { !$0.constraintColumns.isEmpty || !schema.indexes(on: $0.name).isEmpty }
      .map { table in
        var checks = StandingChecks(of: table, as: table.name, asksStoredValues: false)
        checks.questions = checks.questions.filter { $0.isAboutClass && $0.fault != .null }
        return checks
      }
    let found = try StandingFaultReader(connection: connection).answer(checks)
    return checks.map(\.table).filter { found[$0]?.isEmpty == false }
  }
}
