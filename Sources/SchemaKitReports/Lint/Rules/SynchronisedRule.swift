import SchemaKit

/// Finds what a file that several devices replicate must not have; one value for each code.
struct SynchronisedRule: LintRule {
  let code: LintCode
  let rules = SchemaRules.synchronised
  let severity = Finding.Severity.warning
  let title: String
  let reason: String
  let remedy: String
  let page: String

  static let key = SynchronisedRule(
    code: .synchronisedKey, title: "key that devices do not share",
    reason: "devices that number rows give the same number to different ones, and without a key none knows a row again",
    remedy: "give the table a key that no two devices make, such as a UUID in a TEXT column",
    page: "https://sqlite.org/lang_createtable.html#rowid")

  static let unique = SynchronisedRule(
    code: .synchronisedUnique, title: "UNIQUE in a file that is merged",
    reason: "each device keeps UNIQUE for its own rows, and equal rows of two of them cannot both be merged",
    remedy: "look for equal rows in the program, or make the values the key",
    page: "https://sqlite.org/lang_createtable.html#uniqueconst")

  static let value = SynchronisedRule(
    code: .synchronisedValue, title: "NOT NULL without a default in a file that is merged",
    reason: "a program that does not know a column sends rows without it, and merges may write one column at a time",
    remedy: "give the column a default, or let it be NULL",
    page: "https://sqlite.org/lang_createtable.html#notnullconst")

  static let delete = SynchronisedRule(
    code: .synchronisedDelete, title: "foreign key that refuses to delete in a file that is merged",
    reason:
      "one device deletes a row while another refers to it, and neither NO ACTION nor RESTRICT lets both be merged",
    remedy: "declare `ON DELETE CASCADE`, `SET NULL` or `SET DEFAULT`",
    page: "https://sqlite.org/foreignkeys.html#fk_actions")

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.synchronisationFaults(indexes: subject.indexes(on: table.name)).filter { $0.code == code }.map { fault in
        let (message, fix) = (fault.message(table: table.name), fault.remedy + ".")
        let place = fault.column.flatMap { subject.offset(of: $0, in: table.name) }
        if case .unique(_, let index?) = fault {
          return finding(on: .index, index, of: table.name, message: message, fix: fix)
        }
        guard let column = fault.column else { return finding(table.name, at: place, message: message, fix: fix) }
        return finding(on: .column, column, of: table.name, at: place, message: message, fix: fix)
      }
    }
  }
}

extension SynchronisationFault {
  /// The code of the rule that finds it.
  fileprivate var code: LintCode {
    switch self {
    case .noKey, .numberedKey: .synchronisedKey
    case .unique: .synchronisedUnique
    case .requiredValue: .synchronisedValue
    case .refusedDelete: .synchronisedDelete
    }
  }
}
