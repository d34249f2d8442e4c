import SchemaKit

/// Finds types that are INTEGER only because they contain the letters INT.
struct IntegerTypeRule: LintRule {
  let code = LintCode.integerType
  let severity = Finding.Severity.warning
  let title = "type that is INTEGER by accident"
  let reason =
    "the letters INT anywhere in a type give it INTEGER affinity, as in `INTERVAL` and `FLOATING POINT`: the text '007' is stored as 7"
  let remedy = "write `TEXT`, `REAL` or `BLOB`"
  let page = "https://sqlite.org/datatype3.html#determination_of_column_affinity"

  /// Geometry types, which are BLOBs and are stored unchanged.
  private static let geometries: Set<String> = ["POINT", "POINTZ", "POINTM", "POINTZM", "MULTIPOINT", "MULTIPOINTZ"]
  private static let stems = ["INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "LONGINT", "BYTEINT"]

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.filter { !$0.isStrict }.flatMap { table in
      table.columns.filter { $0.affinity == .integer && !isInteger($0) }.map { column in
        finding(
          on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
          message:
            "\(table.name.dotted(column.name)) is \(column.type ?? ""), which SQLite takes for INTEGER because the "
            + "letters INT stand in it: a text that looks like a number is stored as one.",
          fix: "Declare it TEXT, REAL or BLOB, whichever its values are.")
      }
    }
  }

  /// True if a word of the type means an integer, or the type has no texts.
  private func isInteger(_ column: ColumnSchema) -> Bool {
    if column.typeWords.count == 1, Self.geometries.contains(column.typeWords[0]) { return true }
    return column.typeWords.contains { word in
      let letters = word.filter { !$0.isNumber }
      return Self.stems.contains { letters == $0 || letters == "U\($0)" }
    }
  }
}
