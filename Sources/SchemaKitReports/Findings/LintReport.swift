import SchemaKit

/// The report of `lint` on a schema.
package struct LintReport: Sendable {
  /// The schema's name, as given by the user.
  package var schema: String
  package var findings: [Finding]

  package init(schema: String, findings: [Finding]) {
    self.schema = schema
    self.findings = findings
  }
}

extension LintReport {
  /// The report for people: warnings with their remedies, and notes on one line each.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    guard !findings.isEmpty else { return style.green("nothing found:") + " \(schema)\n" }
    return findings.text(style: style, isVerbose: isVerbose) + "\n\n\(schema): \(findings.countedInWords)\n"
  }

  /// The report for programs.
  package func json() -> String {
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var schema: String
      var warnings: Int
      var notes: Int
      var findings: [FindingDocument]
    }
    return JSONDocument.of(
      Document(
        schema: schema, warnings: findings.count { $0.severity != .note },
        notes: findings.count { $0.severity == .note }, findings: findings.map { FindingDocument($0) }))
  }
}

/// A finding as JSON.
struct FindingDocument: Encodable {
  var code: String
  var severity: String
  var title: String
  var kind: String
  var object: String
  var table: String?
  var message: String
  var fix: String
  var sql: [String]
  var page: String
  var file: String?
  var line: Int?

  init(_ finding: Finding) {
    code = finding.code
    severity = finding.severity.rawValue
    title = finding.title
    kind = finding.kind.rawValue
    object = finding.object
    table = finding.table?.text
    message = finding.message
    fix = finding.fix
    sql = finding.fixSQL
    page = finding.page
    file = finding.file
    line = finding.line
  }
}

extension [Finding] {
  /// The number of findings of each severity, as text.
  var countedInWords: String {
    let words = Finding.Severity.allCases.compactMap { severity -> String? in
      let count = self.count { $0.severity == severity }
      return count == 0 ? nil : Wording.counted(count, severity.rawValue)
    }
    return words.isEmpty ? "nothing found" : Wording.list(words)
  }

  /// The findings under the name of the table or view that they are about.
  func text(style: Style, isVerbose: Bool) -> String {
    var groups: [(table: SQLName?, findings: [Finding])] = []
    for finding in self {
      if let last = groups.indices.last, groups[last].table == finding.table {
        groups[last].findings.append(finding)
      } else {
        groups.append((finding.table, [finding]))
      }
    }
    return groups.map { group in
      let heading = group.table.map { [style.bold($0.text)] } ?? []
      return (heading + group.findings.map { $0.text(style: style, isVerbose: isVerbose) }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

extension Finding {
  fileprivate func text(style: Style, isVerbose: Bool) -> String {
    let isNote = severity == .note
    let place = line.map { ", line \($0)" } ?? ""
    let mark = isNote ? "·" : style.red("!")
    let head = "  \(mark) \(isNote ? code : style.red(code))  \(severity.rawValue): \(title)\(place)"
    var lines = [head] + style.paragraph(message, indent: 11)
    if !isNote || isVerbose {
      lines += style.paragraph(fix, indent: 11).map(style.dim)
      lines += fixSQL.map { style.dim($0).indented(by: 11) }
    }
    if isVerbose { lines.append(style.dim(page).indented(by: 11)) }
    return lines.joined(separator: "\n")
  }
}
