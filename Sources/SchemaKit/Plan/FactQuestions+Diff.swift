import OrderedCollections

/// Works out what must be asked of the rows before a difference can be planned.
struct FactInquiry {
  var source: DatabaseSchema
  var target: DatabaseSchema
  var diff: SchemaDiff
  var renames: SchemaRenames
  var hints: MigrationHints

  private var result = FactQuestions()
  private var subjects: [SQLName: FactSubject] = [:]

  init(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames, hints: MigrationHints
  ) {
    self.source = source
    self.target = target
    self.diff = diff
    self.renames = renames
    self.hints = hints
  }

  /// The questions that the difference raises; only what the plan needs is asked.
  static func questions(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames, hints: MigrationHints
  ) -> FactQuestions {
    var inquiry = FactInquiry(source: source, target: target, diff: diff, renames: renames, hints: hints)
    inquiry.ask()
    return inquiry.result
  }

  private mutating func ask() {
    for table in diff.droppedTables { ask(aboutDropping: table.name, columns: table.columns.map(\.name)) }
    for case .dropped(let table) in diff.virtualTables where table.isModuleLoaded {
      ask(aboutDropping: table.name, columns: [])
    }
    for case .changed(let table, _) in diff.virtualTables where table.isModuleLoaded {
      ask(aboutDropping: table.name, columns: [])
    }
    var tables = diff.changedTables.map(\.to.name)
    // A unique index is asked about with its table, changed or not; so are children of a parent that changes.
    for table in target.tables.values
    where !tables.contains(table.name) && source.tables[renames.formerTable(table.name)] != nil {
      let hasNewUniqueIndex = diff.indexes.contains { $0.new?.table == table.name && $0.new?.isUnique == true }
      if hasNewUniqueIndex || !foreignKeysToAsk(of: table).isEmpty { tables.append(table.name) }
    }
    for name in tables { ask(about: name) }
    let asked = result.tables.flatMap(\.questions).map(\.count)
    for subject in subjects.values.sorted(by: { $0.number < $1.number })
    where asked.contains(where: { $0.contains(subject.probe) }) {
      result.setup += subject.setup
      result.teardown += subject.teardown
    }
  }

  private mutating func ask(aboutDropping table: SQLName, columns: [SQLName]) {
    let from = "\"main\".\(table.quoted)"
    let key = source.tables[table]?.rowKey ?? (source.tables[table] == nil ? "rowid" : nil)
    let question = FactQuestion(
      kind: .droppedTable, column: nil, count: "SELECT count(*) FROM \(from)",
      samples:
        "SELECT \(key ?? source.tables[table]?.primaryKey?.columns.first?.name.quoted ?? "NULL") FROM \(from) LIMIT 10")
    result.tables.append(
      FactQuestions.TableQuestions(name: table, formerName: table, columns: columns, questions: [question]))
  }

