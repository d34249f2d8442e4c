/// Draws the pieces of a sketch, tables to triggers, with names that are hard to handle.
struct SchemaGenerator {
  var random: SeededGenerator
  var sketch = SchemaSketch()
  /// Names that were ever used: a new object never takes an old one's name, or it would count as the old one changed.
  var takenObjects: Set<String> = []
  var takenColumns: [Int: Set<String>] = [:]
  /// Whether nearly all tables refer to others, with actions.
  var prefersReferences = false

  static let tableNames = [
    "users", "order", "Order Items", "notes", "tags", "größe", "select", "AuditLog", "t_1", "author", "books", "it's",
    "Group",
    "Publishers", "measure-ments", "log", "x.y",
  ]
  static let columnNames = [
    "name", "title", "price", "created_at", "group", "a b", "naïve", "rowid", "oid", "_rowid_", "say \"x\"", "Amount",
    "kind", "order",
    "body", "email", "index", "flag", "parent", "from", "to", "X1", "unit's", "default", "note", "données", "code",
    "Score", "a.b", "z",
  ]
  static let types = [
    "INTEGER", "INTEGER", "INT", "BIGINT", "TEXT", "TEXT", "TEXT", "VARCHAR(40)", "NVARCHAR(100)", "CHAR(3)", "REAL",
    "DOUBLE PRECISION",
    "FLOAT", "NUMERIC", "DECIMAL(10,2)", "DECIMAL(10, 2)", "BOOLEAN", "DATETIME", "DATE", "BLOB", "",
  ]
  static let conflicts = ["ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"]
  static let collations = ["NOCASE", "RTRIM", "BINARY"]

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func objectName(_ candidates: [String]) -> String {
    freshName(candidates, taken: takenObjects) { $0.takenObjects.insert($1) }
  }

  mutating func columnName(in table: Int) -> String {
    freshName(Self.columnNames, taken: takenColumns[table, default: []]) {
      $0.takenColumns[table, default: []].insert($1)
    }
  }

  private mutating func freshName(
    _ candidates: [String], taken: Set<String>, note: (inout SchemaGenerator, String) -> Void
  ) -> String {
    var name = random.pick(candidates)
    var attempt = 1
    while taken.contains(asciiFolded(name)) {
      attempt += 1
      name = random.pick(candidates) + (attempt > 6 ? "_\(attempt)" : "")
    }
    note(&self, asciiFolded(name))
    return name
  }

  // MARK: - Tables and columns

  mutating func table() -> SchemaSketch.Table {
    var table = SchemaSketch.Table(id: sketch.newID(), name: objectName(Self.tableNames), columns: [])
    table.isStrict = random.chance(15) && Engine.has(.strict)
    for _ in 0..<random.number(2...5) { table.columns.append(column(in: table)) }
    if random.chance(80) { table.primaryKey = primaryKey(of: &table) }
    if table.primaryKey != nil, random.chance(20) { table.hasRowID = false }
    if random.chance(30), let key = unique(in: table) { table.uniques.append(key) }
    for _ in 0..<random.number(0...2) where random.chance(60) { table.checks.append(check(in: table)) }
    if random.chance(20), let column = generatedColumn(in: table) { table.columns.append(column) }
    table.repairOptions()
    return table
  }

  mutating func column(in table: SchemaSketch.Table) -> SchemaSketch.Column {
    let type = table.isStrict ? random.pick(strictTypes) : random.pick(Self.types)
    var column = SchemaSketch.Column(id: sketch.newID(), name: columnName(in: table.id), type: type)
    column.isRequired = random.chance(25)
    if column.isRequired, random.chance(12) { column.requiredConflict = random.pick(Self.conflicts) }
    if random.chance(30) { column.defaultText = defaultText(for: column.type) }
    if RawAffinity(of: type) == .text || random.chance(5), random.chance(20) {
      column.collation = random.pick(Self.collations)
    }
    return column
  }

  mutating func defaultText(for type: String) -> String {
    switch RawAffinity(of: type) {
    case .integer: random.pick(["0", "1", "-1", "+3", "5", "(1 + 2)", "NULL", "1000000000000"])
    case .text:
      random.pick([
        "''", "'x'", "'it''s'", "'a, (b)'", "CURRENT_DATE", "('a' || 'b')", "NULL", "'01234'", "'größe'",
      ])
    case .real: random.pick(["0.0", "1.5", "-2.25", "1e3"])
    case .blob: random.pick(["x'00FF'", "NULL", "x''"])
    case .numeric: random.pick(["0", "1.50", "'2024-01-01'", "TRUE", "false", "12"])
    }
  }

