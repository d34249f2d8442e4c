import OrderedCollections
import SchemaKit

/// Finds names that are keywords, and mean something else without quotes.
struct KeywordNameRule: LintRule {
  let code = LintCode.keywordName
  let severity = Finding.Severity.note
  let title = "name that is a keyword"
  let reason =
    "everybody who writes SQL against it has to put it in quotes; `current_date` and `true` give another value where they are forgotten"
  let remedy = "choose another name while nobody uses it"
  let page = "https://sqlite.org/lang_keywords.html"

  private static let values: Set<String> = ["current_date", "current_time", "current_timestamp", "true", "false"]

  func findings(in subject: LintSubject) -> [Finding] {
    let views = subject.schema.views.keys.filter(isTaken).map { name in
      finding(on: .view, name, message: message("View \(name.text)", name), fix: fix)
    }
    return subject.tables.flatMap { table in
      let own =
        isTaken(table.name)
        ? [finding(table.name, message: message("Table \(table.name.text)", table.name), fix: fix)] : []
      return own
        + table.columns.map(\.name).filter(isTaken).map { name in
          finding(
            on: .column, name, of: table.name, at: subject.offset(of: name, in: table.name),
            message: message("Column \(name.text) of \(table.name.quotedIfNeeded)", name), fix: fix)
        }
    } + views
  }

  private let fix = "Choose another name while nobody uses it, or keep it in quotes."

  private func isTaken(_ name: SQLName) -> Bool {
    SQLKeywords.isReserved(name.text) || Self.values.contains(name.folded)
  }

  private func message(_ object: String, _ name: SQLName) -> String {
    Self.values.contains(name.folded)
      ? "\(object) bears the name of a value: without quotes, \(name.text) is that value and not what is stored."
      : "\(object) bears the name of a keyword: without quotes, \(name.text) is a syntax error."
  }
}
