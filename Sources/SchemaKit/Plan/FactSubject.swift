/// One table's rows as the new schema would hold them, for questions to be asked of.
///
/// Rows that are taken over as they are stay where they are. As soon as a value changes on its way, the columns go into
/// a temporary table with the new types, so that the running engine itself tells what would be stored.
struct FactSubject {
  var projection: RowProjection
  var number: Int
  /// The unique indexes that the table shall have.
  var uniqueIndexes: [IndexSchema]
  /// The columns by which children refer to this table.
  var referencedKeys: [[SQLName]]

  var target: TableSchema { projection.target }
  private var source: TableSchema { projection.source }
  /// The temporary table with the rows as the new schema would store them.
  var probe: String { "temp.\"_schemakit_probe_\(number)\"" }
  private var back: String { "temp.\"_schemakit_back_\(number)\"" }

  /// Whether the new schema would hold another value than the old one, or one that was not there.
  func changesValues(of name: SQLName) -> Bool {
    guard let column = target.column(name) else { return false }
    guard column.generation == nil else { return true }
    return !projection.isUnchanged(column) || projection.sourceColumn(of: column)?.collation != column.collation
  }

  /// Whether an expression reads a column whose values change.
  func convertsColumn(in expression: CanonicalSQL) -> Bool {
    let words = Set(expression.key.split(separator: " ").map { SQLName(String($0).trimmingQuotes) })
    return target.columns.contains { words.contains($0.name) && changesValues(of: $0.name) }
  }

  /// The condition under which a row gets another rowid; nil when none does.
  private var renumberingCondition: String? {
    guard !source.isWithoutRowID, !target.isWithoutRowID else { return nil }
    if let alias = target.rowIDAlias {
      guard let before = projection.sourceColumn(of: alias), before.name != source.rowIDAlias?.name,
        source.rowKey != nil
      else { return nil }
      return "\"_schemakit_rowid\" IS NOT \(alias.name.quoted)"
    }
    // Where columns have taken all names of the rowid, before or after, nothing can have referred to it.
    return nil
  }

  // MARK: - The temporary tables

  private var needsProbe: Bool {
    projection.usesExpressions || target.columns.contains { $0.generation != nil }
      || target.writableColumns.contains { changesValues(of: $0.name) }
  }

  /// The columns that any question can read: those whose values change, and those in keys and conditions.
  private var probedColumns: [ColumnSchema] {
    let keys =
      (target.primaryKey?.columns.map(\.name) ?? []) + target.uniques.flatMap { $0.columns.map(\.name) }
      + target.foreignKeys.flatMap(\.columns) + uniqueIndexes.flatMap { $0.terms.compactMap(\.column) }
    let expressions =
      target.checks.map(\.expression) + target.columns.compactMap { $0.generation?.expression }
      + uniqueIndexes.flatMap { $0.terms.map(\.expression) + [$0.predicate].compactMap { $0 } }
    let isNewlyStrict = target.isStrict && !source.isStrict
    return target.columns.filter { column in
      changesValues(of: column.name) || isNewlyStrict || keys.contains(column.name)
        || referencedKeys.contains { $0.contains(column.name) }
        || (column.isNotNull && projection.sourceColumn(of: column)?.isNotNull != true)
        || expressions.contains { $0.mentions(column.name) }
    }
  }

  /// The statements that fill the temporary tables; none when every value is taken over as it is.
  var setup: [String] {
    guard needsProbe else { return [] }
    let columns = probedColumns
    let writable = columns.filter { $0.generation == nil }
    let converted = writable.filter { isConverted($0) }
    let kept = columns.filter { isConverted($0) || isReplaced($0) }
    let definitions =
      columns.map { definition(of: $0) } + kept.map { Self.original($0).quotedIdentifier } + Self.rowColumns
    let names = writable.map(\.name.quoted) + kept.map { Self.original($0).quotedIdentifier } + Self.rowColumns
    let values =
      writable.map { projection.expression(of: $0) ?? $0.defaultValue?.expression ?? "NULL" }
      + kept.map { projection.reference(projection.sourceName($0.name)) } + rowValues
    let fill = """
      INSERT INTO \(probe) (\(names.joined(separator: ", "))) \
      SELECT \(values.joined(separator: ", ")) FROM \(projection.fromClause)
      """
    let indexes = Set(referencedKeys).enumerated().map { number, key in
      """
      CREATE INDEX temp."_schemakit_key_\(self.number)_\(number)" \
      ON "_schemakit_probe_\(self.number)" (\(key.map(\.quoted).joined(separator: ", ")))
      """
    }
    let statements =
      ["DROP TABLE IF EXISTS \(probe)", "CREATE TABLE \(probe) (\(definitions.joined(separator: ", ")))", fill]
      + indexes
    guard !converted.isEmpty else { return statements }
    let back = converted.map { column -> String in
      let before = projection.sourceColumn(of: column)
      let type = source.isStrict && before?.comparableType == "ANY" ? "" : before?.type ?? ""
      return "\(column.name.quoted) \(type)"
    }
    let list = converted.map(\.name.quoted).joined(separator: ", ")
    return statements + [
      "DROP TABLE IF EXISTS \(self.back)",
      "CREATE TABLE \(self.back) (\"_schemakit_row\" INTEGER PRIMARY KEY, \(back.joined(separator: ", ")))",
      "INSERT INTO \(self.back) (\"_schemakit_row\", \(list)) SELECT \(probeRow), \(list) FROM \(probe)",
    ]
  }