  mutating func generatedColumn(in table: SchemaSketch.Table) -> SchemaSketch.Column? {
    guard let source = random.any(table.ordinary) else { return nil }
    let id = sketch.newID()
    var column = SchemaSketch.Column(
      id: id, name: columnName(in: table.id), type: table.isStrict ? "ANY" : random.pick(["", "TEXT", "INTEGER"]))
    column.generated = generatedPhrase(source.id)
    column.isStored = random.chance(50)
    return column
  }

  mutating func generatedPhrase(_ id: Int) -> Phrase {
    random.pick([
      ["length(", .name(id), ")"], [.name(id), " || '!'"], [.name(id), " + 1"], ["upper(", .name(id), ")"],
      ["coalesce(", .name(id), ", 'none')"], ["CASE WHEN ", .name(id), " IS NULL THEN 0 ELSE 1 END"],
    ])
  }

  // MARK: - Constraints

  mutating func primaryKey(of table: inout SchemaSketch.Table) -> SchemaSketch.Key? {
    let kind = random.number(0...9)
    if kind < 6 {
      let at = table.columns.firstIndex { $0.generated == nil && $0.type == "INTEGER" } ?? 0
      guard table.columns[at].generated == nil else { return nil }
      if kind < 5 { table.columns[at].type = "INTEGER" }
      table.columns[at].defaultText = nil
      var key = SchemaSketch.Key(name: constraintName(), parts: [.init(phrase: [.name(table.columns[at].id)])])
      key.isAutoincrement = random.chance(30)
      key.parts[0].isDescending = random.chance(6)
      return key
    }
    let columns = table.ordinary.shuffled(using: &random).prefix(kind == 6 ? 1 : 2)
    guard !columns.isEmpty else { return nil }
    let parts = columns.map { SchemaSketch.Part(phrase: [.name($0.id)], isDescending: random.chance(15)) }
    return SchemaSketch.Key(name: constraintName(), parts: parts, conflict: conflict())
  }

  mutating func constraintName() -> String? {
    random.chance(20) ? random.pick(["pk", "is fine", "Check", "c_1", "fk group"]) : nil
  }

  private mutating func conflict() -> String? { random.chance(15) ? random.pick(Self.conflicts) : nil }

  mutating func unique(in table: SchemaSketch.Table) -> SchemaSketch.Key? {
    let columns = table.ordinary.shuffled(using: &random).prefix(random.number(1...2))
    guard !columns.isEmpty else { return nil }
    let parts = columns.map { SchemaSketch.Part(phrase: [.name($0.id)]) }
    return SchemaSketch.Key(name: constraintName(), parts: parts, conflict: conflict())
  }

  mutating func check(in table: SchemaSketch.Table) -> SchemaSketch.Check {
    let column = random.pick(table.columns)
    let other = random.pick(table.columns)
    let name: SQLFragment = .name(column.id)
    let phrase: Phrase = random.pick([
      ["length(", name, ") < 100"], [name, " IS NULL OR ", name, " <> 'zzz'"], ["typeof(", name, ") <> 'nothing'"],
      [name, " NOT IN ('a,b)', ';')"], ["coalesce(", name, ", 1) >= 0"],
      [name, " IS NOT NULL OR ", .name(other.id), " IS NOT 'q'"],
      [name, " <> ", .name(other.id), " OR 1"], ["length(", name, ") > 0"], [name, " NOT LIKE '%never%'"],
    ])
    return SchemaSketch.Check(name: constraintName(), phrase: phrase)
  }

