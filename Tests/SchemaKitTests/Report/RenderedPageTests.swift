import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

private enum Browser {
  /// The path of a browser that runs without a screen.
  static let path: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// Pages as a browser sees them, where there is one.
@Suite(
  "Pages in a browser",
  .enabled(if: Browser.path != nil, "there is no chromium; apt-get install chromium brings it"),
  .serialized)
struct RenderedPageTests {
  /// As many tables as wanted, each but the first with a foreign key to an earlier one.
  static func sql(tables count: Int) -> String {
    (0..<count).map { index in
      let reference = index == 0 ? "" : ", parent INTEGER REFERENCES t\(index / 3)"
      return "CREATE TABLE t\(index) (id INTEGER PRIMARY KEY, name TEXT NOT NULL\(reference));\n"
    }.joined()
  }

  /// What a browser makes of a page, and what its console says.
  private func rendered(_ html: String) throws -> (page: String, console: [String]) {
    let folder = try CommandFolder()
    try folder.write(html, to: "page.html")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Browser.path))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
      "--user-data-dir=\(folder.url("profile").path)", "--virtual-time-budget=4000", "--dump-dom",
      folder.url("page.html").absoluteString,
    ]
    for name in ["out", "err"] { try folder.write("", to: name) }
    process.standardOutput = try FileHandle(forWritingTo: folder.url("out"))
    process.standardError = try FileHandle(forWritingTo: folder.url("err"))
    try process.run()
    process.waitUntilExit()
    let errors = try String(contentsOf: folder.url("err"), encoding: .utf8)
    return (
      try String(contentsOf: folder.url("out"), encoding: .utf8),
      errors.split(separator: "\n").map { String($0) }.filter { $0.contains("CONSOLE") }
    )
  }

  @Test("a page runs without a word on the console, and its field is shown", arguments: [3, 300])
  func runs(tables: Int) throws {
    let html = SchemaReport.html(try DiagramTests.schema(Self.sql(tables: tables)), name: "big.sql")
    #expect(html.contains("hidden=\"hidden\""))
    let (page, console) = try rendered(html)
    #expect(console == [])
    #expect(page.contains("<form role=\"search\""))
    #expect(!page.contains("hidden=\"hidden\""))
    #expect(page.count(of: "<article id=") == tables)
  }

  @Test("the field hides the tables that do not match, in words and in the picture")
  func filters() throws {
    let typing = """
      <script>
        document.getElementById("filter").value = "T29";
        document.getElementById("filter").dispatchEvent(new Event("input"));
      </script></body>
      """
    let html = SchemaReport.html(try DiagramTests.schema(Self.sql(tables: 300)), name: "big.sql")
    let (page, console) = try rendered(html.replacing("</body>", with: typing))
    #expect(console == [])
    // t29 and t290 to t299.
    #expect(page.contains("11 of 300 shown"))
    #expect(page.count(of: "hidden=\"\"") == 289)
    #expect(page.count(of: "table away\"") == 289)
  }

  @Test("names that look like scripts do not run")
  func hostileNames() throws {
    let name = "<img src=x onerror=console.error('ran')><script>console.error('ran')</script>"
    let quoted = SQLName(name).quoted
    let schema = try DiagramTests.schema(
      "CREATE TABLE \(quoted) (\(quoted) \(quoted) DEFAULT \(SQLQuoting.literal(name)));")
    let (page, console) = try rendered(SchemaReport.html(schema, name: name))
    #expect(console == [])
    #expect(page.count(of: "<script") == 1)
    #expect(!page.contains("<img"))
  }
}
