import OrderedCollections

/// The way in which the triggers of a schema feed a full-text index over another table.
///
/// SQLite does not keep such an index up to date;
/// [three triggers](https://sqlite.org/fts5.html#external_content_tables) do, and the index does not find the rows that
/// they leave out.
package enum FullTextFeed: Sendable, Hashable {
  /// No trigger writes to it: a program does, or nobody.
  case noTrigger
  /// Triggers pass on every row with its texts as they are.
  case everyRow
  /// They pass on some rows only, or other texts, as far as can be told.
  case selective(Selection)

  package enum Selection: Sendable, Hashable {
    /// A trigger has a condition, or one of its statements has.
    case condition(trigger: SQLName)
    /// A trigger writes something else than the texts of the row.
    case otherTexts(trigger: SQLName)
    /// A trigger of another table writes to it.
    case otherTable(trigger: SQLName)
    /// No trigger follows one kind of writes: INSERT, UPDATE or DELETE.
    case incomplete(event: String)
  }

  package var isSelective: Bool { if case .selective = self { true } else { false } }

  /// Reads the triggers of a schema that feed an index.
  package init(of index: FullTextIndex, in schema: DatabaseSchema) {
    var effects: [String: Set<FullTextWrite.Effect>] = [:]
    for trigger in schema.triggers.values {
      guard case .trigger(let statement)? = try? SQLParser.create(trigger.sql) else { continue }
      let writes = FullTextWrite.all(in: statement, to: index.name)
      guard !writes.isEmpty else { continue }
      // A view says itself which rows are to be found, with which texts.
      if schema.views[index.content] != nil {
        effects[trigger.event, default: []].formUnion([.adds, .removes])
        continue
      }
      guard trigger.table == index.content else {
        self = .selective(.otherTable(trigger: trigger.name))
        return
      }
      let isFiltered =
        statement.condition != nil
        || !trigger.updateColumns.isEmpty
          && !index.columns.allSatisfy { !$0.isIndexed || trigger.updateColumns.contains($0.name) }
      guard !isFiltered else {
        self = .selective(.condition(trigger: trigger.name))
        return
      }
      let rowID = [index.rowID, schema.tables[index.content]?.rowIDAlias?.name].compactMap { $0 }
      for write in writes {
        guard let effect = write.effect(on: index, rowIDs: FullTextIndex.rowIDNames.union(rowID)) else {
          self = .selective(
            write.hasCondition ? .condition(trigger: trigger.name) : .otherTexts(trigger: trigger.name))
          return
        }
        effects[trigger.event, default: []].formUnion(effect)
      }
    }
    guard !effects.isEmpty else {
      self = .noTrigger
      return
    }
    let needed: [(event: String, effects: Set<FullTextWrite.Effect>)] = [
      ("INSERT", [.adds]), ("UPDATE", [.removes, .adds]), ("DELETE", [.removes]),
    ]
    let missing = needed.first { !$0.effects.isSubset(of: effects[$0.event] ?? []) }
    self = missing.map { .selective(.incomplete(event: $0.event)) } ?? .everyRow
  }

  /// The triggers of a schema that write to an index.
  package static func triggers(of index: SQLName, in schema: DatabaseSchema) -> [TriggerSchema] {
    schema.triggers.values.filter { trigger in
      guard case .trigger(let statement)? = try? SQLParser.create(trigger.sql) else { return false }
      return !FullTextWrite.all(in: statement, to: index).isEmpty
    }
  }
}

/// A statement of a trigger that writes to a full-text index.
private struct FullTextWrite {
  /// The effect of the statement on the index for the row that fires the trigger.
  enum Effect: Hashable {
    case adds
    case removes
  }

  /// All tokens but the semicolon.
  let tokens: [SQLToken]
  /// The tokens after the name of the index.
  private let rest: [SQLToken]
  private let verb: Verb

  private enum Verb { case insert, replace, update, delete }

  static func all(in trigger: CreateTriggerStatement, to index: SQLName) -> [FullTextWrite] {
    trigger.body.tokens.split { $0.isSymbol(";") }.compactMap { FullTextWrite(Array($0), to: index) }
  }

  private init?(_ tokens: [SQLToken], to index: SQLName) {
    self.tokens = tokens
    var position = 0
    func take(_ words: String...) -> Bool {
      guard let word = words.first(where: { position < tokens.count && tokens[position].isKeyword($0) }) else {
        return false
      }
      position += word.isEmpty ? 0 : 1
      return true
    }
    if take("INSERT") {
      verb = take("OR") && position < tokens.count && tokens[position].isKeyword("REPLACE") ? .replace : .insert
    } else if take("REPLACE") {
      verb = .replace
    } else if take("UPDATE") {
      verb = .update
      _ = take("OR")
    } else if take("DELETE") {
      verb = .delete
    } else {
      return nil
    }
    if tokens[position - 1].isKeyword("OR") { position += 1 }
    _ = take("INTO", "FROM")
    if position + 2 < tokens.count, tokens[position + 1].isSymbol(".") { position += 2 }
    guard position < tokens.count, tokens[position].name == index else { return nil }
    rest = Array(tokens[(position + 1)...])
  }