  mutating func foreignKey(of table: SchemaSketch.Table, in tables: [SchemaSketch.Table]) -> SchemaSketch.ForeignKey? {
    let parents = tables.filter { !$0.candidateKeys.isEmpty }
    guard let parent = random.any(parents) else { return nil }
    let key = random.pick(parent.candidateKeys)
    let sources = table.ordinary.filter { column in !(parent.id == table.id && key.contains(column.id)) }
    guard sources.count >= key.count, !key.isEmpty else { return nil }
    let columns = sources.shuffled(using: &random).prefix(key.count).map(\.id)
    let isPrimary = parent.primaryKey?.columns == key
    var result = SchemaSketch.ForeignKey(
      name: constraintName(), columns: columns, parent: parent.id,
      parentColumns: isPrimary && random.chance(40) ? [] : key)
    changeActions(of: &result)
    return result
  }

  mutating func changeActions(of key: inout SchemaSketch.ForeignKey) {
    let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]
    key.onDelete = random.chance(prefersReferences ? 85 : 60) ? random.pick(actions) : nil
    key.onUpdate = random.chance(40) ? random.pick(actions) : nil
    key.match = random.chance(10) ? random.pick(["FULL", "SIMPLE", "PARTIAL"]) : nil
    key.deferral =
      random.chance(30)
      ? random.pick(["DEFERRABLE INITIALLY DEFERRED", "DEFERRABLE INITIALLY IMMEDIATE", "NOT DEFERRABLE", "DEFERRABLE"])
      : nil
  }

  // MARK: - Indexes, views, triggers

  mutating func index(on table: SchemaSketch.Table) -> SchemaSketch.Index {
    let columns = table.columns.shuffled(using: &random).prefix(random.number(1...2))
    var parts: [SchemaSketch.Part] = []
    for column in columns {
      var part = SchemaSketch.Part(phrase: [.name(column.id)])
      if random.chance(20) {
        part.phrase = random.pick([["lower(", .name(column.id), ")"], ["coalesce(", .name(column.id), ", '')"]])
      }
      if random.chance(20) { part.collation = random.pick(Self.collations) }
      part.isDescending = random.chance(25)
      parts.append(part)
    }
    let tested = random.pick(table.columns)
    let predicate: Phrase? =
      random.chance(25)
      ? random.pick([
        [.name(tested.id), " IS NOT NULL"], [.name(tested.id), " > 'b' AND 1"],
        [.name(tested.id), " = 'live, or (not)'"],
      ]) : nil
    let name = objectName(["by_name", "Index 1", "idx", "lookup", "größte", "i-2", "unique"])
    return .init(id: sketch.newID(), name: name, parts: parts, isUnique: random.chance(20), predicate: predicate)
  }

  mutating func view() -> SchemaSketch.View? {
    let id = sketch.newID()
    let name = objectName(["recent", "All Things", "v_1", "summary", "values", "übersicht", "view 2"])
    let sources =
      sketch.tables.map { ($0.id, $0.columns.map(\.id)) }
      + sketch.views.filter { !$0.outputs.isEmpty }.map { ($0.id, $0.outputs.map(\.id)) }
    guard let (source, columns) = random.any(sources), !columns.isEmpty else { return nil }
    if random.chance(12) { return .init(id: id, name: name, outputs: [], tail: ["FROM ", .name(source)]) }
    var outputs: [SchemaSketch.View.Output] = []
    for (at, column) in columns.shuffled(using: &random).prefix(3).enumerated() {
      let alias = ["one", "Two", "group"][at]
      let phrase: Phrase =
        random.chance(75)
        ? ["a.", .name(column)]
        : random.pick([["upper(a.", .name(column), ")"], ["coalesce(a.", .name(column), ", 'it''s')"]])
      outputs.append(.init(id: sketch.newID(), alias: alias, source: phrase))
    }
    var tail: Phrase = ["FROM ", .name(source), " AS a"]
    if random.chance(30), let (other, others) = random.any(sources), let joined = random.any(others) {
      tail += [" LEFT JOIN ", .name(other), " AS b ON a.", .name(random.pick(columns)), " = b.", .name(joined)]
    }
    if random.chance(30) { tail += [" WHERE a.", .name(random.pick(columns)), " IS NOT NULL"] }
    if random.chance(15) { tail += [" ORDER BY a.", .name(random.pick(columns)), " DESC"] }
    if random.chance(8) { tail = ["FROM (SELECT * FROM ", .name(source), ") AS a"] }
    return .init(id: id, name: name, outputs: outputs, tail: tail, listsColumns: random.chance(25))
  }

  mutating func trigger() -> SchemaSketch.Trigger? {
    let name = objectName(["audit", "Before It", "tr_1", "on group", "größer", "guard"])
    let id = sketch.newID()
    if random.chance(25), let text = insteadOfTrigger() { return .init(id: id, name: name, text: text) }
    guard let at = sketch.tables.indices.randomElement(using: &random),
      let column = random.any(sketch.tables[at].columns)
    else { return nil }
    let table = sketch.tables[at]
    let head: (String) -> Phrase = { [.text($0 + " ON "), .name(table.id), " "] }
    let later = sketch.tables[(at + 1)...].filter { !$0.ordinary.isEmpty }
    guard let target = random.any(Array(later)) else {
      return .init(
        id: id, name: name,
        text: head("BEFORE DELETE") + [
          "WHEN OLD.", .name(column.id), " = 'never' BEGIN SELECT RAISE(ABORT, 'no; END'); END",
        ])
    }
    let written = random.pick(target.ordinary).id
    switch random.number(0...3) {
    case 0:
      return .init(
        id: id, name: name,
        text: head("AFTER INSERT") + [
          "BEGIN INSERT OR IGNORE INTO ", .name(target.id), "(", .name(written), ") VALUES (NEW.", .name(column.id),
          "); END",
        ])
    case 1:
      return .init(
        id: id, name: name,
        text: ["AFTER UPDATE OF ", .name(column.id), " ON ", .name(table.id)] + [
          " FOR EACH ROW WHEN OLD.", .name(column.id), " IS NOT NEW.", .name(column.id), " BEGIN UPDATE ",
          .name(target.id), " SET ",
          .name(written), " = NEW.", .name(column.id), " WHERE ", .name(written), " = OLD.", .name(column.id),
          "; SELECT 'END;'; END",
        ])
    case 2:
      return .init(
        id: id, name: name,
        text: head("AFTER DELETE") + [
          "BEGIN DELETE FROM ", .name(target.id), " WHERE ", .name(written), " = OLD.", .name(column.id), "; END",
        ])
    default:
      return .init(
        id: id, name: name,
        text: head("BEFORE INSERT") + [
          "WHEN NEW.", .name(column.id), " IN (SELECT ", .name(written), " FROM ", .name(target.id),
          " WHERE ", .name(written), " = 'x') BEGIN SELECT CASE WHEN 0 THEN RAISE(FAIL, 'it''s') END; END",
        ])
    }
  }

  private mutating func insteadOfTrigger() -> Phrase? {
    guard let view = random.any(sketch.views.filter { !$0.outputs.isEmpty }), let table = random.any(sketch.tables),
      let column = random.any(table.ordinary)
    else { return nil }
    let output = random.pick(view.outputs).id
    switch random.number(0...2) {
    case 0:
      return [
        "INSTEAD OF INSERT ON ", .name(view.id), " BEGIN INSERT INTO ", .name(table.id), "(", .name(column.id),
        ") VALUES (NEW.", .name(output), "); END",
      ]
    case 1:
      return [
        "INSTEAD OF DELETE ON ", .name(view.id), " BEGIN DELETE FROM ", .name(table.id), " WHERE ", .name(column.id),
        " = OLD.", .name(output), "; END",
      ]
    default:
      return [
        "INSTEAD OF UPDATE ON ", .name(view.id), " BEGIN UPDATE ", .name(table.id), " SET ", .name(column.id),
        " = NEW.", .name(output), "; END",
      ]
    }
  }

  // MARK: - A whole schema

  mutating func drawSchema() {
    for _ in 0..<random.number(1...4) {
      var table = table()
      for _ in 0..<(prefersReferences ? 2 : 1) {
        guard random.chance(prefersReferences ? 75 : 45) else { continue }
        if let key = foreignKey(of: table, in: sketch.tables + [table]) { table.foreignKeys.append(key) }
      }
      sketch.tables.append(table)
    }
    for at in sketch.tables.indices {
      for _ in 0..<random.number(0...2) where random.chance(55) {
        sketch.tables[at].indexes.append(index(on: sketch.tables[at]))
      }
    }
    for _ in 0..<random.number(0...2) { if let view = view() { sketch.views.append(view) } }
    for _ in 0..<random.number(0...2) { if let trigger = trigger() { sketch.triggers.append(trigger) } }
    sketch.repair()
  }
}
