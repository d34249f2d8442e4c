/// A recorded step that a database has.
package struct AppliedStep: Sendable, Hashable {
  package var name: String
  /// The checksum that the step had when it was applied.
  package var checksum: String
  /// When it was applied or baselined, in UTC as ISO 8601.
  package var appliedAt: String
  /// The files that worked on rows, which undoing does not take back.
  package var dataFiles: [String] = []

  package init(name: String, checksum: String, appliedAt: String = "") {
    self.name = name
    self.checksum = checksum
    self.appliedAt = appliedAt
  }
}

// Each step is a row of `_schemakit_meta`: the name behind that of the schema, the checksum and the time.
extension Ledger {
  private static func key(_ schema: String, _ name: String) -> String {
    "recorded step \(schema.unicodeScalars.count) \(schema) \(name)"
  }

  /// The recorded steps that this file has, in the order of their names.
  func recordedSteps(of schema: String) throws -> [AppliedStep] {
    guard try exists() else { return [] }
    let prefix = Self.key(schema, "")
    let sql = """
      SELECT key, value FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key
      """
    return try connection.onLedger(LedgerShape.meta) {
      try connection.rows(sql, [.text(prefix)]).map { row in
        let words = (row[1].text ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else {
          throw HistoryError.damaged(LedgerShape.meta.name, "its row \(row[0].text ?? "") holds no checksum and time")
        }
        return AppliedStep(
          name: String((row[0].text ?? "").dropFirst(prefix.count)), checksum: words[0], appliedAt: words[1])
      }
    }
  }

  /// Notes that the file has a step: since now, where the step does not say when.
  func note(_ step: AppliedStep, of schema: String) throws {
    let sql = """
      INSERT INTO main._schemakit_meta (key, value) \
      VALUES (?1, ?2 || ' ' || coalesce(nullif(?3, ''), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    _ = try connection.onLedger(LedgerShape.meta) {
      try connection.run(sql, [.text(Self.key(schema, step.name)), .text(step.checksum), .text(step.appliedAt)])
    }
  }

  /// Forgets the step of a change that is undone, and those that were noted since: they were about a schema that goes.
  func forgetStep(_ name: String?, andSince time: String, of schema: String) throws {
    let later = try recordedSteps(of: schema).filter { $0.name == name || $0.appliedAt >= time }
    try forgetSteps(later.map(\.name), of: schema)
  }

  /// Forgets steps, because others stand for them.
  func forgetSteps(_ names: [String], of schema: String) throws {
    for name in names {
      try connection.run("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(Self.key(schema, name))])
    }
  }
}
