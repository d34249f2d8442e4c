import SchemaKit

/// Finds defaults that the column itself rejects.
struct DefaultValueRule: LintRule {
  let code = LintCode.defaultValue
  let severity = Finding.Severity.warning
  let title = "default that the column refuses"
  let reason =
    "DEFAULT NULL under NOT NULL, or a default of another type in a STRICT table, makes every INSERT fail that leaves the column out"
  let remedy = "give a default that the column takes, or none"
  let page = "https://sqlite.org/stricttables.html"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.columns.compactMap { column in
        guard let value = column.defaultValue, let cause = cause(value, of: column, in: table) else { return nil }
        return finding(
          on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
          message:
            "\(table.name.dotted(column.name)) has DEFAULT \(value.value.text), but \(cause): an INSERT that leaves "
            + "it out fails.",
          fix: "Give a default that the column takes, or none.")
      }
    }
  }

  /// The reason why the column rejects its default; nil if it does not, or if that depends on the result of an expression.
  private func cause(_ value: ColumnSchema.DefaultValue, of column: ColumnSchema, in table: TableSchema) -> String? {
    // A NULL for the rowid asks for the next number, and ON CONFLICT REPLACE for the default.
    if value.isNull { return column.isNotNull && column.notNullConflict == nil ? "the column is NOT NULL" : nil }
    guard table.isStrict, let literal = Literal(value), !literal.fits(column.comparableType) else { return nil }
    return "a STRICT column of type \(column.type ?? "") takes no \(literal.words)"
  }
}

/// A constant as a default, as far as its storage class goes.
private enum Literal {
  case integer
  case real(isWhole: Bool)
  case text(String)
  case blob

  /// Nil for an expression.
  init?(_ value: ColumnSchema.DefaultValue) {
    guard let tokens = try? SQLLexer.tokens(of: value.value.text) else { return nil }
    let unsigned = tokens.first.map { $0.isSymbol("-") || $0.isSymbol("+") } == true ? tokens.dropFirst() : tokens[...]
    guard unsigned.count == 1, let token = unsigned.first else { return nil }
    switch token.kind {
    case .integer: self = .integer
    case .float:
      self = .real(isWhole: Double(token.text).map { $0 == $0.rounded() && abs($0) < 9e15 } ?? false)
    case .string, .quotedName: self = .text(token.unquotedText)
    case .blob: self = .blob
    case .word:
      if token.isKeyword("NULL") { return nil }
      self = token.isKeyword("TRUE") || token.isKeyword("FALSE") ? .integer : .text(token.text)
    case .variable, .symbol: return nil
    }
  }

  var words: String {
    switch self {
    case .integer, .real: "number such as this"
    case .text: "text"
    case .blob: "blob"
    }
  }

  /// True if a STRICT column stores the value. See [STRICT Tables](https://sqlite.org/stricttables.html).
  func fits(_ type: String) -> Bool {
    switch (type, self) {
    case ("ANY", _), ("BLOB", .blob), ("INT", .integer), ("INTEGER", .integer), ("REAL", .integer), ("REAL", .real),
      ("TEXT", .integer), ("TEXT", .real), ("TEXT", .text):
      true
    case ("INT", .real(let isWhole)), ("INTEGER", .real(let isWhole)): isWhole
    // SQLite converts text that is entirely a number into that number.
    case ("INT", .text(let text)), ("INTEGER", .text(let text)): Self.number(text).map { $0 == $0.rounded() } ?? false
    case ("REAL", .text(let text)): Self.number(text) != nil
    default: false
    }
  }

  private static func number(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    guard digits.allSatisfy({ "0123456789+-.eE".contains($0) }) else { return nil }
    return Double(String(digits))
  }
}
