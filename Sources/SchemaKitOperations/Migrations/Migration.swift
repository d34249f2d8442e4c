/// A recorded migration: SQL that changes the schema, and statements on rows that run before and after it.
///
/// The file `0002-add-author.sql` holds the schema change. `0002-add-author.before.sql` and
/// `0002-add-author.after.sql`, with INSERT, UPDATE and DELETE, may accompany it.
package struct Migration: Sendable, Hashable {
  /// The name of the file without `.sql`, by which databases record the step.
  package var name: String
  /// The path of the file.
  package var path: String
  /// The text that changes the schema.
  package var sql: String
  /// The script that works on rows before the schema changes; nil for none.
  package var before: String?
  /// The script that works on rows afterwards; nil for none.
  package var after: String?
  /// The directives in the comments of the text.
  package var directives: MigrationDirectives

  package init(name: String, path: String, sql: String, before: String? = nil, after: String? = nil) throws(SchemaError)
  {
    self.name = name
    self.path = path
    self.sql = sql
    self.before = before
    self.after = after
    directives = try MigrationDirectives(of: sql, source: path)
  }
}

extension Migration {
  static let beforeSuffix = ".before.sql"
  static let afterSuffix = ".after.sql"

  /// The digits at the beginning of the name; nil if there are none.
  package var number: Int? { Self.number(of: name) }

  static func number(of name: String) -> Int? { Int(name.prefix { $0.isASCII && $0.isNumber }) }

  /// The name after the number.
  package var title: String { Self.title(of: name) }

  static func title(of name: String) -> String {
    let rest = name.drop { $0.isASCII && $0.isNumber }
    return String(rest.drop { $0 == "-" || $0 == "_" })
  }

  /// The name of a step with a number of four digits before its title.
  package static func name(number: Int, title: String) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-" + title
  }

  /// The title of a squashed step.
  package static let squashedTitle = "squashed"

  /// The steps replaced by this one that a database lacks. A replaced step that was squashed itself stands for all
  /// steps before it, and is not missed if they are there.
  func lacking(in known: Set<String>) -> [String] {
    func isSquashed(_ name: String) -> Bool { Self.title(of: name) == Self.squashedTitle }
    let start = directives.replaces.lastIndex { isSquashed($0) && known.contains($0) } ?? -1
    return directives.replaces[(start + 1)...].filter { !known.contains($0) && !isSquashed($0) }
  }

  /// The files of the step: their name suffixes and texts.
  package var files: [(suffix: String, text: String)] {
    [(".sql", sql)] + (before.map { [(Self.beforeSuffix, $0)] } ?? []) + (after.map { [(Self.afterSuffix, $0)] } ?? [])
  }

  /// The names that the files of a step may have.
  package static func fileNames(of name: String) -> [String] { [".sql", beforeSuffix, afterSuffix].map { name + $0 } }

  /// The same step under another name.
  package func renamed(to name: String) throws(SchemaError) -> Migration {
    let folder = path.dropLast(self.name.count + ".sql".count)
    // A line may end in CRLF, which is one character.
    var head = String(sql.prefix { !$0.isNewline })
    let rest = sql.dropFirst(head.count)
    if head.hasPrefix("-- Step \(self.name)") { head = head.replacing(self.name, with: name) }
    return try Migration(
      name: name, path: folder + name + ".sql", sql: head + rest, before: before, after: after)
  }

  /// Checks that the files beside the step only work on rows.
  ///
  /// - Throws: `SchemaError` with the line of the first statement that does not.
  package func checkData() throws(SchemaError) {
    for script in scripts { _ = try script.parts() }
  }

  /// Rejects statements beside the step that depend on the order of columns, or that no database can run.
  func refuseUnreliable() throws {
    for script in scripts {
      try script.refusePositions()
      try script.refuseWhatNeverRuns()
    }
  }

  /// The scripts that work on rows, before the schema changes and afterwards.
  private var scripts: [MigrationScript] { [beforeScript, afterScript].compactMap(\.self) }

  var beforeScript: MigrationScript? { before.map { MigrationScript($0, source: dataPath(isBefore: true)) } }

  var afterScript: MigrationScript? { after.map { MigrationScript($0, source: dataPath(isBefore: false)) } }

  /// The first work in Swift that is unknown.
  func unknownWork(_ work: (String) -> (() throws -> Void)?) throws(SchemaError) -> (name: String, source: String)? {
    for script in scripts {
      if let name = try script.workNames().first(where: { work($0) == nil }) { return (name, script.source) }
    }
    return nil
  }

  /// The path of the file that works on rows before or after the schema changes.
  package func dataPath(isBefore: Bool) -> String {
    String(path.dropLast(".sql".count)) + (isBefore ? Self.beforeSuffix : Self.afterSuffix)
  }
}
