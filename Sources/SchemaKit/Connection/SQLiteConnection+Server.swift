extension SQLiteConnection {
  /// True if an INSERT may have the clause RETURNING: not every server carries it out.
  var canReturnRows: Bool { server == nil && engineVersionNumber >= 3_035_000 }

  /// The cached statement with a text, marked as in use; nil if there is none that can be run.
  func takeCurrent(_ sql: String) throws -> Statement? {
    guard let kept = cache.take(sql) else { return nil }
    do {
      if try isCurrent(kept) { return kept }
    } catch {
      kept.isInUse = false
      throw error
    }
    kept.isInUse = false
    cache.remove(kept)
    return nil
  }

  /// True if a statement that was compiled before can still be run.
  func isCurrent(_ statement: Statement) throws -> Bool {
    guard knowsReads(of: statement) else { return false }
    guard let server, let onServer = statement.onServer else { return true }
    if onServer.traits.hasAsterisk { try server.refresh() } else { _ = server.currentSchema() }
    return onServer.generation == server.generation
  }

  /// Throws for work that needs the file of a database, where the database is on a server.
  func requireFile(_ work: RemoteError.LocalWork) throws {
    guard server == nil else { throw RemoteError(reason: .unsupported(.onlyWithFile(work))) }
  }
}
