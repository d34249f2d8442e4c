import OrderedCollections
package import SchemaKit

/// Looks for one kind of mistake in a schema.
///
/// A rule works on values and queries no database: what only SQLite can tell is in the subject.
package protocol LintRule: Sendable {
  /// The permanent code.
  var code: LintCode { get }
  /// The rules of a schema that it belongs to; empty if every schema should keep it.
  var rules: SchemaRules { get }
  var severity: Finding.Severity { get }
  /// The title of a finding, in a few words.
  var title: String { get }
  /// The reason why a finding matters, in a sentence.
  var reason: String { get }
  /// The remedy, in a sentence.
  var remedy: String { get }
  /// The page of sqlite.org that the rule is based on.
  var page: String { get }

  func findings(in subject: LintSubject) -> [Finding]
}

extension LintRule {
  var rules: SchemaRules { [] }

  /// A finding about a table or view as a whole.
  func finding(
    on kind: Finding.Kind = .table, _ table: SQLName, at offset: Int? = nil, message: String, fix: String,
    sql: [String] = []
  ) -> Finding {
    Finding(
      code: code.rawValue, severity: severity, title: title, kind: kind, table: table, message: message, fix: fix,
      fixSQL: sql,
      page: page, offset: offset)
  }

  /// A finding about a column, an index or a trigger.
  func finding(
    on kind: Finding.Kind, _ member: SQLName, of table: SQLName, at offset: Int? = nil, message: String, fix: String,
    sql: [String] = []
  ) -> Finding {
    var finding = finding(on: kind, table, at: offset, message: message, fix: fix, sql: sql)
    finding.member = member
    return finding
  }
}

/// All rules.
package enum LintRules {
  /// The rules in the order of their codes.
  package static let all: [any LintRule] = LintCode.allCases.map(\.rule)

  /// The findings of all rules, table by table in the order of the schema.
  package static func findings(in subject: LintSubject) -> [Finding] {
    let found = all.filter { subject.rules.isSuperset(of: $0.rules) }.flatMap { $0.findings(in: subject) }
    return inOrder(found, of: subject.schema)
  }

  /// Findings table by table in the order of a schema; those of one table stay in their order.
  static func inOrder(_ found: [Finding], of schema: DatabaseSchema) -> [Finding] {
    let places = Array(schema.tables.keys) + Array(schema.views.keys)
    let order = Dictionary(places.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
    func place(_ finding: Finding) -> Int { finding.table.flatMap { order[$0] } ?? places.count }
    return found.enumerated().sorted { left, right in
      (place(left.element), left.offset) < (place(right.element), right.offset)
    }.map(\.element)
  }
}

extension LintCode {
  /// The function that looks for the mistake.
  package var rule: any LintRule {
    switch self {
    case .foreignKeyIndex: ForeignKeyIndexRule()
    case .foreignKeyTarget: ForeignKeyTargetRule()
    case .foreignKeyUniqueness: ForeignKeyUniquenessRule()
    case .foreignKeyType: ForeignKeyTypeRule()
    case .foreignKeyNull: ForeignKeyNullRule()
    case .integerKey: IntegerKeyRule()
    case .nullableKey: NullableKeyRule()
    case .duplicateIndex: DuplicateIndexRule()
    case .prefixIndex: PrefixIndexRule()
    case .textType: TextTypeRule()
    case .integerType: IntegerTypeRule()
    case .dateType: DateTypeRule()
    case .defaultValue: DefaultValueRule()
    case .constraintInType: ConstraintInTypeRule()
    case .readsClock: ClockRule()
    case .doubleQuotes: DoubleQuotesRule()
    case .keywordName: KeywordNameRule()
    case .unnamedCheck: UnnamedCheckRule()
    case .brokenView: BrokenViewRule()
    case .brokenTrigger: BrokenTriggerRule()
    case .synchronisedKey: SynchronisedRule.key
    case .synchronisedUnique: SynchronisedRule.unique
    case .synchronisedValue: SynchronisedRule.value
    case .synchronisedDelete: SynchronisedRule.delete
    }
  }
}
