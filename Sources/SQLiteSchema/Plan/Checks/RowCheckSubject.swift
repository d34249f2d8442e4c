import OrderedCollections

/// A condition on a table's rows as the file has them, which checks read as a column.
package struct RowFlag: Sendable {
  /// The condition over the columns of the file.
  package var condition: String
  /// A value that decides it; nil where no single value does.
  package var classed: ClassedValue?
  /// The loss or fault of the rows for which the condition is true; nil if another check reads the condition as well.
  package var kind: RowCheckResults.Finding.Kind?
  package var column: SQLName?
  /// The foreign key without a parent.
  package var foreignKey: ForeignKeySchema?
}

/// One table's rows as the new schema would hold them, for questions to be asked of.
///
/// Questions about values that are taken over as they are, or that are one for all rows, read the table itself. As soon as
/// one of them reads another value that changes on its way, the columns go into a temporary table with the new types, so
/// that the running engine itself tells what would be stored.
package struct RowCheckSubject {
  package let projection: RowProjection
  package let number: Int
  /// The indexes that the table shall have.
  package let indexes: [IndexSchema]
  /// The columns by which children refer to this table.
  package let referencedKeys: [[SQLName]]
  /// Conditions on the rows as the file has them, which questions read as columns.
  package let flags: [RowFlag]
  /// The columns that would hold another value than before, or compare otherwise, or that were not there.
  package let changing: Set<SQLName>
  /// The changing columns that have one value in all rows, with an expression for it.
  private let constants: [SQLName: String]
  /// The columns whose values only the temporary table has.
  package let probeOnly: Set<SQLName>
  /// A prefix that no column's name begins with.
  package let prefix: String
  /// The part of the questions that this is for; nil for all of them.
  package var part: Part?

  /// Some of the questions about a table that has too many columns for all of them.
  package struct Part {
    package var number: Int
    /// The columns that the questions read; nil for those that others than questions about single columns read.
    package var columns: Set<SQLName>?
    package var flags: Set<Int>
  }

  package init(
    projection: RowProjection, number: Int, indexes: [IndexSchema], referencedKeys: [[SQLName]], flags: [RowFlag],
    changing: Set<SQLName>
  ) {
    self.projection = projection
    self.number = number
    self.indexes = indexes
    self.referencedKeys = referencedKeys
    self.flags = flags
    // A query of the rows cannot give a column such a name, and a temporary table can. A column that becomes the alias of the
    // rowid keeps its values, and gives the rowid others.
    self.changing = changing.union(projection.target.columns.map(\.name).filter(\.isTruthValue)).union(
      projection.newRowIDAlias.map { [$0] } ?? [])
    let constants = projection.constants
    self.constants = constants
    probeOnly = self.changing.filter { constants[$0] == nil }
    var prefix = "_schemakit_"
    let names = (projection.target.columns + projection.source.columns).map(\.name.folded)
    while names.contains(where: { $0.hasPrefix(prefix) }) { prefix = "_" + prefix }
    self.prefix = prefix
  }

  package var target: TableSchema { projection.target }
  package var source: TableSchema { projection.source }

  /// True if an expression reads a value that changes.
  package func readsChange(_ expression: CanonicalSQL) -> Bool { reads(changing, in: expression) }

  /// True if a term of an index or its predicate reads a value that changes.
  package func readsChange(_ index: IndexSchema) -> Bool { reads(changing, in: index) }

  /// True if an expression reads a value that only the temporary table has.
  package func needsProbe(_ expression: CanonicalSQL) -> Bool { reads(probeOnly, in: expression) }

  /// True if a term of an index or its predicate reads a value that only the temporary table has.
  package func needsProbe(_ index: IndexSchema) -> Bool { reads(probeOnly, in: index) }

  private func reads(_ columns: Set<SQLName>, in expression: CanonicalSQL) -> Bool {
    if columns.contains(where: { expression.mentions($0) }) { return true }
    // Rows without a rowid are numbered when they are stored.
    if source.isWithoutRowID { return freeRowIDNames.contains { expression.mentions(SQLName($0)) } }
    guard let alias = target.rowIDAlias, columns.contains(alias.name) else { return false }
    return Self.rowIDNames.contains { expression.mentions(SQLName($0)) }
  }

  private func reads(_ columns: Set<SQLName>, in index: IndexSchema) -> Bool {
    index.predicate.map { reads(columns, in: $0) } == true
      || index.terms.contains { term in
        term.column.map { columns.contains($0) } ?? reads(columns, in: term.expression)
      }
  }

  /// True if a value is stored under another affinity, by SQLite and not by an author's expression.
  package func isConverted(_ column: ColumnSchema) -> Bool {
    guard let before = projection.sourceColumn(of: column), !projection.usesConversion(column) else { return false }
    return column.generation == nil && before.affinity != column.affinity
  }

  /// True if stored values are replaced by computed ones.
  package func isReplaced(_ column: ColumnSchema) -> Bool {
    guard column.generation != nil, let before = projection.sourceColumn(of: column) else { return false }
    return before.generation == nil
  }

  /// True if a stored column keeps its values, whatever its expression would give now.
  private func isCarriedStored(_ column: ColumnSchema) -> Bool {
    column.generation?.isStored == true && projection.sourceColumn(of: column)?.generation?.isStored == true
      && !changing.contains(column.name)
  }

  /// True for a new key whose values SQLite gives, in the order of the rows.
  private func isNumbered(_ column: ColumnSchema) -> Bool {
    column.name == target.rowIDAlias?.name && projection.expression(of: column) == nil
  }

  // MARK: - Names

  /// The temporary table with the rows as the new schema would store them.
  package var probe: String { "temp.\(probeTable)" }
  private var probeTable: String {
    "_schemakit_probe_\(number)\(part.map { $0.number == 0 ? "" : "_\($0.number)" } ?? "")".quotedIdentifier
  }
  /// A name for these rows among those of all tables.
  package var probeName: SQLName {
    guard let part, part.number > 0 else { return target.name }
    return SQLName("\(target.name.text)\0\(part.number)")
  }
  /// The text by which a person identifies the row.
  package var key: String { "\(prefix)key".quotedIdentifier }
  /// The rowid that the row has in the file.
  package var row: String { "\(prefix)row".quotedIdentifier }
  /// The value of a converted column as the file has it.
  package func original(_ column: ColumnSchema) -> String { "\(prefix)was_\(column.name.folded)".quotedIdentifier }
  /// The value of a converted column when it is put back under the old type.
  package func returned(_ column: ColumnSchema) -> String { "\(prefix)back_\(column.name.folded)".quotedIdentifier }
  /// True if a row may be one that a question is about.
  package func mark(_ index: Int) -> String { "\(prefix)mark_\(index)".quotedIdentifier }
  /// A value as the file has it, of which only the class matters.
  package func classedValue(_ index: Int) -> String { "\(prefix)value_\(index)".quotedIdentifier }
  package func flag(_ index: Int) -> String { "\(prefix)flag_\(index)".quotedIdentifier }
  package static let rowIDNames = ["rowid", "oid", "_rowid_"]

  /// The names by which an expression can mean the rowid.
  private var freeRowIDNames: [String] {
    target.isWithoutRowID ? [] : Self.rowIDNames.filter { target.column(SQLName($0)) == nil }
  }

  // MARK: - The rows

  /// The rows of the file under the new names, with those values that do not change or are one for all rows, and the truth of
  /// some conditions.
  ///
  /// A column is among them if a question reads it: SQLite asks for the collation of every column of a query that another one
  /// reads.
  func sourceRows(
    for drafts: [RowCheckDraft], marking prefilters: [String] = [], classing values: [String] = []
  ) -> String {
    let names = drafts.reduce(into: Set<SQLName>()) { $0.formUnion($1.names) }
    var terms = probedColumns.filter { !probeOnly.contains($0.name) && names.contains($0.name) }.map { column in
      let value = constants[column.name] ?? projection.reference(projection.sourceName(column.name))
      return "\(value) AS \(column.name.quoted)"
    }
    terms += ["\(projection.sampleKey) AS \(key)", "\(projection.rowKey ?? "NULL") AS \(row)"]
    // A query over a query would take the name of a rowid for NULL.
    if let key = projection.rowKey {
      terms += freeRowIDNames.filter { names.contains(SQLName($0)) }.map { "\(key) AS \($0.quotedIdentifier)" }
    }
    terms += askedFlags.map { "(\(flags[$0].condition)) AS \(flag($0))" }
    terms += prefilters.enumerated().map { "(\($1)) AS \(mark($0))" }
    terms += values.enumerated().map { "\($1) AS \(classedValue($0))" }
    // A search in the key of a table WITHOUT ROWID would find its rows by the declared type.
    let everyRow = source.isWithoutRowID ? " LIMIT -1" : ""
    let rows = "SELECT \(terms.joined(separator: ", ")) FROM \(projection.fromClauseInOrder)\(everyRow)"
    return "(\(rows)) AS \(target.name.quoted)"
  }

  /// The rows of the temporary table.
  package var probeRows: String { "\(probe) AS \(target.name.quoted)" }

  /// The conditions that the questions read.
  private var askedFlags: [Int] { flags.indices.filter { part?.flags.contains($0) ?? true } }

  /// The columns that any question can read: those whose values change, and those in keys and conditions.
  private var probedColumns: [ColumnSchema] {
    if let columns = part?.columns { return target.columns.filter { columns.contains($0.name) } }
    let uniqueTerms = indexes.filter(\.isUnique).flatMap { $0.terms.compactMap(\.column) }
    let keys = Set(
      (target.primaryKey?.columns.map(\.name) ?? []) + target.uniques.flatMap { $0.columns.map(\.name) }
        + target.foreignKeys.flatMap(\.columns) + uniqueTerms + referencedKeys.flatMap { $0 })
    let expressions =
      target.checks.map(\.expression) + target.columns.compactMap { $0.generation?.expression }
      + indexes.flatMap { index in
        index.terms.filter { $0.column == nil }.map(\.expression) + [index.predicate].compactMap { $0 }
      }
    // A type that a STRICT table spells otherwise is asked about although no value changes.
    let asked = part == nil ? Set(storage().compactMap(\.column)) : []
    return target.columns.filter { column in
      keys.contains(column.name) || expressions.contains { $0.mentions(column.name) }
        || (part != nil && column.generation != nil)
        || (part == nil
          && (changing.contains(column.name) || asked.contains(column.name)
            || (column.isNotNull && projection.sourceColumn(of: column)?.isNotNull != true)))
    }
  }

  /// The questions, in parts where the rows would have more columns than a table or query may have.
  ///
  /// See [Limits](https://sqlite.org/limits.html#max_column).
  package func parts(of drafts: [RowCheckDraft], limit: Int) -> [(subject: RowCheckSubject, drafts: [RowCheckDraft])] {
    let columns = probedColumns
    let kept = columns.count { isConverted($0) || isReplaced($0) }
    let classed = drafts.count { $0.classed != nil }
    if columns.count + 2 * kept + flags.count + drafts.count + classed < limit * 19 / 20 { return [(self, drafts)] }
    func part(_ number: Int, _ columns: Set<SQLName>?, _ drafts: [RowCheckDraft]) -> (RowCheckSubject, [RowCheckDraft])
    {
      var subject = self
      subject.part = Part(number: number, columns: columns, flags: Set(drafts.compactMap(\.flag)))
      return (subject, drafts)
    }
    var parts = [part(0, nil, drafts.filter { !$0.isAboutColumn })]
    let single = OrderedDictionary(grouping: drafts.filter(\.isAboutColumn), by: \.column)
    var rest = Array(single.values)[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.columnsInPart).flatMap(\.self)
      rest = rest.dropFirst(Self.columnsInPart)
      parts.append(part(parts.count, Set(some.compactMap(\.column)), some))
    }
    return parts
  }

  /// Of each there are its values, and the answers to all questions about it.
  private static let columnsInPart = 100

  /// The statements that create and fill the temporary table.
  package var preparation: RowChecks.Preparation {
    let columns = probedColumns
    let writable = columns.filter { ($0.generation == nil || isCarriedStored($0)) && !isNumbered($0) }
    let kept = columns.filter { isConverted($0) || isReplaced($0) }
    let flagNames = askedFlags.map { flag($0) }
    var definitions = ["\(row) INTEGER PRIMARY KEY", key] + flagNames
    definitions += columns.map { definition(of: $0) }
    definitions += kept.flatMap { column in
      [original(column), "\(returned(column)) \(formerType(of: column)) AS (\(column.name.quoted)) VIRTUAL"]
    }
    if let alias = target.rowIDAlias, columns.contains(where: { $0.name == alias.name }) {
      definitions += freeRowIDNames.map { "\($0.quotedIdentifier) AS (\(alias.name.quoted)) VIRTUAL" }
    }
    let names = [row, key] + flagNames + writable.map(\.name.quoted) + kept.map { original($0) }
    let values =
      [projection.rowKey ?? "NULL", projection.sampleKey] + askedFlags.map { "(\(flags[$0].condition))" }
      + writable.map { value(of: $0) }
      + kept.map { projection.reference(projection.sourceName($0.name)) }
    let fill = """
      INSERT INTO \(probe) (\(names.joined(separator: ", "))) \
      SELECT \(values.joined(separator: ", ")) FROM \(projection.fromClauseInOrder)
      """
    let keys = part?.columns == nil ? referencedKeys : []
    let indexes = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }.enumerated().map { index, key in
      """
      CREATE INDEX temp."_schemakit_key_\(number)_\(index)" \
      ON \(probeTable) (\(key.map(\.quoted).joined(separator: ", ")))
      """
    }
    let drop = "DROP TABLE IF EXISTS \(probe)"
    return RowChecks.Preparation(
      table: probeName, owner: target.name,
      statements: [drop, "CREATE TABLE \(probe) (\(definitions.joined(separator: ", ")))", fill] + indexes,
      teardown: [drop])
  }

  /// The author's expressions for columns, each evaluated by itself.
  package var trials: [RowChecks.Trial] {
    target.writableColumns.filter { !projection.isPlain($0) && projection.recoding(of: $0) == nil }.map { column in
      RowChecks.Trial(
        column: column.name, words: words(forValueOf: column),
        query: "SELECT count(\(value(of: column))) FROM \(projection.fromClauseInOrder)",
        emptyQuery: "SELECT count(*) FROM (SELECT \(value(of: column)) FROM \(projection.fromClause) WHERE 0)")
    }
  }

  /// Names the author's expression for a column, as the beginning of a sentence.
  private func words(forValueOf column: ColumnSchema) -> String {
    let isConverted = projection.usesDeclaredConversion(column)
    let hint = projection.hints.columns[column.name]
    let name = "The \(isConverted ? "conversion" : "fill") of \(column.name)"
    guard let expression = isConverted ? hint?.conversion : hint?.backfill else {
      return "The default of \(column.name)"
    }
    return ColumnHints.isSwift(expression) ? "\(name) in Swift" : "\(name) (\(expression))"
  }

  private func value(of column: ColumnSchema) -> String {
    projection.expression(of: column) ?? column.defaultValue?.expression ?? "NULL"
  }

  private func definition(of column: ColumnSchema) -> String {
    let type = target.isStrict && column.comparableType == "ANY" ? "" : column.type ?? ""
    let collation = column.collation.map { " COLLATE \($0.quoted)" } ?? ""
    if isNumbered(column) { return "\(column.name.quoted) INTEGER AS (\(row)) VIRTUAL" }
    let generation =
      isCarriedStored(column) ? "" : column.generation.map { " AS \($0.expression.enclosed) VIRTUAL" } ?? ""
    return "\(column.name.quoted) \(type)\(collation)\(generation)"
  }

  private func formerType(of column: ColumnSchema) -> String {
    let before = projection.sourceColumn(of: column)
    return source.isStrict && before?.comparableType == "ANY" ? "" : before?.type ?? ""
  }
}
