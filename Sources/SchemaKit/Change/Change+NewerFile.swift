extension Change {
  /// A program whose schema the file has left behind must not take the file back by dropping what is newer.
  package func refuseNewerFile() throws { try refuseNewerFile(Ledger(connection: connection)) }

  func refuseNewerFile(_ ledger: Ledger) throws {
    guard !request.plan.policy.allowsDowngrade, request.undo == nil else { return }
    guard let record = try ledger.record(of: target.name), try servedExpansion(ledger) == nil else { return }
    if let newer = try newerForm(ledger) {
      throw HistoryError(
        reason: .newerForm(column: newer.column, declared: newer.declared.words, current: newer.current.words))
    }
    let declared = target.fingerprint
    guard target.isKnown(asOneOf: try ledger.liveFingerprints(of: target.name)), try !isDeclared(record) else {
      return
    }
    throw HistoryError(reason: .newerFile(declared: declared, current: record.fingerprint))
  }

  /// True if what the ledger has is the declared schema, also where it has a fingerprint of the first form.
  func isDeclared(_ record: Ledger.Record) throws -> Bool {
    if target.isKnown(as: record.fingerprint) { return true }
    let schema = try KnownCatalog.schema(of: connection, known: request.known).removing {
      !record.ownedObjects.contains($0)
    }
    return Fingerprint.former(of: schema) == record.fingerprint && Fingerprint.of(schema) == target.fingerprint
  }
}
