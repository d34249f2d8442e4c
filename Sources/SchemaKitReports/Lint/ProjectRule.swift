import OrderedCollections
import SchemaKit

/// A rule for schemas that a project has of its own: a query over `RuleTable`, of which each row is a finding.
package struct ProjectRule: Sendable, Hashable {
  /// A part of a rule, by its name in a file of settings.
  package enum Field: String, Sendable, CaseIterable {
    case id, level, sentence, select, title, fix, page

    package var isRequired: Bool {
      switch self {
      case .id, .level, .sentence, .select: true
      case .title, .fix, .page: false
      }
    }
  }

  package let id: String
  package let severity: Finding.Severity
  let title: String
  let sentence: RuleSentence
  let select: String
  let fix: String
  let page: String

  /// Makes a rule of texts.
  ///
  /// - Throws: `ProjectRuleError` for everything that can be seen without a schema.
  package init(_ texts: [Field: String]) throws(ProjectRuleError) {
    func text(_ field: Field) throws(ProjectRuleError) -> String {
      guard let text = texts[field] else {
        throw ProjectRuleError(rule: texts[.id], field: nil, reason: .missing(field))
      }
      return String(text[...].trimmed)
    }
    let id = try text(.id)
    guard ProjectRuleID.isValid(id) else { throw ProjectRuleError(rule: nil, field: .id, reason: .invalidID(id)) }
    guard !ProjectRuleID.isReserved(id) else { throw ProjectRuleError(rule: nil, field: .id, reason: .reservedID(id)) }
    func failure(_ field: Field, _ reason: ProjectRuleError.Reason) -> ProjectRuleError {
      ProjectRuleError(rule: id, field: field, reason: reason)
    }
    let level = try text(.level)
    guard let severity = Finding.Severity(rawValue: level) else { throw failure(.level, .unknownLevel(level)) }
    guard let sentence = try RuleSentence(text(.sentence)) else { throw failure(.sentence, .unclosedBrace) }
    let select = try text(.select)
    if let reason = Self.rejection(of: select) { throw failure(.select, reason) }
    if let page = texts[.page], !page.hasPrefix("https://") { throw failure(.page, .invalidPage(page)) }
    self.id = id
    self.severity = severity
    self.sentence = sentence
    self.select = select
    title = (texts[.title] ?? "rule of this project").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    fix = String(
      (texts[.fix] ?? "Change the schema, or pass the finding over with --skip \(id):OBJECT.")[...].trimmed)
    page = texts[.page] ?? "https://sqlite.org/lang_select.html"
  }

  /// The reason why a text is not one query; nil if it may be one.
  private static func rejection(of sql: String) -> ProjectRuleError.Reason? {
    let statements: [ScriptStatement]
    do {
      statements = try SQLScript.statements(in: sql)
    } catch {
      return .invalidSQL(error.message)
    }
    guard let statement = statements.first, let first = statement.tokens.first else { return .noStatement }
    guard statements.count == 1 else { return .severalStatements(statements.count) }
    let verbs = ["SELECT", "WITH", "VALUES"]
    return verbs.contains { first.isKeyword($0) } ? nil : .notAQuery(first.text.uppercased())
  }
}

extension ProjectRule {
  /// The findings of some rules in a schema, rule by rule.
  ///
  /// *Cost:* writes the schema into a database in memory, once for all rules.
  static func findings(
    of rules: [ProjectRule], in subject: LintSubject, within allowance: QueryAllowance
  ) throws -> [Finding] {
    guard !rules.isEmpty else { return [] }
    let database = try RuleTable.database(of: subject)
    return try rules.flatMap { try $0.findings(in: subject, database, within: allowance) }
  }

  private func findings(
    in subject: LintSubject, _ database: SQLiteConnection, within allowance: QueryAllowance
  ) throws -> [Finding] {
    func failure(_ field: Field, _ reason: ProjectRuleError.Reason) -> ProjectRuleError {
      ProjectRuleError(rule: id, field: field, reason: reason)
    }
    let result: NamedRows
    do {
      result = try database.confinedRows(select, within: allowance)
    } catch let refusal as QueryRefusal {
      throw failure(.select, .refused(refusal))
    } catch let error as SQLiteError {
      throw failure(
        .select, error.isMissingName ? .missingName(error.message, among: named) : .invalidSQL(error.message))
    }
    let columns = result.columns.map { SQLName($0) }
    guard let object = columns.firstIndex(of: "object") else {
      throw failure(.select, .noObject(columns: result.columns))
    }
    if let placeholder = sentence.placeholders.first(where: { !columns.contains($0) }) {
      throw failure(.sentence, .unknownPlaceholder(placeholder.text, columns: result.columns))
    }
    let column = columns.firstIndex(of: "column")
    var seen: Set<Finding> = []
    return result.rows.map { row in
      let place = subject.place(of: Self.name(row[object]), column: column.flatMap { Self.name(row[$0]) })
      let message = sentence.filled { name in columns.firstIndex(of: name).map { Self.text(of: row[$0]) } ?? "" }
      var finding = Finding(
        code: id, severity: severity, title: title, kind: place.kind, table: place.table,
        message: message.isEmpty ? title : message, fix: fix, page: page)
      finding.member = place.member
      finding.offset = place.offset
      return finding
    }.filter { seen.insert($0).inserted }
  }

  /// The tables that the query names; all of them if it names none that there is.
  private var named: [RuleTable] {
    let names = Set(((try? SQLLexer.tokens(of: select)) ?? []).compactMap(\.name))
    let tables = RuleTable.allCases.filter { names.contains(SQLName($0.rawValue)) }
    return tables.isEmpty ? RuleTable.allCases : tables
  }

  private static func name(_ value: SQLValue) -> SQLName? { value == .null ? nil : SQLName(text(of: value)) }

  /// A value as it stands in a sentence.
  private static func text(of value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}

extension LintSubject {
  /// The place of a finding in the schema.
  fileprivate struct Place {
    var kind: Finding.Kind
    var table: SQLName?
    var member: SQLName?
    var offset: Int?
  }

  /// Finds what a rule names: a table, view, index or trigger, in this order; a name that nothing has stands for a table
  /// that is missing.
  fileprivate func place(of object: SQLName?, column: SQLName?) -> Place {
    guard let object else { return Place(kind: .file) }
    if let table = schema.tables[object], let column = column.flatMap({ table.column($0) }) {
      return Place(
        kind: .column, table: table.name, member: column.name, offset: offset(of: column.name, in: table.name))
    }
    if let table = schema.tables[object]?.name ?? schema.virtualTables[object]?.name {
      return Place(kind: .table, table: table)
    }
    if let view = schema.views[object] { return Place(kind: .view, table: view.name) }
    if let index = schema.indexes[object] { return Place(kind: .index, table: index.table, member: index.name) }
    if let trigger = schema.triggers[object] {
      return Place(kind: .trigger, table: trigger.table, member: trigger.name)
    }
    return Place(kind: .table, table: object)
  }
}
