/// Sees whether a file still has what models declare in the very words of the declaration, where the ledger says that
/// it had this declaration before: then there is nothing to do, and no statement need be read for what it means.
///
/// Equal words are proof enough. All that SQLite keeps of a table, an index, a view or a trigger is its statement, from
/// which it learns anew what the object is whenever a connection opens the file
/// ([The Schema Table](https://sqlite.org/schematab.html)); what an index means is said by its table besides, which has
/// the declared words too. So there is no file in which the words are the declared ones and the object is another, and
/// asking the pragmas would have the same SQLite read the same text twice.
///
/// The objects of others are left as they are, whatever they have become. Wherever it takes more than that to say that
/// nothing is to be done, this says nothing, and the file is compared.
///
/// *Cost:* what any SELECT costs, as SQLite reads its catalog for it; one pass through the rows of the catalog, and
/// those of the ledger that concern the schema.
package struct VerbatimCheck {
  /// A file in which nothing is to be done.
  package struct Finding: Sendable {
    /// The plan, without steps.
    package let plan: MigrationPlan
    fileprivate let version: DataVersion
  }

  private let connection: SQLiteConnection
  private let declaration: SchemaDeclaration
  private let digest: String

  /// - Parameter digest: That of the declaration, as the ledger keeps it.
  package init(_ connection: SQLiteConnection, _ declaration: SchemaDeclaration, digest: String) {
    self.connection = connection
    self.declaration = declaration
    self.digest = digest
  }

  /// Looks under a read snapshot; nil where the file must be compared.
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
        // Of one that was never done the author is told.
        try ledger.areSpent(hints, of: declaration.name),
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

  /// Notes the file's cookie in the ledger, so that the next open need not look, when that takes no waiting.
  ///
  /// - Returns: False where somebody has written since, so that what was found may no longer be so.
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

  /// Whether the ledger says that this declaration is what the file came to have last, and that all its work on the rows
  /// is done. A ledger whose parts do not agree on that says nothing.
  private func isDeclared(_ account: Ledger.Account) -> Bool {
    account.record.declarationDigest == digest && account.liveFingerprints.last == account.record.fingerprint
      && declaration.hints.dataSteps.allSatisfy { account.doneDataSteps.contains($0.name) }
  }

  /// The objects of others, where all that is declared is there word for word and is exactly what the ledger says the
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
    // What the schema may drop, and would.
    let droppable = owned.union(declaration.hints.removedTables)
    guard wanted.isEmpty, found == owned, indexedTables.isSubset(of: tables),
      !names.contains(where: droppable.contains)
    else { return nil }
    return names
  }
}

extension MigrationHints {
  /// Whether hints could mean that two things have changed their names with each other: each of them then has a former
  /// name. Only they tell anything where everything declared is there under its name.
  fileprivate var mayExchangeNames: Bool {
    func haveCircle(_ formerNames: [SQLName: [SQLName]]) -> Bool {
      formerNames.values.contains { names in names.contains { formerNames[$0]?.isEmpty == false } }
    }
    return haveCircle(tables.mapValues(\.renamedFrom))
      || tables.values.contains { haveCircle($0.columns.mapValues(\.renamedFrom)) }
  }
}
