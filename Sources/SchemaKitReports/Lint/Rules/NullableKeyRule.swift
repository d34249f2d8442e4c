import SchemaKit

/// Finds columns of a primary key that accept NULL.
struct NullableKeyRule: LintRule {
  let code = LintCode.nullableKey
  let severity = Finding.Severity.warning
  let title = "primary key that accepts NULL"
  let reason = "SQLite takes NULL in the key of an ordinary table, any number of times, unless the column says NOT NULL"
  let remedy = "add NOT NULL to the columns of the key"
  let page = "https://sqlite.org/quirks.html#primary_keys_can_sometimes_contain_nulls"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.compactMap { table in
      guard let key = table.primaryKey, !key.isRowIDAlias, IntegerKeyRule.column(of: table) == nil else { return nil }
      let names = key.columns.map(\.name).filter { table.column($0)?.isNotNull == false }
      guard let first = names.first else { return nil }
      let part = names.count == key.columns.count ? "the primary key" : "part of the primary key"
      let verb = names.count == 1 ? "is \(part) and accepts" : "are \(part) and accept"
      return finding(
        on: .column, first, of: table.name, at: subject.offset(of: first, in: table.name),
        message: "\(table.name.quotedIfNeeded) (\(names.commaSeparated)) \(verb) NULL, any number of times: SQLite "
          + "checks it only where NOT NULL is said.",
        fix: "Add NOT NULL to \(names.commaSeparated).")
    }
  }
}
