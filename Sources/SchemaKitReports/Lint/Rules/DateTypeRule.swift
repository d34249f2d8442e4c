import SchemaKit

/// Finds date, time and Boolean types, none of which SQLite has.
struct DateTypeRule: LintRule {
  let code = LintCode.dateType
  let severity = Finding.Severity.note
  let title = "type for dates or truth values that SQLite does not have"
  let reason =
    "`DATE`, `DATETIME`, `TIMESTAMP` and `BOOLEAN` have NUMERIC affinity: '2025' and '20250101' are stored as numbers, 'true' as a text, and nothing is checked"
  let remedy = "write `TEXT` for dates as texts, `INTEGER` for seconds and for 0 and 1"
  let page = "https://sqlite.org/datatype3.html#date_and_time_datatype"

  private static let dates: Set<String> = ["DATE", "DATETIME", "TIMESTAMP", "TIMESTAMPTZ", "TIME"]
  private static let truths: Set<String> = ["BOOLEAN", "BOOL"]

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.filter { !$0.isStrict }.flatMap { table in
      table.columns.compactMap { column in
        guard column.affinity == .numeric else { return nil }
        let isDate = column.typeWords.contains { Self.dates.contains($0) }
        guard isDate || column.typeWords.contains(where: { Self.truths.contains($0) }) else { return nil }
        let surprise =
          isDate
          ? "'2025' and '20250101' become numbers, other texts stay texts" : "'true' stays a text, which is not true"
        return finding(
          on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
          message:
            "\(table.name.dotted(column.name)) is \(column.type ?? ""), which SQLite takes for NUMERIC: \(surprise).",
          fix: isDate
            ? "Declare it TEXT or INTEGER."
            : "Declare it INTEGER, with CHECK (\(column.name.quotedIfNeeded) IN (0, 1)).")
      }
    }
  }
}
