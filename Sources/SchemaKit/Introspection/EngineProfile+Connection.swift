extension EngineProfile {
  /// The features of a connection's version; what else it permits is taken to be as usual.
  package init(versionOf connection: any SQLConnection) {
    self.init(version: SQLiteVersion(number: connection.engineVersionNumber))
  }

  /// Finds out what a connection permits, by trying where only a local file can tell. Nothing is written.
  ///
  /// - Parameter name: The engine that a plan is for, if that is not the connection's own.
  package init(of connection: any SQLConnection, for name: Name? = nil) throws {
    self.init(versionOf: connection)
    canSuspendForeignKeys = try connection.canSuspendForeignKeys
    let local = connection as? any LocalEngine
    if local != nil { constraintForms = ConstraintForm.taken }
    canEditCatalog = local?.canEditCatalog ?? false
    if let columns = local?.maximumColumns { maximumColumns = columns }
    if let name { self = limited(to: name) }
  }
}

extension ConstraintForm {
  /// The forms that the SQLite of this process takes, found once by trying them.
  ///
  /// *Cost:* three empty databases in memory, and nothing where the version is too old to have any.
  static let taken: Set<ConstraintForm> = {
    guard let version = try? SQLiteConnection.memory().engineVersionNumber, version >= 3_053_000 else { return [] }
    return Set(
      allCases.filter { form in
        (try? SQLiteConnection.memory()).map { engine in form.probe.allSatisfy { (try? engine.execute($0)) != nil } }
          ?? false
      })
  }()
}

extension SQLConnection {
  /// True if foreign keys are off or can be switched off now, which SQLite can outside a transaction; another engine than
  /// a local one is asked by trying. See [PRAGMA foreign_keys](https://sqlite.org/pragma.html#pragma_foreign_keys).
  var canSuspendForeignKeys: Bool {
    get throws {
      if !isInTransaction, self is any LocalEngine { return true }
      guard try pragmaInteger("foreign_keys") == 1 else { return true }
      guard !isInTransaction else { return false }
      defer { try? execute("PRAGMA foreign_keys = ON") }
      return try setPragma("foreign_keys", to: 0) == 0
    }
  }
}
