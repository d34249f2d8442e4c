extension MistreatedArtist {
  // MARK: - Mistreatments

  private enum MistreatmentKind: CaseIterable {
    case type, type2, notRequired, check, strict, expression, emptyIndex, partOfIndex, ignoredChecks
  }

  mutating func mistreatment(of schema: MistreatedSchema) -> Mistreatment? {
    let table = random.pick(schema.tables)
    let plain = table.columns.filter { $0.generated == nil && $0.id != table.rowIDColumn }
    switch random.pick(MistreatmentKind.allCases) {
    case .type, .type2:
      guard let column = random.any(plain) else { return nil }
      let types = table.isStrict ? ["ANY", "TEXT"] : ["TEXT", "BLOB", "", "REAL"]
      return .type(column: column.id, written: random.pick(types.filter { $0 != column.type }))
    case .notRequired:
      // Where the rows are the leaves of the key's tree, NULL cannot be in it.
      let required = plain.filter { $0.isRequired && (table.hasRowID || !table.keyColumns.contains($0.id)) }
      return random.any(required).map { .notRequired(column: $0.id) }
    case .check: return random.any(table.checks).map { .withoutCheck($0.id) }
    case .strict: return table.isStrict ? .notStrict(table: table.id) : nil
    case .expression:
      let stored = table.columns.filter { $0.generated != nil && $0.isStored }
      guard let column = random.any(stored) else { return nil }
      let others = plain.isEmpty ? ["1"] : expression(over: plain)
      return .otherExpression(column: column.id, written: others)
    case .emptyIndex: return random.any(table.indexes).map { .partOfIndex($0.id, only: ["0"]) }
    case .partOfIndex:
      guard let index = random.any(table.indexes), let name = index.terms.first?.phrase.ids.first else { return nil }
      return .partOfIndex(index.id, only: ["length(quote(", .name(name), ")) % 2 = 0"])
    case .ignoredChecks: return table.checks.isEmpty ? nil : .ignoredChecks
    }
  }

  private mutating func expression(over columns: [MistreatedSchema.Column]) -> Phrase {
    let name = SQLFragment.name(random.pick(columns).id)
    return random.pick([["'old'"], ["7"], [name, " || 'old'"], ["length(", name, ") + 1"]])
  }

  // MARK: - Changes

  private enum ChangeKind: CaseIterable {
    case retype, collate, require, relax, standard, addCheck, dropCheck, addUnique, dropUnique, addColumn, addColumn2
    case dropColumn, reorder, strict, rowID, autoincrement, renameTable, renameColumn, reference, addIndex, dropIndex
    case express, tokenizer, dropTable, addGenerated
  }

  mutating func change(of schema: MistreatedSchema) -> MistreatedChange? {
    let table = random.chance(75) ? schema.tables[0] : random.pick(schema.tables)
    let searched = Set((table.search?.columns ?? []) + [table.search?.hiddenBy].compactMap { $0 })
    let keys = Set(table.keyColumns)
    let free = table.columns.filter { $0.generated == nil && !keys.contains($0.id) && !searched.contains($0.id) }
    let column = random.any(free)
    switch random.pick(ChangeKind.allCases) {
    case .retype: return column.flatMap { retype($0, in: table) }
    case .collate:
      let texts = table.columns.filter {
        $0.generated == nil && $0.id != table.rowIDColumn && !searched.contains($0.id)
      }
      let now = random.any(texts)
      return now.map { .collate(column: $0.id, $0.collation == nil ? random.pick(Self.collations) : nil) }
    case .require:
      let some = random.any(free.filter { !$0.isRequired })
      return some.map { .require(column: $0.id, defaultText: random.chance(60) ? standard(for: $0, in: table) : nil) }
    case .relax: return random.any(free.filter(\.isRequired)).map { .relax(column: $0.id) }
    case .standard:
      return column.map { .standard(column: $0.id, random.chance(80) ? standard(for: $0, in: table) : nil) }
    case .addCheck: return check(in: table).map { .addCheck(table: table.id, .init(id: newID(), phrase: $0)) }
    case .dropCheck: return random.any(table.checks).map { .dropCheck($0.id) }
    case .addUnique: return .addUnique(table: table.id, unique(in: table))
    case .dropUnique: return random.any(table.uniques).map { .dropUnique($0.id) }
    case .dropColumn: return column.map { .dropColumn($0.id, isConsented: random.chance(70)) }
    case .reorder: return .reorder(table: table.id, by: random.number(1...3))
    case .strict: return strict(table)
    case .rowID: return table.search == nil && !keys.isEmpty ? .rowID(table: table.id, !table.hasRowID) : nil
    case .autoincrement:
      return table.rowIDColumn == nil ? nil : .autoincrement(table: table.id, !table.isAutoincrement)
    case .renameTable: return table.name.hasSuffix(MistreatedChange.newNameSuffix) ? nil : .renameTable(table.id)
    case .renameColumn:
      return random.any(table.columns.filter { !searched.contains($0.id) }).map { .renameColumn($0.id) }
    case .addColumn, .addColumn2: return addColumn(to: table)
    case .addGenerated: return addGenerated(to: table)
    case .reference:
      let parent = random.any(schema.tables.filter { $0.rowIDColumn != nil && $0.id != table.id })
      guard let parent, let column else { return nil }
      return .reference(table: table.id, column: column.id, parent: parent.id)
    case .addIndex: return .addIndex(table: table.id, index(in: table))
    case .dropIndex: return random.any(table.indexes).map { .dropIndex($0.id) }
    case .express: return express(table)
    case .tokenizer: return table.search == nil ? nil : .tokenizer(table: table.id, "ascii")
    case .dropTable:
      return schema.tables.count > 1 && random.chance(60)
        ? .dropTable(schema.tables[1].id, isConsented: random.chance(50)) : nil
    }
  }

  private mutating func retype(
    _ column: MistreatedSchema.Column, in table: MistreatedSchema.Table
  ) -> MistreatedChange {
    let types = (table.isStrict ? strictTypes : Self.types).filter { $0 != column.type }
    return .retype(column: column.id, random.pick(types), isConsented: random.chance(50))
  }

  private mutating func strict(_ table: MistreatedSchema.Table) -> MistreatedChange? {
    let isPossible = table.columns.allSatisfy { strictTypes.contains($0.type) }
    guard Engine.has(.strict), isPossible else { return nil }
    return .strict(table: table.id, !table.isStrict)
  }

  private mutating func express(_ table: MistreatedSchema.Table) -> MistreatedChange? {
    guard let column = random.any(table.columns.filter { $0.generated != nil }) else { return nil }
    return expression(in: table, of: column.id).map { .express(column: column.id, $0) }
  }

  private mutating func addColumn(to table: MistreatedSchema.Table) -> MistreatedChange {
    var column = column(in: table)
    if column.isRequired { column.defaultText = standard(for: column, in: table) }
    return .addColumn(table: table.id, column, at: random.chance(50) ? table.columns.count : 1)
  }

  private mutating func addGenerated(to table: MistreatedSchema.Table) -> MistreatedChange? {
    let id = newID()
    guard let phrase = expression(in: table) else { return nil }
    let column = MistreatedSchema.Column(
      id: id, name: "c\(id)", type: table.isStrict ? "ANY" : random.pick(Self.types), generated: phrase,
      isStored: random.chance(60))
    return .addColumn(table: table.id, column, at: table.columns.count)
  }
}