  private func definition(of column: ColumnSchema) -> String {
    let type = target.isStrict && column.comparableType == "ANY" ? "" : column.type ?? ""
    let collation = column.collation.map { " COLLATE \($0.quoted)" } ?? ""
    let generation = column.generation.map { " AS (\($0.expression.text)) VIRTUAL" } ?? ""
    return "\(column.name.quoted) \(type)\(collation)\(generation)"
  }

  /// What a question can say about a row: how a person would name it, and its rowid.
  private static let rowColumns = ["\"_schemakit_key\"", "\"_schemakit_rowid\""]

  private var rowValues: [String] { [projection.sampleKey, projection.rowKey ?? "NULL"] }

  var teardown: [String] { needsProbe ? ["DROP TABLE IF EXISTS \(probe)", "DROP TABLE IF EXISTS \(back)"] : [] }

  /// A name of the probe's rowid that none of its columns takes.
  private var probeRow: String { ["rowid", "oid", "_rowid_"].first { target.column(SQLName($0)) == nil } ?? "rowid" }

  private static func original(_ column: ColumnSchema) -> String { "_schemakit_was_\(column.name.folded)" }

  /// Whether a value is stored under another affinity, by SQLite and not by an author's expression.
  private func isConverted(_ column: ColumnSchema) -> Bool {
    guard let before = projection.sourceColumn(of: column), !projection.usesConversion(column) else { return false }
    return before.affinity != column.affinity
  }

  /// Whether stored values give way to computed ones.
  private func isReplaced(_ column: ColumnSchema) -> Bool {
    guard column.generation != nil, let before = projection.sourceColumn(of: column) else { return false }
    return before.generation == nil
  }

  /// What the questions read: the rows under the new names.
  private var rows: String {
    guard !needsProbe else { return "\(probe) AS \(target.name.quoted)" }
    let columns = target.columns.map { column in
      "\(projection.reference(projection.sourceName(column.name))) AS \(column.name.quoted)"
    }
    let row = zip(rowValues, Self.rowColumns).map { "\($0) AS \($1)" }
    return
      "(SELECT \((columns + row).joined(separator: ", ")) FROM \(projection.fromClause)) AS \(target.name.quoted)"
  }

  private func question(_ kind: TableFacts.Finding.Kind, _ column: SQLName?, where condition: String) -> FactQuestion {
    FactQuestion(
      kind: kind, column: column, count: "SELECT count(*) FROM \(rows) WHERE \(condition)",
      samples: "SELECT \"_schemakit_key\" FROM \(rows) WHERE \(condition) LIMIT 10")
  }

  // MARK: - The questions

  /// Values that go with a column.
  func droppedColumn(_ column: ColumnSchema) -> FactQuestion {
    let value = projection.reference(column.name)
    let from = projection.fromClause
    return FactQuestion(
      kind: .droppedColumn, column: column.name, count: "SELECT count(*) FROM \(from) WHERE \(value) IS NOT NULL",
      samples: "SELECT \(projection.sampleKey) FROM \(from) WHERE \(value) IS NOT NULL LIMIT 10")
  }

  /// Values for which an author's conversion gives NULL: lost, whether NULL is kept or a default takes its place.
  func emptiedByConversion() -> [FactQuestion] {
    target.writableColumns.compactMap { column in
      guard projection.usesConversion(column), let before = projection.sourceColumn(of: column),
        let conversion = projection.hints.columns[column.name]?.conversion,
        // Without anything to take its place, NULL under NOT NULL is refused anyway.
        !column.isNotNull || projection.fillsNulls(column)
      else { return nil }
      let from = projection.fromClause
      let condition = "\(projection.reference(before.name)) IS NOT NULL AND (\(conversion)) IS NULL"
      return FactQuestion(
        kind: .emptiedByConversion, column: column.name, count: "SELECT count(*) FROM \(from) WHERE \(condition)",
        samples: "SELECT \(projection.sampleKey) FROM \(from) WHERE \(condition) LIMIT 10")
    }
  }

