import SchemaKit

/// Finds foreign keys whose children SQLite can find only by reading the whole table.
struct ForeignKeyIndexRule: LintRule {
  let code = LintCode.foreignKeyIndex
  let severity = Finding.Severity.warning
  let title = "foreign key without an index"
  let reason = "whenever a parent row goes or gets another key, SQLite reads the whole child table to find its children"
  let remedy = "make an index that begins with the columns of the key"
  let page = "https://sqlite.org/foreignkeys.html#fk_indexes"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      var seen: Set<[SQLName]> = []
      return table.foreignKeys.filter { key in
        seen.insert(key.columns).inserted && !isIndexed(key, of: table, in: subject)
      }.map { finding(for: $0, of: table, in: subject) }
    }
  }

  private func isIndexed(_ key: ForeignKeySchema, of table: TableSchema, in subject: LintSubject) -> Bool {
    // Without a parent SQLite rejects every write; another rule reports that.
    guard let parent = subject.schema.table(key.parent) else { return true }
    let collations = self.collations(of: key, parent: parent, in: subject)
    let columns = Set(key.columns)
    return subject.lookups(of: table).contains { lookup in
      let terms = lookup.terms.prefix(columns.count)
      let isCovered = Set(terms.map(\.column)) == Set(columns.map { Optional($0) })
      // At most one row has the values of a unique key, so the other columns need not be looked up.
      let isUniquePart = lookup.isUnique && lookup.terms.allSatisfy { $0.column.map { columns.contains($0) } ?? false }
      guard isCovered || isUniquePart, isOfUse(lookup.predicate, for: columns) else { return false }
      // Keys compare as the parent's columns do, so an index with another collation does not help.
      return terms.allSatisfy { term in term.column.map { collations[$0] == term.collation } ?? false }
    }
  }

  private func collations(
    of key: ForeignKeySchema, parent: TableSchema, in subject: LintSubject
  ) -> [SQLName: SQLName?] {
    Dictionary(
      zip(key.columns, subject.parentColumns(of: key)).map { ($0, parent.column($1)?.collation) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A partial index is good enough if it leaves out only NULLs, which refer to nothing.
  private func isOfUse(_ predicate: CanonicalSQL?, for columns: Set<SQLName>) -> Bool {
    guard let predicate else { return true }
    return columns.contains { ["\($0.folded) is not null", "\($0.folded) notnull"].contains(predicate.key) }
  }

  private func finding(for key: ForeignKeySchema, of table: TableSchema, in subject: LintSubject) -> Finding {
    let parent = subject.schema.table(key.parent)
    let collations = parent.map { self.collations(of: key, parent: $0, in: subject) } ?? [:]
    let terms = key.columns.map { column in
      let wanted = collations[column] ?? nil
      let collation = wanted == table.column(column)?.collation ? "" : " COLLATE \((wanted ?? "BINARY").quotedIfNeeded)"
      return column.quotedIfNeeded + collation
    }.joined(separator: ", ")
    let name = subject.freeName("\(table.name)_by_\(key.columns.map(\.text).joined(separator: "_"))")
    let columns = key.columns.commaSeparated
    return self.finding(
      on: .column, key.columns[0], of: table.name, at: subject.offset(of: key, in: table.name),
      message:
        "\(table.name.quotedIfNeeded) (\(columns)) refers to \(key.parent.quotedIfNeeded) and no index serves it: "
        + "whenever a row of \(key.parent.quotedIfNeeded) is deleted or gets another key, SQLite reads all of "
        + "\(table.name.quotedIfNeeded).",
      fix: "Make an index that begins with \(columns).",
      sql: ["CREATE INDEX \(name.quotedIfNeeded) ON \(table.name.quotedIfNeeded) (\(terms));"])
  }
}
