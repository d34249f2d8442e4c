extension RowCheckSubject {
  /// The checks that a flag answers by itself.
  package func flagged() -> [RowCheckDraft] {
    flags.enumerated().compactMap { index, flag in
      flag.kind.map { kind in
        RowCheckDraft(
          kind: kind, column: flag.column, form: .rows(where: self.flag(index)), needsProbe: false,
          classed: flag.classed, flag: index, isAboutColumn: true)
      }
    }
  }

  /// The flag for a value that goes with its column.
  ///
  /// - Parameter isUndo: True if the column came with the change that is undone: then nobody wrote what is its default.
  package static func dropped(_ column: ColumnSchema, in projection: RowProjection, isUndo: Bool) -> String {
    let value = projection.reference(column.name)
    guard isUndo, let isDefault = showsDefault(of: column, as: value) else {
      return "\(value) IS NOT NULL"
    }
    return "\(value) IS NOT NULL AND NOT (\(isDefault))"
  }

  /// The flag for a value for which a declared conversion gives NULL: lost, whether NULL is kept or a default takes its
  /// place. Nil where there is no conversion, or where NULL is refused anyway.
  package static func emptied(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard projection.usesDeclaredConversion(column), let before = projection.sourceColumn(of: column),
      let conversion = projection.hints.columns[column.name]?.conversion,
      !column.isNotNull || projection.fillsNulls(column)
    else { return nil }
    // IS NOT NULL would be answered from the declaration.
    return "typeof(\(projection.reference(before.name))) <> 'null' AND (\(conversion)) IS NULL"
  }

  /// The condition for a row of the source whose value a declared conversion changes, or in which NULL is restored; nil
  /// if there is none, or if the affinity changes too: the old one would convert what is written back.
  package static func converted(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard projection.usesDeclaredConversion(column) || projection.restoresNulls(column),
      let before = projection.sourceColumn(of: column),
      before.affinity == column.affinity, let value = projection.expression(of: column)
    else { return nil }
    let old = projection.reference(before.name)
    return "(typeof(\(value)) <> typeof(\(old)) OR (\(value)) COLLATE BINARY IS NOT +\(old))"
  }

  /// The flag for a text that a declared conversion makes 0 of although it does not say 0: CAST and arithmetic do so
  /// without a word. Nil where a conversion does neither. See [CAST expressions](https://sqlite.org/lang_expr.html#castexpr).
  package static func zeroed(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard projection.usesDeclaredConversion(column), let before = projection.sourceColumn(of: column),
      let conversion = projection.hints.columns[column.name]?.conversion, makesNumbers(conversion)
    else { return nil }
    let value = projection.reference(before.name)
    return "typeof(\(value)) = 'text' AND (\(conversion)) = 0 "
      + "AND NOT (\(value) GLOB '*0*' AND \(value) NOT GLOB '*[1-9]*')"
  }

  private static func makesNumbers(_ expression: String) -> Bool {
    let tokens = (try? SQLLexer.tokens(of: expression)) ?? []
    return tokens.contains { token in
      token.isKeyword("CAST") || ["+", "-", "*", "/", "%"].contains { token.isSymbol($0) }
    }
  }

  /// The flag that is true for no row, but has an author's backfill evaluated on each that it is for; nil where there is
  /// none, or none that could fail.
  package static func backfilled(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard let backfill = projection.hints.columns[column.name]?.backfill, CanonicalSQL.canFail(backfill) else {
      return nil
    }
    guard let before = projection.sourceColumn(of: column) else { return "typeof((\(backfill))) = ''" }
    guard projection.fillsNulls(column) else { return nil }
    // AND would have it evaluated on every row: in a list of results SQLite works out both sides.
    return "CASE WHEN \(projection.reference(before.name)) IS NULL THEN typeof((\(backfill))) = '' ELSE 0 END"
  }

  /// The flag for a NULL that a default or backfill takes the place of; nil where none does.
  package static func filled(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard let before = projection.sourceColumn(of: column), projection.fillsNulls(column),
      !projection.usesDeclaredConversion(column)
    else { return nil }
    return "\(projection.reference(before.name)) IS NULL"
  }

  /// The flag for a kept value that the column's type would change, where the copy stores it under that type.
  package static func retyped(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard projection.isRestored(column), projection.convertedColumns.contains(column.name),
      let value = projection.expression(of: column)
    else { return nil }
    return column.changes(untyped: value)
  }

  /// The flag for a value of another class than the column's type, where STRICT comes and the type stays: such a value is
  /// carried, and a table with that type would convert it. Nil where STRICT does not come, or the value is converted.
  package static func refusedByStrict(
    _ column: ColumnSchema, in projection: RowProjection
  ) -> (condition: String, classed: ClassedValue)? {
    guard projection.target.isStrict, !projection.source.isStrict, !projection.usesConversion(column),
      !projection.restoresNulls(column), projection.target.rowIDAlias?.name != column.name,
      let before = projection.sourceColumn(of: column), before.affinity == column.affinity
    else { return nil }
    if let generation = column.generation {
      // A stored value is carried unless what it reads changes.
      guard generation.isStored, before.generation?.isStored == true,
        !projection.changingColumns.contains(column.name)
      else { return nil }
    } else if before.generation != nil {
      return nil
    }
    let value = projection.reference(before.name)
    return column.isRefusedByStrict(value).map {
      (condition: $0, classed: ClassedValue(value: value, stores: StoredClasses(strict: column.strictClass)))
    }
  }

  /// The condition for a row whose value is what SQLite reads where a row does not store the column; nil where it cannot be
  /// told from other values.
  package static func showsDefault(of column: ColumnSchema, as reference: String) -> String? {
    switch column.absentValue {
    case .null: "\(reference) IS NULL"
    case .asStored: "\(reference) IS \(column.defaultValue?.expression ?? "NULL") COLLATE BINARY"
    case .other: nil
    }
  }

  /// NULLs where the new schema refuses them.
  package func nulls() -> [RowCheckDraft] {
    target.columns.compactMap { column in
      let isKey = target.rowIDAlias?.name == column.name
      guard column.isNotNull || isKey else { return nil }
      if isKey, projection.expression(of: column) == nil { return nil }
      if let before = projection.sourceColumn(of: column), before.isNotNull || source.rowIDAlias?.name == before.name,
        !isNewKey(column, formerly: before)
      {
        // Where NULL stands under NOT NULL already it stays, and SQLite's own conversions make none.
        let isComputedAnew = column.generation != nil && changing.contains(column.name)
        if !isComputedAnew, !projection.usesDeclaredConversion(column) { return nil }
      }
      return RowCheckDraft(
        kind: .nulls, column: column.name, form: .rows(where: "typeof(\(column.name.quoted)) = 'null'"),
        needsProbe: probeOnly.contains(column.name), prefilter: isNull(column), classed: present(column),
        isAboutColumn: column.generation == nil)
    }
  }

  /// True if a column becomes a part of the key by which rows are stored, where NULL is refused or replaced by a number.
  private func isNewKey(_ column: ColumnSchema, formerly before: ColumnSchema) -> Bool {
    func isStored(_ column: ColumnSchema, in table: TableSchema) -> Bool {
      table.rowIDAlias?.name == column.name
        || (table.isWithoutRowID && table.primaryKey?.columns.contains { $0.name == column.name } == true)
    }
    return isStored(column, in: target) && !isStored(before, in: source)
  }

  /// Values that change when they are stored under the new type, and values that it cannot store at all.
  package func storage() -> [RowCheckDraft] {
    let isNewlyStrict = target.isStrict && !source.isStrict
    // SQLite checks the stored value of a generated column in tables WITHOUT ROWID only; its integrity_check does so in all.
    let generated = target.generatedColumns.flatMap { column -> [RowCheckDraft?] in
      let changesType = projection.sourceColumn(of: column)?.comparableType != column.comparableType
      let isAsked =
        target.isStrict && Self.refusedByStrict(column, in: projection) == nil
        && (isNewlyStrict || changesType || changing.contains(column.name))
      return [isAsked ? notStorable(column) : nil, isReplaced(column) ? lossy(column) : nil]
    }
    let written = target.writableColumns.flatMap { column -> [RowCheckDraft?] in
      guard let before = projection.sourceColumn(of: column) else {
        return [
          target.isStrict && projection.fill(of: column) != nil ? notStorable(column) : nil, unreadable(column),
        ]
      }
      let isKey = target.rowIDAlias?.name == column.name
      let isNewKey = isKey && source.rowIDAlias?.name != before.name
      // The rowid is an integer.
      let isKeptKey = isKey && !isNewKey && projection.isPlain(column)
      let changesType = before.comparableType != column.comparableType
      let isFlagged = Self.refusedByStrict(column, in: projection) != nil
      let isAsked =
        isNewKey
        || (target.isStrict && !isKeptKey && !isFlagged
          && (isNewlyStrict || changesType || !projection.isPlain(column)))
      // Of the others, and of values that stay as they are, what takes the place of NULL is asked about.
      let filled = isFlagged || (!isNewlyStrict && !changesType) ? fillFlag(of: column) : nil
      return [
        isConverted(column) ? lossy(column) : nil,
        isAsked || filled != nil ? notStorable(column, in: filled) : nil, unconverted(column),
        stray(column), unreadable(column),
      ]
    }
    return generated.compactMap { $0 }
      + written.compactMap { draft in
        var draft = draft
        draft?.isAboutColumn = true
        return draft
      }
  }

  /// A value is kept when it comes back in bytes and kind, or is an integer that becomes the same number as a real. A real
  /// that became an integer, as 5.0 or -0.0 without a type, does not come back.
  private func lossy(_ column: ColumnSchema) -> RowCheckDraft {
    let (stored, was, back) = (column.name.quoted, original(column), returned(column))
    func isSame(_ value: String) -> String {
      "(+\(value) IS +\(was) COLLATE BINARY AND typeof(\(value)) = typeof(\(was)))"
    }
    let isWidened =
      "(typeof(\(was)) = 'integer' AND typeof(\(stored)) = 'real' AND \(was) = \(stored))"
    let changes = "NOT (\(isSame(stored)) OR \(isSame(back)) OR \(isWidened))"
    // A column that becomes a computed one replaces NULL by a value too. Undoing a replacement of NULL loses nothing.
    let restored = projection.restoresNulls(column) ? " AND \(stored) IS NOT NULL" : ""
    let condition = isReplaced(column) ? changes : "\(was) IS NOT NULL AND \(changes)\(restored)"
    return RowCheckDraft(
      kind: .lossyConversion(
        fromType: projection.sourceColumn(of: column)?.type ?? "",
        toType: isReplaced(column) ? nil : column.type ?? ""),
      column: column.name, form: .rows(where: condition), needsProbe: true,
      prefilter: isReplaced(column) ? nil : doubt(about: column),
      classed: isReplaced(column) ? nil : undoubted(column))
  }

  /// Values of another kind than the new type's, where the declared conversion is not done again; all values, where the
  /// column is of the old kind again and those that were written since cannot be told from those that were converted.
  private func unconverted(_ column: ColumnSchema) -> RowCheckDraft? {
    guard projection.hints.columns[column.name]?.appliedConversion != nil, projection.recoding(of: column) == nil,
      let before = projection.sourceColumn(of: column),
      !before.hasSameType(as: column)
    else { return nil }
    if projection.hints.columns[column.name]?.isConversionUndone == true {
      return RowCheckDraft(
        kind: .unconvertedSince(type: before.type ?? ""), column: column.name,
        form: .rows(where: "\(column.name.quoted) IS NOT NULL"), needsProbe: true)
    }
    let classes: [String] =
      switch column.affinity {
      // A value that was converted to an INTEGER is one: 12.99 among cents is not.
      case .integer: ["integer", "null"]
      case .real, .numeric: ["integer", "real", "null"]
      case .text: ["text", "null"]
      case .blob: ["integer", "real", "text", "blob", "null"]
      }
    let list = classes.map { SQLQuoting.literal($0) }.joined(separator: ", ")
    return RowCheckDraft(
      kind: .unconverted(type: column.type ?? ""), column: column.name,
      form: .rows(where: "typeof(\(column.name.quoted)) NOT IN (\(list))"), needsProbe: true)
  }

  /// Texts and BLOBs in a column of numbers from now on. They survive, and nobody who adds or compares expects them.
  private func stray(_ column: ColumnSchema) -> RowCheckDraft? {
    guard isConverted(column), !target.isStrict, target.rowIDAlias?.name != column.name,
      [.integer, .real, .numeric].contains(column.affinity), let before = projection.sourceColumn(of: column),
      [.text, .blob].contains(before.affinity)
    else { return nil }
    return RowCheckDraft(
      kind: .stray(type: column.type ?? ""), column: column.name,
      form: .rows(where: "typeof(\(column.name.quoted)) IN ('text', 'blob')"), needsProbe: true,
      prefilter: doubt(about: column), classed: undoubted(column))
  }

  /// - Parameter flagged: The flag of the rows that are asked about; nil for all.
  private func notStorable(_ column: ColumnSchema, in flagged: Int? = nil) -> RowCheckDraft? {
    let classes: [String]
    switch column.comparableType {
    case "INT", "INTEGER": classes = ["integer", "null"]
    case "REAL": classes = ["real", "null"]
    case "TEXT": classes = ["text", "null"]
    case "BLOB": classes = ["blob", "null"]
    default: return nil
    }
    let list = classes.map { SQLQuoting.literal($0) }.joined(separator: ", ")
    let isIn = flagged.map { "\(flag($0)) AND " } ?? ""
    return RowCheckDraft(
      kind: .notStorable(type: column.type ?? ""), column: column.name,
      form: .rows(where: "\(isIn)typeof(\(column.name.quoted)) NOT IN (\(list))"),
      needsProbe: probeOnly.contains(column.name), prefilter: flagged == nil ? doubt(about: column) : nil,
      classed: flagged == nil ? undoubted(column) : nil, flag: flagged)
  }

  /// Rows that a CHECK refuses; NULL passes, as it does in SQLite.
  ///
  /// - Parameter isStanding: True for a CHECK that stood before, which is asked only of rows in which it reads another value.
  package func failing(_ check: CheckSchema, isStanding: Bool) -> RowCheckDraft {
    let read = target.columns.filter { changing.contains($0.name) && check.expression.mentions($0.name) }
    let filled = isStanding && read.count == 1 ? fillFlag(of: read[0]) : nil
    let isIn = filled.map { "\(flag($0)) AND " } ?? ""
    return RowCheckDraft(
      kind: .failingCheck(check.expression.text), column: nil,
      form: .rows(where: "\(isIn)NOT \(check.expression.enclosed)"), needsProbe: needsProbe(check.expression),
      flag: filled)
  }

  /// The flag of the rows in which a default or backfill takes the place of NULL; nil where other values of the column change too.
  private func fillFlag(of column: ColumnSchema) -> Int? {
    guard target.rowIDAlias?.name != column.name, let before = projection.sourceColumn(of: column),
      before.affinity == column.affinity, before.collation == column.collation, before.generation == nil,
      !before.isStoredOtherwise, !projection.convertedColumns.contains(column.name)
    else { return nil }
    return flags.firstIndex { $0.kind == .filledNulls && $0.column == column.name }
  }

  /// Rows for which a CHECK is NULL: they pass, and an ALTER TABLE may refuse them.
  package func undecided(_ check: CheckSchema) -> RowCheckDraft {
    RowCheckDraft(
      kind: .undecidedCheck(check.expression.text), column: nil,
      form: .rows(where: "\(check.expression.enclosed) IS NULL"),
      needsProbe: needsProbe(check.expression))
  }

  /// Expressions that SQLite evaluates on each row and that could fail there; no row is concerned when they do not.
  package func computations(of changedIndexes: Set<SQLName>) -> [RowCheckDraft] {
    let generated = target.generatedColumns.filter { changing.contains($0.name) }.compactMap {
      column -> RowCheckDraft? in
      guard let expression = column.generation?.expression, expression.canFail else { return nil }
      return RowCheckDraft(
        kind: .computed(by: "The generated column \(column.name)"), column: column.name,
        form: .rows(where: "typeof\(expression.enclosed) = ''"), needsProbe: needsProbe(expression))
    }
    let indexed = indexes.filter { !$0.isUnique }.compactMap { index -> RowCheckDraft? in
      guard changedIndexes.contains(index.name) || readsChange(index) else { return nil }
      let terms = index.terms.filter { $0.column == nil && $0.expression.canFail }
      guard !terms.isEmpty || index.predicate?.canFail == true else { return nil }
      // Rows outside of a partial index have no terms.
      let values = terms.map { "typeof\($0.expression.enclosed) = ''" }.joined(separator: " OR ")
      let condition = index.predicate.map { predicate in
        terms.isEmpty ? "typeof\(predicate.enclosed) = ''" : "\(predicate.enclosed) AND (\(values))"
      }
      return RowCheckDraft(
        kind: .computed(by: "Index \(index.name)"), column: nil, form: .rows(where: condition ?? values),
        needsProbe: needsProbe(index))
    }
    return generated + indexed
  }

  /// Rows whose rowids go because the table shall have none; nil when it keeps them or had none that mattered.
  package func droppedRowIDs(isFollowed: Bool) -> RowCheckDraft? {
    guard target.isWithoutRowID, !source.isWithoutRowID, source.rowIDAlias == nil else { return nil }
    return RowCheckDraft(
      kind: .droppedRowIDs(isFollowed: isFollowed), column: nil, form: .everyRow, needsProbe: false)
  }

  /// Rows that get another rowid; nil when none can.
  ///
  /// - Parameter isFollowed: True if an object of the file keeps rowids of this table, as a full-text index does.
  package func renumbering(isFollowed: Bool) -> RowCheckDraft? {
    // Where columns have taken all names of the rowid, before or after, nothing can have referred to it.
    guard !source.isWithoutRowID, source.rowKey != nil, let alias = target.rowIDAlias else { return nil }
    if let before = projection.sourceColumn(of: alias) {
      if before.name == source.rowIDAlias?.name { return nil }
    } else if projection.hints.columns[alias.name]?.backfill == nil {
      return nil
    }
    let formerKeys = source.primaryKey?.columns.map(\.name) ?? []
    let wasKey = formerKeys == [projection.sourceName(alias.name)]
    return RowCheckDraft(
      kind: .renumberedRows(wasKey: wasKey && !isFollowed), column: nil,
      form: .rows(where: "\(row) IS NOT \(alias.name.quoted)"), needsProbe: probeOnly.contains(alias.name))
  }
}

extension CanonicalSQL {
  /// True if evaluating the piece on a row could fail: only functions and the operators on JSON do.
  package var canFail: Bool { Self.canFail(key) }

  fileprivate static func canFail(_ sql: String) -> Bool { sql.contains("(") || sql.contains("->") }
}
