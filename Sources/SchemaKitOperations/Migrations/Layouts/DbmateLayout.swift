/// dbmate: `20240131120000_name.sql` with the sections `-- migrate:up` and `-- migrate:down`, in the order of the names.
///
/// See [its README](https://github.com/amacneil/dbmate#creating-migrations).
enum DbmateLayout: LayoutRules {
  private enum Mark { case up, down }

  static let bookkeepingTables = ["schema_migrations"]

  static func fits(_ folder: LayoutFolder) throws(SchemaError) -> Bool {
    for file in folder.scripts where version(of: file) != nil {
      if try folder.text(file).lineTexts.contains(where: { mark($0) == .up }) { return true }
    }
    return false
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    var files: [(version: LayoutVersion, name: String)] = []
    for file in folder.scripts {
      guard let version = version(of: file) else {
        throw folder.stray(file, of: .dbmate, expected: "VERSION_NAME.sql")
      }
      if let last = files.last, version < last.version {
        throw SchemaError(
          source: folder.path(of: last.name),
          problem: "dbmate runs it before \(file), whose version is lower: it goes by the order of names. Give the "
            + "versions the same number of digits")
      }
      files.append((version, file))
    }
    return try folder.inVersionOrder(files)
  }

  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String {
    var lines = text.lineTexts
    var section: Mark?
    for (index, line) in lines.enumerated() {
      if let mark = mark(line), section != nil || mark == .up {
        if mark == .down, section == .down {
          throw SchemaError(
            source: source, line: index + 1, problem: "a second -- migrate:down without a -- migrate:up before it")
        }
        section = mark
        // A section is a script of its own, whose last statement may lack its semicolon.
        lines[index] = ";"
      } else if section == .down {
        lines[index] = ""
      } else if section == nil, !line[...].trimmed.isEmpty, !line[...].trimmed.hasPrefix("--") {
        throw SchemaError(source: source, line: index + 1, problem: "stands before -- migrate:up")
      }
    }
    guard section != nil else { throw SchemaError(source: source, problem: "has no line -- migrate:up") }
    return lines.joined(separator: "\n")
  }

  private static func version(of file: String) -> LayoutVersion? {
    LayoutVersion(file.prefix { $0.isASCII && $0.isNumber })
  }

  private static func mark(_ line: String) -> Mark? {
    guard line.hasPrefix("--") else { return nil }
    let words = line.dropFirst(2).trimmed
    for (word, mark) in [("migrate:up", Mark.up), ("migrate:down", .down)] where words.hasPrefix(word) {
      if words.dropFirst(word.count).first?.isWhitespace ?? true { return mark }
    }
    return nil
  }
}