  /// NULLs where the new schema refuses them.
  func nulls() -> [FactQuestion] {
    target.columns.compactMap { column in
      let isKey = target.rowIDAlias?.name == column.name
      guard column.isNotNull || isKey else { return nil }
      if isKey, projection.expression(of: column) == nil { return nil }
      if projection.isUnchanged(column), let before = projection.sourceColumn(of: column),
        before.isNotNull || source.rowIDAlias?.name == before.name
      {
        return nil
      }
      return question(.nulls, column.name, where: "\(column.name.quoted) IS NULL")
    }
  }

  /// Values that change when they are stored under the new type, and values that it cannot store at all.
  func storage(isNewlyStrict: Bool) -> [FactQuestion] {
    let computed = target.isStrict ? target.generatedColumns.compactMap { notStorable($0) } : []
    let replaced = target.generatedColumns.filter { isReplaced($0) }.map { column in
      question(
        .lossyConversion(
          fromType: projection.sourceColumn(of: column)?.type ?? "", toType: "a generated column"), column.name,
        where: "\(Self.original(column).quotedIdentifier) IS NOT \(column.name.quoted)")
    }
    return computed + replaced
      + target.writableColumns.flatMap { column -> [FactQuestion] in
        guard let before = projection.sourceColumn(of: column) else {
          return target.isStrict && projection.fill(of: column) != nil ? [notStorable(column)].compactMap { $0 } : []
        }
        var questions: [FactQuestion] = []
        if isConverted(column) {
          let original = Self.original(column).quotedIdentifier
          let stored = column.name.quoted
          let returned = "(SELECT \(stored) FROM \(back) WHERE \"_schemakit_row\" = \(target.name.quoted).\(probeRow))"
          let numbers = "typeof(\(original)) IN ('integer', 'real') AND typeof(\(stored)) IN ('integer', 'real')"
          questions.append(
            question(
              .lossyConversion(fromType: before.type ?? "", toType: column.type ?? ""), column.name,
              where: """
                \(original) IS NOT NULL AND NOT (\(returned) IS \(original) COLLATE BINARY AND typeof(\(returned)) = typeof(\(original))) \
                AND NOT (\(numbers) AND \(original) = \(stored))
                """))
        }
        let isNewKey = target.rowIDAlias?.name == column.name && source.rowIDAlias?.name != before.name
        let changesType = before.comparableType != column.comparableType
        if isNewKey || (target.isStrict && (isNewlyStrict || changesType || !projection.isPlain(column))) {
          questions += [notStorable(column)].compactMap { $0 }
        }
        return questions
      }
  }

  private func notStorable(_ column: ColumnSchema) -> FactQuestion? {
    let classes: [String]
    switch column.comparableType {
    case "INT", "INTEGER": classes = ["integer", "null"]
    case "REAL": classes = ["real", "null"]
    case "TEXT": classes = ["text", "null"]
    case "BLOB": classes = ["blob", "null"]
    default: return nil
    }
    let list = classes.map { SQLQuoting.literal($0) }.joined(separator: ", ")
    return question(
      .notStorable(type: column.type ?? ""), column.name, where: "typeof(\(column.name.quoted)) NOT IN (\(list))")
  }

  /// Rows that a CHECK refuses; NULL passes, as it does in SQLite.
  func failing(_ check: CheckSchema) -> FactQuestion {
    question(.failingCheck(check.expression.text), nil, where: "NOT (\(check.expression.text))")
  }

  /// Rows whose rowids go because the table shall have none; nil when it keeps them or had none that mattered.
  func droppedRowIDs(isFollowed: Bool) -> FactQuestion? {
    guard target.isWithoutRowID, !source.isWithoutRowID, source.rowIDAlias == nil else { return nil }
    return question(.droppedRowIDs(isFollowed: isFollowed), nil, where: "TRUE")
  }

  /// Rows that get another rowid; nil when none can.
  ///
  /// - Parameter isFollowed: Whether an object of the file keeps rowids of this table, as a full-text index does.
  func renumbering(isFollowed: Bool) -> FactQuestion? {
    let formerKeys = source.primaryKey?.columns.map(\.name) ?? []
    let wasKey = target.rowIDAlias.map { formerKeys == [projection.sourceName($0.name)] } ?? false
    return renumberingCondition.map { question(.renumberedRows(wasKey: wasKey && !isFollowed), nil, where: $0) }
  }

