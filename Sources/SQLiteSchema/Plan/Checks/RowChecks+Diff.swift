import OrderedCollections

/// Works out what must be asked of the rows before a difference can be planned.
package struct RowCheckPlanner {
  package var source: DatabaseSchema
  package var target: DatabaseSchema
  package var diff: SchemaDiff
  package var renames: SchemaRenames
  package var hints: MigrationHints
  package var profile: EngineProfile
  /// The tables that are asked about, with the condition for the rows of each; nil for all rows of all tables.
  package var rows: [SQLName: String]?
  /// Columns of which some values are stored otherwise although nothing about them changes.
  package var converted: [SQLName: Set<SQLName>]

  var result = RowChecks()
  private var subjects: [SQLName: RowCheckSubject] = [:]
  /// The parts of the questions that were asked, by the names of their temporary rows.
  private var probes: [SQLName: RowCheckSubject] = [:]
  private var projections: [SQLName: RowProjection] = [:]
  private var changing: [SQLName: Set<SQLName>] = [:]

  package init(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames, hints: MigrationHints,
    profile: EngineProfile, converted: [SQLName: Set<SQLName>] = [:]
  ) {
    self.source = source
    self.target = target
    self.diff = diff
    self.renames = renames
    self.hints = hints
    self.profile = profile
    self.converted = converted
  }

  /// The questions that the difference raises; only what the plan needs is asked.
  package static func questions(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames, hints: MigrationHints,
    profile: EngineProfile, rows: [SQLName: String]? = nil, converted: [SQLName: Set<SQLName>] = [:]
  ) -> RowChecks {
    var inquiry = RowCheckPlanner(
      source: source, target: target, diff: diff, renames: renames, hints: hints, profile: profile,
      converted: converted)
    inquiry.rows = rows
    inquiry.ask()
    return inquiry.result
  }

  private mutating func ask() {
    if let rows {
      for name in rows.keys.sorted() { ask(about: name) }
      prepare()
      return
    }
    for table in diff.droppedTables { ask(aboutDropping: table.name) }
    // The content of an index holds all that the index finds, and stays or is asked about by itself.
    for table in diff.virtualTables.compactMap(\.old) where table.isModuleLoaded && table.externalContent == nil {
      ask(aboutDropping: table.name)
    }
    var tables = diff.changedTables.map(\.to.name)
    // A new index is asked about with its table, changed or not; so are children of a parent that changes.
    for table in target.tables.values
    where !tables.contains(table.name) && source.tables[renames.formerTable(table.name)] != nil {
      let hasNewIndex = diff.indexes.contains { $0.new?.table == table.name }
      if hasNewIndex || converted[table.name] != nil || !foreignKeysToAsk(of: table).isEmpty {
        tables.append(table.name)
      }
    }
    for name in tables { ask(about: name) }
    askAboutIndexes()
    prepare()
  }

  /// Collects the work that has to be done before the questions can be asked.
  private mutating func prepare() {
    let read = result.tables.flatMap(\.questions).reduce(into: Set<SQLName>()) { $0.formUnion($1.reads) }
    result.trials = subjects.mapValues(\.trials).filter { !$0.value.isEmpty }
    let all = probes.merging(subjects) { part, _ in part }
    result.preparations = all.values.filter { read.contains($0.probeName) }
      .sorted { ($0.number, $0.part?.number ?? 0) < ($1.number, $1.part?.number ?? 0) }.map(\.preparation)
  }

  private mutating func ask(aboutDropping name: SQLName) {
    let formerName = renames.formerTable(name)
    let table = source.tables[formerName]
    let rows = "\"main\".\(formerName.quoted)" + (table.map { " \($0.rowOrder)" } ?? "")
    let projection = table.map { table in
      RowProjection(source: table, target: table, hints: TableHints(), sourceName: { $0 }, names: [])
    }
    let question = RowCheck(
      kind: .droppedTable, column: nil, scan: RowCheck.Scan(rows: rows, condition: nil),
      count: "SELECT count(1) FROM \(rows)",
      samples: "SELECT \(projection?.sampleKey ?? "rowid") FROM \(projection?.fromClauseInOrder ?? rows) LIMIT 10")
    result.tables.append(
      RowChecks.TableChecks(
        name: name, formerName: formerName, columns: table?.holdingColumns.map(\.name) ?? [], rowKey: table?.rowKey,
        questions: [question], order: table?.rowOrder))
  }

  private mutating func ask(about name: SQLName) {
    guard let subject = subject(name) else { return }
    let change = diff.changedTables.first { $0.to.name == name }
    let flagged = subject.flagged()
    var drafts = flagged.filter { $0.kind == .droppedColumn }
    let changedIndexes = Set(diff.indexes.compactMap { $0.new?.name })
    if change != nil {
      drafts += subject.storage()
      drafts += flagged.filter { $0.kind != .droppedColumn }
      drafts += subject.nulls()
    }
    for check in subject.target.checks
    where change?.addedChecks.contains(check) == true || subject.readsChange(check.expression) {
      drafts.append(subject.failing(check, isStanding: change?.addedChecks.contains(check) != true))
    }
    if let change {
      if profile.addsDecidedChecksOnly, !profile.canEditCatalog { drafts += change.addedChecks.map(subject.undecided) }
      let table = subject.source.name
      let isFollowed = source.virtualTables.values.contains { follower in
        follower.mentions(table)
          || FullTextFeed.triggers(of: follower.name, in: source).contains { $0.table == table }
      }
      drafts += [subject.renumbering(isFollowed: isFollowed), subject.droppedRowIDs(isFollowed: isFollowed)]
        .compactMap { $0 }
    }
    drafts += subject.computations(of: changedIndexes)
    drafts += uniqueKeys(subject: subject, change: change, changedIndexes: changedIndexes)
    for key in foreignKeysToAsk(of: subject.target) {
      guard let parent = target.tables[key.parent] else { continue }
      drafts.append(
        subject.orphans(
          of: key,
          parent: RowCheckSubject.Parent(
            table: parent, subject: self.subject(key.parent),
            hasKey: hasKey(key.parentColumns, of: source.tables[renames.formerTable(key.parent)]) { [renames] in
              renames.formerColumn($0, of: key.parent)
            }),
          known: subject.flags.firstIndex { $0.foreignKey == key }))
    }
    let parts = subject.parts(of: drafts, limit: profile.maximumColumns)
    let questions = parts.flatMap { $0.subject.questions(from: $0.drafts) }
    for part in parts { probes[part.subject.probeName] = part.subject }
    guard change != nil || !questions.isEmpty else { return }
    result.tables.append(
      RowChecks.TableChecks(
        name: name, formerName: renames.formerTable(name), columns: subject.source.holdingColumns.map(\.name),
        rowKey: subject.source.rowKey, questions: questions, order: subject.source.rowOrder))
  }

  private func uniqueKeys(subject: RowCheckSubject, change: TableChange?, changedIndexes: Set<SQLName>)
    -> [RowCheckDraft]
  {
    var drafts: [RowCheckDraft] = []
    func concerns(_ columns: [KeyColumn]) -> Bool { columns.contains { subject.changing.contains($0.name) } }
    if let key = subject.target.primaryKey, change?.isPrimaryKeyChanged == true || concerns(key.columns) {
      drafts.append(subject.duplicates(in: key.columns, what: "PRIMARY KEY"))
    }
    for unique in subject.target.uniques
    where change?.addedUniques.contains(unique) == true || concerns(unique.columns) {
      drafts.append(subject.duplicates(in: unique.columns, what: "UNIQUE"))
    }
    for index in subject.indexes where index.isUnique {
      if changedIndexes.contains(index.name) || subject.readsChange(index) {
        drafts.append(subject.duplicates(in: index))
      }
    }
    return drafts
  }
}

