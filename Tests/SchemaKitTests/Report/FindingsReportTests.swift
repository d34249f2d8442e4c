import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Findings for other programs")
struct FindingsReportTests {
  private static let findings = [
    ReportFinding(
      code: "SC201", level: .error, title: "Step not recorded",
      message: "table <a|b> has \"100%\" & more\nin two lines", object: "a|b", file: "dir, a:b/schema.sql", line: 7,
      column: 3),
    ReportFinding(code: "SK103", level: .warning, title: "values changed", message: "x*y*z", file: "m/0002.sql"),
    ReportFinding(code: "SC401", level: .note, title: "Work on rows", message: "control \u{1} here"),
  ]
  private static let report = FindingsReport(
    program: "schemactl", title: "check",
    questions: [
      CheckedQuestion("app.db has the schema", findings: []),
      CheckedQuestion("migrations lead to <it>", findings: findings),
    ])

  @Test("GitHub's marks are escaped, so that an annotation is one line")
  func github() {
    #expect(
      Self.report.github() == """
        ::error file=dir%2C a%3Ab/schema.sql,line=7,col=3,title=SC201 Step not recorded::table <a|b> has "100%25" & more%0Ain two lines
        ::warning file=m/0002.sql,title=SK103 values changed::x*y*z
        ::notice title=SC401 Work on rows::control \u{1} here

        """)
  }

  @Test("SARIF has what the standard demands: each result has a rule of the run, and places are URIs")
  func sarif() throws {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.report.sarif().utf8)) as? [String: Any])
    #expect(document["version"] as? String == "2.1.0")
    let run = try #require((document["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(rules == ["SC201", "SC401", "SK103"])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 3)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index] == result["ruleId"] as? String)
      #expect(["none", "note", "warning", "error"].contains(result["level"] as? String))
      #expect((result["message"] as? [String: Any])?["text"] is String)
    }
    let place = try #require(
      (results[0]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    let uri = try #require((place["artifactLocation"] as? [String: Any])?["uri"] as? String)
    #expect(uri == "dir,%20a%3Ab/schema.sql")
    #expect(URL(string: uri) != nil)
    #expect((place["region"] as? [String: Any])?["startLine"] as? Int == 7)
    #expect((place["region"] as? [String: Any])?["startColumn"] as? Int == 3)
    #expect(results[2]["locations"] == nil)
  }

  @Test("a result of SARIF is known again by its code, file and object, and its rule says what to do")
  func sarifIdentity() throws {
    var moved = Self.findings
    moved[0].line = 70
    moved.append(moved[0])
    func run(_ findings: [ReportFinding]) throws -> [String: Any] {
      let report = FindingsReport(program: "schemactl", title: "check", questions: [.init("x", findings: findings)])
      let document = try JSONSerialization.jsonObject(with: Data(report.sarif().utf8)) as? [String: Any]
      return try #require((document?["runs"] as? [[String: Any]])?.first)
    }
    func prints(_ run: [String: Any]) -> [String] {
      (run["results"] as? [[String: Any]] ?? []).compactMap {
        ($0["partialFingerprints"] as? [String: String])?["schemactl/v1"]
      }
    }
    let (first, second) = (prints(try run(Self.findings)), prints(try run(moved)))
    #expect(first == Array(second.prefix(3)) && Set(second).count == 4)
    let driver = ((try run(moved)["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"]
    let helps = (driver as? [[String: Any]] ?? []).map { ($0["help"] as? [String: String])?["text"] }
    #expect(
      helps[0] == "schemactl migrations new" && helps[1] == "look at it" && helps[2]?.hasPrefix("Consent") == true)
  }

  @Test("paths are those of the repository's root where a prefix says where the command runs")
  func prefix() {
    func files(_ prefix: String, _ paths: String...) -> [String?] {
      let findings = paths.map { ReportFinding(.unreadableSchema, "x", file: $0) }
      let questions = [CheckedQuestion("x", findings: findings)]
      return FindingsReport(program: "p", title: "t", questions: questions, pathPrefix: prefix).findings.map(\.file)
    }
    #expect(
      files("services/api", "schema.sql", "./m/1.sql", "../shared/a.sql", "/tmp/b.sql") == [
        "services/api/schema.sql", "services/api/m/1.sql", "services/shared/a.sql", "/tmp/b.sql",
      ])
    #expect(files("./", "schema.sql") == ["schema.sql"])
    #expect(files("a", "../../b.sql") == ["../b.sql"])
  }

  @Test("what fails the check is chosen, and the severities stay as they are")
  func threshold() {
    for (threshold, failures, marks) in [
      (FailureThreshold.error, 1, 1), (.warning, 2, 1), (.never, 0, 0),
    ] {
      var report = Self.report
      report.failOn = threshold
      #expect(report.junit().matches(of: #/<failure /#).count == failures)
      #expect(report.markdown().matches(of: #/(?m)^- ❌/#).count == marks)
      #expect(report.github().hasPrefix("::error") && report.github().contains("\n::warning"))
    }
  }

  @Test("Markdown of many findings stays below the length of a comment, and says how many it leaves out")
  func manyFindings() {
    let findings = (1...2000).map { number in
      ReportFinding(.changePending, String(repeating: "é", count: 100), object: "t\(number)", file: "schema.sql")
    }
    let text = FindingsReport(
      program: "schemactl", title: "check", questions: [CheckedQuestion("x", findings: findings)]
    ).markdown()
    #expect(text.utf8.count < 65_536 && text.utf8.count > 60_000)
    let shown = text.split(separator: "\n").count { $0.hasPrefix("| ❌") }
    #expect(
      text.hasSuffix(
        "\n\n\(Wording.counted(2000 - shown, "finding")) more: the list is longer than a comment may be.\n"))
  }

  @Test("JUnit is XML, with a case for each finding and for each statement that nothing speaks against")
  func junit() throws {
    let parser = XMLParser(data: Data(Self.report.junit().utf8))
    let reader = XMLCounter()
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.elements == ["testsuites": 1, "testsuite": 1, "testcase": 4, "failure": 1, "system-out": 2])
    #expect(reader.attributes["testsuite"]?["failures"] == "1")
    #expect(reader.attributes["testsuite"]?["tests"] == "4")
    #expect(reader.attributes["failure"]?["message"] == Self.findings[0].message)
  }

  @Test("Markdown shows texts as they are, each finding on one row")
  func markdown() {
    let rows = Self.report.markdown().split(separator: "\n")
    #expect(rows.contains("- ✅ app.db has the schema"))
    #expect(rows.contains("- ❌ migrations lead to &lt;it>"))
    #expect(rows.contains { $0.contains("table &lt;a\\|b> has \"100%\" &amp; more<br>in two lines") })
    #expect(rows.contains { $0.contains(#"x\*y\*z"#) })
    #expect(rows.count { $0.hasPrefix("|") } == 5)
  }
}

/// Counts elements, and keeps the attributes of the last of each name; XMLParser's delegate must be a class.
private final class XMLCounter: NSObject, XMLParserDelegate {
  var elements: [String: Int] = [:]
  var attributes: [String: [String: String]] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    elements[name, default: 0] += 1
    self.attributes[name] = attributes
  }
}
