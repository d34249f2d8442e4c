import SchemaKitFoundation

/// The history's record of a file that serves an older and a newer program at once.
///
/// It is a row of `_schemakit_meta`, written in the transaction that makes the file serve both.
package struct Expansion: Sendable, Hashable, Codable {
  /// The fingerprint of the older program's schema.
  package var older: String
  /// The fingerprint of the newer program's schema.
  package var newer: String
  /// The fingerprint of what the file has for both.
  package var shape: String
  /// The names of columns that have two, the new by the former, by their tables.
  package var formerNames: [String: [String: String]]
  /// When it began, in seconds since 1970.
  package var since: Int64
  /// The schema cookie at which the file was found to have that shape.
  package var cookie: Int64
  /// The digests of the declarations that the file was opened with since.
  package var declarations: Set<String> = []
  /// True if the older program is served; if not, the file has what is to be removed in the background.
  package var servesOlder: Bool

  package init(
    older: String, newer: String, shape: String, formerNames: [String: [String: String]], since: Int64, cookie: Int64,
    servesOlder: Bool
  ) {
    self.older = older
    self.newer = newer
    self.shape = shape
    self.formerNames = formerNames
    self.since = since
    self.cookie = cookie
    self.servesOlder = servesOlder
  }

  /// The number of columns that have two names.
  package var pairCount: Int { formerNames.values.reduce(0) { $0 + $1.count } }

  /// When it began, in UTC.
  package var start: String {
    Date(timeIntervalSince1970: TimeInterval(since)).formatted(.iso8601.dateSeparator(.dash))
  }
}

extension Ledger {
  private static func key(_ schema: String) -> String { "expanded \(schema)" }

  /// Returns the record of a schema that serves two programs; nil if it does not.
  package func expansion(of schema: String) throws -> Expansion? {
    guard try exists() else { return nil }
    let text = try connection.value(
      "SELECT value FROM main._schemakit_meta WHERE key = ?1", [.text(Self.key(schema))])?.text
    return try text.map { try Self.expansion($0, key: Self.key(schema)) }
  }

  /// Returns the records of all schemas of the file that serve two programs, or have something left to remove.
  package func expansions() throws -> [(schema: String, expansion: Expansion)] {
    let start = Self.key("")
    return try connection.rows("SELECT key, value FROM main._schemakit_meta ORDER BY key").compactMap { row in
      guard let key = row[0].text, key.hasPrefix(start), let text = row[1].text else { return nil }
      return (String(key.dropFirst(start.count)), try Self.expansion(text, key: key))
    }
  }

  private static func expansion(_ text: String, key: String) throws -> Expansion {
    guard let expansion = try? JSONDecoder().decode(Expansion.self, from: Data(text.utf8)) else {
      throw HistoryError.damaged(LedgerShape.meta.name, .wrongRow(key, .expansion))
    }
    return expansion
  }

  package func note(_ expansion: Expansion, of schema: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(expansion), as: UTF8.self)
    try connection.run(
      "INSERT INTO main._schemakit_meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      [.text(Self.key(schema)), .text(text)])
  }

  package func forgetExpansion(of schema: String) throws {
    try connection.run("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(Self.key(schema))])
  }
}
