import OrderedCollections
package import SchemaKit

/// One schema, printed.
package enum SchemaReport {
  /// The statements that create the schema in an empty database; reading them back gives an equal schema.
  ///
  /// - Parameter keepsHints: True if migration hints are kept. The hints in a file's own text were meant for a change
  ///   that has been made, and would give another database consent that nobody gave.
  package static func sql(_ schema: DatabaseSchema, keepsHints: Bool = true) -> String {
    let groups = [
      schema.tables.values.map(\.sql) + schema.virtualTables.values.map(\.sql), schema.indexes.values.map(\.sql),
      schema.views.values.map(\.sql), schema.triggers.values.map(\.sql),
    ].map { group in keepsHints ? group : group.map(withoutHints) }
    return groups.filter { !$0.isEmpty }
      .map { group in group.map { $0.terminated + "\n" }.joined() }.joined(separator: "\n")
  }

  /// A statement without the comments that tell a migration what to do.
  private static func withoutHints(_ sql: String) -> String {
    guard let comments = try? SQLLexer.tokensAndComments(of: sql).comments else { return sql }
    let bytes = Array(sql.utf8)
    let edits = comments.filter { isMigrationHint($0.text) }.map { comment in
      var span = comment.span
      while span.start > 0, bytes[span.start - 1] == UInt8(ascii: " ") { span.start -= 1 }
      return SQLEditing.Edit(span: span, replacement: comment.text.hasPrefix("/*") ? " " : "")
    }
    return SQLEditing.applying(edits, to: sql)
  }

  private static func isMigrationHint(_ comment: String) -> Bool {
    // Without its colon a hint would be rejected when it is read again.
    let text = comment.dropFirst(2).trimmed.lowercased()
    if text.contains(/^schemakit\s*:?\s*(renamed\s+from|removed|fill|convert)\s/) { return true }
    return text.contains(/^schemakit\s*:\s*ignore\b.*schemakit:/) || text.contains(/^schemakit\s+:/)
  }
}
