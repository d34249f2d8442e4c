/// Writes random CREATE TABLE texts, as lists of tokens, with every clause and oddity that SQLite's grammar knows.
struct CreateTableGenerator {
  var random: SeededGenerator
  private var names: [String] = []

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  /// The tokens of one statement. Most of them, though not all, are accepted by SQLite.
  mutating func tokens() -> [String] {
    names = Array(
      ["a", "Beta", "key", "two words", "größe", "d\"q", "b`t", "it's", "desc", "x,y", "always", "f)"]
        .shuffled(using: &random).prefix(random.number(1...6)))
    var tokens = ["CREATE", "table"] + (random.chance(20) ? ["IF", "NOT", "EXISTS"] : []) + [quote("t 1"), "("]
    var hasKey = false
    for (index, name) in names.enumerated() {
      if index > 0 { tokens.append(",") }
      tokens += [quote(name)] + type()
      for _ in 0..<random.number(0...3) { tokens += columnConstraint(&hasKey) }
    }
    if random.chance(50) {
      for index in 0..<random.number(1...3) {
        if index == 0 || random.chance(70) { tokens.append(",") }
        tokens += tableConstraint(&hasKey)
      }
    }
    tokens.append(")")
    if hasKey, random.chance(25) { tokens += ["WITHOUT", "rowid"] }
    return tokens
  }

  /// Joins tokens with white space and comments of random kinds.
  mutating func joined(_ tokens: [String]) -> String {
    tokens.reduce(into: "") { text, token in
      let isTight = "(),".contains(token) || text.last.map { "(),".contains($0) } == true
      if !text.isEmpty, !(isTight && random.chance(60)) {
        text += random.pick([" ", " ", " ", "\t", "\n", "\r\n", " \u{0C}", "/* a, b) */", " -- it's, (\n", "  "])
      }
      text += token
    }
  }

  private mutating func quote(_ name: String) -> String {
    let isPlain = ["a", "Beta", "key", "größe", "always"].contains(name)
    switch random.number(isPlain ? 0...7 : 4...7) {
    case 0...3: return name
    case 4: return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    case 5: return "`" + name.split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
    case 6: return "[" + name + "]"
    default: return "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
  }

  private static let defaults = [
    ["1"], ["+", "1"], ["-1"], ["-", "1.5e3"], ["'a,b)'"], ["\"dq\""], ["word"], ["NULL"], ["true"], ["x'00ff'"],
    ["(", "1", "+", "(", "2", ")", ")"], ["CURRENT_TIMESTAMP"], ["0x1F"], ["[br]"], ["(", "'it''s'", ")"], ["key"],
  ]

  private mutating func type() -> [String] {
    random.pick([
      [], ["INTEGER"], ["integer"], ["TEXT"], ["VARCHAR", "(", "10", ")"], ["DECIMAL", "(", "10", ",", "-", "5", ")"],
      ["DOUBLE", "PRECISION"], ["\"quoted type\""], ["UNSIGNED", "big", "INT"], ["generated"], ["'text'"], ["BLOB"],
      ["NUMERIC", "(", "+1.5", ")"], ["key", "no", "ACTION"],
    ])
  }

  private mutating func conflict() -> [String] {
    random.chance(30) ? ["ON", "CONFLICT", random.pick(["ROLLBACK", "abort", "FAIL", "IGNORE", "Replace"])] : []
  }

  private mutating func named() -> [String] {
    random.chance(25) ? ["CONSTRAINT", random.pick(["c1", "\"c 2\"", "'c3'"])] : []
  }

  private mutating func columnConstraint(_ hasKey: inout Bool) -> [String] {
    let start = named()
    switch random.number(0...9) {
    case 0 where !hasKey:
      hasKey = true
      return start + ["PRIMARY", "KEY"] + random.pick([[], ["ASC"], ["desc"]]) + conflict()
    case 1: return start + ["NOT", "NULL"] + conflict()
    case 2: return start + ["UNIQUE"] + conflict()
    case 3: return start + ["CHECK", "(", "1", "<>", "(", "')'", "=", "2", ")", ")"]
    case 4, 5:
      return start + ["DEFAULT"] + random.pick(Self.defaults)
    case 6: return start + ["COLLATE", random.pick(["nocase", "\"RTRIM\"", "binary"])]
    case 7:
      return start + ["REFERENCES", quote("p 1")] + (random.chance(50) ? ["(", quote("a"), ")"] : []) + actions()
    case 8:
      // One token: SQLite leaves GENERATED in the type when a comment stands between the two words.
      return start + random.pick([[], ["GENERATED ALWAYS"]]) + ["AS", "(", "1", "||", "')'", ")"]
        + random.pick([[], ["STORED"], ["virtual"]])
    default: return start + ["NULL"]
    }
  }

  private mutating func actions() -> [String] {
    var result: [String] = []
    for _ in 0..<random.number(0...3) {
      let action = random.pick([["CASCADE"], ["SET", "NULL"], ["set", "DEFAULT"], ["RESTRICT"], ["NO", "ACTION"]])
      let event = random.pick(["DELETE", "UPDATE", "insert"])
      result += random.chance(15) ? ["MATCH", "simple"] : ["ON", event] + action
    }
    if random.chance(30) {
      result += random.pick([["NOT", "DEFERRABLE"], ["DEFERRABLE"]])
      result += random.pick([[], ["INITIALLY", "DEFERRED"], ["INITIALLY", "IMMEDIATE"]])
    }
    return result
  }

  private mutating func tableConstraint(_ hasKey: inout Bool) -> [String] {
    let start = named()
    let column = quote(random.pick(names))
    let collation = random.chance(30) ? ["COLLATE", "nocase"] : []
    let order = random.chance(30) ? ["DESC"] : []
    switch random.number(0...3) {
    case 0 where !hasKey:
      hasKey = true
      return start + ["PRIMARY", "KEY", "(", column] + collation + order + [")"] + conflict()
    case 1: return start + ["UNIQUE", "(", column] + collation + order + [")"] + conflict()
    case 2: return start + ["FOREIGN", "KEY", "(", column, ")", "REFERENCES", "p", "(", "x", ")"] + actions()
    default: return start + ["CHECK", "(", "1", ")"] + conflict()
    }
  }
}
