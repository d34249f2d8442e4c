import OrderedCollections

/// The identity of a schema: SHA-256 over a canonical text of its objects.
///
/// Not covered: the order of columns and objects, constraint names, comments, hints, statistics, and whether an INTEGER
/// PRIMARY KEY is declared NOT NULL, which SQLite gives no meaning.
package enum Fingerprint {
  /// The number of the canonical text's form; another form gives other fingerprints.
  static let format = 1

  /// The fingerprint of a schema, as 64 hexadecimal digits.
  package static func of(_ schema: DatabaseSchema) -> String { SHA256.hexDigest(of: canonicalText(of: schema)) }

  /// The fingerprint that ledgers of older versions have of a schema; nil where it is the present one.
  ///
  /// They told an INTEGER PRIMARY KEY from one that is NOT NULL. The number of the form has stayed, so that the
  /// fingerprints of all other schemas have stayed too.
  package static func former(of schema: DatabaseSchema) -> String? {
    guard schema.tables.values.contains(where: { $0.rowIDAlias?.isNotNull == true }) else { return nil }
    return SHA256.hexDigest(of: canonicalText(of: schema, tellsNotNullAliases: true))
  }

  /// The canonical text: a line for each object and each of its parts.
  static func canonicalText(of schema: DatabaseSchema, tellsNotNullAliases: Bool = false) -> String {
    var lines = ["schemakit schema \(format)"]
    for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
      lines += Self.lines(of: table, meaningless: tellsNotNullAliases ? nil : table.rowIDAlias?.name)
    }
    for table in schema.virtualTables.values.sorted(by: { $0.name < $1.name }) {
      lines.append("virtual \(table.name.folded) \(table.module.folded) \(table.arguments)")
    }
    for index in schema.indexes.values.sorted(by: { $0.name < $1.name }) {
      let terms = index.terms.map {
        "\($0.expression.key)/\($0.collation?.folded ?? "binary")/\($0.isDescending)"
      }
      lines.append(
        "index \(index.name.folded) \(index.table.folded) \(index.isUnique) \(terms) \(index.predicate?.key ?? "")")
    }
    for view in schema.views.values.sorted(by: { $0.name < $1.name }) {
      lines.append("view \(view.name.folded) \(view.definition.key)")
    }
    for trigger in schema.triggers.values.sorted(by: { $0.name < $1.name }) {
      lines.append("trigger \(trigger.name.folded) \(trigger.definition.key)")
    }
    return lines.joined(separator: "\n")
  }

  /// - Parameter meaningless: The column whose NOT NULL says nothing.
  private static func lines(of table: TableSchema, meaningless: SQLName?) -> [String] {
    var lines = ["table \(table.name.folded) strict \(table.isStrict) rowid \(!table.isWithoutRowID)"]
    for column in table.columns.sorted(by: { $0.name < $1.name }) {
      let type = column.acceptsAnyTypeOfAffinity ? "~\(column.affinity.rawValue)" : column.comparableType
      let generation = column.generation.map { "\($0.expression.key)/\($0.isStored)" } ?? ""
      let refusesNull = column.isNotNull && column.name != meaningless
      let conflict = column.name == meaningless ? nil : column.notNullConflict
      lines.append(
        """
        column \(column.name.folded) \(type) \(refusesNull) \(conflict?.rawValue ?? "") \
        default \(column.defaultValue?.value.key ?? "") collate \(column.collation?.folded ?? "") as \(generation)
        """)
    }
    if let key = table.primaryKey {
      lines.append(
        "key \(columns(key.columns)) \(key.isAutoincrement) \(key.conflict?.rawValue ?? "") \(key.isRowIDAlias)")
    }
    lines += table.uniques.map { "unique \(columns($0.columns)) \($0.conflict?.rawValue ?? "")" }.sorted()
    lines += table.checks.map { "check \($0.expression.key)" }.sorted()
    lines += table.foreignKeys.map { "foreign \($0.columns.map(\.folded)) \(folded($0))" }.sorted()
    return lines
  }

  private static func columns(_ columns: [KeyColumn]) -> [String] {
    columns.map { "\($0.name.folded)/\($0.collation?.folded ?? "")/\($0.isDescending)" }
  }

  private static func folded(_ key: ForeignKeySchema) -> String {
    "\(key.parent.folded) \(key.parentColumns.map(\.folded)) \(key.onDelete.rawValue) \(key.onUpdate.rawValue) "
      + "\(key.match?.folded ?? "") \(key.isDeferrable) \(key.isInitiallyDeferred)"
  }
}
