/// Tells if SQLite can read statements that work on rows, whatever tables and functions they name.
///
/// SQLite reads the body of a trigger without looking names up
/// ([CREATE TRIGGER](https://sqlite.org/lang_createtrigger.html)), so each statement is compiled as one. Syntax that a
/// script may use but a trigger may not (a schema's name, an alias of the target, DEFAULT VALUES, RETURNING, ORDER BY and
/// LIMIT of an update, a parameter, WITH before a change) is taken out first.
struct StatementSyntax {
  private let database: SQLiteConnection

  init() throws {
    database = try .memory()
    try database.execute("CREATE TABLE t (x)")
  }

  /// Returns the error of a statement that SQLite cannot read; nil if it can.
  func fault(in tokens: ArraySlice<SQLToken>) -> SQLiteError? {
    guard let first = tokens.first else { return nil }
    if first.isKeyword("EXPLAIN") {
      let rest = tokens.dropFirst()
      return fault(in: rest.first?.isKeyword("QUERY") == true ? rest.dropFirst(2) : rest)
    }
    if first.isKeyword("WITH"), let verb = Self.place(of: Self.verbs + Self.queries, in: tokens),
      !Self.queries.contains(where: tokens[verb].isKeyword)
    {
      return compile(tokens[..<verb].map(\.text) + ["SELECT 1"]) ?? fault(in: tokens[verb...])
    }
    let read = Self.withoutTargetWords(tokens)
    var words = read.map { $0.kind == .variable ? "NULL" : $0.text }
    guard Self.verbs.contains(where: first.isKeyword) else { return compile(words) }
    if let returning = Self.place(of: ["RETURNING"], in: read) {
      words.replaceSubrange(returning...returning, with: [";", "SELECT"])
    } else if !first.isKeyword("INSERT"), !first.isKeyword("REPLACE"),
      let order = Self.place(of: ["ORDER", "LIMIT"], in: read)
    {
      words.insert(contentsOf: [";", "SELECT 1"], at: order)
    }
    if let place = Self.place(of: ["DEFAULT"], in: read), place + 1 < read.endIndex,
      read[place + 1].isKeyword("VALUES")
    {
      words.replaceSubrange(place...(place + 1), with: ["SELECT 1"])
    }
    return compile(words)
  }

  private func compile(_ words: [String]) -> SQLiteError? {
    do {
      let body = words.joined(separator: " ")
      try database.prepareOnly("CREATE TEMP TRIGGER r AFTER INSERT ON main.t BEGIN \(body); END")
      return nil
    } catch {
      return error as? SQLiteError
    }
  }

  private static let verbs = ["INSERT", "REPLACE", "UPDATE", "DELETE"]
  private static let queries = ["SELECT", "VALUES"]

  /// The first of some words outside of parentheses.
  private static func place(of words: [String], in tokens: ArraySlice<SQLToken>) -> Int? {
    var depth = 0
    for index in tokens.indices {
      if tokens[index].isSymbol("(") { depth += 1 }
      if tokens[index].isSymbol(")") { depth -= 1 }
      if depth == 0, words.contains(where: tokens[index].isKeyword) { return index }
    }
    return nil
  }

  /// The tokens without the schema and the alias of the table that is written, and without its index.
  private static func withoutTargetWords(_ tokens: ArraySlice<SQLToken>) -> ArraySlice<SQLToken> {
    guard let first = tokens.first, verbs.contains(where: first.isKeyword) else { return Array(tokens)[...] }
    var tokens = Array(tokens)
    var target =
      first.isKeyword("UPDATE")
      ? 1 : (tokens.firstIndex { $0.isKeyword(first.isKeyword("DELETE") ? "FROM" : "INTO") } ?? 0) + 1
    if first.isKeyword("UPDATE"), tokens.count > 3, tokens[1].isKeyword("OR") { target = 3 }
    if target + 2 < tokens.count, tokens[target + 1].isSymbol(".") { tokens.removeSubrange(target...(target + 1)) }
    if target + 2 < tokens.count, tokens[target + 1].isKeyword("AS") {
      tokens.removeSubrange((target + 1)...(target + 2))
    }
    if target + 3 < tokens.count, tokens[target + 1].isKeyword("INDEXED"), tokens[target + 2].isKeyword("BY") {
      tokens.removeSubrange((target + 1)...(target + 3))
    }
    if target + 2 < tokens.count, tokens[target + 1].isKeyword("NOT"), tokens[target + 2].isKeyword("INDEXED") {
      tokens.removeSubrange((target + 1)...(target + 2))
    }
    return tokens[...]
  }
}

extension ScriptStatement {
  /// True for a statement without rows and tables of its own (PRAGMA, ANALYZE, REINDEX, VACUUM, BEGIN and the like) that is
  /// longer than its form allows: it has swallowed what follows a missing semicolon.
  var isTooLong: Bool {
    let rest = tokens.dropFirst()
    let isPragma = tokens.first?.isKeyword("PRAGMA") == true
    var most = 4
    if isPragma {
      most = rest.contains { $0.isSymbol(".") } ? 6 : 4
      if rest.contains(where: { $0.isSymbol("+") || $0.isSymbol("-") }) { most += 1 }
    }
    return rest.count > most || rest.contains { ["CREATE", "ALTER", "DROP", "INSERT"].contains(where: $0.isKeyword) }
  }
}
