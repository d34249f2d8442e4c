/// Judges a migration with SQLite's own pragmas and nothing of the product, so that the two cannot share a mistake.
package enum SchemaOracle {
  /// The differences between a file's schema and a fresh database made from the target; none when they are the same.
  package static func sameSchema(file: RawSQLite, targetDDL: [String]) throws -> [String] {
    let target = try RawSQLite()
    for sql in targetDDL { try target.exec(sql) }
    let (actual, expected) = (try checkResults(of: file), try checkResults(of: target))
    let missing = expected.subtracting(actual).sorted().map { "missing: " + $0 }
    let extra = actual.subtracting(expected).sorted().map { "unexpected: " + $0 }
    return missing + extra
  }

  /// What integrity_check reports besides "ok", and values that NOT NULL or STRICT forbid.
  ///
  /// SQLite 3.40 reads the wrong column of a WITHOUT ROWID table whose key isn't first and reports sound values
  /// ("NULL value in t.c"), so these reports are replaced by questions in plain SQL.
  package static func integrityProblems(of file: RawSQLite) throws -> [String] {
    let reported = try file.rows("PRAGMA integrity_check(1000)").compactMap { $0.first?.string }
    var problems = reported.filter { $0 != "ok" && RawTokens($0).count(of: "value", "in") == 0 }
    // Before 3.37 there are no STRICT tables, and no pragma that lists tables.
    let tables =
      Engine.has(.tableList)
      ? "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
      : "SELECT name, 0 FROM sqlite_master WHERE type = 'table'"
    for table in try file.rows(tables) {
      guard let name = table[0].string, !isReserved(name) else { continue }
      var rules: [String] = []
      for column in try file.rows("PRAGMA main.table_xinfo(\(quoted(name)))") {
        let shown = quoted(column[1].string ?? "")
        let type = asciiFolded(column[2].string ?? "")
        if column[3] != .int(0) { rules.append("\(shown) IS NULL") }
        let storage = ["int": "integer"][type] ?? type
        if table[1] == .int(1), storage != "any", column[6] != .int(1) {
          rules.append("typeof(\(shown)) NOT IN ('null', '\(storage)')")
        }
      }
      if rules.isEmpty { continue }
      let rule = rules.joined(separator: " OR ")
      let broken = try file.rows("SELECT count(*) FROM main.\(quoted(name)) NOT INDEXED WHERE \(rule)")
      if broken != [[.int(0)]] { problems.append("\(broken) rows of \(name) break one of: \(rule)") }
    }
    return problems
  }

  /// Rows that foreign_key_check reports, as "table(columns) lacks parent". A pair replaces the old names by the new.
  ///
  /// A reference that a table declares twice is one promise: its rows are given once.
  package static func orphans(in file: RawSQLite, renamedBy pair: SchemaPair? = nil) throws -> [String] {
    var declarations: [String: [RawValue: [String]]] = [:]
    for row in try file.rows("PRAGMA foreign_key_check") {
      let table = row[0].string ?? ""
      let key = "pragma_foreign_key_list(\(RawValue.text(table))) WHERE id = \(row[3]) ORDER BY seq"
      let columns = try file.rows("SELECT \"from\" FROM \(key)").map {
        pair?.heir(of: $0[0].string ?? "", in: table) ?? asciiFolded($0[0].string ?? "")
      }
      let names = [table, row[2].string ?? ""].map { name in
        pair?.foldedTableMap[asciiFolded(name)] ?? asciiFolded(name)
      }
      let orphan = "\(names[0]) (\(columns.joined(separator: ", "))) lacks a parent in \(names[1])"
      declarations[orphan, default: [:]][row[3], default: []].append(orphan)
    }
    return declarations.sorted { $0.key < $1.key }.flatMap { $0.value.values.max { $0.count < $1.count } ?? [] }
  }

  /// Orphans of the migrated file that were none before. A reference by other columns is another promise.
  package static func newOrphans(before: RawSQLite, after: RawSQLite, pair: SchemaPair) throws -> [String] {
    var known: [String: Int] = [:]
    for orphan in try orphans(in: before, renamedBy: pair) { known[orphan, default: 0] += 1 }
    return try orphans(in: after).filter { orphan in
      known[orphan, default: 0] -= 1
      return known[orphan, default: 0] < 0
    }
  }

  // MARK: - What a schema is, each part one line of text

  private static func checkResults(of file: RawSQLite) throws -> Set<String> {
    var checkResults: Set<String> = []
    var isShadow: [String: Bool] = [:]
    for row in try file.rows("PRAGMA main.table_list") {
      guard let name = row[1].string, !isReserved(name) else { continue }
      let type = row[2].string ?? ""
      isShadow[name] = type == "shadow"
      if type == "shadow" { continue }
      checkResults.insert("\(type) \(name): without rowid \(row[4]), strict \(row[5])")
      checkResults.formUnion(try columns(of: name, in: file))
      if type == "table" { checkResults.formUnion(try indexes(of: name, in: file)) }
      if type == "table" { checkResults.formUnion(try foreignKeys(of: name, in: file)) }
    }
    let ends = try file.rows("SELECT type, name, tbl_name, sql FROM main.sqlite_master WHERE sql IS NOT NULL")
    for row in ends {
      guard let type = row[0].string, let name = row[1].string, let owner = row[2].string, let sql = row[3].string,
        !isReserved(name), isShadow[name] != true, isShadow[owner] != true
      else { continue }
      let tokens = RawTokens(sql)
      if type == "table" {
        checkResults.formUnion(clauses(in: tokens).map { "table \(name): \($0)" })
      } else {
        // Which collation each term has is compared by itself: that of its column may be spelled or not.
        let whole = tokens.without(["asc"]).text
        let end = whole.firstRange(of: ") where ")?.lowerBound ?? whole.endIndex
        let text = whole[..<end].replacing(/\ collate \w+/, with: "") + whole[end...]
        checkResults.insert(
          "\(type) \(name) on \(asciiFolded(owner)): \(type == "index" ? String(text) : whole)")
      }
    }
    return checkResults
  }

  private static func isReserved(_ name: String) -> Bool {
    asciiFolded(name).hasPrefix("sqlite_") || name.hasPrefix("_schemakit_")
  }

  private static func columns(of table: String, in file: RawSQLite) throws -> [String] {
    guard let rows = try? file.rows("PRAGMA main.table_xinfo(\(quoted(table)))") else { return ["\(table): broken"] }
    // A NULL for the other name of the rowid is always a new number, whether NOT NULL stands there or not.
    let hasKeyIndex = try file.rows("PRAGMA main.index_list(\(quoted(table)))").contains { $0[3] == .text("pk") }
    let hasSingleKey = rows.count { $0[5] != .int(0) } == 1
    let isView = try file.rows("SELECT name FROM sqlite_master WHERE type = 'view'").contains { $0[0] == .text(table) }
    return rows.map { row in
      let isRowID = hasSingleKey && !hasKeyIndex && row[5] != .int(0)
      // With a comment before ALWAYS, SQLite leaves the word GENERATED in the type.
      let words = RawTokens(row[2].string ?? "").without(["generated"]).text
      // A column of a view without a type of its own is called BLOB, but not where such a word was left.
      let type = isView && words == "blob" ? "" : words
      // TRUE and FALSE are other spellings of 1 and 0: https://sqlite.org/lang_expr.html#boolean_expressions
      let spelled = row[4].string.map { RawTokens($0).unwrapped.text } ?? "null"
      let standard = spelled == "true" ? "1" : spelled == "false" ? "0" : spelled
      return
        "\(table).\(row[1]): type \(type), not null \(isRowID ? .int(0) : row[3]), default \(standard), key \(row[5]), hidden \(row[6])"
    }
  }

  private static func indexes(of table: String, in file: RawSQLite) throws -> [String] {
    var seen: [String: Int] = [:]
    for row in try file.rows("PRAGMA main.index_list(\(quoted(table)))") {
      guard let name = row[1].string else { continue }
      let parts = try file.rows("PRAGMA main.index_xinfo(\(quoted(name)))").filter { $0[5] == .int(1) }
      let list = parts.map { "\(asciiFolded($0[2].description)) desc \($0[3]) \(asciiFolded($0[4].description))" }
      let shown = isReserved(name) ? "(automatic)" : name
      seen[
        "index \(shown) of \(table): unique \(row[2]) \(row[3]) partial \(row[4]) (\(list.joined(separator: ", ")))",
        default: 0] += 1
    }
    return seen.map { "\($0.key) times \($0.value)" }
  }

  private static func foreignKeys(of table: String, in file: RawSQLite) throws -> [String] {
    let rows = try file.rows("PRAGMA main.foreign_key_list(\(quoted(table)))")
    return try Dictionary(grouping: rows) { $0[0] }.values.map { group in
      let parent = group[0][2].string ?? ""
      let keys = try file.rows("SELECT name FROM pragma_table_xinfo(\(quoted(parent))) WHERE pk > 0 ORDER BY pk").map {
        $0[0]
      }
      let pairs = group.sorted { ($0[1].integer ?? 0) < ($1[1].integer ?? 0) }.enumerated().map { at, row in
        let implied = at < keys.count ? keys[at] : .null
        return asciiFolded("\(row[3])→\(row[4].isNull ? implied : row[4])")
      }
      return "\(table) references \(asciiFolded(parent)): \(pairs.sorted()) update \(group[0][5]) delete \(group[0][6])"
    }
  }

  /// What pragmas don't tell, taken from the words of CREATE TABLE.
  private static func clauses(in tokens: RawTokens) -> [String] {
    let collations = tokens.words(after: "collate").filter { $0 != "binary" }
    let conflicts = tokens.words(after: "on", "conflict").filter { $0 != "abort" }
    let deferred =
      tokens.count(of: "deferrable", "initially", "deferred")
      - tokens.count(of: "not", "deferrable", "initially", "deferred")
    return [
      "checks \(tokens.groups(after: "check").map(\.text).sorted())",
      "generated \(tokens.groups(after: "as").map(\.text).sorted())",
      "collations \(collations.sorted())",
      "conflicts \(conflicts.sorted())",
      "deferred \(deferred)",
      "autoincrement \(tokens.count(of: "autoincrement"))",
    ]
  }

  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
