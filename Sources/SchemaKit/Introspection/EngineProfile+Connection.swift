extension EngineProfile {
  /// The features of a connection's version; what else it permits is taken to be as usual.
  init(versionOf connection: any SQLConnection) {
    self.init(version: SQLiteVersion(number: connection.engineVersionNumber))
  }

  /// Finds out what a connection permits, by trying where only a local file can tell. Nothing is written.
  package init(of connection: any SQLConnection) throws {
    self.init(versionOf: connection)
    canSuspendForeignKeys = try !connection.isInTransaction || connection.integer("PRAGMA foreign_keys") != 1
    let local = connection as? any LocalEngine
    canEditCatalog = local?.canEditCatalog ?? false
    if let columns = local?.maximumColumns { maximumColumns = columns }
  }
}
