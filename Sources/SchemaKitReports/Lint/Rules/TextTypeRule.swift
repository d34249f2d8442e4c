import SchemaKit

/// Finds types that promise text but turn text into numbers.
struct TextTypeRule: LintRule {
  let code = LintCode.textType
  let severity = Finding.Severity.warning
  let title = "type for texts that makes numbers of them"
  let reason =
    "SQLite does not know `STRING`, `UUID` or `JSON` and gives them NUMERIC affinity: '007' is stored as 7, and '1e3' as 1000"
  let remedy = "write `TEXT`"
  let page = "https://sqlite.org/datatype3.html#determination_of_column_affinity"

  // Types whose values never look like numbers, such as URL, do no harm.
  private static let textTypes: Set<String> = [
    "STRING", "STR", "UUID", "GUID", "JSON", "UNICODE", "ENUM", "PASSWORD", "PHONE", "ZIP", "ZIPCODE", "HASH",
  ]

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.filter { !$0.isStrict }.flatMap { table in
      table.columns.filter { $0.affinity == .numeric && $0.typeWords.contains { Self.textTypes.contains($0) } }.map {
        column in
        finding(
          on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
          message: "\(table.name.dotted(column.name)) is \(column.type ?? ""), which SQLite takes for NUMERIC: a text "
            + "that looks like a number is stored as one, so that '007' becomes 7.",
          fix: "Declare it TEXT.")
      }
    }
  }
}
