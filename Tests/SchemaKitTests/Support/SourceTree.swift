import Foundation

/// The project's own files, as text to be examined.
struct SourceTree {
  struct File {
    /// The path from the project's root.
    var path: String
    var text: String
    /// The text with comments and the insides of string literals blanked out.
    var code: String
  }

  /// The project's root.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below a folder.
  static func swiftFiles(in folder: String) throws -> [File] {
    let base = root.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }
      .sorted()
    return try paths.map { path in
      let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
      return File(path: folder + "/" + path, text: text, code: blanked(text))
    }
  }

  /// Blanks out comments and string literals, keeping the lines.
  static func blanked(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    func starts(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }
    func blank(until mark: String, escapes: Bool) {
      while index < bytes.count, !starts(mark) {
        if escapes, bytes[index] == UInt8(ascii: "\\") { index += 1 }
        if index < bytes.count, bytes[index] == 10 { result.append(10) }
        index += 1
      }
      index += mark.utf8.count
    }
    while index < bytes.count {
      if starts("//") {
        while index < bytes.count, bytes[index] != 10 { index += 1 }
      } else if starts("/*") {
        index += 2
        blank(until: "*/", escapes: false)
      } else if starts("\"\"\"") {
        index += 3
        blank(until: "\"\"\"", escapes: true)
      } else if starts("\"") {
        index += 1
        blank(until: "\"", escapes: true)
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
