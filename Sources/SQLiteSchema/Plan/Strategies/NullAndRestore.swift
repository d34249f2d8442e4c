import OrderedCollections

/// Decides whether a table can be dropped and created with foreign keys on while the rows of its children refer to
/// nothing: their references are put aside, set to NULL or, where that is not allowed, to a value that no parent has, and
/// come back afterwards.
///
/// Applies to foreign keys with actions on delete and on update, if the children have a row number and nothing follows
/// a change of the columns ([ON DELETE and ON UPDATE Actions](https://sqlite.org/foreignkeys.html#fk_actions)).
package struct NullAndRestoreRule {
  /// A reference that is put aside.
  package struct Detachment {
    var inbound: InboundKey
    /// The column that changes.
    var column: ColumnSchema
    var parentColumn: SQLName
    var isNullable: Bool
    /// The table that holds the references meanwhile.
    var stash: SQLName
  }

  let table: ReferencedTable
  let detachments: [Detachment]
  /// The reason against the strategy; nil if there is none.
  package let rejection: Rejection?

  /// - Parameters:
  ///   - referrers: The foreign keys to a table.
  ///   - indexes: The indexes of a table.
  ///   - freeName: A name that no object has.
  init(
    table: ReferencedTable, referrers: (SQLName) -> [InboundKey], indexes: (SQLName) -> [IndexSchema],
    freeName: (String) -> SQLName
  ) {
    self.table = table
    var detachments: [Detachment] = []
    var rejection: Rejection?
    for inbound in Self.detached(from: table) {
      let child = inbound.child
      let nullable = child.nullableColumn(of: inbound.key)
      let movable = inbound.key.columns.last { $0 != child.rowIDAlias?.name && child.column($0)?.generation == nil }
      guard let name = nullable ?? movable, let column = child.column(name),
        let place = inbound.key.columns.firstIndex(of: name), inbound.parentColumns.indices.contains(place)
      else {
        // A key can have fewer columns than refer to it, which SQLite reports as a mismatch.
        rejection = rejection ?? Rejection(.childCannotLetGo, child.name.text)
        continue
      }
      if nullable == nil, child.isStrict, column.affinity == .real {
        rejection = rejection ?? Rejection(.realKey, name.text)
      }
      rejection = rejection ?? child.rejection(toEmptying: [name])
      let follower = referrers(child.name).first { $0.hasUpdateAction && $0.parentColumns.contains(name) }
      if let follower {
        let action = follower.key.onUpdate.rawValue
        rejection = rejection ?? Rejection(.updateAction, follower.child.name.text, action)
      }
      if !inbound.isOwn {
        if child.rowKey == nil { rejection = rejection ?? Rejection(.childHasNoRowNumber, child.name.text) }
        if indexes(child.name).contains(where: { $0.computesUniqueness(from: [name], of: child) }) {
          rejection = rejection ?? Rejection(.columnIsRead, name.text)
        }
      }
      detachments.append(
        Detachment(
          inbound: inbound, column: column, parentColumn: inbound.parentColumns[place], isNullable: nullable != nil,
          stash: freeName("_schemakit_keys_\(detachments.count + 1)")))
    }
    self.detachments = detachments
    self.rejection = rejection ?? RekeyRule.rejection(of: table, apartFrom: detachments.map(\.inbound))
  }

  /// The foreign keys that let go; the others are safe once the keys have moved.
  private static func detached(from table: ReferencedTable) -> [InboundKey] {
    let following = table.inbound.filter { $0.hasDeleteAction && $0.hasUpdateAction }
    let left = table.inbound.filter { !following.contains($0) }
    // Where a key without action on delete follows the move, no key can move.
    return left.contains(where: \.hasUpdateAction) ? table.inbound.filter(\.hasDeleteAction) : following
  }

  /// The number of references that may change.
  func rows(_ count: (SQLName) -> Int) -> Int {
    detachments.filter { !$0.inbound.isOwn }.reduce(0) { $0 + count($1.inbound.child.name) }
  }

  var children: [SQLName] { detachments.filter { !$0.inbound.isOwn }.map(\.inbound.child.name) }

  func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    try table.statements(
      before: table.dropUniqueIndexes(reading: detachments.filter(\.inbound.isOwn).map(\.column.name))
        + detachments.flatMap(putAside) + RekeyRule.moves(of: table, apartFrom: detachments.map(\.inbound)),
      // The same column may be part of two keys; it gets its value back from the first that put it aside.
      after: detachments.reversed().flatMap(restore))
  }

  private func putAside(_ detachment: Detachment) -> [PlannedStatement] {
    let child = detachment.inbound.child
    let letGo =
      detachment.isNullable
      ? ReferencedTable.nulling(detachment.column.name, of: child)
      : ReferencedTable.moving(
        detachment.column, of: child, mark: "reference", awayFrom: (column: detachment.parentColumn, table: table.name))
    // The rows of the table itself were put aside already.
    guard !detachment.inbound.isOwn, let key = child.rowKey else { return [letGo] }
    let column = detachment.column.name.quoted
    return [
      PlannedStatement("CREATE TABLE \"main\".\(detachment.stash.quoted) (\"row\" INTEGER PRIMARY KEY, \"value\")"),
      PlannedStatement(
        """
        INSERT INTO "main".\(detachment.stash.quoted) ("row", "value") SELECT "_child".\(key), "_child".\(column) \
        FROM "main".\(child.name.quoted) AS "_child" NOT INDEXED WHERE "_child".\(column) IS NOT NULL
        """, role: .copy),
      letGo,
    ]
  }

  private func restore(_ detachment: Detachment) -> [PlannedStatement] {
    let child = detachment.inbound.child
    guard !detachment.inbound.isOwn, let key = child.rowKey else { return [] }
    let (column, stash) = (detachment.column.name.quoted, "\"main\".\(detachment.stash.quoted)")
    return [
      PlannedStatement(
        """
        UPDATE OR ABORT "main".\(child.name.quoted) AS "_child" SET \(column) = "_kept"."value" \
        FROM \(stash) AS "_kept" WHERE "_child".\(key) = "_kept"."row"
        """, role: .update,
        ignoresChecks: child.checksRead(detachment.column.name)),
      PlannedStatement(
        """
        SELECT "_kept"."row" FROM \(stash) AS "_kept" LEFT JOIN "main".\(child.name.quoted) AS "_child" \
        ON "_child".\(key) = "_kept"."row" WHERE "_child".\(column) IS NOT "_kept"."value" COLLATE BINARY LIMIT 10
        """, role: .verification),
      PlannedStatement("DROP TABLE \(stash)"),
    ]
  }
}