// MARK: - Tables

extension RowCheckPlanner {
  /// The rows of a table as the questions see them; made once for each table that is asked about.
  private mutating func subject(_ name: SQLName) -> RowCheckSubject? {
    if let subject = subjects[name] { return subject }
    guard let projection = projection(of: name) else { return nil }
    let subject = RowCheckSubject(
      projection: projection, number: subjects.count + 1, indexes: target.indexes(on: name),
      referencedKeys: referencedKeys(of: projection.target), flags: flags(of: projection),
      changing: changingColumns(of: name))
    subjects[name] = subject
    return subject
  }

  /// The conditions on a table's rows as the file has them: values dropped or changed by the declaration, then references
  /// that have no parent already.
  private mutating func flags(of projection: RowProjection) -> [RowFlag] {
    let change = diff.changedTables.first { $0.to.name == projection.target.name }
    var flags = change.map { columnFlags(of: $0, in: projection) } ?? []
    for key in foreignKeysToAsk(of: projection.target) where target.tables[key.parent] != nil {
      let former = formerKeys(of: key, in: projection.target)
      guard !former.isEmpty else { continue }
      let conditions = former.map { own in
        let parent = source.tables[own.parent]
        return RowCheckSubject.orphaned(
          columns: own.columns, parent: parent, parentColumns: referencedColumns(of: own, in: source),
          hasKey: hasKey(own.parentColumns, of: parent) { $0 }, in: projection)
      }
      flags.append(RowFlag(condition: conditions.map { "(\($0))" }[...].nested(by: "OR"), foreignKey: key))
    }
    return flags
  }

