import OrderedCollections

/// Follows tables and columns through the ALTER statements of a step, to determine their names before it.
///
/// A table that is created and takes the name of one that the step dropped counts as that one: this is how tables are
/// changed where ALTER TABLE cannot do it. See
/// [other kinds of changes](https://sqlite.org/lang_altertable.html#otheralter).
struct NameTracker {
  private struct Tracked {
    /// The name before the step; nil if the step created the table.
    var former: SQLName?
    /// The former names of renamed columns, by their current ones.
    var columns: [SQLName: SQLName] = [:]
  }

  private var tables: [SQLName: Tracked]
  private var dropped: [SQLName: Tracked] = [:]

  /// Starts with the schema before the step.
  init(_ schema: DatabaseSchema) {
    tables = Dictionary(uniqueKeysWithValues: schema.tables.keys.map { ($0, Tracked(former: $0)) })
  }

  /// Follows a statement that has run.
  mutating func follow(_ tokens: [SQLToken]) {
    guard tokens.count > 3, let verb = tokens.first, tokens[1].isKeyword("TABLE") else { return }
    var rest = tokens.dropFirst(2)
    if verb.isKeyword("DROP"), rest.starts(with: ["IF", "EXISTS"], by: { $0.isKeyword($1) }) {
      rest = rest.dropFirst(2)
    }
    if rest.count > 2, rest[rest.startIndex + 1].isSymbol(".") { rest = rest.dropFirst(2) }
    guard let name = rest.first?.name else { return }
    rest = rest.dropFirst()
    if verb.isKeyword("DROP") {
      dropped[name] = tables.removeValue(forKey: name) ?? Tracked()
    } else if verb.isKeyword("ALTER"), rest.first?.isKeyword("RENAME") == true {
      rename(name, Array(rest.dropFirst()))
    }
  }

  private mutating func rename(_ table: SQLName, _ words: [SQLToken]) {
    if words.count == 2, words[0].isKeyword("TO"), let new = words[1].name {
      var entry = tables.removeValue(forKey: table) ?? Tracked()
      if entry.former == nil, let gone = dropped[new] { entry.former = gone.former }
      tables[new] = entry
      return
    }
    let pair = words.first?.isKeyword("COLUMN") == true && words.count == 4 ? Array(words.dropFirst()) : words
    guard pair.count == 3, pair[1].isKeyword("TO"), let old = pair[0].name, let new = pair[2].name else { return }
    let former = tables[table]?.columns.removeValue(forKey: old) ?? old
    tables[table, default: Tracked()].columns[new] = former
  }

  /// The renames between the schemas before and after the step, each as `OLD=NEW`.
  func renames(to schema: DatabaseSchema) -> [String] {
    tables.sorted { $0.key < $1.key }.flatMap { name, table -> [String] in
      guard let former = table.former, schema.tables[name] != nil else { return [] }
      let own = former == name ? [] : ["\(former.quotedIfNeeded)=\(name.quotedIfNeeded)"]
      return own
        + table.columns.sorted { $0.key < $1.key }.filter { $0.key != $0.value }.map { new, old in
          "\(former.quotedIfNeeded).\(old.quotedIfNeeded)=\(name.quotedIfNeeded).\(new.quotedIfNeeded)"
        }
    }
  }
}
