import OrderedCollections

/// The differences between two schemas, once every rename has been carried out in the first.
///
/// A pure function of both sides: objects are matched by name only.
package struct SchemaDiff: Sendable, Hashable {
  /// A change to an object that is created and dropped as a whole.
  package enum ObjectChange<Object: Sendable & Hashable>: Sendable, Hashable {
    case added(Object)
    case dropped(Object)
    case changed(from: Object, to: Object)
  }

  package var addedTables: [TableSchema] = []
  package var droppedTables: [TableSchema] = []
  package var changedTables: [TableChange] = []
  package var virtualTables: [ObjectChange<VirtualTableSchema>] = []
  package var indexes: [ObjectChange<IndexSchema>] = []
  package var views: [ObjectChange<ViewSchema>] = []
  package var triggers: [ObjectChange<TriggerSchema>] = []

  /// Compares two schemas.
  ///
  /// - Parameters:
  ///   - isOrderStrict: True if a different order of columns counts as a difference. It always does where a view or
  ///     trigger depends on it.
  ///   - unmanaged: Objects of the new schema that are not declared, but stay unchanged.
  package init(
    from old: DatabaseSchema, to new: DatabaseSchema, isOrderStrict: Bool = false, unmanaged: Set<SQLName> = []
  ) {
    var uses: PositionalUses?
    for table in new.tables.values {
      if let existing = old.tables[table.name] {
        var user: SQLName?
        if TableChange.hasOtherOrder(existing, table) {
          let known = uses ?? PositionalUses(in: new, unmanaged: unmanaged)
          uses = known
          user = known.users[table.name]
        }
        var change = TableChange(
          from: existing, to: table, isOrderStrict: isOrderStrict || user != nil,
          foreignKeys: new.foreignKeys(of: table, spelledAsIn: existing, of: old))
        change.positionalUser = user
        if !change.isEmpty { changedTables.append(change) }
      } else {
        addedTables.append(table)
      }
    }
    droppedTables = old.tables.values.filter { new.tables[$0.name] == nil }
    virtualTables = Self.changes(
      old.virtualTables.values.map { ($0.name, $0) }, new.virtualTables.values.map { ($0.name, $0) }
    ) { $0.isEquivalent(to: $1) }
    indexes = Self.changes(old.indexes.values.map { ($0.name, $0) }, new.indexes.values.map { ($0.name, $0) }) {
      $0.isEquivalent(to: $1) && $0.name.text == $1.name.text
        && !$0.quotesNames(in: new.newColumns(of: $1.table, since: old))
    }
    views = Self.changes(old.views.values.map { ($0.name, $0) }, new.views.values.map { ($0.name, $0) }) {
      $0.isEquivalent(to: $1) && $0.name.text == $1.name.text
    }
    triggers = Self.changes(old.triggers.values.map { ($0.name, $0) }, new.triggers.values.map { ($0.name, $0) }) {
      $0.isEquivalent(to: $1) && $0.name.text == $1.name.text
    }
  }

  private static func changes<Object>(
    _ old: [(SQLName, Object)], _ new: [(SQLName, Object)], isSame: (Object, Object) -> Bool
  ) -> [ObjectChange<Object>] {
    let existing = Dictionary(old, uniquingKeysWith: { first, _ in first })
    let wanted = Set(new.map(\.0))
    let dropped = old.filter { !wanted.contains($0.0) }.map { ObjectChange.dropped($0.1) }
    return dropped
      + new.compactMap { name, object in
        guard let before = existing[name] else { return .added(object) }
        return isSame(before, object) ? nil : .changed(from: before, to: object)
      }
  }
}

extension IndexSchema {
  /// True if a text in double quotes has one of some names. With a column of that name, SQLite would take it for the column.
  ///
  /// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote).
  fileprivate func quotesNames(in columns: Set<SQLName>) -> Bool {
    guard !columns.isEmpty, sql.contains("\""), let tokens = try? SQLLexer.tokens(of: sql) else { return false }
    return tokens.drop { !$0.isSymbol("(") }.contains { token in
      token.kind == .quotedName && token.text.hasPrefix("\"") && columns.contains(SQLName(token.unquotedText))
    }
  }
}

extension DatabaseSchema {
  /// The columns that a table has here and not in another schema.
  fileprivate func newColumns(of table: SQLName, since other: DatabaseSchema) -> Set<SQLName> {
    guard let former = other.tables[table] else { return [] }
    return Set(tables[table]?.columns.map(\.name) ?? []).subtracting(former.columns.map(\.name))
  }

  /// The foreign keys of a table, keeping an older version's spelling of those that are equivalent.
  fileprivate func foreignKeys(
    of table: TableSchema, spelledAsIn former: TableSchema, of schema: DatabaseSchema
  ) -> [ForeignKeySchema] {
    table.foreignKeys.map { key in
      if former.foreignKeys.contains(key) { return key }
      let plain = withoutImpliedColumns(key)
      // The old spelling must mean the same in both versions of the parent.
      return former.foreignKeys.first {
        schema.withoutImpliedColumns($0) == plain && withoutImpliedColumns($0) == plain
          && schema.tables[$0.parent]?.primaryKey?.columns.map(\.name)
            == tables[$0.parent]?.primaryKey?.columns.map(\.name)
      } ?? key
    }
  }
}

extension SchemaDiff {
  /// True if the schemas are equal.
  package var isEmpty: Bool {
    addedTables.isEmpty && droppedTables.isEmpty && changedTables.isEmpty && virtualTables.isEmpty && indexes.isEmpty
      && views.isEmpty && triggers.isEmpty
  }
}

extension SchemaDiff {
  /// Takes in columns whose values get another form, whatever the definitions say.
  package mutating func addFormChanges(of hints: MigrationHints, from old: DatabaseSchema, to new: DatabaseSchema) {
    for (table, column, _) in hints.formChanges {
      guard let before = old.tables[table], let after = new.tables[table], let from = before.column(column),
        let to = after.column(column)
      else { continue }
      let index = changedTables.firstIndex { $0.to.name == table } ?? changedTables.endIndex
      if index == changedTables.endIndex {
        changedTables.append(
          TableChange(from: before, to: after, foreignKeys: new.foreignKeys(of: after, spelledAsIn: before, of: old)))
      }
      if let place = changedTables[index].changedColumns.firstIndex(where: { $0.to.name == column }) {
        changedTables[index].changedColumns[place].kinds.insert(.form)
      } else {
        changedTables[index].changedColumns.append(TableChange.ColumnChange(from: from, to: to, kinds: [.form]))
      }
    }
  }
}

extension SchemaDiff.ObjectChange {
  /// The object before the change; nil if it is new.
  package var old: Object? {
    switch self {
    case .added: nil
    case .dropped(let object), .changed(let object, _): object
    }
  }

  /// The object after the change; nil if it is dropped.
  package var new: Object? {
    switch self {
    case .dropped: nil
    case .added(let object), .changed(_, let object): object
    }
  }
}