  /// Rows that are equal in a key.
  func duplicates(in key: [KeyColumn], what: String) -> FactQuestion {
    let terms = key.map { "\($0.name.quoted)\(" COLLATE \(($0.collation ?? "BINARY").quoted)")" }
    let names = key.map(\.name.text).joined(separator: ", ")
    return duplicates(terms, predicate: nil, kind: .duplicates(of: "\(what) (\(names))"))
  }

  /// Rows that are equal in a unique index.
  func duplicates(in index: IndexSchema) -> FactQuestion {
    let terms = index.terms.map { term in
      let expression = term.column?.quoted ?? "(\(term.expression.text))"
      return
        "\(expression)\(term.collation.map { " COLLATE \($0.quoted)" } ?? (term.column == nil ? "" : " COLLATE BINARY"))"
    }
    return duplicates(terms, predicate: index.predicate?.text, kind: .duplicates(of: "unique index \(index.name)"))
  }

  private func duplicates(
    _ terms: [String], predicate: String?, kind: TableFacts.Finding.Kind
  ) -> FactQuestion {
    // NULLs are distinct from each other: https://sqlite.org/lang_createtable.html#unique_constraints
    var conditions = terms.map { "\($0) IS NOT NULL" }
    if let predicate { conditions.append("(\(predicate))") }
    let groups = """
      FROM \(rows) WHERE \(conditions.joined(separator: " AND ")) \
      GROUP BY \(terms.joined(separator: ", ")) HAVING count(*) > 1
      """
    return FactQuestion(
      kind: kind, column: nil, count: "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n \(groups))",
      samples: "SELECT group_concat(\"_schemakit_key\", ' = ') \(groups) LIMIT 10")
  }

  /// Rows whose parent is not there.
  ///
  /// - Parameter before: For a foreign key that is not new, its parent as the file has it: what was violated before
  ///   does not count against the change.
  func orphans(
    of key: ForeignKeySchema, parentTable: TableSchema, parent: FactSubject?,
    before: (table: TableSchema?, column: (SQLName) -> SQLName)?
  ) -> FactQuestion {
    var question = allOrphans(of: key, parentTable: parentTable, parent: parent)
    guard let before else { return question }
    let columns = key.columns.map { "\"_child\".\(projection.sourceName($0).quoted)" }
    var conditions = columns.map { "\($0) IS NOT NULL" }
    if let formerParent = before.table {
      let parentColumns =
        key.parentColumns.isEmpty
        ? formerParent.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns.map(before.column)
      let matches = zip(parentColumns, columns).map { "\"_parent\".\($0.quoted) = +\($1)" }
      conditions.append(
        """
        NOT EXISTS (SELECT 1 FROM "main".\(formerParent.name.quoted) AS "_parent" \
        WHERE \(matches.isEmpty ? "FALSE" : matches.joined(separator: " AND ")))
        """)
    }
    let known = """
      SELECT count(*) FROM "main".\(source.name.quoted) AS "_child" WHERE \(conditions.joined(separator: " AND "))
      """
    question.count = "SELECT max(0, (\(question.count)) - (\(known)))"
    return question
  }

  private func allOrphans(of key: ForeignKeySchema, parentTable: TableSchema, parent: FactSubject?) -> FactQuestion {
    let columns = key.columns.map { "\(target.name.quoted).\($0.quoted)" }
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let parentColumns =
      key.parentColumns.isEmpty
      ? parentTable.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
    let kind = TableFacts.Finding.Kind.orphans(parent: key.parent.text)
    // A parent table that is only being created has no row.
    guard let parent else { return question(kind, key.columns.first, where: present) }
    // The parent's affinity and collating sequence decide: https://sqlite.org/foreignkeys.html#fk_basics
    let matches = zip(parentColumns, columns).map { "\"_parent\".\($0.quoted) = +\($1)" }.joined(separator: " AND ")
    let condition = """
      \(present) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM \(parent.rows)) AS "_parent" \
      WHERE \(matches.isEmpty ? "FALSE" : matches))
      """
    return question(kind, key.columns.first, where: condition)
  }
}

extension String {
  /// The text without a double quote at either end.
  fileprivate var trimmingQuotes: String {
    var text = self[...]
    if text.first == "\"" { text = text.dropFirst() }
    if text.last == "\"" { text = text.dropLast() }
    return String(text)
  }
}
