import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Reference tables in the documentation")
struct DocumentedReferenceTests {
  /// Compares the rows of a table with what they must be, or writes them.
  private func expect(_ rows: [String], under header: String, number: Int = 0, in path: String) throws {
    let document = try Document(path)
    let table = try #require(
      document.table(headed: header, number: number), "\(path) has no table \"\(header)\"")
    if Document.isRefreshing {
      try Document.refresh(path) { document in
        guard let range = document.table(headed: header, number: number)?.range else { return }
        document.replace(range, with: rows)
      }
    } else {
      #expect(Array(document.lines[table.range]) == rows)
    }
  }

  @Test("the table of hazards is the code's, and every code has a section")
  func hazards() throws {
    let titles = HazardCode.allCases.map { "\($0.rawValue): \($0.title)" }
    try expect(
      zip(HazardCode.allCases, titles).map { code, title in
        let anchor = title.lowercased().filter { $0 != ":" && $0 != "," }.replacingOccurrences(of: " ", with: "-")
        return "| [\(code.rawValue)](hazards.md#\(anchor)) | \(code.hazardClass.rawValue) | \(code.title) |"
      }, under: "| Code | Class | What it stands for |", in: "docs/codes.md")
    let sections = try Document("docs/hazards.md").prose.filter { $0.hasPrefix("## SK") }.map { $0.dropFirst(3) }
    #expect(sections == titles.map { $0[...] })
  }

  @Test("the tables of findings are the code's")
  func findings() throws {
    let tables = [
      LintRules.all.map { ($0.code.rawValue, $0.severity, $0.title, $0.reason, $0.remedy, $0.page) },
      DoctorCode.allCases.map { ($0.rawValue, $0.severity, $0.title, $0.reason, $0.remedy, $0.page) },
    ]
    let header = "| Code | Severity | What it finds | Why it matters | What to do |"
    for (number, table) in tables.enumerated() {
      let rows = table.map { code, severity, title, reason, remedy, page in
        "| \(code) | \(severity.rawValue) | [\(title)](\(page)) | \(reason) | \(remedy) |"
      }
      try expect(rows, under: header, number: number, in: "docs/codes.md")
    }
  }

  @Test("the table of what rules of a project read is the code's")
  func ruleTables() throws {
    try expect(
      RuleTable.allCases.flatMap { table in
        table.columns.map { "| `\(table.rawValue)` | `\($0.name)` | \($0.meaning) |" }
      }, under: "| Table | Column | What it holds |", in: "docs/codes.md")
  }

  @Test("the table of what check finds is the code's")
  func checks() throws {
    try expect(
      CheckCode.allCases.map { "| \($0.rawValue) | \($0.title) | \($0.remedy) |" },
      under: "| Code | What it finds | What to do |", in: "docs/codes.md")
  }

  @Test("the table of what a running program meets is the code's")
  func running() throws {
    try expect(
      RunningCode.allCases.map { "| \($0.rawValue) | \($0.title) | \($0.remedy) |" },
      under: "| Code | What the program meets | What to do where --expand does not serve it |", in: "docs/codes.md")
  }

  @Test("the table of what test finds is the code's")
  func upgrades() throws {
    try expect(
      UpgradeCode.allCases.map { "| \($0.rawValue) | \($0.title) | \($0.remedy) |" },
      under: "| Code | What is wrong | What to do |", in: "docs/codes.md")
  }

  @Test("the table of exit codes is the code's")
  func exitCodes() throws {
    let document = try Document("docs/command-line.md")
    let rows = try #require(document.table(headed: "| Code | Name | When |")).rows
    let outcomes = (Int32(0)...255).compactMap { Outcome(rawValue: $0) }
    #expect(rows.map { Array($0.prefix(2)) } == outcomes.map { ["\($0.rawValue)", "\($0)"] })
    #expect(rows.allSatisfy { $0.count == 3 && !$0[2].isEmpty })
  }

  @Test("the settings that are shown can be read, and the table of settings has them all")
  func settings() throws {
    let document = try Document("docs/command-line.md")
    let blocks = document.blocks.filter { $0.language == "toml" }
    #expect(blocks.count > 0)
    for block in blocks {
      let file = try SettingsFile(text: block.lines.joined(separator: "\n"), path: block.fileName ?? "")
      #expect(file.common.count > 2 && file.environments["production"]?[.database] != nil)
    }
    let rows = try #require(document.table(headed: "| Setting | Takes | Stands for |")).rows
    #expect(rows.map { $0[0] } == Setting.allCases.map { "`\($0)`" })
  }

  @Test("the layer table is the one that is tested")
  func layers() throws {
    let rows = try #require(Document("CONTRIBUTING.md").table(headed: "| Folder | May use | Holds |")).rows
    var table: [String: Set<String>] = [:]
    for row in rows {
      let names = row[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      table[row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))] = names == ["–"] ? [] : Set(names)
    }
    #expect(table == LayerTests.allowed)
    #expect(rows.count == table.count)
  }

  @Test("every document is linked from the README, and every link leads somewhere")
  func links() throws {
    let linked = try Document("README.md").links.map { $0.prefix { $0 != "#" } }
    for path in try Document.paths(in: "docs") { #expect(linked.contains(path[...]), "README does not link \(path)") }
    for document in try Document.all() {
      let folder = SourceTree.root.appendingPathComponent(document.path).deletingLastPathComponent()
      for link in document.links where !link.hasPrefix("https://") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let target = parts[0].isEmpty ? nil : folder.appendingPathComponent(parts[0]).standardizedFileURL
        if let target {
          #expect(FileManager.default.fileExists(atPath: target.path), "\(document.path) links \(link)")
        }
        guard parts.count == 2 else { continue }
        let root = SourceTree.root.standardizedFileURL.path + "/"
        let page = try target.map { try Document(String($0.path.dropFirst(root.count))) } ?? document
        #expect(page.anchors.contains(parts[1]), "\(document.path) links \(link)")
      }
    }
  }

  @Test("every test that is quoted exists in the file that is named")
  func quotedTests() throws {
    var count = 0
    for document in try Document.all() {
      var file: String?
      let cells = document.prose.joined(separator: "\n")
      for match in cells.matches(of: /\]\((?:\.\.\/)?(Tests\/[^)]+\.swift)\)|"([^"]+)"/) {
        if let path = match.output.1 {
          file = try String(contentsOf: SourceTree.root.appendingPathComponent(String(path)), encoding: .utf8)
        } else if let name = match.output.2, let file, document.path == "docs/guarantees.md" {
          count += 1
          #expect(file.contains("\"\(name)\""), "no test \"\(name)\" in the file named before it")
        }
      }
    }
    #expect(count > 20)
  }

  @Test("the README names the versions that the package declares")
  func versions() throws {
    let readme = try Document("README.md").prose.joined(separator: " ")
    let manifest = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ([\d.]+)/)).output.1
    #expect(readme.contains("Swift \(tools)"))
    let changes = try Document("CHANGELOG.md").lines
    #expect(changes.contains("## [Unreleased]"))
    #expect(changes.contains("### Added"))
  }
}
