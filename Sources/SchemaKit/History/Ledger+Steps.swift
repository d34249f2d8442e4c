/// A recorded step that a database has.
package struct AppliedMigration: Sendable, Hashable {
  package var name: String
  /// The checksum that the step had when it was applied.
  package var checksum: String
  /// When it was applied or baselined, in UTC as ISO 8601.
  package var appliedAt: String
  /// The files that worked on rows, which undoing does not revert.
  package var dataFiles: [String] = []
  /// The former identity of the step, if the file got it under other names: the steps that a squashed one replaces, or
  /// the number that it had before it was moved after another branch's.
  package var former: [AppliedMigration] = []

  package init(name: String, checksum: String, appliedAt: String = "") {
    self.name = name
    self.checksum = checksum
    self.appliedAt = appliedAt
  }
}

// Each step is a row of `_schemakit_meta`: the name after that of the schema, the checksum and the time. A former
// identity has a row of its own.
extension Ledger {
  private static func key(_ schema: String, _ name: String) -> String {
    "recorded step \(schema.unicodeScalars.count) \(schema) \(name)"
  }

  private static func key(_ schema: String, former name: String, of step: String) -> String {
    "former \(key(schema, step))/\(name)"
  }

  /// The recorded steps that this file has, in the order of their names.
  package func recordedMigrations(of schema: String) throws -> [AppliedMigration] {
    guard try exists() else { return [] }
    var steps = try steps(behind: Self.key(schema, ""))
    // File names contain no slash.
    for former in try self.steps(behind: "former " + Self.key(schema, "")) {
      let names = former.name.split(separator: "/", maxSplits: 1).map(String.init)
      guard names.count == 2, let index = steps.firstIndex(where: { $0.name == names[0] }) else { continue }
      steps[index].former.append(
        AppliedMigration(name: names[1], checksum: former.checksum, appliedAt: former.appliedAt))
    }
    return steps
  }

  /// The steps of the rows whose keys have a given prefix.
  private func steps(behind prefix: String) throws -> [AppliedMigration] {
    let sql = """
      SELECT key, value FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key
      """
    return try connection.onLedger(LedgerShape.meta) {
      try connection.rows(sql, [.text(prefix)]).map { row in
        let words = (row[1].text ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else {
          throw HistoryError.damaged(LedgerShape.meta.name, .wrongRow(row[0].text ?? "", .checksumAndTime))
        }
        return AppliedMigration(
          name: String((row[0].text ?? "").dropFirst(prefix.count)), checksum: words[0], appliedAt: words[1])
      }
    }
  }

  /// Records that the file has a step: as of now, if the step does not say when.
  package func note(_ step: AppliedMigration, of schema: String) throws {
    try note(step, under: Self.key(schema, step.name))
    for former in step.former { try note(former, under: Self.key(schema, former: former.name, of: step.name)) }
  }

  private func note(_ step: AppliedMigration, under key: String) throws {
    let sql = """
      INSERT INTO main._schemakit_meta (key, value) \
      VALUES (?1, ?2 || ' ' || coalesce(nullif(?3, ''), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    _ = try connection.onLedger(LedgerShape.meta) {
      try connection.run(sql, [.text(key), .text(step.checksum), .text(step.appliedAt)])
    }
  }

  /// Forgets the step of a change that is undone, whatever its name is now. If it is one of those that a squashed step
  /// replaces, the file keeps the others as it had them before.
  func forgetUndone(_ name: String, of schema: String) throws {
    // Two branches may have had one name for two steps; the one that came last goes first.
    let steps = try recordedMigrations(of: schema).flatMap { step in
      (step.former.isEmpty ? [step] : step.former).filter { $0.name == name }.map { (step, time: $0.appliedAt) }
    }
    guard let (step, _) = steps.max(by: { $0.time < $1.time }) else { return }
    try forget(step, of: schema)
    for other in step.former where other.name != name { try note(other, of: schema) }
  }

  /// Forgets a step and its former identity.
  package func forget(_ step: AppliedMigration, of schema: String) throws {
    let keys = [Self.key(schema, step.name)] + step.former.map { Self.key(schema, former: $0.name, of: step.name) }
    for key in keys { try connection.run("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(key)]) }
  }
}
