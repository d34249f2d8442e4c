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
          rules: rules.map { .init(id: $0.key, shortDescription: .init(text: $0.value)) })),
      results: findings.map { finding in
        SARIFRun.Result(
          ruleId: finding.code, ruleIndex: indexes[finding.code] ?? 0, level: finding.level.rawValue,
          message: .init(text: finding.message), locations: Self.locations(of: finding))
      })
    return JSONDocument.of(
      SARIFDocument(schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run]))
  }

  private static func locations(of finding: ReportFinding) -> [SARIFRun.Location]? {
    guard let file = finding.file else { return nil }
    // A path becomes a relative reference, or a file URI where it begins at the root.
    let uri = file.hasPrefix("/") ? "file://\(percentEncoded(file))" : percentEncoded(file).replacing(":", with: "%3A")
    return [
      SARIFRun.Location(
        physicalLocation: .init(
          artifactLocation: .init(uri: uri), region: finding.line.map { .init(startLine: $0) }))
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
  struct Rule: Encodable {
    var id: String
    var shortDescription: Text
  }
  struct Driver: Encodable {
    var name: String
    var version: String
    var rules: [Rule]
  }
  struct Tool: Encodable { var driver: Driver }
  struct Region: Encodable { var startLine: Int }
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
  }

  var tool: Tool
  var results: [Result]
}
