import OrderedCollections

/// The identity of a schema: SHA-256 over a canonical text of its objects.
///
/// Not covered: the order of columns and objects, constraint names, comments, hints, statistics, whether an INTEGER
/// PRIMARY KEY is declared NOT NULL, which has no meaning in SQLite, a UNIQUE that repeats the primary key, and whether
/// a foreign key names the columns of the parent's primary key.
package enum Fingerprint {
  /// The version of the canonical text's format; a different format gives different fingerprints.
  static let format = 1

  /// The fingerprint of a schema, as 64 hexadecimal digits.
  package static func of(_ schema: DatabaseSchema) -> String { SHA256.hexDigest(of: canonicalText(of: schema)) }

  /// The fingerprint that an older version may have written for a schema; nil if it is the same as the current one.
  ///
  /// It distinguished equivalent declarations: a UNIQUE that repeats the primary key from none, and `REFERENCES p (id)`
  /// from `REFERENCES p`. The format version was kept, so that the fingerprints of all other schemas stay the same.
  package static func former(of schema: DatabaseSchema) -> String? {
    let isSame = schema.tables.values.allSatisfy { table in
      table.uniques.count == table.ownUniques.count
        && table.foreignKeys.allSatisfy { $0.parentColumns.isEmpty || schema.withoutImpliedColumns($0) == $0 }
    }
    return isSame ? nil : SHA256.hexDigest(of: canonicalText(of: schema, isFormer: true))
  }

  /// The canonical text: a line for each object and each of its parts.
  static func canonicalText(of schema: DatabaseSchema, isFormer: Bool = false) -> String {
    var text = "schemakit schema \(format)"
    for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
      append(table, of: isFormer ? nil : schema, to: &text)
    }
    for table in schema.virtualTables.values.sorted(by: { $0.name < $1.name }) {
      append("virtual", [table.name.folded, table.module.folded, list(table.arguments)], to: &text)
    }
    for index in schema.indexes.values.sorted(by: { $0.name < $1.name }) {
      let terms = index.terms.map {
        "\($0.expression.key)/\($0.collation?.folded ?? "binary")/\($0.isDescending)"
      }
      let words = [index.name.folded, index.table.folded, "\(index.isUnique)", list(terms), index.predicate?.key ?? ""]
      append("index", words, to: &text)
    }
    for view in schema.views.values.sorted(by: { $0.name < $1.name }) {
      append("view", [view.name.folded, view.definition.key], to: &text)
    }
    for trigger in schema.triggers.values.sorted(by: { $0.name < $1.name }) {
      append("trigger", [trigger.name.folded, trigger.definition.key], to: &text)
    }
    return text
  }

  /// - Parameter schema: The schema used to recognize equivalent constraints; nil for the former text.
  private static func append(_ table: TableSchema, of schema: DatabaseSchema?, to text: inout String) {
    // Its NOT NULL has no meaning.
    let alias = table.rowIDAlias?.name
    append("table", [table.name.folded, "strict \(table.isStrict) rowid \(!table.isWithoutRowID)"], to: &text)
    for column in table.columns.sorted(by: { $0.name < $1.name }) {
      let type = column.acceptsAnyTypeOfAffinity ? "~\(column.affinity.rawValue)" : column.comparableType
      let generation = column.generation.map { "\($0.expression.key)/\($0.isStored)" } ?? ""
      let refusesNull = column.isNotNull && column.name != alias
      let conflict = column.name == alias ? nil : column.notNullConflict
      let words = [
        column.name.folded, type, refusesNull ? "true" : "false", conflict?.rawValue ?? "", "default",
        column.defaultValue?.value.key ?? "", "collate", column.collation?.folded ?? "", "as", generation,
      ]
      append("column", words, to: &text)
    }
    if let key = table.primaryKey {
      let words = [
        columns(key.columns), "\(key.isAutoincrement)", key.conflict?.rawValue ?? "", "\(key.isRowIDAlias)",
      ]
      append("key", words, to: &text)
    }
    for words in (schema == nil ? table.uniques : table.ownUniques).map({
      "\(columns($0.columns)) \($0.conflict?.rawValue ?? "")"
    }).sorted() {
      append("unique", [words], to: &text)
    }
    for words in table.checks.map(\.expression.key).sorted() { append("check", [words], to: &text) }
    let keys = table.foreignKeys.map { schema?.withoutImpliedColumns($0) ?? $0 }
    for words in keys.map({ "\(list($0.columns.map(\.folded))) \(folded($0))" }).sorted() {
      append("foreign", [words], to: &text)
    }
  }

  /// Appends a line.
  private static func append(_ kind: String, _ words: [String], to text: inout String) {
    text += "\n"
    text += kind
    for word in words {
      text += " "
      text += word
    }
  }

  private static func columns(_ columns: [KeyColumn]) -> String {
    list(columns.map { "\($0.name.folded)/\($0.collation?.folded ?? "")/\($0.isDescending)" })
  }

  private static func folded(_ key: ForeignKeySchema) -> String {
    "\(key.parent.folded) \(list(key.parentColumns.map(\.folded))) \(key.onDelete.rawValue) \(key.onUpdate.rawValue) "
      + "\(key.match?.folded ?? "") \(key.isDeferrable) \(key.isInitiallyDeferred)"
  }

  /// Strings formatted as Swift describes an array of them; most need no escaping.
  static func list(_ texts: [String]) -> String {
    guard texts.allSatisfy({ $0.utf8.allSatisfy(isPlain) }) else { return "\(texts)" }
    return texts.isEmpty ? "[]" : "[\"" + texts.joined(separator: "\", \"") + "\"]"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
      && byte != UInt8(ascii: "\\")
  }
}
