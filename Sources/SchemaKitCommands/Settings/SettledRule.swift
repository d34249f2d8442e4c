import SchemaKit
import SchemaKitReports

/// A rule for `lint` that a project has of its own, with its place in the file of settings.
struct SettledRule {
  /// A value of a rule: a text, or what else stands there, in words.
  typealias Text = (text: String?, description: String, origin: SettingOrigin)

  /// The table of the file and the list in it that hold the rules.
  static let table = "lint"
  static let list = "rule"

  let rule: ProjectRule
  let origin: SettingOrigin
  private let origins: [ProjectRule.Field: SettingOrigin]

  /// Understands a rule.
  ///
  /// - Parameters:
  ///   - texts: The values of its table.
  ///   - origin: The place of the table.
  ///   - others: The rules before it.
  init(_ texts: [String: Text], at origin: SettingOrigin, after others: [SettledRule]) throws {
    var fields: [ProjectRule.Field: String] = [:]
    var origins: [ProjectRule.Field: SettingOrigin] = [:]
    let name = texts["id"]?.text.map { "rule \($0)" } ?? "a rule"
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      guard let field = ProjectRule.Field(rawValue: key) else {
        let known = ProjectRule.Field.allCases.map(\.rawValue)
        throw value.origin.error("\(name): a rule has no \(key); \(NearestName.hint(for: key, among: known))")
      }
      guard let text = value.text, !text[...].trimmed.isEmpty else {
        throw value.origin.error("\(name): \(key) takes a text in quotes, and not \(value.description).")
      }
      fields[field] = text
      origins[field] = value.origin
    }
    self.origin = origin
    self.origins = origins
    do throws(ProjectRuleError) {
      rule = try ProjectRule(fields)
    } catch {
      throw Self.located(error, origins, origin)
    }
    let id = rule.id
    if let other = others.first(where: { SQLName($0.rule.id) == SQLName(id) }) {
      let error = ProjectRuleError(rule: id, field: .id, reason: .repeatedID(line: other.origins[.id]?.line))
      throw Self.located(error, origins, origin)
    }
  }

  /// The error that the rule cannot be asked, with its place.
  func error(_ error: ProjectRuleError) -> CommandError { Self.located(error, origins, origin) }

  private static func located(
    _ error: ProjectRuleError, _ origins: [ProjectRule.Field: SettingOrigin], _ origin: SettingOrigin
  ) -> CommandError {
    (error.field.flatMap { origins[$0] } ?? origin).error(error.description)
  }
}

extension [SettledRule] {
  /// Runs work that asks the rules; one that cannot be asked is an error with its place.
  func locating<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as ProjectRuleError {
      throw first { $0.rule.id == error.rule }?.error(error) ?? error
    }
  }
}
