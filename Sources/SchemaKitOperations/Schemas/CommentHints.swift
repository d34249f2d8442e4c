import SchemaKitFoundation

/// Reads migration hints from SQL comments: `-- schemakit: renamed from a, b`, `fill EXPR`, `convert EXPR`,
/// `removed x`, for `lint` `ignore CODE, …`, and for a whole file `rules synchronised`.
///
/// A hint belongs to the column whose definition contains it or directly precedes it, else to one that begins on its
/// line; on the line of CREATE TABLE, or after the statement, it belongs to the table; outside a statement, `removed x`
/// names a table. An `ignore` there, or in a view, trigger or index, applies to the whole file or to that object.
struct CommentHints {
  private let source: String
  private let bytes: [UInt8]

  init(text: String, source: String) {
    self.source = source
    bytes = Array(text.utf8)
  }

  /// A hint as parsed.
  private enum Hint {
    case renamed([SQLName])
    case fill(String)
    case convert(String)
    case removed([SQLName])
    case ignored([String])
    case rules(SchemaRules)
  }

  /// The hints of a script.
  func hints(of script: [ScriptStatement]) throws(SchemaError) -> MigrationHints {
    var hints = MigrationHints()
    guard mayHoldHints || mayHoldMisspeltPrefix else { return hints }
    var used: Set<Int> = []
    for statement in script where !statement.comments.isEmpty {
      guard let parsed = try? SQLParser.create(statement.text) else { continue }
      for comment in statement.comments {
        for hint in try self.hints(in: comment) {
          if case .ignored(let codes) = hint {
            used.insert(comment.span.start)
            let scope = try ignoredScope(of: comment, parsed, statement)
            hints.ignores += codes.map { LintIgnore(code: $0, scope: scope, place: place(of: comment)) }
            continue
          }
          if case .rules(let rules) = hint {
            used.insert(comment.span.start)
            hints.rules.formUnion(rules)
            continue
          }
          guard case .table(let table) = parsed else { continue }
          used.insert(comment.span.start)
          try add(hint, at: comment, to: &hints.tables[table.name, default: TableHints()], table: table, in: statement)
        }
      }
    }
    let all: [SQLComment]
    do {
      all = try SQLLexer.tokensAndComments(of: String(decoding: bytes, as: UTF8.self)).comments
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    for comment in all where !used.contains(comment.span.start) && !MigrationDirectives.isDirective(comment.text) {
      for hint in try self.hints(in: comment) {
        switch hint {
        case .removed(let names): hints.removedTables.formUnion(names)
        case .ignored(let codes):
          hints.ignores += codes.map { LintIgnore(code: $0, scope: .everything, place: place(of: comment)) }
        case .rules(let rules): hints.rules.formUnion(rules)
        case .renamed, .fill, .convert:
          throw fault(
            comment,
            "this hint stands outside CREATE TABLE, where only \"removed TABLE\" and \"ignore CODE\" mean something")
        }
      }
    }
    return hints
  }

  /// True if the word that every hint begins with occurs anywhere in the text.
  private var mayHoldHints: Bool {
    let word = Array("schemakit".utf8)
    let last = UInt8(ascii: "t")
    return bytes.indices.contains { end in
      guard bytes[end] | 0x20 == last, end + 1 >= word.count else { return false }
      return bytes[(end + 1 - word.count)...end].elementsEqual(word) { $0 == $1 || $0 | 0x20 == $1 }
    }
  }

  /// The words that a hint can begin with after its prefix.
  private static let verbs = ["renamed from ", "removed ", "fill ", "convert ", "ignore SL", "rules "]

  /// True if a colon is followed by such a word anywhere in the text.
  private var mayHoldMisspeltPrefix: Bool {
    let verbs = Self.verbs.map { Array($0.lowercased().utf8) }
    return bytes.indices.contains { colon in
      guard bytes[colon] == UInt8(ascii: ":") else { return false }
      let rest = bytes[(colon + 1)...].prefix(64).drop { $0 == 32 || $0 == 9 }
      return verbs.contains { verb in rest.count >= verb.count && zip(rest, verb).allSatisfy { $0 | 0x20 == $1 | 0x20 }
      }
    }
  }

  /// The prefix of a comment that can only be meant as the one that hints begin with; nil for any other comment.
  private func misspeltPrefix(of text: Substring) -> Substring? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let (word, rest) = (text[..<colon], text[text.index(after: colon)...].trimmed.lowercased())
    guard !word.contains(where: \.isWhitespace), Self.verbs.contains(where: { rest.hasPrefix($0.lowercased()) }),
      NearestName.of(String(word), among: ["schemakit", "schemactl"]) != nil
    else { return nil }
    return word
  }

