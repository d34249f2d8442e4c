import SchemaKit

/// Finds words in a type that were meant as a constraint.
struct ConstraintInTypeRule: LintRule {
  let code = LintCode.constraintInType
  let severity = Finding.Severity.warning
  let title = "constraint that became part of a type"
  let reason =
    "SQLite takes any words behind a column's name for its type, so that `NOT_NULL`, `AUTO_INCREMENT` and `PRIMARYKEY` ask for nothing"
  let remedy = "write `NOT NULL`, `INTEGER PRIMARY KEY` or `PRIMARY KEY`"
  let page = "https://sqlite.org/datatype3.html#determination_of_column_affinity"

  /// The words without what joins them, and what they stand for.
  private static let meanings = [
    "NOTNULL": "NOT NULL", "NONNULL": "NOT NULL", "NULLABLE": "nothing, since a column takes NULL by itself",
    "AUTOINCREMENT": "INTEGER PRIMARY KEY", "AUTOINC": "INTEGER PRIMARY KEY", "IDENTITY": "INTEGER PRIMARY KEY",
    "PRIMARYKEY": "PRIMARY KEY", "UNIQUEKEY": "UNIQUE", "UNIQUE": "UNIQUE", "FOREIGNKEY": "REFERENCES",
    "REFERENCE": "REFERENCES", "INCREMENT": "INTEGER PRIMARY KEY",
  ]

  /// Words with something behind them without a space.
  private static let beginnings = [
    "PRIMARYKEY": "PRIMARY KEY", "REFERENCES": "REFERENCES", "COLLATE": "COLLATE", "DEFAULT": "DEFAULT",
  ]

  private static func meaning(_ word: Substring) -> String? {
    let letters = word.uppercased().filter(\.isLetter)
    return meanings[letters] ?? beginnings.first { letters.hasPrefix($0.key) }?.value
  }

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.columns.compactMap { column in
        let words = (column.type ?? "").split { $0.isWhitespace || $0 == "(" }
        let found = words.lazy.compactMap { word in Self.meaning(word).map { (word, $0) } }.first
        guard let (word, meaning) = found else { return nil }
        return finding(
          on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
          message: "\(table.name.dotted(column.name)) has \(word) in its type, where it asks for nothing.",
          fix: "Write \(meaning).")
      }
    }
  }
}
