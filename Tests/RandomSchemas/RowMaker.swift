/// Fills a database made from a sketch with rows that it accepts, and keeps the statements that did it.
struct RowMaker {
  private var random: SeededGenerator
  private(set) var statements: [String] = []

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func fill(_ file: RawSQLite, from sketch: SchemaSketch) throws {
    for table in sketch.tables {
      let count = random.pick([0, 1, 2, 3, 4, 6, 9, 12])
      for _ in 0..<count { try insert(into: table, of: sketch, file) }
      if table.primaryKey?.isAutoincrement == true, count > 0, random.chance(60) {
        attempt(
          "UPDATE sqlite_sequence SET seq = seq + \(random.number(1...500)) WHERE name = \(RawValue.text(table.name))",
          file)
      }
    }
  }

  private mutating func attempt(_ sql: String, _ file: RawSQLite) {
    if (try? file.exec(sql)) != nil { statements.append(sql) }
  }

  private mutating func insert(into table: SchemaSketch.Table, of sketch: SchemaSketch, _ file: RawSQLite) throws {
    var values: [Int: RawValue] = [:]
    for column in table.ordinary {
      if random.chance(8), !column.isRequired || column.defaultText != nil { continue }
      // After the greatest rowid SQLite would choose one at random, and the statement would not make the same row again.
      values[column.id] = value(for: column, isRowID: table.possibleRowIDColumn?.id == column.id)
    }
    for key in table.foreignKeys {
      guard let parent = sketch.tables.first(where: { $0.id == key.parent }) else { continue }
      let parentColumns = key.parentColumns.isEmpty ? parent.primaryKey?.columns ?? [] : key.parentColumns
      let names = parentColumns.compactMap { id in parent.columns.first { $0.id == id }?.name }.map(SchemaOracle.quoted)
      let choices = try file.rows("SELECT \(names.joined(separator: ", ")) FROM \(SchemaOracle.quoted(parent.name))")
      guard !random.chance(15), let choice = random.any(choices), choice.count == key.columns.count else {
        for id in key.columns { values[id] = .null }
        continue
      }
      let taken = zip(key.columns, choice)
      // The same holds for the greatest rowid where it is the key of a parent.
      let isGreatest = taken.contains { $0 == table.possibleRowIDColumn?.id && $1 == .int(.max) }
      for (id, value) in taken { values[id] = isGreatest ? .null : value }
    }
    var names: [String] = []
    var texts: [String] = []
    for column in table.columns {
      guard let value = values[column.id] else { continue }
      names.append(SchemaOracle.quoted(column.name))
      texts.append(value.description)
    }
    let taken = Set(table.columns.map { asciiFolded($0.name) })
    if table.hasRowID, table.rowIDColumn == nil, random.chance(30),
      let alias = ["rowid", "oid", "_rowid_"].first(where: { !taken.contains($0) })
    {
      names.append(alias)
      texts.append(String(random.number(1...900)))
    }
    let tail =
      names.isEmpty ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(texts.joined(separator: ", ")))"
    attempt("INSERT INTO \(SchemaOracle.quoted(table.name)) \(tail)", file)
  }

  private mutating func value(for column: SchemaSketch.Column, isRowID: Bool) -> RawValue {
    if isRowID {
      return random.chance(80)
        ? .int(Int64(random.number(1...60))) : .int(random.pick([-5, 0, 1_000_000, 9_000_000_000]))
    }
    if !column.isRequired, random.chance(15) { return .null }
    if random.chance(3) { return random.pick([.text("odd"), .int(7), .real(0.5), .blob([0, 255])]) }
    switch asciiFolded(column.type) {
    case "boolean": return .int(Int64(random.number(0...1)))
    case "datetime", "date":
      return random.chance(70)
        ? .text("2024-0\(random.number(1...9))-1\(random.number(0...9)) 03:04:05")
        : .int(Int64(random.number(1_600_000_000...1_700_000_000)))
    case "", "any":
      return random.pick([
        .text("01234"), .int(12), .real(2.5), .blob([1, 2]), .text("été"), .int(9_007_199_254_740_993),
      ])
    default: break
    }
    switch RawAffinity(of: column.type) {
    case .integer:
      return random.chance(88)
        ? .int(Int64(random.number(0...40))) : .int(random.pick([9_007_199_254_740_993, .max, -1, 4_294_967_296]))
    case .text:
      if random.chance(50) {
        return .text("\(random.pick(["ann", "Bob", "cy", "dora", "eve"]))\(random.number(0...30))")
      }
      return .text(
        random.pick([
          "01234", "007", "12", "3.50", "1e5", "größe", "日本語", "🙂", "", "O'Brien", "a,b;c", "  padded ", "x", "X",
          "line\nbreak", "-- no",
          "9223372036854775808", "NULL", "\(random.number(0...99))",
        ]))
    case .real:
      return random.pick([
        .real(1.5), .real(2), .real(-0.25), .real(1e300), .real(0.1), .int(Int64(random.number(0...20))),
      ])
    case .blob: return .blob(random.pick([[0, 255], [], [65, 66, 67], [UInt8(random.number(0...255))]]))
    case .numeric:
      return random.pick([.real(12.5), .int(Int64(random.number(0...50))), .text("3.50"), .real(99.99), .text("n/a")])
    }
  }
}
