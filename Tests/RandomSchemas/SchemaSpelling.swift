/// Writes a sketch as SQL, choosing quotes, letter case, white space, comments and constraint places at random.
struct SchemaSpelling {
  private var random: SeededGenerator
  private let sketch: SchemaSketch
  private let names: [Int: String]
  private var isUpper = true
  private var isPlain = true

  init(of sketch: SchemaSketch, seed: Int) {
    self.sketch = sketch
    names = sketch.names
    random = SeededGenerator(seed: seed)
  }

  /// One CREATE statement for every object, tables first.
  mutating func statements() -> [String] {
    var result: [String] = []
    for table in sketch.tables {
      result.append(statement { $0.create(table) })
      for index in table.indexes { result.append(statement { $0.create(index, on: table) }) }
    }
    for view in sketch.views { result.append(statement { $0.create(view) }) }
    for trigger in sketch.triggers {
      result.append(statement { $0.word("CREATE TRIGGER ") + $0.quoted(trigger.name) + " " + $0.spelled(trigger.text) })
    }
    return result
  }

  private mutating func statement(_ body: (inout SchemaSpelling) -> String) -> String {
    isUpper = random.chance(70)
    isPlain = random.chance(60)
    let lead = random.chance(8) ? "-- another one; with 'a quote'\n" : ""
    return lead + body(&self)
  }

  private mutating func create(_ table: SchemaSketch.Table) -> String {
    var rest = TableRest(table)
    let separator = isPlain ? ", " : random.pick([", ", ",\n  ", ", -- next\n  ", " ,/* , */ "])
    var items = table.columns.map { column in define(column, in: table, &rest) }
    var constraints: [String] = []
    if let key = rest.primaryKey {
      constraints.append(
        named(key.name) + word("PRIMARY KEY ") + list(key.parts, key.isAutoincrement) + conflict(key.conflict))
    }
    for key in rest.uniques {
      constraints.append(named(key.name) + word("UNIQUE ") + list(key.parts) + conflict(key.conflict))
    }
    for check in rest.checks { constraints.append(spell(check)) }
    for key in rest.foreignKeys {
      let columns = key.columns.map { name($0) }.joined(separator: ", ")
      constraints.append(named(key.name) + word("FOREIGN KEY ") + "(" + columns + ") " + references(key))
    }
    items += constraints
    var options: [String] = []
    if !table.hasRowID { options.append(word("WITHOUT ROWID")) }
    if table.isStrict { options.append(word("STRICT")) }
    if random.chance(50) { options.reverse() }
    let tail = options.isEmpty ? "" : " " + options.joined(separator: ", ")
    let open = random.chance(50) ? " (" : "(\n  "
    return word("CREATE TABLE ") + quoted(table.name) + open + items.joined(separator: separator) + ")" + tail
  }

  /// What is left for the end of the table after columns took their share inline.
  private struct TableRest {
    var primaryKey: SchemaSketch.Key?
    var uniques: [SchemaSketch.Key]
    var checks: [SchemaSketch.Check]
    var foreignKeys: [SchemaSketch.ForeignKey]

    init(_ table: SchemaSketch.Table) {
      (primaryKey, uniques, checks, foreignKeys) = (table.primaryKey, table.uniques, table.checks, table.foreignKeys)
    }
  }

  private mutating func define(
    _ column: SchemaSketch.Column, in table: SchemaSketch.Table, _ rest: inout TableRest
  ) -> String {
    var pieces: [String] = []
    if column.isRequired { pieces.append(word("NOT NULL") + conflict(column.requiredConflict)) }
    if let text = column.defaultText { pieces.append(word("DEFAULT ") + spelled([.text(text)])) }
    if let collation = column.collation { pieces.append(word("COLLATE ") + collation) }
    if let key = rest.primaryKey, key.columns == [column.id], key.parts[0].collation == nil,
      key.isAutoincrement || random.chance(65)
    {
      let order = key.parts[0].isDescending ? word(" DESC") : ""
      let mark = key.isAutoincrement ? word(" AUTOINCREMENT") : ""
      pieces.append(named(key.name) + word("PRIMARY KEY") + order + conflict(key.conflict) + mark)
      rest.primaryKey = nil
    }
    if let at = rest.uniques.firstIndex(where: { $0.parts == [.init(phrase: [.name(column.id)])] }), random.chance(60) {
      let key = rest.uniques.remove(at: at)
      pieces.append(named(key.name) + word("UNIQUE") + conflict(key.conflict))
    }
    if let at = rest.checks.firstIndex(where: { $0.phrase.contains(.name(column.id)) }), random.chance(60) {
      pieces.append(spell(rest.checks.remove(at: at)))
    }
    if let at = rest.foreignKeys.firstIndex(where: { $0.columns == [column.id] }), random.chance(60) {
      let key = rest.foreignKeys.remove(at: at)
      pieces.append(named(key.name) + references(key))
    }
    if let generated = column.generated {
      let lead = word(random.pick(["AS ", "GENERATED ALWAYS AS "]))
      let kind = word(column.isStored ? " STORED" : random.pick(["", " VIRTUAL"]))
      pieces.append(lead + "(" + spelled(generated) + ")" + kind)
    }
    pieces.shuffle(using: &random)
    let type = column.type.isEmpty ? "" : " " + (isUpper ? column.type : asciiFolded(column.type))
    return quoted(column.name) + type + pieces.map { " " + $0 }.joined()
  }

