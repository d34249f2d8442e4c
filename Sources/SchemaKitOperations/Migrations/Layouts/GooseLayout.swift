/// goose: `00001_name.sql` with the sections `-- +goose Up` and `-- +goose Down`, in the order of the numbers.
///
/// See [SQL migrations](https://pressly.github.io/goose/documentation/annotations/).
enum GooseLayout: LayoutRules {
  private enum Annotation: String, CaseIterable {
    case up, down
    case statementBegin = "statementbegin"
    case statementEnd = "statementend"
    case noTransaction = "no transaction"
    case substitutionOn = "envsub on"
    case substitutionOff = "envsub off"
  }

  static let bookkeepingTables = ["goose_db_version"]

  static func fits(_ folder: LayoutFolder) throws(SchemaError) -> Bool {
    for file in folder.scripts {
      if try folder.text(file).lineTexts.contains(where: { annotation($0)?.kind == .up }) { return true }
    }
    return false
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    if let file = folder.names.first(where: { isProgram($0) && version(of: $0) != nil }) {
      throw SchemaError(
        source: folder.path(of: file),
        problem:
          "is a migration in Go, which cannot be replayed; compare with a database that has it, or with its schema "
          + "in one file")
    }
    var files: [(LayoutVersion, String)] = []
    for file in folder.scripts {
      guard let version = version(of: file) else {
        throw folder.stray(file, of: .goose, expected: "NUMBER_NAME.sql")
      }
      files.append((version, file))
    }
    return try folder.inVersionOrder(files)
  }

  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String {
    var lines = text.lineTexts
    var section: Annotation?
    for (index, line) in lines.enumerated() {
      func fault(_ problem: String) -> SchemaError { SchemaError(source: source, line: index + 1, problem: problem) }
      if let annotation = annotation(line) {
        switch annotation.kind {
        case .up?:
          if section != nil { throw fault("a second -- +goose Up; a migration has one") }
          section = .up
        case .down?:
          if section != .up { throw fault("-- +goose Down stands behind no -- +goose Up") }
          section = .down
        case .substitutionOn? where section != .down:
          throw fault(
            "ENVSUB takes values from the environment of goose, so that this migration cannot be replayed; write the "
              + "values into it")
        case nil: throw fault("goose has no annotation \"\(annotation.text)\"")
        case .statementBegin?, .statementEnd?, .noTransaction?, .substitutionOn?, .substitutionOff?: break
        }
        // The statement that ends here may lack its semicolon.
        lines[index] = annotation.kind == .statementEnd || annotation.kind == .down ? ";" : ""
      } else if section == nil, !line[...].trimmed.isEmpty, !line[...].trimmed.hasPrefix("--") {
        throw fault("stands before -- +goose Up")
      }
      if section == .down, annotation(line)?.kind != .down { lines[index] = "" }
    }
    guard section != nil else { throw SchemaError(source: source, problem: "has no line -- +goose Up") }
    return lines.joined(separator: "\n")
  }

  private static func isProgram(_ file: String) -> Bool { file.hasSuffix(".go") && !file.hasSuffix("_test.go") }

  /// The number before the first underscore, 1 or more.
  private static func version(of file: String) -> LayoutVersion? {
    guard let end = file.firstIndex(of: "_"), let version = LayoutVersion(file[..<end]) else { return nil }
    return version == LayoutVersion("0") ? nil : version
  }

  /// The annotation on a line, whose kind is nil if goose has none of the name; nil for any other line.
  private static func annotation(_ line: String) -> (kind: Annotation?, text: String)? {
    let comment = line[...].trimmed
    guard comment.hasPrefix("--"), let start = comment.firstRange(of: "+goose") else { return nil }
    let text = comment[start.upperBound...].trimmed
    return (Annotation(rawValue: text.lowercased()), String(text))
  }
}