  private func add(
    _ hint: Hint, at comment: SQLComment, to hints: inout TableHints, table: CreateTableStatement,
    in statement: ScriptStatement
  ) throws(SchemaError) {
    if case .removed(let names) = hint {
      hints.removedColumns.formUnion(names)
      return
    }
    let line = line(of: comment.span.start)
    // After the closing parenthesis, a hint cannot belong to a column.
    let isBehind = comment.span.start >= statement.span.end
    let column = isBehind ? nil : try self.column(of: comment, in: table, from: statement.span.start)
    let isTableLine = isBehind || self.line(of: statement.span.start + table.nameSpan.start) == line
    guard column != nil || isTableLine else {
      throw fault(comment, "no column of \(table.name) begins on the line of this hint")
    }
    switch hint {
    case .ignored, .removed, .rules: break
    case .renamed(let names):
      if let column {
        hints.columns[column.name, default: ColumnHints()].renamedFrom += names
      } else {
        hints.renamedFrom += names
      }
    case .fill(let expression), .convert(let expression):
      guard let column else { throw fault(comment, "this hint must stand on the line of a column") }
      guard !column.isGenerated else {
        throw fault(
          comment,
          "the expression of column \(column.name) gives all its values, so that nothing fills or converts them; leave the hint out"
        )
      }
      if case .fill = hint {
        hints.columns[column.name, default: ColumnHints()].backfill = expression
      } else {
        hints.columns[column.name, default: ColumnHints()].conversion = expression
      }
    }
  }

  /// The column that a hint is about: the one whose definition contains it or directly precedes it; else, of those that
  /// begin on its line, the last one before it or the first one. Nil before the columns, where it is about the table.
  private func column(
    of comment: SQLComment, in table: CreateTableStatement, from start: Int
  ) throws(SchemaError) -> ColumnDefinition? {
    let place = comment.span.start
    let before = table.columns.last { start + $0.span.start < place }
    if let before, isFree(from: start + before.span.end, to: place) { return before }
    let line = line(of: place)
    let columns = table.columns.filter { self.line(of: start + $0.span.start) == line }
    guard let first = columns.first(where: { start + $0.span.start > place }) else { return columns.last }
    guard let before else { return isFree(from: comment.span.end, to: start + first.span.start) ? first : nil }
    guard self.line(of: start + before.span.end - 1) == line else { return first }
    throw fault(
      comment,
      "this hint could be about \(before.name) or about \(first.name); put it before the comma, or on a line with its "
        + "column alone")
  }

  /// True if there are no tokens between two positions.
  private func isFree(from start: Int, to end: Int) -> Bool {
    guard start < end else { return true }
    let tokens = try? SQLLexer.tokens(of: String(decoding: bytes[start..<end], as: UTF8.self))
    return tokens?.isEmpty == true
  }

  /// The scope of an `ignore`: the definitions that begin on a line, or the whole object.
  private func ignoredScope(
    of comment: SQLComment, _ parsed: CreateStatement, _ statement: ScriptStatement
  ) throws(SchemaError) -> LintIgnore.Scope {
    guard case .table(let table) = parsed, comment.span.start < statement.span.end else { return .object(parsed.name) }
    let line = line(of: comment.span.start)
    let starts = table.columns.map(\.span.start) + table.constraints.map(\.span.start)
    if starts.contains(where: { self.line(of: statement.span.start + $0) == line }) { return .line(line) }
    guard self.line(of: statement.span.start + table.nameSpan.start) == line else {
      throw fault(comment, "no column or constraint of \(table.name) begins on the line of this hint")
    }
    return .object(table.name)
  }

  /// The hints of a comment, each of which begins with the word: `-- schemakit: renamed from a -- schemakit: fill 0`.
  private func hints(in comment: SQLComment) throws(SchemaError) -> [Hint] {
    var text = comment.text[...]
    if text.hasPrefix("--") { text = text.dropFirst(2) }
    if text.hasPrefix("/*") { text = text.dropFirst(2) }
    if text.hasSuffix("*/") { text = text.dropLast(2) }
    text = text.trimmed
    guard text.lowercased().hasPrefix("schemakit:") else {
      if isMisspelt(text) { throw fault(comment, "a hint begins with \"schemakit:\", and here the colon is missing") }
      if let word = misspeltPrefix(of: text) {
        throw fault(comment, "a hint begins with \"schemakit:\", and this one with \"\(word):\"")
      }
      return []
    }
    var hints: [Hint] = []
    var rest = text.dropFirst("schemakit:".count)
    while let next = rest.ranges(of: /(?i)schemakit:/).first(where: { !isQuoted($0.lowerBound, in: rest) }) {
      var text = rest[..<next.lowerBound].trimmed
      if text.hasSuffix("--") { text = text.dropLast(2).trimmed }
      hints.append(try hint(text, in: comment))
      rest = rest[next.upperBound...]
    }
    hints.append(try hint(rest.trimmed, in: comment))
    return hints
  }

