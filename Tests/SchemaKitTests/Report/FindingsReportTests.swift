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
      message: "table <a|b> has \"100%\" & more\nin two lines", object: "a|b", file: "dir, a:b/schema.sql", line: 7),
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
        ::error file=dir%2C a%3Ab/schema.sql,line=7,title=SC201 Step not recorded::table <a|b> has "100%25" & more%0Ain two lines
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
    #expect(results[2]["locations"] == nil)
  }

  @Test("JUnit is XML, with a case for each question and a failure where one does not hold")
  func junit() throws {
    let parser = XMLParser(data: Data(Self.report.junit().utf8))
    let reader = XMLCounter()
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.elements == ["testsuites": 1, "testsuite": 1, "testcase": 2, "failure": 1, "system-out": 1])
    #expect(reader.attributes["testsuite"]?["failures"] == "1")
    #expect(reader.attributes["testsuite"]?["tests"] == "2")
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
