extension FormerName {
  /// The key of its row in the ledger.
  ///
  /// - Parameter step: The title of the recorded step that the hint is part of; nil for a declared schema.
  package func digest(step: String?) -> String {
    let words = [step ?? "", table.folded, column?.folded ?? "", former.folded]
    return SHA256.hexDigest(of: words.map { "\($0.utf8.count) \($0)" }.joined(separator: " "))
  }

  fileprivate var words: String {
    "\(([table] + (column.map { [$0] } ?? [])).map(\.quotedIfNeeded).joined(separator: ".")) from \(former.quotedIfNeeded)"
  }
}

extension MigrationHints {
  /// Applies what is known about the hints that swap names.
  ///
  /// - Parameters:
  ///   - known: The renameStates of such hints, by their digests.
  ///   - step: The title of the recorded step that the hints belong to.
  package mutating func settle(_ known: [String: FormerName.RenameState], in schema: DatabaseSchema, step: String?) {
    guard !known.isEmpty else { return }
    for name in exchangedNames(in: schema) {
      let found = digests(of: name, step: step).compactMap { known[$0] }
      if !found.isEmpty { renameStates[name] = found.contains(.settled) ? .settled : .doubtful }
    }
  }

  /// The digests of a former name, by the current and the former names of its column's table.
  fileprivate func digests(of name: FormerName, step: String?) -> [String] {
    let formerTables = name.column == nil ? [] : tables[name.table]?.renamedFrom ?? []
    return ([name.table] + formerTables).map {
      FormerName(table: $0, column: name.column, former: name.former).digest(step: step)
    }
  }
}

// Each is a row of `_schemakit_meta`: its digest after the name of the schema, with the names and the time.
extension Ledger {
  private static func exchangeKey(_ schema: String, _ digest: String) -> String {
    "exchange \(schema.unicodeScalars.count) \(schema) \(digest)"
  }

  /// The suffix of a hint that a later schema does not have.
  private static let leftMark = " left"

  /// Returns the state of the hints that swap names, by their digests.
  func formerNames(of schema: String) throws -> [String: FormerName.RenameState] {
    guard try exists() else { return [:] }
    let prefix = Self.exchangeKey(schema, "")
    let sql = "SELECT key, value FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1"
    let rows = try connection.onLedger(LedgerShape.meta) { try connection.rows(sql, [.text(prefix)]) }
    let renameStates = rows.map { row -> (String, FormerName.RenameState) in
      let isLeft = row[1].text?.hasSuffix(Self.leftMark) ?? false
      return (String((row[0].text ?? "").dropFirst(prefix.count)), isLeft ? .doubtful : .settled)
    }
    return Dictionary(renameStates) { $1 }
  }

  /// Records that a file was migrated to a schema with these hints, so that its names mean what they say; returns the
  /// digests that are new. Hints that the schema no longer has are in doubt from then on.
  package func noteFormerNames(
    _ hints: MigrationHints, in declared: DatabaseSchema, step: String?, of schema: String
  ) throws -> [String] {
    let known = try formerNames(of: schema)
    let names = hints.exchangedNames(in: declared).sorted { $0.words < $1.words }
    let sql = """
      INSERT INTO main._schemakit_meta (key, value) VALUES (?1, ?2 || ' ' || strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    var added: [String] = []
    for name in names {
      // The file may also be migrated to a schema as a whole, which has no steps.
      for digest in Set([name.digest(step: nil), name.digest(step: step)]).sorted() where known[digest] != .settled {
        try change(sql, [.text(Self.exchangeKey(schema, digest)), .text(name.words)])
        if known[digest] == nil { added.append(digest) }
      }
    }
    // The hints of a recorded step are those of one change only.
    guard step == nil else { return added }
    let present = Set(names.flatMap { hints.digests(of: $0, step: nil) })
    for (digest, state) in known.sorted(by: { $0.key < $1.key }) where state == .settled {
      guard !present.contains(digest) else { continue }
      try change(
        "UPDATE main._schemakit_meta SET value = value || ?2 WHERE key = ?1",
        [.text(Self.exchangeKey(schema, digest)), .text(Self.leftMark)])
    }
    return added
  }

  /// Forgets what an undone change recorded, so that the swap is due again.
  func forgetFormerNames(_ digests: [String], of schema: String) throws {
    for digest in digests {
      try change("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(Self.exchangeKey(schema, digest))])
    }
  }

  private func change(_ sql: String, _ bindings: [SQLValue]) throws {
    _ = try connection.onLedger(LedgerShape.meta) { try connection.run(sql, bindings) }
  }
}
