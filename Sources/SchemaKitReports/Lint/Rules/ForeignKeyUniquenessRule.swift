import SchemaKit

/// Finds foreign keys to columns that may hold a value twice.
struct ForeignKeyUniquenessRule: LintRule {
  let code = LintCode.foreignKeyUniqueness
  let severity = Finding.Severity.error
  let title = "foreign key to columns that are not unique"
  let reason = "SQLite calls it a foreign key mismatch and refuses writes to both tables once foreign keys are checked"
  let remedy = "make the parent's columns PRIMARY KEY or UNIQUE, with the collations of the columns"
  let page = "https://sqlite.org/foreignkeys.html#fk_indexes"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.foreignKeys.compactMap { key in
        guard let parent = subject.schema.table(key.parent), !key.parentColumns.isEmpty,
          key.parentColumns.allSatisfy({ parent.column($0) != nil }), !isUnique(key.parentColumns, in: parent, subject)
        else { return nil }
        let columns = key.parentColumns.commaSeparated
        let name = subject.freeName("\(parent.name)_\(key.parentColumns.map(\.text).joined(separator: "_"))_unique")
        return finding(
          on: .column, key.columns[0], of: table.name, at: subject.offset(of: key, in: table.name),
          message: "\(table.name.quotedIfNeeded) (\(key.columns.commaSeparated)) refers to "
            + "\(parent.name.quotedIfNeeded) (\(columns)), which neither a key nor a whole UNIQUE index makes unique. "
            + "SQLite says \"foreign key mismatch\" to every write that has to be checked.",
          fix: "Make \(columns) UNIQUE in \(parent.name.quotedIfNeeded).",
          sql: ["CREATE UNIQUE INDEX \(name.quotedIfNeeded) ON \(parent.name.quotedIfNeeded) (\(columns));"])
      }
    }
  }

  private func isUnique(_ columns: [SQLName], in parent: TableSchema, _ subject: LintSubject) -> Bool {
    if columns.count == 1, parent.rowIDAlias?.name == columns[0] { return true }
    return subject.lookups(of: parent).contains { lookup in
      lookup.isUnique && lookup.predicate == nil && lookup.terms.count == columns.count
        && Set(lookup.terms.map(\.column)) == Set(columns.map { Optional($0) })
        && lookup.terms.allSatisfy { term in
          term.column.map { term.collation == parent.column($0)?.collation } ?? false
        }
    }
  }
}
