import OrderedCollections
package import SchemaKit
import SchemaKitOperations

/// Compares a file with what its history says about it, and looks for traces of a history that is gone.
package struct LedgerComparison {
  let connection: any SQLConnection
  let schema: DatabaseSchema

  package init(connection: any SQLConnection, schema: DatabaseSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Finds the points on which the history and the file disagree.
  ///
  /// - Throws: `HistoryError` if the history cannot be read.
  package func findings() throws -> [Finding] {
    let ledger = Ledger(connection: connection)
    guard try ledger.exists() else { return lost() }
    let last = OrderedDictionary(try ledger.entries().filter(\.isLive).map { ($0.schema, $0) }) { $1 }
    return try last.values.filter { try isChanged(since: $0, in: ledger) }.map(Self.changed)
  }

  // MARK: - A history that does not fit

  /// True if the objects of a schema are not those that its last change has left.
  private func isChanged(since entry: HistoryEntry, in ledger: Ledger) throws -> Bool {
    let owned = try ledger.record(of: entry.schema)?.ownedObjects ?? []
    let present = schema.removing { !owned.contains($0) }
    let expected: String
    if let after = (try? ledger.undoRecord(of: entry.id))?.fingerprintAfter {
      expected = after
    } else if entry.schema == SQLSchemaParser.ledgerName {
      expected = entry.toFingerprint
    } else {
      // The types that a model accepts are not those that the file declares, so only the names can be compared.
      return owned.contains { !schema.hasObject($0) && schema.triggers[$0] == nil }
    }
    return Fingerprint.of(present) != expected && Fingerprint.former(of: present) != expected
  }

  private static func changed(since entry: HistoryEntry) -> Finding {
    let subject = entry.schema == SQLSchemaParser.ledgerName ? "The schema" : "Schema \(entry.schema)"
    return Finding(
      .otherSchema,
      message: "\(subject) is not the one that entry \(entry.id) of the history left: something else has changed it, "
        + "or the history came from another file or an older copy.",
      fix: "Look with check or diff at what differs. undo is refused; apply brings the file to a schema, or finds that "
        + "it has it, and the history goes on from there.")
  }

  // MARK: - A history that is gone

  private func lost() -> [Finding] {
    let traces =
      leftTables.sorted().map { "table \($0) is left of it" }
      + (copyWithHistory.map { ["\($0) has it"] } ?? [])
    guard !traces.isEmpty else { return [] }
    return [
      Finding(
        .lostHistory, message: "The file has no history, but there was one: \(Wording.list(traces)).",
        fix: "Restore a copy that has it; or go on without it: apply begins a new history, and no undo takes back what "
          + "was done before.")
    ]
  }

  /// The tables that only a file with a history can have. Rows that a script has kept are in no history.
  package var leftTables: Set<SQLName> {
    let kept = (try? KeptTables(connection: connection).values(of: nil)) ?? []
    let ofScripts = Set(kept.filter { $0.entry == nil }.map(\.storage))
    return schema.ownTables.filter { name in
      name == SQLName(LedgerShape.nulls.name) || (KeptValues.isStorage(name) && !ofScripts.contains(name))
    }
  }

  /// The first copy beside the file that has a history, by its name.
  private var copyWithHistory: String? {
    guard let connection = connection as? SQLiteConnection, let path = connection.filePath else { return nil }
    let copy = MigrationBackup.copies(beside: path).first { copy in
      guard let opened = try? connection.openedForInspection(beside: copy) else { return false }
      return (try? Ledger(connection: opened).exists()) == true
    }
    return copy.flatMap { $0.split(separator: "/").last.map(String.init) }
  }
}