  private mutating func spell(_ check: SchemaSketch.Check) -> String {
    let extra = random.chance(15)
    return named(check.name) + word("CHECK ") + (extra ? "((" : "(") + spelled(check.phrase) + (extra ? "))" : ")")
  }

  private mutating func references(_ key: SchemaSketch.ForeignKey) -> String {
    var text = word("REFERENCES ") + name(key.parent)
    if !key.parentColumns.isEmpty {
      text += random.pick(["(", " ("]) + key.parentColumns.map { name($0) }.joined(separator: ",") + ")"
    }
    if let match = key.match { text += word(" MATCH ") + match }
    var actions = [
      key.onDelete.map { word(" ON DELETE ") + word($0) }, key.onUpdate.map { word(" ON UPDATE ") + word($0) },
    ]
    if random.chance(50) { actions.reverse() }
    text += actions.compactMap { $0 }.joined()
    if let deferral = key.deferral { text += " " + word(deferral) }
    return text
  }

  private mutating func create(_ index: SchemaSketch.Index, on table: SchemaSketch.Table) -> String {
    let head = word(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ") + quoted(index.name) + word(" ON ")
    let tail = index.predicate.map { word(" WHERE ") + spelled($0) } ?? ""
    return head + quoted(table.name) + " " + list(index.parts) + tail
  }

  private mutating func create(_ view: SchemaSketch.View) -> String {
    var head = word("CREATE VIEW ") + quoted(view.name)
    if view.outputs.isEmpty { return head + word(" AS SELECT * ") + spelled(view.tail) }
    if view.listsColumns { head += "(" + view.outputs.map { quoted($0.alias) }.joined(separator: ", ") + ")" }
    let columns = view.outputs.map { output in
      spelled(output.source) + (view.listsColumns ? "" : word(" AS ") + quoted(output.alias))
    }
    return head + word(" AS SELECT ") + columns.joined(separator: ", ") + " " + spelled(view.tail)
  }

  private mutating func list(_ parts: [SchemaSketch.Part], _ isAutoincrement: Bool = false) -> String {
    let texts = parts.map { part in
      spelled(part.phrase) + (part.collation.map { word(" COLLATE ") + $0 } ?? "")
        + word(part.isDescending ? " DESC" : random.pick(["", "", "", " ASC"]))
    }
    return "(" + texts.joined(separator: ", ") + (isAutoincrement ? word(" AUTOINCREMENT") : "") + ")"
  }

  private mutating func named(_ name: String?) -> String {
    name.map { word("CONSTRAINT ") + quoted($0) + " " } ?? ""
  }

  private mutating func conflict(_ kind: String?) -> String { kind.map { word(" ON CONFLICT ") + word($0) } ?? "" }

  private mutating func name(_ id: Int) -> String { quoted(names[id] ?? "missing \(id)") }

  private mutating func spelled(_ phrase: Phrase) -> String {
    phrase.map { fragment in
      switch fragment {
      case .text(let text): word(text)
      case .name(let id): name(id)
      }
    }.joined()
  }

  /// Changes letter case and white space outside quotes.
  private mutating func word(_ text: String) -> String {
    var result = ""
    var isQuoted = false
    for character in text {
      if character == "'" { isQuoted.toggle() }
      if isQuoted {
        result.append(character)
      } else if character == " ", !isPlain, random.chance(12) {
        result += random.pick(["  ", "\n  ", "\t", " /* ; ' */ ", " -- it's\n "])
      } else {
        result += isUpper ? String(character) : asciiFolded(String(character))
      }
    }
    return result
  }

  /// A name in one of the quoting forms that can hold it.
  private mutating func quoted(_ name: String) -> String {
    let isBare =
      name.unicodeScalars.allSatisfy {
        $0.value > 127 || $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      && !sketchKeywords.contains(asciiFolded(name)) && !(name.first?.isNumber ?? true)
    if isBare, isPlain || random.chance(60) { return name }
    let doubled = "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    if name.contains("]") || name.contains("`") { return doubled }
    return random.pick([doubled, doubled, "[" + name + "]", "`" + name + "`"])
  }
}

/// Keywords among the names that sketches use.
let sketchKeywords: Set<String> = [
  "order", "group", "select", "index", "values", "default", "table", "check", "from", "to", "references", "unique",
]
