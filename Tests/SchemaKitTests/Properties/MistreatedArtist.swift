/// Draws schemas, rows, mistreatments and changes from a seed.
struct MistreatedArtist {
  var random: SeededGenerator
  private var lastID = 0

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  static let types = [
    "INTEGER", "INTEGER", "INT", "TEXT", "TEXT", "REAL", "BLOB", "NUMERIC", "", "VARCHAR(20)", "BOOLEAN", "ANY",
    "DOUBLE",
  ]
  static let collations = ["NOCASE", "RTRIM"]

  // MARK: - Schemas

  mutating func schema() -> MistreatedSchema {
    var schema = MistreatedSchema(tables: [table(number: 1, hasSearch: Engine.has(.fts5) && random.chance(18))])
    if random.chance(30) { schema.tables.append(table(number: 2, hasSearch: false)) }
    schema.repair()
    return schema
  }

  private mutating func table(number: Int, hasSearch: Bool) -> MistreatedSchema.Table {
    var table = MistreatedSchema.Table(id: newID(), name: "t\(number)", columns: [])
    table.isStrict = Engine.has(.strict) && random.chance(22)
    for _ in 0..<random.number(2...6) { table.columns.append(column(in: table)) }
    if hasSearch {
      for _ in 0..<random.number(1...2) {
        let id = newID()
        table.columns.insert(.init(id: id, name: "c\(id)", type: "TEXT"), at: 0)
      }
    }
    let indexed = hasSearch ? table.columns.prefix { $0.type == "TEXT" }.prefix(2).map(\.id) : []
    addKey(to: &table, isRowID: hasSearch)
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) { addGenerated(to: &table) }
    let late = random.chance(22) ? lateColumn(in: table) : nil
    for _ in 0..<random.pick([0, 1, 1, 2]) {
      if let phrase = check(in: table) { table.checks.append(.init(id: newID(), phrase: phrase)) }
    }
    if random.chance(25) { table.uniques.append(unique(in: table)) }
    if let late {
      table.columns.append(late)
      table.hasLateColumn = true
    }
    for _ in 0..<random.pick([0, 1, 1, 2, 3]) { table.indexes.append(index(in: table)) }
    if hasSearch, !indexed.isEmpty {
      let others = table.columns.filter { $0.generated == nil && !indexed.contains($0.id) && !$0.isRequired }
      let hidden = others.filter { !table.keyColumns.contains($0.id) && $0.id != late?.id }.randomElement(
        using: &random)
      table.search = .init(
        name: "f\(number)", columns: indexed, tokenizer: nil, hiddenBy: random.chance(60) ? hidden?.id : nil)
    }
    return table
  }

  private mutating func type(in table: MistreatedSchema.Table) -> String {
    if table.isStrict || random.chance(55) { return random.pick(strictTypes.filter { table.isStrict || $0 != "ANY" }) }
    return random.pick(Self.types)
  }

  mutating func column(in table: MistreatedSchema.Table) -> MistreatedSchema.Column {
    let id = newID()
    var column = MistreatedSchema.Column(id: id, name: "c\(id)", type: type(in: table))
    if random.chance(25) { column.defaultText = standard(for: column, in: table) }
    column.isRequired = random.chance(25)
    if random.chance(table.affinity(of: column) == .text ? 30 : 4) { column.collation = random.pick(Self.collations) }
    return column
  }

  private mutating func lateColumn(in table: MistreatedSchema.Table) -> MistreatedSchema.Column {
    var column = column(in: table)
    if column.isRequired || random.chance(70) { column.defaultText = standard(for: column, in: table) }
    return column
  }

  /// A constant that the column can store.
  mutating func standard(for column: MistreatedSchema.Column, in table: MistreatedSchema.Table) -> String {
    switch table.affinity(of: column) {
    case .integer: random.pick(table.isStrict ? ["0", "7", "5.0"] : ["0", "7", "'5'", "5.0"])
    case .text: random.pick(table.isStrict ? ["'x'", "''"] : ["'x'", "''", "5", "1.0"])
    case .real: random.pick(["1.5", "2"])
    case .numeric: random.pick(["0", "2.5", "'7'"])
    case .blob: column.type == "BLOB" && table.isStrict ? "x'01'" : random.pick(["x'01'", "'5'", "1.0", "3"])
    }
  }

  private mutating func addKey(to table: inout MistreatedSchema.Table, isRowID: Bool) {
    let draw = isRowID ? random.number(0...54) : random.number(0...99)
    if draw < 55 {
      let id = newID()
      table.columns.insert(.init(id: id, name: "c\(id)", type: "INTEGER"), at: random.chance(85) ? 0 : 1)
      table.key = .rowID(id, isAutoincrement: draw < 12)
    } else if draw < 85 {
      let count = random.pick([1, 1, 2])
      let candidates = Array(table.columns.shuffled(using: &random).prefix(count))
      table.key = .columns(candidates.map(\.id))
      // One column called INTEGER would be the rowid.
      for column in candidates where asciiFolded(column.type) == "integer" {
        if let at = table.columns.firstIndex(where: { $0.id == column.id }) { table.columns[at].type = "INT" }
      }
      table.hasRowID = draw < 65
    }
  }

  private mutating func addGenerated(to table: inout MistreatedSchema.Table) {
    let id = newID()
    var column = MistreatedSchema.Column(id: id, name: "c\(id)", type: type(in: table))
    if table.isStrict { column.type = "ANY" }
    guard let phrase = expression(in: table) else { return }
    column.generated = phrase
    column.isStored = random.chance(60)
    table.columns.insert(column, at: random.chance(70) ? table.columns.count : random.number(1...table.columns.count))
  }

  // MARK: - Expressions

  private mutating func name(in table: MistreatedSchema.Table) -> SQLFragment? {
    random.any(table.columns).map { .name($0.id) }
  }

  /// What a generated column may hold, without those that read the column itself.
  mutating func expression(in table: MistreatedSchema.Table, of column: Int? = nil) -> Phrase? {
    let columns = table.columns.filter { other in
      column.map { !table.inputs(of: [.name(other.id)]).contains($0) } ?? true
    }
    guard let name = random.any(columns).map({ SQLFragment.name($0.id) }) else { return nil }
    return random.pick([
      [name, " || 'x'"], ["length(", name, ")"], [name, " + 1"], ["coalesce(", name, ", 'none')"], [name, " = '5'"],
      [name, " = 'ABC'"], ["typeof(", name, ")"], ["upper(", name, ")"], [name, " IS NULL"], [name],
    ])
  }

  mutating func check(in table: MistreatedSchema.Table) -> Phrase? {
    guard let name = name(in: table) else { return nil }
    return random.pick([
      [name, " <> 'abc'"], ["length(", name, ") < 5"], [name, " >= 0"], ["typeof(", name, ") <> 'blob'"],
      [name, " IS NOT '007'"], [name, " NOT IN (42, 'ABC')"],
    ])
  }

  mutating func unique(in table: MistreatedSchema.Table) -> MistreatedSchema.Unique {
    // One that repeats the key is no difference.
    let columns = table.columns.filter { $0.generated == nil && !table.keyColumns.contains($0.id) }
    return .init(id: newID(), columns: columns.shuffled(using: &random).prefix(random.pick([1, 1, 2])).map(\.id))
  }

  mutating func index(in table: MistreatedSchema.Table) -> MistreatedSchema.Index {
    let id = newID()
    var terms: [MistreatedSchema.Term] = []
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      guard let name = name(in: table) else { continue }
      let phrase: Phrase =
        random.chance(75)
        ? [name] : random.pick([["lower(", name, ")"], [name, " + 0"], [name, " || ''"], [name, " = '5'"]])
      terms.append(
        .init(
          phrase: phrase, collation: random.chance(15) ? random.pick(["NOCASE", "RTRIM", "BINARY"]) : nil,
          isDescending: random.chance(25)))
    }
    var index = MistreatedSchema.Index(id: id, name: "i\(id)", terms: terms)
    index.isUnique = random.chance(22)
    if random.chance(22), let name = name(in: table) {
      index.predicate = random.pick([
        [name, " IS NOT NULL"], [name, " > 5"], [name, " = 'ABC'"], ["typeof(", name, ") = 'integer'"],
      ])
    }
    return index
  }

  // MARK: - Rows

  private static let words = ["alpha", "beta", "gamma", "delta"]

  /// The words that rows of a search index are made of.
  static var vocabulary: [String] { words }

  mutating func row(of table: MistreatedSchema.Table, as written: MistreatedSchema.Table, at: Int) -> MistreatedFile.Row
  {
    var row = MistreatedFile.Row(table: table.id, values: [:])
    for (column, form) in zip(table.columns, written.columns) where column.generated == nil {
      if table.search?.columns.contains(column.id) == true {
        row.values[column.id] = .text("\(random.pick(Self.words)) \(random.pick(Self.words))")
      } else if column.id == table.rowIDColumn {
        if random.chance(70) { row.values[column.id] = .int(Int64(random.pick([at + 1, at + 10, 100 + at * 3, -at]))) }
      } else if random.chance(form.defaultText == nil ? 8 : 25) {
        continue
      } else if !form.isRequired, !table.keyColumns.contains(column.id), random.chance(18) {
        row.values[column.id] = .null
      } else {
        let isEdited = form.type != column.type || (table.isStrict && !written.isStrict)
        row.values[column.id] = value(for: isEdited ? nil : table.affinity(of: column), at: at, table.isStrict)
      }
    }
    if table.hasRowID, table.rowIDColumn == nil, random.chance(30) { row.rowID = Int64(at * 2 + 1) }
    return row
  }

  /// - Parameter affinity: That of the column; nil where any value is of interest.
  private mutating func value(for affinity: RawAffinity?, at: Int, _ isStrict: Bool) -> RawValue {
    if !isStrict, random.chance(4) { return value(for: nil, at: at, false) }
    let number = Int64(random.pick([0, 1, 5, 7, 42, -3, at, at + 10, at + 20]))
    switch affinity {
    case .integer: return .int(random.chance(5) ? 9_007_199_254_740_993 : number)
    case .text: return .text(random.pick(["abc", "ABC", "007", "5", "a b", "", "x ", "w\(at)", "v\(at)", "u\(at)"]))
    case .real: return .real(random.pick([1.5, 5, 7.25, -2.75, 1e20, Double(at), Double(at) + 0.5]))
    case .blob: return .blob(random.pick([[], [0, 255], [53], [UInt8(at)], [65, 66]]))
    case .numeric: return random.pick([.int(number), .real(2.5), .real(Double(at) + 0.25)])
    case nil:
      return random.pick([
        .text("007"), .text("1e2"), .text("5"), .text("5.0"), .text("abc"), .text("ABC"), .text(" 7"), .text("0x1F"),
        .int(42), .int(5), .int(9_007_199_254_740_993), .real(7.5), .real(5), .real(-0.0), .real(1e300),
        .blob([52, 50]),
        .blob([]), .int(Int64(at)), .text("00\(at)"), .text("w\(at)"), .real(Double(at)),
      ])
    }
  }
}