  /// True for a place inside of a text or a quoted name.
  private func isQuoted(_ place: Substring.Index, in text: Substring) -> Bool {
    var quote: Character?
    for character in text[..<place] where "'\"".contains(character) {
      if quote == nil { quote = character } else if quote == character { quote = nil }
    }
    return quote != nil
  }

  private func hint(_ text: Substring, in comment: SQLComment) throws(SchemaError) -> Hint {
    func rest(after words: String) -> Substring? {
      guard text.lowercased().hasPrefix(words + " ") else { return nil }
      return text.dropFirst(words.count).trimmed
    }
    if let names = rest(after: "renamed from") { return .renamed(try self.names(in: names, of: comment)) }
    if let names = rest(after: "removed") { return .removed(try self.names(in: names, of: comment)) }
    if let expression = rest(after: "fill") { return .fill(SQLLexer.withoutRemarks(String(expression))) }
    if let expression = rest(after: "convert") {
      return .convert(SQLLexer.withoutRemarks(String(expression)))
    }
    if let codes = rest(after: "ignore") { return .ignored(try self.codes(in: codes, of: comment)) }
    if let names = rest(after: "rules") { return .rules(try self.rules(in: names, of: comment)) }
    throw fault(
      comment,
      "\"\(text)\" is not a hint; the hints are \"renamed from NAME, …\", \"removed NAME, …\", \"fill EXPR\", \"convert EXPR\", \"ignore CODE, …\" and \"rules NAME\""
    )
  }

  /// True if a comment can only be a hint with a missing colon.
  private func isMisspelt(_ text: Substring) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    guard words.count > 2, words[0] == "schemakit" else { return false }
    return words[1] == ":" || words[1...2] == ["renamed", "from"] || (words[1] == "ignore" && words[2].hasPrefix("sl"))
      || (words.count == 3 && words[1] == "removed") || ["fill", "convert"].contains(words[1])
  }

  /// Reads codes of `lint`, and ids of rules that a project has of its own, which only `lint` knows.
  private func codes(in text: Substring, of comment: SQLComment) throws(SchemaError) -> [String] {
    var codes: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var word = part.trimmed
      if word.count > 1, word.hasPrefix("\""), word.hasSuffix("\"") { word = word.dropFirst().dropLast() }
      let code = word.uppercased()
      if LintCode(rawValue: code) != nil {
        codes.append(code)
      } else if ProjectRuleID.isValid(word), !ProjectRuleID.isReserved(word) {
        codes.append(String(word))
      } else {
        _ = try names(in: text, of: comment)
        throw fault(
          comment, "there is no rule \"\(code)\" to ignore; lint has codes such as \(LintCode.allCases[0].rawValue)")
      }
    }
    return codes
  }

  private func rules(in text: Substring, of comment: SQLComment) throws(SchemaError) -> SchemaRules {
    var rules: SchemaRules = []
    for name in try names(in: text, of: comment) {
      guard let named = SchemaRules.named[name.folded] else {
        let known = SchemaRules.named.keys.sorted().joined(separator: ", ")
        throw fault(comment, "no rules are called \"\(name)\"; write \(known)")
      }
      rules.formUnion(named)
    }
    return rules
  }

  private func names(in text: Substring, of comment: SQLComment) throws(SchemaError) -> [SQLName] {
    let tokens = (try? SQLLexer.tokens(of: String(text))) ?? []
    let names = tokens.compactMap(\.name)
    guard !names.isEmpty, tokens.allSatisfy({ $0.name != nil || $0.isSymbol(",") }), tokens.count == names.count * 2 - 1
    else {
      throw fault(comment, "\"\(text)\" is not a list of names separated by commas\(Self.advice(for: text))")
    }
    return names
  }

  /// Returns advice on writing a name of several words, if a text has one.
  private static func advice(for text: Substring) -> String {
    guard !text.contains(where: { "\"[`".contains($0) }), !text.uppercased().hasPrefix("SL") else { return "" }
    let members = text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    guard let member = members.first(where: { $0.contains(" ") || $0.contains("-") }) else { return "" }
    return "; a name that is more than a word goes in double quotes: \"\(member)\""
  }

  private func line(of offset: Int) -> Int { bytes[..<min(offset, bytes.count)].count { $0 == 10 } + 1 }

  private func place(of comment: SQLComment) -> LintIgnore.Place {
    let start = bytes[..<comment.span.start].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<comment.span.start], as: UTF8.self).count + 1
    return LintIgnore.Place(source: source, line: line(of: comment.span.start), column: column)
  }

  private func fault(_ comment: SQLComment, _ problem: String) -> SchemaError {
    let place = place(of: comment)
    return SchemaError(source: source, line: place.line, column: place.column, problem: problem)
  }
}
