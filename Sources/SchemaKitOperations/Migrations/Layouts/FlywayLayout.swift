/// Flyway: `V1_2__name.sql`, here and in folders below, in the order of the versions.
///
/// `U1_2__name.sql` undoes and is never run. A database without migrations begins with the last baseline,
/// `B3__name.sql`, in place of the versions up to it; so does the replay. See
/// [migrations](https://documentation.red-gate.com/fd/migrations-271585107.html).
enum FlywayLayout: LayoutRules {
  private struct Name {
    /// V, B or U, which Flyway takes in capitals only; R has no version.
    var prefix: Character
    var version: LayoutVersion?
  }

  static let bookkeepingTables = ["flyway_schema_history"]

  static func fits(_ folder: LayoutFolder) -> Bool {
    folder.scripts.contains { $0.contains("__") && name(of: $0) != nil }
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    var versions: [(version: LayoutVersion, name: String)] = []
    var baselines: [(version: LayoutVersion, name: String)] = []
    for file in try folder.filesAtAnyDepth() {
      let name = name(of: file)
      guard isScript(file) else {
        if name != nil, isProgram(file) {
          throw SchemaError(
            source: folder.path(of: file), problem: "is a migration that is not SQL, and cannot be replayed")
        }
        continue
      }
      switch (name?.prefix, name?.version) {
      case ("V", let version?): versions.append((version, file))
      case ("B", let version?): baselines.append((version, file))
      case ("U", _?): break
      case ("R", _):
        throw SchemaError(
          source: folder.path(of: file),
          problem:
            "is repeatable, so that what it leads to depends on when it ran; move it into a version, or out of the "
            + "folder")
      default: throw folder.stray(file, of: .flyway, expected: "V1__NAME.sql, with a capital V and two underscores")
      }
    }
    let (order, _) = (try folder.inVersionOrder(versions), try folder.inVersionOrder(baselines))
    guard let baseline = baselines.max(by: { $0.version < $1.version }) else { return order }
    let former = Set(versions.filter { $0.version <= baseline.version }.map(\.name))
    return [baseline.name] + order.filter { !former.contains($0) }
  }

  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String {
    for (index, line) in text.lineTexts.enumerated() {
      guard let start = line.firstRange(of: "${"), !line[..<start.lowerBound].contains("--") else { continue }
      let placeholder = line[start.lowerBound...].prefix { $0 != "}" } + "}"
      throw SchemaError(
        source: source, line: index + 1,
        problem: "only Flyway knows the value of \(placeholder), so that this migration cannot be replayed; write the "
          + "value into it")
    }
    return text
  }

  private static func isScript(_ file: String) -> Bool { file.lowercased().hasSuffix(".sql") }

  private static func isProgram(_ file: String) -> Bool {
    ["java", "class", "kt", "groovy", "sh", "bash", "ps1", "bat", "cmd", "py"].contains {
      file.hasSuffix(".\($0)")
    }
  }

  /// The parts of a file's name; nil if it is not a migration.
  private static func name(of file: String) -> Name? {
    let name = file.split(separator: "/").last ?? ""
    guard let prefix = name.first, "VBUR".contains(prefix) else { return nil }
    let stem = (name.lastIndex(of: ".").map { name[..<$0] } ?? name).dropFirst()
    let version = stem.firstRange(of: "__").map { stem[..<$0.lowerBound] } ?? stem
    if prefix == "R" { return version.isEmpty ? Name(prefix: prefix) : nil }
    return LayoutVersion(version, separators: [".", "_"]).map { Name(prefix: prefix, version: $0) }
  }
}
