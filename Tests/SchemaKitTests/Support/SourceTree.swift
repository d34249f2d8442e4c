import Foundation

/// The project's own files, as text to be examined.
struct SourceTree {
  struct File {
    /// The path from the project's root.
    var path: String
    var text: String
    /// The text without comments and string literals, but with the code that is interpolated into these.
    var code: String
  }

  /// The project's root.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below a folder.
  static func swiftFiles(in folder: String) throws -> [File] {
    let base = root.appendingPathComponent(folder)
    // The packages among the tests and examples are built where they are.
    let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter {
      $0.hasSuffix(".swift") && !$0.split(separator: "/").contains(".build")
    }.sorted()
    return try paths.map { path in
      let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
      return File(path: folder + "/" + path, text: text, code: blanked(text))
    }
  }

  /// Blanks out comments and string literals, keeping the lines and the code that is interpolated.
  static func blanked(_ text: String) -> String {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.code(untilParenthesis: false)
    return String(decoding: scanner.result, as: UTF8.self)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0
    var result: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func starts(_ mark: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(index + offset).starts(with: mark.utf8)
    }

    /// Keeps code up to the end, or up to the parenthesis that closes an interpolation.
    mutating func code(untilParenthesis: Bool) {
      var depth = 0
      while index < bytes.count {
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        if starts("//") {
          while index < bytes.count, bytes[index] != 10 { index += 1 }
        } else if starts("/*") {
          while index < bytes.count, !starts("*/") { blank() }
          index += 2
        } else if starts("\"", at: hashes) {
          index += hashes
          string(starts("\"\"\"") ? "\"\"\"" : "\"", hashes: String(repeating: "#", count: hashes))
        } else {
          if starts("(") { depth += 1 }
          if starts(")") { depth -= 1 }
          if untilParenthesis, depth < 0 { return }
          result.append(bytes[index])
          index += 1
        }
      }
    }

    private mutating func string(_ quotes: String, hashes: String) {
      let escape = "\\" + hashes
      index += quotes.utf8.count
      while index < bytes.count, !starts(quotes + hashes) {
        if starts(escape + "(") {
          index += escape.utf8.count + 1
          result.append(UInt8(ascii: " "))
          code(untilParenthesis: true)
          result.append(UInt8(ascii: " "))
        } else if starts(escape) {
          index += escape.utf8.count
        }
        if index < bytes.count { blank() }
      }
      index += quotes.utf8.count + hashes.utf8.count
    }

    private mutating func blank() {
      if bytes[index] == 10 { result.append(10) }
      index += 1
    }
  }
}
