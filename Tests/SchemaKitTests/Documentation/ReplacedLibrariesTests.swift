import Foundation
import Testing

@Suite("The list of replaced libraries")
struct ReplacedLibrariesTests {
  /// How many rows each library has.
  private static let rowCounts = ["A": 34, "B": 22, "C": 28, "D": 40, "E": 12, "F": 15]

  private struct Row {
    var id: String
    /// What it was, and the answer of SchemaKit.
    var capability: String
    var answer: String
    var tests: String
  }

  /// The lines of the list, without its head.
  private func rows() throws -> [Row] {
    let url = SourceTree.root.appendingPathComponent("docs/replaced-libraries.tsv")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
      try #require(cells.count == 5 && cells.allSatisfy { !$0.isEmpty }, "\(line)")
      return Row(id: cells[0], capability: cells[2], answer: cells[3], tests: cells[4])
    }
  }

  /// The words in backquotes of a text.
  private func quoted(_ text: String) -> [String] { text.matches(of: /`([^`]+)`/).map { String($0.output.1) } }

  @Test("it has every capability once, in order, with an answer and a test")
  func isComplete() throws {
    let rows = try rows()
    let expected = Self.rowCounts.sorted { $0.key < $1.key }.flatMap { letter, count in
      (1...count).map { "\(letter)\($0)" }
    }
    #expect(rows.map(\.id) == expected)
    for row in rows { #expect(!quoted(row.tests).isEmpty, "\(row.id) names no test") }
  }

  @Test("nothing of them is missing")
  func offered() throws {
    #expect(try rows().filter { $0.answer.contains("ot offered") }.map(\.id) == [])
  }

  @Test("every test that it names exists")
  func testsExist() throws {
    let known = try Self.tests()
    #expect(known.contains("ReplacedLibrariesTests/testsExist"))
    var named: [String] = []
    for row in try rows() {
      let tests = quoted(row.tests)
      #expect(tests.allSatisfy { $0.contains(/^\w+Tests\/\w+$/) }, "\(row.id) names something else than tests")
      named += tests
    }
    #expect(named.count > 200)
    for test in Set(named).sorted() { #expect(known.contains(test), "there is no test \(test)") }
  }

  @Test("every function and property that it names is in the sources")
  func interfaceExists() throws {
    var types: Set<String> = []
    var members: Set<String> = ["init"]
    for text in try Self.texts(in: "Sources/SchemaKit") {
      let words = Self.words(text)
      for (keyword, name) in zip(words, words.dropFirst()) {
        if ["struct", "class", "actor", "enum", "protocol"].contains(keyword) { types.insert(name) }
        if ["func", "var", "let", "case"].contains(keyword) { members.insert(name) }
      }
      if text.contains("static func == (") { members.insert("==") }
    }
    let names = try rows().flatMap { quoted("\($0.capability) \($0.answer)") }
      .compactMap { $0.wholeMatch(of: /([A-Z]\w+)\.(\w+|==)/)?.output }
    #expect(names.count > 150)
    for (name, type, member) in names {
      #expect(types.contains(String(type)) && members.contains(String(member)), "the sources have no \(name)")
    }
  }

  /// All tests as `Suite/function`. A test belongs to the type that was opened last before it.
  private static func tests() throws -> Set<String> {
    var tests: Set<String> = []
    for text in try texts(in: "Tests/SchemaKitTests") {
      var suite = ""
      var isTest = false
      for line in text.split(separator: "\n") {
        if line.contains("@Test") { isTest = true }
        let words = line.contains("struct ") || line.contains("func ") ? Self.words(line) : []
        for (keyword, name) in zip(words, words.dropFirst()) {
          if keyword == "struct", name.hasSuffix("Tests") { suite = name }
          if keyword == "func", isTest {
            tests.insert("\(suite)/\(name)")
            isTest = false
          }
        }
      }
    }
    return tests
  }

  /// The texts of all Swift files below a folder.
  private static func texts(in folder: String) throws -> [String] {
    let base = SourceTree.root.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: base.appendingPathComponent($0), encoding: .utf8)
    }
  }

  /// The runs of letters, digits and underscores.
  private static func words(_ text: some StringProtocol) -> [String] {
    text.utf8.split { byte in
      !(byte >= 0x61 && byte <= 0x7A || byte >= 0x41 && byte <= 0x5A || byte >= 0x30 && byte <= 0x39 || byte == 0x5F)
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}
