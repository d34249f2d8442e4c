import SchemaKitFoundation

/// Drizzle: the order of `meta/_journal.json`, or from 1.0 on `20240131120000_name/migration.sql` beside `snapshot.json` in
/// the order of the folders' names, with `--> statement-breakpoint` between statements.
///
/// See [drizzle-kit generate](https://orm.drizzle.team/docs/drizzle-kit-generate).
enum DrizzleLayout: LayoutRules {
  private struct Journal: Decodable {
    struct Entry: Decodable {
      /// The position; two entries share one after a merge of branches.
      var idx: Int
      /// The moment at which the migration was made: a database that has a later one passes it over.
      var when: Double
      /// The name of the file without `.sql`.
      var tag: String
    }
    var entries: [Entry]
  }

  static let bookkeepingTables = ["__drizzle_migrations"]

  private static let journal = "meta/_journal.json"

  static func fits(_ folder: LayoutFolder) -> Bool {
    hasJournal(folder)
      || steps(of: folder).contains { FileManager.default.fileExists(atPath: folder.path(of: "\($0)/snapshot.json")) }
  }

  private static func hasJournal(_ folder: LayoutFolder) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(of: journal))
  }

  /// The folders of migrations of Drizzle 1.0.
  private static func steps(of folder: LayoutFolder) -> [String] {
    folder.names.filter { name in
      !name.hasPrefix(".") && FileManager.default.fileExists(atPath: folder.path(of: "\(name)/migration.sql"))
    }
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    let steps = steps(of: folder)
    guard hasJournal(folder) else {
      if let file = folder.scripts.first {
        throw folder.stray(file, of: .drizzle, expected: "VERSION_NAME/migration.sql")
      }
      return steps.map { "\($0)/migration.sql" }
    }
    if let step = steps.first {
      throw SchemaError(
        source: folder.path(of: step),
        problem:
          "is a migration of Drizzle 1.0 beside \(journal) of a version before; drizzle-kit up makes them one kind")
    }
    let source = folder.path(of: journal)
    guard let read = try? JSONDecoder().decode(Journal.self, from: Data(try folder.text(journal).utf8)) else {
      throw SchemaError(source: source, problem: "cannot be read as the journal of Drizzle")
    }
    for (entry, next) in zip(read.entries, read.entries.dropFirst())
    where next.idx <= entry.idx || next.when <= entry.when {
      throw SchemaError(
        source: folder.path(of: next.tag + ".sql"),
        problem:
          "is out of order: \(journal) has it behind \(entry.tag), with \(next.idx <= entry.idx ? "idx" : "when") not "
          + "above that one's. Drop it and generate it again")
    }
    let order = read.entries.map { $0.tag + ".sql" }
    for file in order where !folder.names.contains(file) {
      throw SchemaError(source: folder.path(of: file), problem: "is named in \(journal), but is missing")
    }
    if let file = folder.scripts.first(where: { !order.contains($0) }) {
      throw SchemaError(
        source: folder.path(of: file), problem: "is not named in \(journal), so that Drizzle never runs it")
    }
    return order
  }

  /// Drizzle runs what stands between two breakpoints as one statement, which need not end with a semicolon.
  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String {
    let comments: [SQLComment]
    do {
      comments = try SQLLexer.tokensAndComments(of: text).comments
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    var bytes = Array(text.utf8)
    let mark = Array("--> statement-breakpoint".utf8)
    for comment in comments.reversed() where comment.text.utf8.starts(with: mark) {
      bytes.replaceSubrange(comment.span.start..<(comment.span.start + mark.count), with: [UInt8(ascii: ";")])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
