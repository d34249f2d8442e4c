package import SchemaKit

/// Which findings are wanted.
package struct LintSelection: Sendable {
  /// A code that is skipped, everywhere or for one object.
  package struct Skip: Sendable, Hashable {
    /// The text that it was read from.
    package var text: String
    var code: String
    /// The names after the colon; empty if the code is skipped everywhere.
    var path: [SQLName]

    /// A table covers everything that belongs to it; `TABLE.COLUMN`, an index or a trigger is one object.
    func covers(_ finding: Finding) -> Bool {
      guard finding.code == code else { return false }
      switch path.count {
      case 0: return true
      case 1: return finding.table == path[0] || (finding.kind != .column && finding.member == path[0])
      default: return finding.table == path[0] && finding.member == path[1]
      }
    }
  }

  private var only: Set<String> = []
  private var skips: [Skip] = []
  /// The findings that the comments of the schema ignore.
  private var ignores: [LintIgnore] = []
  /// The rules that the schema keeps beyond those of SQLite.
  package var rules: SchemaRules = []

  /// The rules that the project has of its own.
  private let projectRules: [ProjectRule]

  package init(projectRules: [ProjectRule] = []) { self.projectRules = projectRules }

  /// The rules of the project that are looked for.
  var wantedProjectRules: [ProjectRule] { projectRules.filter { only.isEmpty || only.contains($0.id) } }

  /// Enables one rule; after the first call, all others are disabled.
  package mutating func add(rule text: String) throws(LintOptionError) {
    only.insert(try code(text, option: "--rule \(text)"))
  }

  /// Adds rules that the schema keeps, such as `synchronised`.
  package mutating func add(rules text: String) throws(LintOptionError) {
    guard let named = SchemaRules.named[text.lowercased()] else {
      throw LintOptionError(
        option: "--rules \(text)", problem: "write \(SchemaRules.named.keys.sorted().joined(separator: ", "))")
    }
    rules.formUnion(named)
  }

  /// The same, with those of the codes that are looked for.
  var allRules: SchemaRules {
    only.compactMap { LintCode(rawValue: $0)?.rule.rules }.reduce(rules) { $0.union($1) }
  }

  /// Adds an exception written as `CODE[:TABLE[.COLUMN]]`, such as `SL101` or `SL101:orders.customer`.
  package mutating func add(skip text: String) throws(LintOptionError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let code = try code(String(parts.first ?? ""), option: "--skip \(text)")
    var path: [SQLName] = []
    if parts.count == 2 {
      guard let names = SQLName.path(in: String(parts[1])) else {
        throw LintOptionError(
          option: "--skip \(text)", problem: "write TABLE, TABLE.COLUMN, an index or a trigger after the colon")
      }
      path = names
    }
    skips.append(Skip(text: text, code: code, path: path))
  }

  private func code(_ word: String, option: String) throws(LintOptionError) -> String {
    guard let code = code(word) else {
      let ids = projectRules.isEmpty ? "" : ", or the id of a rule in the settings"
      throw LintOptionError(
        option: option,
        problem: "there is no rule \"\(word)\"; write a code such as \(LintCode.allCases[0].rawValue)\(ids)")
    }
    return code
  }

  /// The code or id that a word means, in whichever case it is written; nil if there is no such rule.
  private func code(_ word: String) -> String? {
    LintCode(rawValue: word.uppercased())?.rawValue
      ?? projectRules.first { SQLName.fold($0.id) == SQLName.fold(word) }?.id
  }

  /// Has comments of the schema ignore findings.
  ///
  /// - Throws: `SchemaError` for a comment that names a rule which there is not.
  package mutating func add(ignores: [LintIgnore]) throws(SchemaError) {
    for ignore in ignores {
      guard let code = code(ignore.code) else {
        throw SchemaError(
          source: ignore.place.source, line: ignore.place.line, column: ignore.place.column,
          problem: "there is no rule \"\(ignore.code)\" to ignore; lint has codes such as "
            + "\(LintCode.allCases[0].rawValue), and the rules that [[lint.rule]] in the settings declares")
      }
      var ignore = ignore
      ignore.code = code
      self.ignores.append(ignore)
    }
  }

  /// The remaining findings, and the exceptions that matched none of them.
  package func apply(to findings: [Finding]) -> (kept: [Finding], idle: [Skip]) {
    let wanted = findings.filter { only.isEmpty || only.contains($0.code) }
    let kept = wanted.filter { finding in
      !skips.contains { $0.covers(finding) } && !ignores.contains { $0.covers(finding) }
    }
    return (kept, skips.filter { skip in !wanted.contains { skip.covers($0) } })
  }
}

extension LintIgnore {
  /// True if a finding is one that the author has chosen to ignore.
  func covers(_ finding: Finding) -> Bool {
    guard finding.code == code else { return false }
    switch scope {
    case .everything: return true
    case .object(let name): return finding.table == name || (finding.kind != .column && finding.member == name)
    case .line(let line): return finding.line == line
    }
  }
}

/// An option of `lint` that is not understood.
package struct LintOptionError: Error, Sendable, Equatable, CustomStringConvertible {
  package let option: String
  package let problem: String

  package var description: String { "\(option) is not understood: \(problem)." }
}
