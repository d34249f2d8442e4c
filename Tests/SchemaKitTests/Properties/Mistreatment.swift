/// One way in which the rows of a file came to be other than its catalog says: what was different when they were written.
enum Mistreatment: Hashable {
  case type(column: Int, written: String)
  case notRequired(column: Int)
  case withoutCheck(Int)
  case notStrict(table: Int)
  case otherExpression(column: Int, written: Phrase)
  /// The index got only the rows that a condition holds for, or none.
  case partOfIndex(Int, only: Phrase)
  case ignoredChecks

  /// Changes the declared schema to the one that the rows are written under.
  func apply(to schema: inout MistreatedSchema) {
    switch self {
    case .type(let column, let written): schema.edit(column) { $0.type = written }
    case .notRequired(let column): schema.edit(column) { $0.isRequired = false }
    case .withoutCheck(let check):
      for at in schema.tables.indices { schema.tables[at].checks.removeAll { $0.id == check } }
    case .notStrict(let table): schema.editTable(table) { $0.isStrict = false }
    case .otherExpression(let column, let written): schema.edit(column) { $0.generated = written }
    case .partOfIndex(let index, let condition):
      for table in schema.tables.indices {
        for at in schema.tables[table].indexes.indices where schema.tables[table].indexes[at].id == index {
          let rest: Phrase = schema.tables[table].indexes[at].predicate.map { [.text(" AND ")] + $0 } ?? []
          schema.tables[table].indexes[at].predicate = condition + rest
        }
      }
    case .ignoredChecks: break
    }
  }
}

/// One change of the schema.
enum MistreatedChange {
  case retype(column: Int, String, isConsented: Bool)
  case collate(column: Int, String?)
  case require(column: Int, defaultText: String?)
  case relax(column: Int)
  case standard(column: Int, String?)
  case addCheck(table: Int, MistreatedSchema.Check)
  case dropCheck(Int)
  case addUnique(table: Int, MistreatedSchema.Unique)
  case dropUnique(Int)
  case addColumn(table: Int, MistreatedSchema.Column, at: Int)
  case dropColumn(Int, isConsented: Bool)
  case reorder(table: Int, by: Int)
  case strict(table: Int, Bool)
  case rowID(table: Int, Bool)
  case autoincrement(table: Int, Bool)
  case renameTable(Int)
  case renameColumn(Int)
  case reference(table: Int, column: Int, parent: Int)
  case addIndex(table: Int, MistreatedSchema.Index)
  case dropIndex(Int)
  case express(column: Int, Phrase)
  case tokenizer(table: Int, String)
  case dropTable(Int, isConsented: Bool)

  static let newNameSuffix = "_new"

  func apply(to schema: inout MistreatedSchema) {
    switch self {
    case .retype(let column, let type, _): schema.edit(column) { $0.type = type }
    case .collate(let column, let collation): schema.edit(column) { $0.collation = collation }
    case .require(let column, let text):
      schema.edit(column) {
        $0.isRequired = true
        $0.defaultText = text ?? $0.defaultText
      }
    case .relax(let column): schema.edit(column) { $0.isRequired = false }
    case .standard(let column, let text): schema.edit(column) { $0.defaultText = text }
    case .renameColumn(let column): schema.edit(column) { $0.name += Self.newNameSuffix }
    case .express(let column, let phrase): schema.edit(column) { $0.generated = phrase }
    case .dropColumn(let column, _): schema.forEachTable { table in table.columns.removeAll { $0.id == column } }
    case .dropCheck(let id): schema.forEachTable { table in table.checks.removeAll { $0.id == id } }
    case .dropUnique(let id): schema.forEachTable { table in table.uniques.removeAll { $0.id == id } }
    case .dropIndex(let id): schema.forEachTable { table in table.indexes.removeAll { $0.id == id } }
    case .dropTable(let id, _): schema.tables.removeAll { $0.id == id }
    default: applyToTable(&schema)
    }
    schema.repair()
  }

  private func applyToTable(_ schema: inout MistreatedSchema) {
    switch self {
    case .addCheck(let table, let check): schema.editTable(table) { $0.checks.append(check) }
    case .addUnique(let table, let unique): schema.editTable(table) { $0.uniques.append(unique) }
    case .addColumn(let table, let column, let place):
      schema.editTable(table) { $0.columns.insert(column, at: min(place, $0.columns.count)) }
    case .reorder(let table, let step):
      schema.editTable(table) { table in
        let count = table.columns.count
        table.columns = (0..<count).map { table.columns[($0 + step) % count] }
      }
    case .strict(let table, let isStrict): schema.editTable(table) { $0.isStrict = isStrict }
    case .rowID(let table, let hasRowID): schema.editTable(table) { $0.hasRowID = hasRowID }
    case .autoincrement(let table, let isAutoincrement):
      schema.editTable(table) { table in
        if let column = table.rowIDColumn { table.key = .rowID(column, isAutoincrement: isAutoincrement) }
      }
    case .renameTable(let table): schema.editTable(table) { $0.name += Self.newNameSuffix }
    case .reference(let table, let column, let parent):
      schema.editTable(table) { $0.references.append((column, parent)) }
    case .addIndex(let table, let index): schema.editTable(table) { $0.indexes.append(index) }
    case .tokenizer(let table, let tokenizer): schema.editTable(table) { $0.search?.tokenizer = tokenizer }
    default: break
    }
  }
}

extension MistreatedSchema {
  fileprivate mutating func forEachTable(_ body: (inout Table) -> Void) {
    for at in tables.indices { body(&tables[at]) }
  }
}