  private func columnFlags(of change: TableChange, in projection: RowProjection) -> [RowFlag] {
    var flags: [RowFlag] = []
    func add(_ kind: RowCheckResults.Finding.Kind, _ column: SQLName, _ condition: String?) {
      if let condition { flags.append(RowFlag(condition: condition, kind: kind, column: column)) }
    }
    for column in droppedColumns(of: change) {
      add(.droppedColumn, column.name, RowCheckSubject.dropped(column, in: projection, isUndo: hints.isUndo))
    }
    for column in projection.target.writableColumns {
      let name = column.name
      add(.emptiedByConversion, name, RowCheckSubject.emptied(column, in: projection))
      add(.zeroedByConversion, name, RowCheckSubject.zeroed(column, in: projection))
      add(.computed(by: "The backfill of \(name)"), name, RowCheckSubject.backfilled(column, in: projection))
      add(.changedByConversion, name, RowCheckSubject.converted(column, in: projection))
      add(.filledNulls, name, RowCheckSubject.filled(column, in: projection))
      add(.restoredOtherwise(type: column.type ?? ""), name, RowCheckSubject.retyped(column, in: projection))
      for flag in RowCheckSubject.formFlags(of: column, in: projection) { add(flag.kind, name, flag.condition) }
    }
    for column in projection.target.columns {
      guard let refused = RowCheckSubject.refusedByStrict(column, in: projection) else { continue }
      flags.append(
        RowFlag(
          condition: refused.condition, classed: refused.classed, kind: .notStorable(type: column.type ?? ""),
          column: column.name))
    }
    for column in change.changedColumns
    where column.kinds.contains(.defaultValue) && column.from.generation == nil {
      let former = projection.sourceColumn(of: column.to)?.name ?? column.from.name
      let condition = RowCheckSubject.showsDefault(of: column.from, as: projection.reference(former))
      add(.showsDefault, column.to.name, condition)
    }
    return flags
  }

  private func droppedColumns(of change: TableChange) -> [ColumnSchema] {
    let former = source.tables[renames.formerTable(change.to.name)]
    return change.droppedColumns.filter { $0.generation == nil }.map { column in
      former?.column(renames.formerColumn(column.name, of: change.to.name)) ?? column
    }
  }

  mutating func projection(of name: SQLName) -> RowProjection? {
    if let projection = projections[name] { return projection }
    guard let table = target.tables[name], let former = source.tables[renames.formerTable(name)],
      !diff.addedTables.contains(where: { $0.name == name })
    else { return nil }
    let renames = renames
    let sourceName: (SQLName) -> SQLName = { renames.formerColumn($0, of: name) }
    var projection = RowProjection(
      source: former, target: table, hints: hints.tables[name] ?? TableHints(),
      // A column whose own name is taken by another's former name is new, not that column.
      sourceName: { column in
        let formerName = sourceName(column)
        let isClaimed = renames.formerColumns[name]?.contains { $0.key != column && $0.value == formerName } ?? false
        return isClaimed && formerName == column ? "" : formerName
      },
      names: former.columns.map { (name: $0.name, column: $0.name) }
        + table.columns.compactMap { column in
          let name = sourceName(column.name)
          return former.column(name) == nil ? nil : (name: column.name, column: name)
        })
    projection.convertedColumns = converted[name] ?? []
    if let condition = rows?[name] { projection = projection.restricted(to: condition) }
    projections[name] = projection
    return projection
  }

  private mutating func changingColumns(of name: SQLName) -> Set<SQLName> {
    if let columns = changing[name] { return columns }
    let columns = projection(of: name).map { $0.changingColumns } ?? []
    changing[name] = columns
    return columns
  }

  private func referencedKeys(of table: TableSchema) -> [[SQLName]] {
    target.tables.values.flatMap(\.foreignKeys).filter { $0.parent == table.name }.map { key in
      key.parentColumns.isEmpty ? table.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
    }.filter { key in !key.isEmpty && key.allSatisfy { table.column($0) != nil } }
  }
}

// MARK: - Foreign keys