  /// How a table's rows look to the questions; made once for each table that is asked about.
  private mutating func subject(_ name: SQLName) -> FactSubject? {
    if let subject = subjects[name] { return subject }
    guard let table = target.tables[name], let former = source.tables[renames.formerTable(name)],
      !diff.addedTables.contains(where: { $0.name == name })
    else { return nil }
    let renames = renames
    let sourceName: (SQLName) -> SQLName = { renames.formerColumn($0, of: name) }
    let projection = RowProjection(
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
    let subject = FactSubject(
      projection: projection, number: subjects.count + 1,
      uniqueIndexes: target.indexes(on: name).filter(\.isUnique), referencedKeys: referencedKeys(of: table))
    subjects[name] = subject
    return subject
  }

  private func referencedKeys(of table: TableSchema) -> [[SQLName]] {
    target.tables.values.flatMap(\.foreignKeys).filter { $0.parent == table.name }.map { key in
      key.parentColumns.isEmpty ? table.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
    }.filter { key in !key.isEmpty && key.allSatisfy { table.column($0) != nil } }
  }

  private mutating func ask(about name: SQLName) {
    guard let subject = subject(name) else { return }
    let change = diff.changedTables.first { $0.to.name == name }
    var questions: [FactQuestion] = []
    if let change {
      for column in change.droppedColumns where column.generation?.isStored != false || column.generation == nil {
        guard column.generation == nil else { continue }
        let name = renames.formerColumn(column.name, of: name)
        questions.append(subject.droppedColumn(subject.projection.source.column(name) ?? column))
      }
      questions += subject.storage(isNewlyStrict: change.to.isStrict && !change.from.isStrict)
      questions += subject.emptiedByConversion()
      questions += subject.nulls()
      for check in change.to.checks
      where change.addedChecks.contains(check) || subject.convertsColumn(in: check.expression) {
        questions.append(subject.failing(check))
      }
      let table = subject.projection.source.name
      let isFollowed = source.virtualTables.values.contains { $0.mentions(table) }
      questions += [subject.renumbering(isFollowed: isFollowed), subject.droppedRowIDs(isFollowed: isFollowed)]
        .compactMap { $0 }
    }
    questions += uniqueKeys(of: name, subject: subject, change: change)
    for key in target.tables[name].map({ foreignKeysToAsk(of: $0) }) ?? [] {
      guard let parentTable = target.tables[key.parent] else { continue }
      let parent = self.subject(key.parent)
      subjects[name] = subject
      let isNew = change?.addedForeignKeys.contains(key) ?? false
      let formerParent = source.tables[renames.formerTable(key.parent)]
      questions.append(
        subject.orphans(
          of: key, parentTable: parentTable, parent: parent,
          before: isNew
            ? nil : .some((table: formerParent, column: { [renames] in renames.formerColumn($0, of: key.parent) }))))
    }
    result.tables.append(
      FactQuestions.TableQuestions(
        name: name, formerName: renames.formerTable(name),
        columns: subject.projection.source.columns.map(\.name), questions: questions))
  }

  private func uniqueKeys(of name: SQLName, subject: FactSubject, change: TableChange?) -> [FactQuestion] {
    var questions: [FactQuestion] = []
    func concerns(_ columns: [SQLName]) -> Bool { columns.contains { subject.changesValues(of: $0) } }
    if let change {
      if let key = change.to.primaryKey, change.isPrimaryKeyChanged || concerns(key.columns.map(\.name)) {
        questions.append(subject.duplicates(in: key.columns, what: "PRIMARY KEY"))
      }
      for unique in change.to.uniques where change.addedUniques.contains(unique) || concerns(unique.columns.map(\.name))
      {
        questions.append(subject.duplicates(in: unique.columns, what: "UNIQUE"))
      }
    }
    let changed = Set(diff.indexes.compactMap { $0.new?.name })
    for index in target.indexes(on: name) where index.isUnique {
      let isAffected = index.terms.contains { term in
        term.column.map { subject.changesValues(of: $0) } ?? subject.convertsColumn(in: term.expression)
      }
      if changed.contains(index.name) || isAffected { questions.append(subject.duplicates(in: index)) }
    }
    return questions
  }

  /// Foreign keys that are new, or whose parent or columns change in a way that could make orphans.
  private func foreignKeysToAsk(of table: TableSchema) -> [ForeignKeySchema] {
    let change = diff.changedTables.first { $0.to.name == table.name }
    return table.foreignKeys.filter { key in
      if let change, change.addedForeignKeys.contains(where: { $0 == key }) {
        // Another action or deferral alone makes no orphan.
        return !change.droppedForeignKeys.contains {
          $0.columns == key.columns && $0.parent == key.parent && $0.parentColumns == key.parentColumns
        }
      }
      if diff.addedTables.contains(where: { $0.name == key.parent }) { return true }
      let parentChange = diff.changedTables.first { $0.to.name == key.parent }
      let parentColumns =
        key.parentColumns.isEmpty
        ? target.tables[key.parent]?.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
      return key.columns.contains { change?.changesMatching(of: $0) == true }
        || parentColumns.contains { parentChange?.changesMatching(of: $0) == true }
        || (key.parentColumns.isEmpty && parentChange?.isPrimaryKeyChanged == true)
    }
  }
}

extension TableChange {
  /// Whether values of a column may compare otherwise after the change.
  fileprivate func changesMatching(of column: SQLName) -> Bool {
    guard let before = from.column(column), let after = to.column(column) else { return true }
    return before.affinity != after.affinity || before.collation != after.collation
      || before.isNotNull != after.isNotNull || before.generation != after.generation
  }
}
