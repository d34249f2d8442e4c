/// Checks whether a file still has the declared objects with exactly the declared SQL, where the ledger says that it
/// had this declaration before: then there is nothing to do, and no statement needs to be parsed.
///
/// Identical SQL is proof enough. All that SQLite keeps of a table, an index, a view or a trigger is its statement,
/// from which it rebuilds the object whenever a connection opens the file
/// ([The Schema Table](https://sqlite.org/schematab.html)); the meaning of an index also depends on its table, whose
/// SQL is the declared one too. An object whose SQL is the declared SQL is therefore the declared object, and asking the
/// pragmas would have the same SQLite read the same text twice.
///
/// Objects of others are ignored, whatever has become of them. If establishing that nothing is to be done takes more
/// than that, this returns nothing, and the file is compared.
///
/// *Cost:* what any SELECT costs, as SQLite reads its catalog for it; one pass through the rows of the catalog, and
/// those of the ledger that concern the schema.
package struct VerbatimCheck {
  /// A file that needs no changes.
  package struct Finding: Sendable {
    /// The plan, without steps.
    package let plan: MigrationPlan
    fileprivate let version: DataVersion
  }

  private let connection: any SQLConnection
  private let declaration: SchemaDeclaration
  private let digest: String

  /// - Parameter digest: The digest of the declaration, as stored in the ledger.
  package init(_ connection: any SQLConnection, _ declaration: SchemaDeclaration, digest: String) {
    self.connection = connection
    self.declaration = declaration
    self.digest = digest
  }

  /// Looks under a read snapshot; nil if the file must be compared.
  ///
  /// - Throws: `HistoryError` for a damaged ledger, `SQLiteError` from the engine.
  package func find(areRowsExamined: Bool) throws -> Finding? {
    let hints = declaration.hints
    guard !connection.isInTransaction, !declaration.ownsWholeFile, hints.knownRenames == nil, hints.keptTables.isEmpty,
      !hints.mayExchangeNames
    else { return nil }
    return try connection.transaction(.deferred) {
      let ledger = Ledger(connection: connection)
      guard let account = try ledger.account(of: declaration.name), isDeclared(account),
        // Hints that were never carried out are reported to the author.
        try ledger.areApplied(hints, of: declaration.name),
        let others = try objectsBeside(account.record.ownedObjects),
        let version = try DataVersion(of: connection)
      else { return nil }
      let fingerprint = account.record.fingerprint
      let plan = MigrationPlan.empty(
        from: fingerprint, to: fingerprint, unmanaged: others.map(\.text),
        engine: SQLiteVersion(number: connection.engineVersionNumber), areRowsExamined: areRowsExamined)
      return Finding(plan: plan, version: version)
    }
  }

  /// Stores the file's schema cookie in the ledger, so that the next open can skip the check, if that takes no waiting.
  ///
  /// - Returns: False if somebody has written since, so that the finding may be outdated.
  package func remember(_ finding: Finding) throws -> Bool {
    do {
      return try connection.withoutWaiting {
        try connection.transaction(.immediate) {
          guard try DataVersion(of: connection) == finding.version else { return false }
          try Ledger(connection: connection).noteCookie(of: declaration.name)
          return true
        }
      }
    } catch let error as SQLiteError where error.isBusy || error.isReadOnly {
      return true
    }
  }

  /// True if the ledger says that this declaration was the last one applied to the file, and that all its work on the
  /// rows is done. If parts of the ledger disagree about that, it is false.
  private func isDeclared(_ account: Ledger.Account) -> Bool {
    account.record.declarationDigest == digest && account.liveFingerprints.last == account.record.fingerprint
      && declaration.hints.dataSteps.allSatisfy { account.doneDataSteps.contains($0.name) }
  }

  /// The objects of others, if everything declared is there word for word and is exactly what the ledger says the
  /// schema owns; nil otherwise.
  private func objectsBeside(_ owned: Set<SQLName>) throws -> [SQLName]? {
    var wanted = Set(declaration.statements.map { ExactText($0.sql) })
    guard wanted.count == declaration.statements.count else { return nil }
    var found: Set<SQLName> = []
    var tables: Set<SQLName> = []
    var indexedTables: Set<SQLName> = []
    var others: [CatalogReader.Entry] = []
    for entry in try CatalogReader(connection: connection).entries() where !entry.isInternal {
      // Which tables are the shadows of a virtual one is another question.
      if entry.isVirtualTable { return nil }
      guard wanted.remove(ExactText(entry.sql ?? "")) != nil else {
        others.append(entry)
        continue
      }
      found.insert(SQLName(entry.name))
      if entry.type == "table" { tables.insert(SQLName(entry.name)) }
      if entry.type == "index" { indexedTables.insert(SQLName(entry.table)) }
    }
    let names = others.namesByKind
    // The names that the schema may drop, and would drop.
    let droppable = owned.union(declaration.hints.removedTables)
    guard wanted.isEmpty, found == owned, indexedTables.isSubset(of: tables),
      !names.contains(where: droppable.contains)
    else { return nil }
    return names
  }
}

extension MigrationHints {
  /// True if hints could mean that two objects have swapped their names: each of them then has a former name. Only
  /// hints can tell if everything declared is there under its name.
  fileprivate var mayExchangeNames: Bool {
    func haveCircle(_ formerNames: [SQLName: [SQLName]]) -> Bool {
      formerNames.values.contains { names in names.contains { formerNames[$0]?.isEmpty == false } }
    }
    return haveCircle(tables.mapValues(\.renamedFrom))
      || tables.values.contains { haveCircle($0.columns.mapValues(\.renamedFrom)) }
  }
}
