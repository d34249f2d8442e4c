import SchemaKitFoundation

/// Patterns of names such as `tmp_*`, matched as SQLite compares names.
package enum NamePatterns {
  /// Returns a predicate for whether a name matches one of the patterns.
  package static func matcher(_ patterns: [String]) -> @Sendable (SQLName) -> Bool {
    let patterns = patterns.map { SQLName($0).folded }
    return { name in patterns.contains { fnmatch($0, name.folded, 0) == 0 } }
  }
}
