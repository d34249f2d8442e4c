/// The words and symbols of an expression, as far as they show how its values are computed. The contents of string
/// literals are ignored.
struct ExpressionWords {
  /// True if a number may become a text in it.
  private(set) var makesTexts = false
  private(set) var rounds = false
  private(set) var readsDates = false
  /// True if it has a REAL of its own, or makes one of other numbers.
  private(set) var makesReals = false
  /// True if it reads a REAL out of a text.
  private(set) var findsReals = false
  /// True if it adds, subtracts, multiplies or divides, which makes a REAL of REALs.
  private(set) var calculates = false
  private(set) var compares = false

  init(_ tokens: [SQLToken]) {
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .symbol: note(symbol: token.text)
      case .float: makesReals = true
      case .word, .quotedName:
        let isCalled = index + 1 < tokens.count && tokens[index + 1].isSymbol("(")
        if isCalled { note(function: SQLName.fold(token.unquotedText)) }
        if token.kind == .word { note(keyword: SQLName.fold(token.text).uppercased(), in: tokens, at: index) }
      default: break
      }
    }
  }

  private mutating func note(symbol: String) {
    switch symbol {
    case "||", "->", "->>":
      makesTexts = makesTexts || symbol == "||"
      findsReals = findsReals || symbol == "->>"
    case "+", "-", "*", "/", "%": calculates = true
    case "=", "==", "<>", "!=", "<", ">", "<=", ">=": compares = true
    default: break
    }
  }

  private mutating func note(keyword: String, in tokens: [SQLToken], at index: Int) {
    switch keyword {
    case "LIKE", "GLOB", "REGEXP", "MATCH": makesTexts = true
    case "IS", "IN", "BETWEEN", "CASE": compares = true
    case "AS":
      // The type of a CAST, up to its parenthesis.
      let words = tokens[(index + 1)...].prefix { $0.kind == .word || $0.kind == .quotedName }
      switch Affinity(declaredType: words.map(\.unquotedText).joined(separator: " "), isStrict: false) {
      case .text, .blob: makesTexts = true
      case .real, .numeric: findsReals = true
      case .integer: break
      }
    default: break
    }
  }

  private mutating func note(function name: String) {
    if ["round", "printf", "format"].contains(name) { rounds = true }
    if Self.dateFunctions.contains(name) { readsDates = true }
    if Self.realFunctions.contains(name) { makesReals = true }
    if name == "json_extract" { findsReals = true }
    let isKnown =
      Self.plainFunctions.contains(name) || Self.dateFunctions.contains(name) || Self.realFunctions.contains(name)
    if !isKnown { makesTexts = true }
  }

  private static let dateFunctions: Set = [
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
  ]

  /// Functions that may return a REAL whatever they are given.
  private static let realFunctions: Set = [
    "julianday", "sqrt", "exp", "ln", "log", "log2", "log10", "pow", "power", "mod", "pi", "radians",
    "degrees", "sin",
    "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
  ]

  /// Functions and words before a parenthesis that make no text of a number.
  private static let plainFunctions: Set = [
    "abs", "round", "min", "max", "coalesce", "ifnull", "iif", "if", "nullif", "typeof", "likely", "unlikely",
    "likelihood", "sign",
    "ceil", "ceiling", "floor", "trunc", "random", "json_extract", "zeroblob", "char", "unhex", "json", "json_valid",
    "json_type",
    "json_array_length",
    "json_patch", "json_remove", "and", "or", "not", "in", "between", "is", "case", "when", "then", "else", "cast",
    "as", "like", "glob",
    "regexp", "match", "collate", "escape", "distinct", "from", "exists", "values",
  ]
}
