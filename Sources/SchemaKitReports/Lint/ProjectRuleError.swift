package import SchemaKit

/// A rule of a project that cannot be used.
package struct ProjectRuleError: Error, Sendable, Hashable {
  /// The reason, as data.
  package enum Reason: Sendable, Hashable {
    case missing(ProjectRule.Field)
    case invalidID(String)
    case reservedID(String)
    /// Another rule has the id, on a line that is known or not.
    case repeatedID(line: Int?)
    case unknownLevel(String)
    case unclosedBrace
    case invalidPage(String)
    case noStatement
    case severalStatements(Int)
    /// A statement that begins with another word than a query does.
    case notAQuery(String)
    /// SQLite's message.
    case invalidSQL(String)
    /// SQLite's message about a name that is missing, and the tables that the query names.
    case missingName(String, among: [RuleTable])
    case refused(QueryRefusal)
    case noObject(columns: [String])
    case unknownPlaceholder(String, columns: [String])
  }

  /// The id of the rule; nil where it has none that can be used.
  package var rule: String?
  /// The part that is wrong; nil where one is missing.
  package var field: ProjectRule.Field?
  package var reason: Reason

  package init(rule: String?, field: ProjectRule.Field?, reason: Reason) {
    self.rule = rule
    self.field = field
    self.reason = reason
  }
}

extension ProjectRuleError: CustomStringConvertible {
  /// The rule, the problem and the way out, in a sentence.
  package var description: String { "\(rule.map { "rule \($0)" } ?? "a rule"): \(problem)" }

  private var problem: String {
    switch reason {
    case .missing(let field): "\(field.rawValue) is missing; \(Self.advice(on: field))."
    case .invalidID(let id):
      "the id \"\(id)\" is not a name: write a letter, then up to 63 letters, digits, hyphens and underscores."
    case .reservedID(let id):
      "the id \"\(id)\" looks like a code of schemactl, which begins with S, a letter and a digit; choose another one."
    case .repeatedID(let line):
      "another rule has this id\(line.map { ", on line \($0)" } ?? ""); give each its own."
    case .unknownLevel(let level):
      "level cannot be \"\(level)\"; \(NearestName.hint(for: level, among: Finding.Severity.allCases.map(\.rawValue)))"
    case .unclosedBrace:
      "sentence has a brace that is not closed, or nothing in it: write {object}, or {{ and }} for the braces themselves."
    case .invalidPage(let page): "page takes an address that begins with https://, and not \"\(page)\"."
    case .noStatement: "select is empty; write one SELECT."
    case .severalStatements(let count):
      "select holds \(count) statements; write one SELECT, and another rule for another question."
    case .notAQuery(let word): "select begins with \(word); write a SELECT, which only reads."
    case .invalidSQL(let message): "SQLite cannot run its select: \(message)."
    case .missingName(let message, let tables): "SQLite cannot run its select: \(message). \(Self.contents(of: tables))"
    case .refused(let refusal): Self.words(for: refusal)
    case .noObject(let columns):
      "select gives no column called object, which says what a finding is about; it gives \(Wording.list(columns)). Write "
        + "SELECT name AS object, for example."
    case .unknownPlaceholder(let name, let columns):
      "sentence has {\(name)}, and select gives no such column: it gives \(Wording.list(columns)). Add it there, or take it out."
    }
  }

  /// The columns of a few tables, or the names of all.
  private static func contents(of tables: [RuleTable]) -> String {
    guard tables.count < 4 else { return "The tables are \(Wording.list(tables.map(\.rawValue)))." }
    return tables.map { "\($0.rawValue) has \(Wording.list($0.columns.map(\.name)))." }.joined(separator: " ")
  }

  private static func advice(on field: ProjectRule.Field) -> String {
    switch field {
    case .id: "give the rule a name, such as id = \"keyed-tables\""
    case .level: "write level = \"warning\", or error or note"
    case .sentence: "say what was found, such as sentence = \"Table {object} has no primary key.\""
    case .select: "write the query of which each row is a finding, with a column called object"
    case .title, .fix, .page: "write it, or leave it out"
    }
  }

  private static var endlessness: String {
    let allowance = QueryAllowance()
    return "select does not end: it was stopped after \(Wording.number(allowance.operations)) operations of SQLite, or "
      + "\(allowance.duration.components.seconds) seconds. Give its recursion an end, or join its tables by their keys."
  }

  private static func words(for refusal: QueryRefusal) -> String {
    switch refusal {
    case .doesMore: "select does more than read, which a rule cannot; write a SELECT alone."
    case .readsCatalog(let name):
      "select reads \(name), or a function about it such as pragma_table_info, which do not know the schema that is "
        + "examined. \(contents(of: RuleTable.allCases))"
    case .takesValues: "select takes a value from outside (?, :name, @name or $name); write the value itself."
    case .goesOn: Self.endlessness
    case .tooManyRows(let count):
      "select gives more than \(Wording.number(count)) rows; let it find what is wrong, and not all there is."
    }
  }
}
