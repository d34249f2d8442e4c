import SchemaKitFoundation

/// The forms in which a file has the values of a schema's columns, as the program said that was the last to store them.
package struct FormMemory: Sendable, Hashable, Codable {
  /// One column.
  package struct Column: Sendable, Hashable, Codable {
    package var table: String
    package var column: String
    package var form: ValueForm
    /// The affinity of the column then; under another one, others have stored the values anew.
    package var affinity: String
    /// The forms that it had before, from which values were stored anew, the oldest first; nil where there were none.
    package var former: [ValueForm]?
  }
  /// The digest of the declaration that said so. Whoever writes another into the schema's row says nothing of forms.
  package var declaration: String
  /// The last entry of the history then. Later ones of other schemas may have changed rows.
  package var entry: Int
  package var columns: [Column]

  /// Returns the remembered form of a column.
  package func column(_ name: SQLName, of table: SQLName) -> Column? {
    columns.first { SQLName($0.column) == name && SQLName($0.table) == table }
  }

  /// The memory of a file of whose forms no program has said anything.
  static let untold = FormMemory(declaration: "", entry: 0, columns: [])
  /// True if the forms are those that the rows told.
  var isUntold: Bool { declaration == Self.untold.declaration }

  /// True if a program that knows nothing of forms would take values for others.
  fileprivate var hasFormerForms: Bool { columns.contains { $0.former?.isEmpty == false } }
}

// It is a row of `_schemakit_meta`.
extension Ledger {
  private static func formsKey(_ schema: String) -> String { "forms \(schema)" }

  /// Returns the remembered forms of a schema's columns; nil if there are none, or if the schema was declared since
  /// without forms.
  package func forms(of schema: String) throws -> FormMemory? {
    guard try exists(), let record = try record(of: schema), let memory = try storedForms(of: schema) else {
      return nil
    }
    return memory.declaration == record.declarationDigest ? memory : nil
  }

  private func storedForms(of schema: String) throws -> FormMemory? {
    let key = Self.formsKey(schema)
    let sql = "SELECT value FROM main._schemakit_meta WHERE key = ?1"
    guard let text = try connection.value(sql, [.text(key)])?.text else { return nil }
    guard let memory = try? JSONDecoder().decode(FormMemory.self, from: Data(text.utf8)) else {
      throw HistoryError.damaged(LedgerShape.meta.name, .wrongRow(key, .forms))
    }
    return memory
  }

  /// True if somebody who goes by SQL alone has changed a table since the forms were noted: a schema of the whole file, or a
  /// recorded step, which may have scripts.
  package func hasChangesInSQL(of table: SQLName, since memory: FormMemory) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM main._schemakit_history WHERE id > ?1 AND schema IN ('', '(file)') \
      AND kind <> 'baseline' AND (instr(lower(plan), lower(?2)) > 0 OR instr(char(10) || summary, char(10) || 'rows: ') > 0))
      """
    return try connection.integer(sql, [.integer(Int64(memory.entry)), .text(table.text)]) == 1
  }

  /// Notes the forms of a schema's columns; nil for a schema that says nothing of them.
  ///
  /// A program that knows nothing of forms must not take values for others, so that the tables get a newer format where a
  /// column got another coding under the same type, and have their former one when that is undone.
  func note(_ memory: FormMemory?, of schema: String) throws {
    let key = Self.formsKey(schema)
    if let memory {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try change(
        "INSERT INTO main._schemakit_meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [.text(key), .text(String(decoding: try encoder.encode(memory), as: UTF8.self))])
    } else {
      let sql = "SELECT EXISTS (SELECT 1 FROM main._schemakit_meta WHERE key = ?1)"
      guard try connection.integer(sql, [.text(key)]) == 1 else { return }
      try change("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(key)])
    }
    try settleFormat()
  }

  /// Writes the format that a program must know to read the file's rows as they are meant.
  private func settleFormat() throws {
    let sql = "SELECT value FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1"
    let isNeeded = try connection.texts(sql, [.text(Self.formsKey(""))]).contains { text in
      (try? JSONDecoder().decode(FormMemory.self, from: Data(text.utf8)))?.hasFormerForms == true
    }
    let format = isNeeded ? Self.format : Self.plainFormat
    let stored = "SELECT value FROM main._schemakit_meta WHERE key = 'format'"
    guard try connection.integer(stored) != format else { return }
    try change("UPDATE main._schemakit_meta SET value = \(format) WHERE key = 'format'", [])
  }

  private func change(_ sql: String, _ bindings: [SQLValue]) throws {
    _ = try connection.onLedger(LedgerShape.meta) { try connection.run(sql, bindings) }
  }
}
