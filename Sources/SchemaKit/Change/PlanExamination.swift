/// The findings about a file that its plan was shown from, so that the rows need not be examined again to run it.
///
/// A class, because it keeps the connection that detects writes by others, and releases it once it is used.
package final class PlanExamination {
  package let plan: MigrationPlan
  let prepared: Change.Prepared
  private var connection: (any SQLConnection)?

  init(_ prepared: Change.Prepared, over connection: any SQLConnection) {
    plan = prepared.plan
    self.prepared = prepared
    self.connection = connection
  }

  /// Hands over the findings if another connection sees the same file and nobody has written to it since.
  ///
  /// Each connection counts the writes of others on its own, so this asks both: first the other one, whose read
  /// transaction keeps the file unchanged. See
  /// [PRAGMA data_version](https://sqlite.org/pragma.html#pragma_data_version). Which file another engine than a local one
  /// has is not known, so its findings are never handed over.
  func take(over other: any SQLConnection) throws -> Change.Prepared? {
    defer { connection = nil }
    guard let version = try version(over: other) else { return nil }
    var prepared = prepared
    prepared.version = version
    return prepared
  }

  /// True if the findings would be handed over now.
  package func isCurrent(over other: any SQLConnection) throws -> Bool { try version(over: other) != nil }

  private func version(over other: any SQLConnection) throws -> DataVersion? {
    guard let connection, let path = (connection as? any LocalEngine)?.filePath,
      path == (other as? any LocalEngine)?.filePath, let version = prepared.version,
      let ownVersion = try DataVersion(of: other), try DataVersion(of: connection) == version
    else { return nil }
    return ownVersion
  }
}
