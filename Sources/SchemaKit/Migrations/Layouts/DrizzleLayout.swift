import SchemaKitFoundation

/// Drizzle: the order of `meta/_journal.json`, with `--> statement-breakpoint` between statements.
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
    FileManager.default.fileExists(atPath: folder.path(of: journal))
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
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
  static func replayedText(_ text: String, source: String) -> String {
    text.replacing("--> statement-breakpoint", with: ";")
  }
}
