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

  /// What each expression has as its value in the page, one after the other.
  private func values(of expressions: [String], in html: String) throws -> [String] {
    let lines = expressions.map { "seen.push(String(\($0)));" }.joined(separator: "\n")
    let script = """
      <script>
        const seen = [], field = document.getElementById("filter"), found = document.getElementById("found");
        const hits = document.getElementById("hits");
        const picture = (at) => document.querySelectorAll("svg")[at], frame = (at) => picture(at).parentElement;
        const scale = (at) => (picture(at).getBoundingClientRect().width / picture(at).viewBox.baseVal.width).toFixed(2);
        const isWhole = (at) => frame(at).clientWidth >= picture(at).clientWidth
          && frame(at).clientHeight >= picture(at).clientHeight;
        const press = (target, key) => {
          target.dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true, cancelable: true }));
        };
        const button = (at, key) => frame(at).parentElement.querySelector(`button[value="${key}"]`).click();
        const type = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
        const enter = () => field.form.requestSubmit();
        // Which boxes are marked, and how far the last of them is from the middle of its picture.
        const hit = () => Array.from(document.querySelectorAll("svg .hit")).map((box) => box.dataset.name).join();
        const isCentred = (at) => {
          const box = picture(at).querySelector(".hit").getBoundingClientRect(), outer = frame(at).getBoundingClientRect();
          const [x, y] = [box.left + box.width / 2 - outer.left - outer.width / 2,
            box.top + box.height / 2 - outer.top - outer.height / 2];
          // Within the scroll bars, unless the picture ends there.
          const isEdge = (place, size, end) => 1 > place || place + size + 1 > end;
          return (20 > Math.abs(x) || isEdge(frame(at).scrollLeft, frame(at).clientWidth, frame(at).scrollWidth))
            && (20 > Math.abs(y) || isEdge(frame(at).scrollTop, frame(at).clientHeight, frame(at).scrollHeight));
        };
        \(lines)
        document.body.appendChild(document.createElement("pre")).id = "seen";
        document.getElementById("seen").textContent = seen.join("|");
      </script></body>
      """
    let (page, console) = try rendered(html.replacing("</body>", with: script))
    #expect(console == [])
    let seen = page.components(separatedBy: "<pre id=\"seen\">").last?.components(separatedBy: "</pre>").first ?? ""
    return seen.components(separatedBy: "|")
  }

  private func check(_ expected: KeyValuePairs<String, String>, in html: String) throws {
    let values = try values(of: expected.map(\.key), in: html)
    #expect(values.count == expected.count)
    for (value, (expression, wanted)) in zip(values, expected) { #expect(value == wanted, "\(expression)") }
  }

  @Test("a large picture begins whole, and buttons, keys and the wheel with Ctrl change its scale")
  func scales() throws {
    let wheel = { (ctrl: Bool) in
      "frame(0).dispatchEvent(new WheelEvent('wheel', { deltaY: -100, ctrlKey: \(ctrl), cancelable: true }))"
    }
    try check(
      [
        "isWhole(0)": "true", "button(0, '1')": "undefined", "scale(0)": "1.00", "found.textContent": "Scale: 100 %",
        "isWhole(0)": "false", "button(0, '-')": "undefined", "scale(0)": "0.80", "press(frame(0), '+')": "undefined",
        "press(frame(0), '+')": "undefined", "scale(0)": "1.25",
        // A wheel without Ctrl is left to the browser.
        wheel(false): "true", "scale(0)": "1.25", wheel(true): "false", "scale(0)": "1.61",
        "press(frame(0), '0')": "undefined", "isWhole(0)": "true",
      ], in: SchemaReport.html(try DiagramTests.schema(Self.sql(tables: 300)), name: "big.sql"))
  }

  @Test("a small picture begins as it is drawn")
  func small() throws {
    try check(
      ["scale(0)": "1.00"], in: SchemaReport.html(try DiagramTests.schema(Self.sql(tables: 25)), name: "small.sql"))
  }

  @Test("Enter goes from hit to hit in the picture, and arrow keys choose one from the list")
  func jumps() throws {
    let html = SchemaReport.html(try DiagramTests.schema(Self.sql(tables: 300)), name: "big.sql")
    try check(
      [
        "type('T29')": "undefined", "hits.hidden": "false", "field.getAttribute('aria-expanded')": "true",
        // The whole name comes first.
        "hits.children[0].textContent": "t29", "hits.children.length": "11",
        "enter()": "undefined", "hit()": "t29", "isCentred(0)": "true", "scale(0)": "1.00", "hits.hidden": "true",
        "found.textContent": "1 of 11: t29", "enter()": "undefined", "hit()": "t290", "isCentred(0)": "true",
        "press(field, 'ArrowDown')": "undefined", "press(field, 'ArrowDown')": "undefined",
        "field.getAttribute('aria-activedescendant')": "hit-3",
        "document.getElementById('hit-3').getAttribute('aria-selected')": "true", "hit()": "t290",
        "enter()": "undefined", "hit()": "t292", "hits.children[10].click()": "undefined", "hit()": "t299",
        "enter()": "undefined", "hit()": "t29", "type('parent')": "undefined",
        "hits.children[0].textContent": "t1 (parent)", "type('nothing')": "undefined", "enter()": "undefined",
        "hit()": "", "hits.hidden": "true", "found.textContent": "0 of 300 shown",
      ], in: html)
  }

  @Test("in the page of a plan a table that is left out is found in the picture of everything")
  func jumpsInPlans() throws {
    let html = try PictureTests.page(adding: "CREATE INDEX t5_name ON t5 (name);")
    try check(
      [
        "document.querySelector('details:has(svg)').open": "false", "type('t15')": "undefined", "enter()": "undefined",
        "hit()": "t15,t15", "isCentred(0)": "true", "document.querySelector('details:has(svg)').open": "false",
        "type('t200')": "undefined", "enter()": "undefined", "hit()": "t200", "isCentred(1)": "true",
        "document.querySelector('details:has(svg)').open": "true",
      ], in: html)
  }

  @Test("a double click on a box goes to its description, even if that is hidden")
  func describes() throws {
    try check(
      [
        "type('t7')": "undefined",
        "picture(0).querySelector('[data-name=t5] text').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))":
          "true",
        "location.hash": "#object-6", "document.querySelector(location.hash).hidden": "false",
      ], in: SchemaReport.html(try DiagramTests.schema(Self.sql(tables: 30)), name: "big.sql"))
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