extension MigrationStep.Strategy {
  /// With foreign keys on: the same, once the rows that refer to the table refer to nothing; afterwards they get their references back.
  public static let nullAndRestore = Self(
    "null-and-restore", .copy, refusal: "nor can the references be put aside",
    rejections: [.childHasNoRowNumber, .childCannotLetGo], motives: [.referencesLetGo, .ownReferencesLetGo]
  ) {
    $0.updatesRows = true
    $0.remakesTable = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let childHasNoRowNumber = Self("childHasNoRowNumber") {
    "the rows of \($0[0]) have no number to go by"
  }
  package static let childCannotLetGo = Self("childCannotLetGo") {
    "rows of \($0[0]) cannot refer to nothing for a while"
  }
}

extension Motive.Code {
  package static let referencesLetGo = Self("referencesLetGo") {
    "foreign keys stay on: up to \($0.counted(0, "reference")) of \($0.counted(1, "table")) \($0.word(0, "is", "are")) put aside "
      + "while it is dropped, and put back"
  }
  package static let ownReferencesLetGo = Self(
    "ownReferencesLetGo", "foreign keys stay on: its rows refer to nothing while it is dropped")
}

extension Planner {
  func nullAndRestore(_ table: ReferencedTable, after done: Set<SQLName>) -> ReferencedCandidate {
    let rows = rowCount(of: table.name)
    var used: Set<SQLName> = []
    let unusedName = { (base: String) -> SQLName in
      var name = freeName(base)
      while !used.insert(name).inserted { name = freeName("\(name.text)_") }
      return name
    }
    let rule = NullAndRestoreRule(
      table: table,
      referrers: { name in tables(named: name, after: done).flatMap { inboundKeys(to: $0, after: done) } },
      indexes: currentIndexes, freeName: unusedName)
    let children = rule.rows(rowCount)
    let inserting = rule.children.lazy.compactMap { target.tables[$0].flatMap(rejection(toInsertingInto:)) }.first
    var way = ReferencedCandidate(strategy: .nullAndRestore, rejection: rule.rejection ?? inserting)
    if fragileTable(among: rule.children) != nil {
      way.rejection = way.rejection ?? Rejection(.updateChangesMismatches)
    }
    if rule.detachments.isEmpty { way.rejection = way.rejection ?? Rejection(.nothingToMove) }
    (way.cost, way.rows) = ((2 + 2 * table.inbound.count) * rows + 6 * children, rows + children)
    way.updatedChildren = rule.children
    way.createdIndexes = table.keyIndexes.map(\.name)
    way.motive =
      rule.children.isEmpty
      ? Motive(.ownReferencesLetGo) : Motive(.referencesLetGo, children, Set(rule.children).count)
    way.statements = { () throws(SQLSyntaxError) in try rule.statements() }
    return way
  }
}
