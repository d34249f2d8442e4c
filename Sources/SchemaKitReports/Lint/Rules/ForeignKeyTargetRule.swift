import OrderedCollections
import SchemaKit

/// Finds foreign keys whose parent, or a column of it, does not exist.
struct ForeignKeyTargetRule: LintRule {
  let code = LintCode.foreignKeyTarget
  let severity = Finding.Severity.error
  let title = "foreign key to what is missing"
  let reason = "with `foreign_keys` on, SQLite refuses writes to the child, and without it nothing is checked"
  let remedy = "create the parent, or correct the name"
  let page = "https://sqlite.org/foreignkeys.html#fk_schemacommands"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.foreignKeys.compactMap { key in
        guard let problem = problem(of: key, in: subject) else { return nil }
        return finding(
          on: .column, key.columns[0], of: table.name, at: subject.offset(of: key, in: table.name),
          message: "\(table.name.quotedIfNeeded) (\(key.columns.commaSeparated)) refers to "
            + "\(key.parent.quotedIfNeeded), \(problem). SQLite stores the declaration and refuses writes once foreign "
            + "keys are checked.",
          fix: "Create what is missing, or correct the REFERENCES clause.")
      }
    }
  }

  /// The fault of the parent, as a clause after its name; nil if there is none.
  private func problem(of key: ForeignKeySchema, in subject: LintSubject) -> String? {
    guard let parent = subject.schema.table(key.parent) else {
      if subject.schema.views[key.parent] != nil { return "which is a view and cannot be a parent" }
      if subject.schema.virtualTables[key.parent] != nil { return "which is a virtual table and cannot be a parent" }
      return "which does not exist"
    }
    if let missing = key.parentColumns.first(where: { parent.column($0) == nil }) {
      return "which has no column \(missing.quotedIfNeeded)"
    }
    let columns = subject.parentColumns(of: key)
    if columns.isEmpty { return "which has no primary key to refer to" }
    return columns.count == key.columns.count ? nil : "whose primary key has another number of columns"
  }
}