extension MistreatedFile {
  /// Makes the file of a seed; draws that SQLite does not take are thrown away.
  static func make(seed: Int, isMistreated: Bool) throws -> MistreatedFile {
    for attempt in 0..<300 {
      if let file = draw(seed: seed, attempt: attempt, isMistreated) { return file }
    }
    throw RawSQLiteError(code: 0, message: "no acceptable file for seed \(seed)", sql: "")
  }

  private static func draw(seed: Int, attempt: Int, _ isMistreated: Bool) -> MistreatedFile? {
    var artist = MistreatedArtist(seed: seed &* 1_000 &+ attempt)
    var file = MistreatedFile(seed: seed, declared: artist.schema())
    guard file.isAccepted else { return nil }
    let wanted = isMistreated ? artist.random.pick([1, 1, 1, 2, 2, 3]) : 0
    for _ in 0..<(wanted * 6) where file.mistreatments.count < wanted {
      if let next = artist.mistreatment(of: file.declared) { file.add(next) }
    }
    let hidesRows = file.declared.tables.contains { $0.search?.hiddenBy != nil }
    if isMistreated, file.mistreatments.isEmpty, !hidesRows { return nil }
    if !isMistreated { for at in file.declared.tables.indices { file.declared.tables[at].search?.hiddenBy = nil } }
    for (table, form) in zip(file.declared.tables, file.written.tables) {
      for at in 0..<artist.random.pick([0, 1, 3, 5, 8, 12]) {
        file.rows.append(artist.row(of: table, as: form, at: at))
      }
    }
    let changes = artist.random.pick([1, 1, 1, 2, 2, 3])
    for _ in 0..<(changes * 8) where file.changes.count < changes {
      guard let next = artist.change(of: file.target) else { continue }
      file.changes.append(next)
      if !file.isTargetAccepted { file.changes.removeLast() }
    }
    if file.changes.isEmpty || file.target.script == file.declared.script { return nil }
    guard (try? file.write(":memory:")) != nil else { return nil }
    let ways: [MistreatedFile.Way] = [
      .auto, .auto, .auto, .auto, .alter, .rebuild, .rebuild, .online, .transaction, .script,
    ]
    file.way = artist.random.pick(ways)
    file.keepsDropped = file.way != .script && artist.random.chance(15)
    file.isUndone = ![.transaction, .script].contains(file.way) && artist.random.chance(25)
    return file
  }

  private mutating func add(_ next: Mistreatment) {
    if mistreatments.contains(next) { return }
    mistreatments.append(next)
    if !isAccepted { mistreatments.removeLast() }
  }

  /// True if SQLite takes the declared schema and the one that the rows are written under.
  private var isAccepted: Bool { Self.accepts(declared) && Self.accepts(written) }

  private var isTargetAccepted: Bool { Self.accepts(target) }

  private static func accepts(_ schema: MistreatedSchema) -> Bool {
    guard let database = try? RawSQLite() else { return false }
    defer { database.close() }
    guard (try? database.exec(schema.script)) != nil else { return false }
    // A generated column that reads itself is found when it is read.
    return schema.tables.allSatisfy { (try? database.compiles("SELECT * FROM \($0.name)")) != nil }
  }
}