  /// True if it has a condition of its own.
  var hasCondition: Bool { tokens.contains { $0.isKeyword("WHERE") || $0.isKeyword("SELECT") || $0.isKeyword("CASE") } }

  /// The effect on the index for the row, with its texts as they are; nil if it cannot be told, empty for a command
  /// that concerns no single row.
  func effect(on index: FullTextIndex, rowIDs: Set<SQLName>) -> Set<Effect>? {
    switch verb {
    case .insert, .replace: effectOfInsert(on: index, rowIDs: rowIDs)
    case .delete: Self.isRow(rest, rowIDs: rowIDs) ? [.removes] : nil
    case .update: effectOfUpdate(on: index, rowIDs: rowIDs)
    }
  }

  private func effectOfInsert(on index: FullTextIndex, rowIDs: Set<SQLName>) -> Set<Effect>? {
    guard let (columns, afterColumns) = Self.list(rest[...]), afterColumns.first?.isKeyword("VALUES") == true,
      let (values, end) = Self.list(afterColumns.dropFirst()), end.isEmpty, columns.count == values.count
    else { return nil }
    var pairs: [SQLName: [SQLToken]] = [:]
    for (column, value) in zip(columns, values) {
      guard column.count == 1, let name = column[0].name else { return nil }
      pairs[name] = value
    }
    var row: SQLName = "new"
    if let command = pairs.removeValue(forKey: index.name) {
      guard command.count == 1, command[0].kind == .string else { return nil }
      guard command[0].unquotedText == "delete" else { return [] }
      row = "old"
    }
    let (numbers, texts) = (pairs.filter { rowIDs.contains($0.key) && !index.has($0.key) }, pairs)
    guard numbers.count == 1, numbers.values.allSatisfy({ Self.isColumn($0, of: row, rowIDs) }),
      index.columns.allSatisfy({ column in
        texts[column.name].map { Self.isColumn($0, of: row, [column.name]) } ?? !column.isIndexed
      })
    else { return nil }
    return row == "old" ? [.removes] : verb == .replace ? [.adds, .removes] : [.adds]
  }

  private func effectOfUpdate(on index: FullTextIndex, rowIDs: Set<SQLName>) -> Set<Effect>? {
    guard rest.first?.isKeyword("SET") == true, let place = rest.firstIndex(where: { $0.isKeyword("WHERE") }),
      Self.isRow(Array(rest[place...]), rowIDs: rowIDs)
    else { return nil }
    var written: Set<SQLName> = []
    for assignment in rest[1..<place].split(whereSeparator: { $0.isSymbol(",") }) {
      let tokens = Array(assignment)
      guard tokens.count == 5, let name = tokens[0].name, tokens[1].isSymbol("="),
        Self.isColumn(Array(tokens[2...]), of: "new", rowIDs.contains(name) ? rowIDs : [name])
      else { return nil }
      written.insert(name)
    }
    let isWhole = index.columns.allSatisfy { !$0.isIndexed || written.contains($0.name) }
    return isWhole ? [.adds, .removes] : nil
  }

  /// True if a clause says WHERE rowid = old.rowid.
  private static func isRow(_ tokens: [SQLToken], rowIDs: Set<SQLName>) -> Bool {
    guard tokens.count == 6, tokens[0].isKeyword("WHERE"), let name = tokens[1].name, rowIDs.contains(name),
      tokens[2].isSymbol("=")
    else { return false }
    let value = Array(tokens[3...])
    return isColumn(value, of: "old", rowIDs) || isColumn(value, of: "new", rowIDs)
  }

  /// True if an expression is one of some columns of the old or the new row, as it is.
  private static func isColumn(_ tokens: [SQLToken], of row: SQLName, _ names: Set<SQLName>) -> Bool {
    tokens.count == 3 && tokens[0].name == row && tokens[1].isSymbol(".") && tokens[2].name.map(names.contains) == true
  }

  /// Splits the contents of parentheses at the commas, and returns them with the tokens that follow.
  private static func list(_ tokens: ArraySlice<SQLToken>) -> ([[SQLToken]], ArraySlice<SQLToken>)? {
    guard let first = tokens.first, first.isSymbol("("),
      let end = SQLToken.closers(in: tokens)[tokens.startIndex]
    else { return nil }
    var parts: [[SQLToken]] = [[]]
    var depth = 0
    for token in tokens[(tokens.startIndex + 1)..<end] {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth == 0, token.isSymbol(",") { parts.append([]) } else { parts[parts.count - 1].append(token) }
    }
    return (parts, tokens[(end + 1)...])
  }
}

extension FullTextIndex {
  fileprivate func has(_ column: SQLName) -> Bool { columns.contains { $0.name == column } }
}
