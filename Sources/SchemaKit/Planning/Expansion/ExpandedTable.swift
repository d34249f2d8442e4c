import OrderedCollections

/// A table as it serves an older and a newer program at once: with the columns of both, and both names of a renamed column.
///
/// A row has the default in a column that its program does not know. Where there is none that both programs can
/// be told apart by, the column gets a mark as its default, a value that no program writes, and a trigger replaces it
/// within the same statement.
struct ExpandedTable {
  /// A column that both programs have, under different names.
  struct Pair {
    let old: ColumnSchema
    let new: ColumnSchema
  }

  /// The table in the file.
  let former: TableSchema
  /// The table that the newer program declares.
  let declared: TableSchema
  let servesOlder: Bool
  let pairs: [Pair]
  /// The columns that the newer program does not know, without the former names of others.
  let kept: [ColumnSchema]
  /// The columns that the older program does not know, without the new names of others.
  let added: [ColumnSchema]
  /// The expressions of new columns that nobody else fills in the rows of the older program.
  let fills: OrderedDictionary<SQLName, String>
  /// The CREATE TABLE statement.
  let sql: String
  let table: TableSchema

  /// - Parameters:
  ///   - renames: The former names of columns, by their new ones.
  ///   - hints: The hints that the newer program declares about its columns.
  ///   - servesOlder: True if the older program is served; if not, columns have their new names only.
  init(
    from former: TableSchema, to declared: TableSchema, renames: [SQLName: SQLName], hints: [SQLName: ColumnHints],
    servesOlder: Bool
  ) throws(SQLSyntaxError) {
    let former = servesOlder ? former : former.renamingColumns(renames)
    self.former = former
    self.declared = declared
    self.servesOlder = servesOlder
    var pairs: [Pair] = []
    for new in declared.columns where servesOlder {
      guard let name = renames[new.name], name != new.name, let old = former.column(name) else { continue }
      pairs.append(Pair(old: old, new: new))
    }
    self.pairs = pairs
    let oldNames = Set(pairs.map(\.old.name))
    let newNames = Set(pairs.map(\.new.name))
    kept = former.columns.filter { declared.column($0.name) == nil && !oldNames.contains($0.name) }
    added = declared.columns.filter { former.column($0.name) == nil && !newNames.contains($0.name) }
    var fills: OrderedDictionary<SQLName, String> = [:]
    for column in added where servesOlder {
      guard column.needsValue, let fill = hints[column.name]?.backfill, !ColumnHints.isSwift(fill) else { continue }
      fills[column.name] = fill
    }
    self.fills = fills
    // The columns of the older program come last, as where a program adds columns.
    let beside = former.columns.filter { declared.column($0.name) == nil }
    let marked = Set(pairs.filter(\.isMarked).map(\.old.name))
    let definitions = beside.map { column in
      column.definition
        + (marked.contains(column.name) ? " DEFAULT \(column.mark(isStrict: former.isStrict))" : "")
    }
    let whole = try declared.appending(definitions, constraints: former.constraints(over: Set(beside.map(\.name))))
    let unfilled = Set(pairs.filter(\.isMarked).map(\.new.name)).union(fills.keys)
    guard !unfilled.isEmpty, case .table(let statement) = try SQLParser.create(whole.sql) else {
      sql = whole.sql
      table = whole
      return
    }
    let edits = statement.columns.compactMap { definition -> SQLEditing.Edit? in
      guard unfilled.contains(definition.name), let column = declared.column(definition.name) else { return nil }
      let end = definition.span.end
      return SQLEditing.Edit(
        span: Span(start: end, end: end), replacement: " DEFAULT \(column.mark(isStrict: declared.isStrict))")
    }
    sql = SQLEditing.applying(edits, to: whole.sql)
    guard case .table(let changed) = try SQLParser.create(sql) else {
      table = whole
      return
    }
    var table = TableSchema(changed, sql: sql)
    table.columns = table.columns.map { column in
      var column = column
      column.acceptsAnyTypeOfAffinity = whole.column(column.name)?.acceptsAnyTypeOfAffinity ?? false
      return column
    }
    self.table = table
  }

  /// The columns that have the mark until a trigger replaces it.
  var markedColumns: Set<SQLName> {
    Set(pairs.filter(\.isMarked).flatMap { [$0.old.name, $0.new.name] }).union(fills.keys)
  }
}

extension ExpandedTable.Pair {
  /// True if a row without a value of its own has the mark.
  var isMarked: Bool { new.needsValue }
}

extension ColumnSchema {
  /// A value that no program writes: a blob, which every column outside of a STRICT table takes as it is.
  func mark(isStrict: Bool) -> String {
    isStrict && affinity == .text
      ? "'schemakit has no value 9f81c6d03b7e4a52'" : "x'736368656d616b6974206e6f2076616c7565209f81c6d03b7e4a52'"
  }

  /// True if the column can hold the mark.
  func takesMark(isStrict: Bool) -> Bool { !isStrict || affinity == .text || affinity == .blob }
}
