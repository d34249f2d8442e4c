extension SQLConnection {
  /// Runs external work on rows: it must neither change SchemaKit's own tables, even through a trigger, nor begin,
  /// commit or roll back a transaction; savepoints are allowed.
  ///
  /// On a borrowed handle nothing is refused, since it keeps its own authorizer, nor by an engine that has none.
  package func confiningToRows<T>(_ body: () throws -> T) throws -> T {
    guard let local = self as? any AuthorizingEngine, !local.isBorrowed else { return try body() }
    var refused: String?
    let decide = { (request: AuthorizerRequest) -> AuthorizerAnswer in
      guard let table = request.changedOwnTable else { return .allow }
      refused = table
      return .deny
    }
    do {
      return try local.withAuthorizer(decide) { try local.denyingTransactionControl(body) }
    } catch let error as SQLiteError where error.isNotAuthorized {
      guard let refused else { throw error }
      throw SQLiteError(
        code: error.extendedCode, message: "\(refused) belongs to SchemaKit and cannot be changed by work on the rows")
    }
  }
}

extension AuthorizerRequest {
  /// The SchemaKit table that a statement would change; temporary ones belong to the session.
  fileprivate var changedOwnTable: String? {
    guard isChange, database != "temp" else { return nil }
    return [first, second].compactMap { $0 }.first { SQLName($0).isOutsideSchemas }
  }
}
