import SchemaKit
import SchemaKitFoundation

extension FindingsReport {
  /// The findings as SARIF, which code hosts show beside the affected lines.
  ///
  /// See [SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
  package func sarif() -> String {
    let rules = Dictionary(findings.map { ($0.code, $0.title) }) { first, _ in first }
      .sorted { $0.key < $1.key }
    let indexes = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.key, $0) })
    let run = SARIFRun(
      tool: .init(
        driver: .init(
          name: program, version: SchemaKitVersion.current,
          rules: rules.map {
            .init(id: $0.key, shortDescription: .init(text: $0.value), help: Self.help(for: $0.key))
          })),
      results: results(indexes))
    return JSONDocument.of(
      SARIFDocument(schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run]))
  }

  /// The findings, each known again in a later run by its code, file and object; the line may have moved.
  private func results(_ indexes: [String: Int]) -> [SARIFRun.Result] {
    var seen: [String: Int] = [:]
    return findings.map { finding in
      let identity = [finding.code, finding.file ?? "", finding.object ?? ""].joined(separator: ":")
      seen[identity, default: 0] += 1
      return SARIFRun.Result(
        ruleId: finding.code, ruleIndex: indexes[finding.code] ?? 0, level: finding.level.rawValue,
        message: .init(text: finding.message), locations: Self.locations(of: finding),
        partialFingerprints: ["schemactl/v1": "\(identity):\(seen[identity] ?? 1)"])
    }
  }

  /// The remedy for a finding, by its code.
  private static func help(for code: String) -> SARIFRun.Help? {
    if let check = CheckCode(rawValue: code) { return SARIFRun.Help(check.remedy) }
    if let rule = LintCode(rawValue: code)?.rule {
      return SARIFRun.Help("\(rule.reason) \(rule.remedy). See \(rule.page).")
    }
    guard let hazard = HazardCode(rawValue: code) else { return nil }
    switch hazard.hazardClass {
    case .destructive, .lossy:
      return SARIFRun.Help(
        "Consent in the step, `-- schemakit: allow \(code):OBJECT`, or with `--allow`; `--keep` keeps what is dropped. Or "
          + "change the declaration so that nothing is lost.")
    case .blocked, .fault: return SARIFRun.Help("Mend the rows in `NAME.before.sql`, or change the declaration.")
    case .note: return nil
    }
  }

  private static func locations(of finding: ReportFinding) -> [SARIFRun.Location]? {
    guard let file = finding.file else { return nil }
    // A path becomes a relative reference, or a file URI where it begins at the root.
    let uri = file.hasPrefix("/") ? "file://\(percentEncoded(file))" : percentEncoded(file).replacing(":", with: "%3A")
    return [
      SARIFRun.Location(
        physicalLocation: .init(
          artifactLocation: .init(uri: uri),
          region: finding.line.map { .init(startLine: $0, startColumn: finding.column) }))
    ]
  }

  /// A path as it stands in a URI. See [Path](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).
  private static func percentEncoded(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@/".utf8)
    return path.utf8.map { byte in
      plain.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

private struct SARIFDocument: Encodable {
  var schema: String
  var version: String
  var runs: [SARIFRun]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }
}

private struct SARIFRun: Encodable {
  struct Text: Encodable { var text: String }
  struct Help: Encodable {
    var text: String
    var markdown: String

    init(_ markdown: String) {
      self.markdown = markdown
      text = markdown.replacing("`", with: "")
    }
  }
  struct Rule: Encodable {
    var id: String
    var shortDescription: Text
    var help: Help?
  }
  struct Driver: Encodable {
    var name: String
    var version: String
    var rules: [Rule]
  }
  struct Tool: Encodable { var driver: Driver }
  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int?
  }
  struct Artifact: Encodable { var uri: String }
  struct Place: Encodable {
    var artifactLocation: Artifact
    var region: Region?
  }
  struct Location: Encodable { var physicalLocation: Place }
  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: Text
    var locations: [Location]?
    var partialFingerprints: [String: String]
  }

  var tool: Tool
  /// The unit in which columns are counted.
  var columnKind = "unicodeCodePoints"
  var results: [Result]
}
