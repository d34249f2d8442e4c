/// A small schema whose parts have identities, so that an edit or a change finds them again after others were left out.
struct MistreatedSchema {
  struct Column {
    let id: Int
    var name: String
    var type: String
    var isRequired = false
    var defaultText: String?
    var collation: String?
    var generated: Phrase?
    var isStored = false
  }

  struct Check {
    let id: Int
    var phrase: Phrase
  }

  /// A UNIQUE constraint.
  struct Unique {
    let id: Int
    var columns: [Int]
  }

  struct Term {
    var phrase: Phrase
    var collation: String?
    var isDescending = false
  }

  struct Index {
    let id: Int
    var name: String
    var terms: [Term]
    var isUnique = false
    var predicate: Phrase?
  }

  /// An FTS5 index over the columns of a table, which triggers feed, all of its rows or some.
  struct Search {
    var name: String
    var columns: [Int]
    var tokenizer: String?
    /// A column that must be NULL in the rows that can be found.
    var hiddenBy: Int?
  }

  enum Key {
    case none
    case rowID(Int, isAutoincrement: Bool)
    case columns([Int])
  }

  struct Table {
    let id: Int
    var name: String
    var columns: [Column]
    var key = Key.none
    var checks: [Check] = []
    var uniques: [Unique] = []
    var indexes: [Index] = []
    var references: [(column: Int, parent: Int)] = []
    var search: Search?
    var isStrict = false
    var hasRowID = true
    /// The last column came by ADD COLUMN when some rows were there.
    var hasLateColumn = false
  }

  var tables: [Table]

  var names: [Int: String] {
    var result: [Int: String] = [:]
    for table in tables {
      result[table.id] = table.name
      for column in table.columns { result[column.id] = column.name }
    }
    return result
  }

  func text(of phrase: Phrase) -> String {
    let names = names
    return phrase.map { fragment in
      switch fragment {
      case .text(let text): text
      case .name(let id): names[id] ?? "missing"
      }
    }.joined()
  }
}

extension [SQLFragment] {
  var ids: Set<Int> {
    Set(compactMap { fragment in if case .name(let id) = fragment { id } else { nil } })
  }
}

extension MistreatedSchema {
  func table(_ id: Int) -> Table? { tables.first { $0.id == id } }

  func place(of column: Int) -> (table: Int, column: Int)? {
    for (at, table) in tables.enumerated() {
      if let found = table.columns.firstIndex(where: { $0.id == column }) { return (at, found) }
    }
    return nil
  }

  func column(_ id: Int) -> Column? { place(of: id).map { tables[$0.table].columns[$0.column] } }

  mutating func edit(_ column: Int, _ body: (inout Column) -> Void) {
    if let place = place(of: column) { body(&tables[place.table].columns[place.column]) }
  }

  mutating func editTable(_ id: Int, _ body: (inout Table) -> Void) {
    if let at = tables.firstIndex(where: { $0.id == id }) { body(&tables[at]) }
  }

  /// Takes away what names a column or table that is gone.
  mutating func repair() {
    while repairOnce() {}
  }

  private mutating func repairOnce() -> Bool {
    let known = Set(names.keys)
    let holds: (Phrase) -> Bool = { $0.ids.isSubset(of: known) }
    var wasRepaired = false
    for at in tables.indices {
      var table = tables[at]
      let before = table.partCount
      table.columns.removeAll { !holds($0.generated ?? []) }
      table.checks.removeAll { !holds($0.phrase) }
      table.uniques.removeAll { !known.isSuperset(of: $0.columns) }
      table.indexes.removeAll { !$0.terms.allSatisfy { holds($0.phrase) } || !holds($0.predicate ?? []) }
      table.references.removeAll { !known.contains($0.column) || !known.contains($0.parent) }
      if let search = table.search {
        let isWhole = known.isSuperset(of: search.columns + [search.hiddenBy].compactMap { $0 })
        if !isWhole || table.rowIDColumn == nil { table.search = nil }
      }
      wasRepaired = wasRepaired || table.partCount != before
      tables[at] = table
    }
    return wasRepaired
  }
}

extension MistreatedSchema.Table {
  var keyColumns: [Int] {
    switch key {
    case .none: []
    case .rowID(let column, _): [column]
    case .columns(let columns): columns
    }
  }

  /// The column that is another name of the rowid.
  var rowIDColumn: Int? {
    if case .rowID(let column, _) = key, hasRowID { column } else { nil }
  }

  var isAutoincrement: Bool {
    if case .rowID(_, true) = key { hasRowID } else { false }
  }

  fileprivate var partCount: Int {
    columns.count + checks.count + uniques.count + indexes.count + references.count + (search == nil ? 0 : 1)
  }

  /// The columns of the table that a phrase reads, also through generated columns.
  func inputs(of phrase: Phrase) -> Set<Int> {
    var found = phrase.ids
    var rest = found
    while let next = rest.popFirst() {
      let more = columns.first { $0.id == next }?.generated?.ids ?? []
      rest.formUnion(more.subtracting(found))
      found.formUnion(more)
    }
    return found
  }

  func inputs(of index: MistreatedSchema.Index) -> Set<Int> {
    inputs(of: index.terms.flatMap(\.phrase) + (index.predicate ?? []))
  }

  /// The affinity of a column; nil for a column of a STRICT table that takes anything.
  func affinity(of column: MistreatedSchema.Column) -> RawAffinity {
    isStrict && asciiFolded(column.type) == "any" ? .blob : RawAffinity(of: column.type)
  }
}
