/// The layout of a folder of migrations or schemas: that of another tool, or plain SQL.
package enum MigrationLayout: String, Sendable, CaseIterable {
  case dbmate, drizzle, flyway, goose, prisma, room, sqlx
  /// All `.sql` files in the order of their names, each read as a whole.
  case plain = "none"

  /// The rules of the tool; nil for plain SQL.
  private var rules: (any LayoutRules.Type)? {
    switch self {
    case .dbmate: DbmateLayout.self
    case .drizzle: DrizzleLayout.self
    case .flyway: FlywayLayout.self
    case .goose: GooseLayout.self
    case .prisma: PrismaLayout.self
    case .room: RoomLayout.self
    case .sqlx: SQLxLayout.self
    case .plain: nil
    }
  }

  /// The tables in which the tool records what it has run, in a database but in none of the migrations.
  package var bookkeepingTables: [String] { rules?.bookkeepingTables ?? [] }

  /// Recognises the layout of a folder.
  ///
  /// - Throws: `SchemaError` if two layouts fit, if none fits and a file has a section that undoes it, or if a file cannot be read.
  package static func recognised(at path: String) throws(SchemaError) -> MigrationLayout {
    let folder = try LayoutFolder(path: path)
    guard !folder.isRecorded else { return .plain }
    var found: [MigrationLayout] = []
    for layout in allCases where try layout.rules?.fits(folder) == true { found.append(layout) }
    guard found.count < 2 else {
      throw SchemaError(
        source: path,
        problem: "fits the layouts \(found.map(\.rawValue).joined(separator: " and ")): choose one with --layout, or "
          + "plain SQL with --layout none")
    }
    if let layout = found.first { return layout }
    if let error = RoomLayout.outerFolder(folder) ?? ProgramSchema.error(in: folder) { throw error }
    for file in folder.scripts {
      let lines = try folder.text(file).lineTexts
      guard lines.contains(where: { marks($0, ["up", "ups", "forward", "forwards"]) }),
        let place = lines.firstIndex(where: {
          marks($0, ["down", "downs", "undo", "rollback", "backward", "backwards"])
        })
      else { continue }
      throw SchemaError(
        source: folder.path(of: file), line: place + 1,
        problem:
          "\(lines[place][...].trimmed) seems to begin what undoes the migration, and no known layout has such a "
          + "line. Leave these sections out, or have every file read as a whole with --layout none")
    }
    return .plain
  }

  /// True for a comment that is nothing but the mark of a section, such as `-- +migrate Down` or `-- Up Migration`.
  private static func marks(_ line: String, _ names: Set<String>) -> Bool {
    let comment = line[...].trimmed
    guard comment.hasPrefix("--") else { return false }
    let words = comment.drop { $0 == "-" }.lowercased().split { !$0.isLetter }.map { String($0) }
    return (1...2).contains(words.count) && !names.isDisjoint(with: words)
  }

  /// The migrations of a folder in the order in which the tool runs them, each without what undoes it.
  ///
  /// Lines keep their numbers.
  ///
  /// - Throws: `SchemaError` with the name of a file that cannot be replayed, or has no place in the order.
  package func migrations(at path: String) throws(SchemaError) -> [Migration] {
    guard let rules else { return try MigrationFolder(reading: path).steps }
    let folder = try LayoutFolder(path: path)
    var migrations: [Migration] = []
    for file in try rules.order(of: folder) {
      let source = folder.path(of: file)
      let sql = try rules.replayedText(try folder.text(file), source: source)
      let name = file.hasSuffix(".sql") ? String(file.dropLast(".sql".count)) : file
      migrations.append(try Migration(name: name, path: source, sql: sql))
    }
    guard !migrations.isEmpty else { throw SchemaError(source: path, problem: "holds no migration of \(rawValue)") }
    return migrations
  }

  /// True if a folder holds migrations that SchemaKit recorded, which have no other layout.
  package static func isRecorded(at path: String) -> Bool {
    (try? LayoutFolder(path: path))?.isRecorded ?? false
  }
}

/// The rules for the folders of one tool.
protocol LayoutRules: Sendable {
  static var bookkeepingTables: [String] { get }

  /// True if a folder can only be one of this tool's.
  static func fits(_ folder: LayoutFolder) throws(SchemaError) -> Bool

  /// The files that the tool runs, in order.
  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String]

  /// The part of a file's text that changes the schema forwards, on the lines on which it stands.
  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String
}

extension LayoutRules {
  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String { text }
}