extension RowCheckPlanner {
  /// Foreign keys that are new, or whose parent or columns change in a way that could make orphans.
  private mutating func foreignKeysToAsk(of table: TableSchema) -> [ForeignKeySchema] {
    let change = diff.changedTables.first { $0.to.name == table.name }
    var keys: [ForeignKeySchema] = []
    for key in table.foreignKeys {
      let parentChange = diff.changedTables.first { $0.to.name == key.parent }
      let parentColumns = referencedColumns(of: key, in: target)
      let isParentNew = diff.addedTables.contains { $0.name == key.parent }
      let isAsked =
        isNew(key, of: table) || isParentNew
        || (change != nil && !changingColumns(of: table.name).isDisjoint(with: key.columns))
        || (parentChange != nil && !changingColumns(of: key.parent).isDisjoint(with: parentColumns))
        || (key.parentColumns.isEmpty && parentChange?.isPrimaryKeyChanged == true)
      if isAsked { keys.append(key) }
    }
    return keys
  }

  /// The foreign keys of the file that go from the same columns to the same table, by its own names. Rows that break one of them
  /// are orphans before the change, whichever columns of the table they refer to.
  ///
  /// A key that SQLite cannot follow, as the parent has none, tells nothing of its rows: it counts only where it stays.
  private func formerKeys(of key: ForeignKeySchema, in table: TableSchema) -> [ForeignKeySchema] {
    let columns = Set(key.columns.map { renames.formerColumn($0, of: table.name) })
    let former = (source.tables[renames.formerTable(table.name)]?.foreignKeys ?? []).filter {
      Set($0.columns) == columns
    }
    // The file's foreign key refers to the table that goes, by the same SQL.
    if renames.replacedTables.values.contains(key.parent), former.contains(where: { $0.parent == key.parent }) {
      return []
    }
    let isStanding = !isNew(key, of: table)
    return former.filter { own in
      own.parent == renames.formerTable(key.parent)
        && (isStanding || hasKey(own.parentColumns, of: source.tables[own.parent]) { $0 })
    }
  }

  /// True if the file has no such foreign key by its own names; another action or deferral alone makes no orphan.
  private func isNew(_ key: ForeignKeySchema, of table: TableSchema) -> Bool {
    var wanted = key
    wanted.columns = key.columns.map { renames.formerColumn($0, of: table.name) }
    let former = (source.tables[renames.formerTable(table.name)]?.foreignKeys ?? [])
      .filter { Set($0.columns) == Set(wanted.columns) }
    // The file's foreign key refers to the table that goes, by the same SQL.
    if renames.replacedTables.values.contains(key.parent), former.contains(where: { $0.parent == key.parent }) {
      return true
    }
    let parent = renames.formerTable(key.parent)
    let referenced = referencedColumns(of: key, in: target).map { renames.formerColumn($0, of: key.parent) }
    return !former.contains { own in
      guard own.parent == parent else { return false }
      // Both go to the primary key, whichever that is.
      if own.parentColumns.isEmpty, key.parentColumns.isEmpty, own.columns == wanted.columns { return true }
      // No row has a parent in a table that is not there.
      return source.tables[parent] == nil
        || own.pairs(with: referencedColumns(of: own, in: source)) == wanted.pairs(with: referenced)
    }
  }

  /// The columns of the parent that a foreign key names, or those of the parent's primary key.
  private func referencedColumns(of key: ForeignKeySchema, in schema: DatabaseSchema) -> [SQLName] {
    guard key.parentColumns.isEmpty else { return key.parentColumns }
    return schema.tables[key.parent]?.primaryKey?.columns.map(\.name) ?? []
  }

  /// True if a table of the file has an index by which rows can be found by some columns.
  ///
  /// - Parameter columns: The columns under their new names; the primary key when there are none.
  private func hasKey(
    _ columns: [SQLName], of table: TableSchema?, formerName: (SQLName) -> SQLName
  ) -> Bool {
    guard let table else { return false }
    let wanted = columns.isEmpty ? Set(table.primaryKey?.columns.map(\.name) ?? []) : Set(columns.map(formerName))
    let keys =
      [table.primaryKey?.columns.map(\.name) ?? []] + table.uniques.map { $0.columns.map(\.name) }
      + source.indexes(on: table.name).filter { $0.predicate == nil }.map { index in
        Array(index.terms.compactMap(\.column).prefix(wanted.count))
      }
    return !wanted.isEmpty && keys.contains { Set($0) == wanted }
  }
}
