extension MistreatedOracle {
  /// What a change asks of the rows that they do not give: the reasons for which it may be refused.
  func demands() throws -> [String] {
    let was = try RawSQLite(before)
    defer { was.close() }
    var reasons: [String] = []
    for table in old.tables where new.table(table.id) == nil {
      let isConsented = file.allowances.contains { $0.code == "SK101" && $0.table == table.name }
      if try !isConsented && MistreatedContent(of: table, key: key(of: table, nil), in: was).count > 0 {
        reasons.append("\(table.name) holds rows")
      }
    }
    for table in new.tables {
      guard let origin = old.table(table.id) else { continue }
      reasons += try demands(of: table, origin, was)
      reasons += try referenceDemands(of: table, origin, was)
      if let search = table.search, search.hiddenBy != nil, let former = origin.search {
        let isFilledAnew = former.tokenizer != search.tokenizer || [.alter, .transaction, .script].contains(file.way)
        if isFilledAnew { reasons.append("\(search.name) would find what is hidden") }
      }
    }
    return reasons
  }

  private func demands(
    of table: MistreatedSchema.Table, _ origin: MistreatedSchema.Table, _ was: RawSQLite
  ) throws -> [String] {
    let content = try MistreatedContent(of: origin, key: key(of: origin, nil), in: was)
    if content.count == 0 { return [] }
    var reasons = try dropDemands(origin, table, content)
    for column in table.columns where column.generated == nil {
      guard let former = origin.columns.first(where: { $0.id == column.id }) else {
        if column.isRequired, column.defaultText == nil { reasons.append("\(column.name) would hold NULL") }
        continue
      }
      let isConsented = file.allowances.contains { $0.code == "SK103" && $0.column == column.name }
      for row in content.all {
        guard let value = row[column.id] else { continue }
        let isNewKey = !table.hasRowID && origin.hasRowID && table.keyColumns.contains(column.id)
        let isTightened = table.isStrict && !origin.isStrict && table.keyColumns.contains(column.id)
        if value.isNull,
          (column.isRequired && !former.isRequired && column.defaultText == nil) || isNewKey || isTightened
        {
          reasons.append("\(column.name) holds NULL")
        }
        if value.isNull { continue }
        let result = try expected(value, from: former, in: origin, to: column, in: table)
        let isTaken = try result.map { try isConsented || isLossless(value, $0, former, origin) } ?? false
        if !isTaken {
          reasons.append("\(column.name) holds \(value), which would be \(result.map(\.description) ?? "refused")")
        }
      }
    }
    reasons += try checkDemands(table, origin, was)
    reasons += try uniqueDemands(table, origin, was)
    reasons += storedDemands(table, origin, content)
    return reasons
  }

  private func dropDemands(
    _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table, _ content: MistreatedContent
  ) throws -> [String] {
    origin.columns.compactMap { column in
      if column.generated != nil || table.columns.contains(where: { $0.id == column.id }) { return nil }
      if file.allowances.contains(where: { $0.code == "SK102" && $0.column == column.name }) { return nil }
      return content.all.contains { $0[column.id]?.isNull == false } ? "\(column.name) holds values" : nil
    }
  }

  /// CHECKs that are new, or read what is new; whether rows fail one that reads what has changed is not looked at.
  private func checkDemands(
    _ table: MistreatedSchema.Table, _ origin: MistreatedSchema.Table, _ was: RawSQLite
  ) throws -> [String] {
    let changed = changedColumns(origin, table)
    return try table.checks.compactMap { check in
      let inputs = table.inputs(of: check.phrase)
      let isNew = !origin.checks.contains { $0.id == check.id }
      if !inputs.isDisjoint(with: changed) { return "a CHECK reads what changes" }
      guard isNew else { return nil }
      // A NOT in front could be answered by the declaration.
      let text = old.text(of: check.phrase)
      let failing = try was.rows("SELECT (\(text)) FROM \(origin.name) NOT INDEXED").count { row in
        row[0] == .int(0) || row[0] == .real(0)
      }
      return failing > 0 ? "\(failing) rows fail a CHECK" : nil
    }
  }

  private func uniqueDemands(
    _ table: MistreatedSchema.Table, _ origin: MistreatedSchema.Table, _ was: RawSQLite
  ) throws -> [String] {
    let changed = changedColumns(origin, table)
    var reasons: [String] = []
    func look(_ terms: [String], where condition: String?, _ isNew: Bool, _ inputs: Set<Int>) throws {
      if !inputs.isDisjoint(with: changed) {
        reasons.append("a UNIQUE reads what changes")
        return
      }
      // What stands and lacks rows may be kept, or may not by a copy that makes it anew.
      guard isNew || file.way != .auto || origin.hasRowID != table.hasRowID else { return }
      let rows = try was.rows(
        "SELECT count(*) FROM \(origin.name) NOT INDEXED \(condition.map { "WHERE " + $0 } ?? "") GROUP BY "
          + terms.joined(separator: ", ") + " HAVING count(*) > 1"
          + terms.map { " AND typeof(\($0)) <> 'null'" }.joined())
      if !rows.isEmpty { reasons.append("\(rows.count) groups are equal in \(terms.joined(separator: ", "))") }
    }
    let collated: (Int, String?) -> String? = { id, collation in
      origin.columns.first { $0.id == id }.map { "+\($0.name) COLLATE \(collation ?? $0.collation ?? "BINARY")" }
    }
    for unique in table.uniques {
      let isNew = !origin.uniques.contains { $0.id == unique.id }
      try look(unique.columns.compactMap { collated($0, nil) }, where: nil, isNew, Set(unique.columns))
    }
    if case .columns(let columns) = table.key {
      try look(columns.compactMap { collated($0, nil) }, where: nil, false, Set(columns))
    }
    for index in table.indexes where index.isUnique {
      let isNew = !origin.indexes.contains { $0.id == index.id }
      let inputs = table.inputs(of: index)
      let terms = index.terms.map { term in
        if term.phrase.count == 1, let id = term.phrase.ids.first { return collated(id, term.collation) ?? "1" }
        return "(\(old.text(of: term.phrase)))" + (term.collation.map { " COLLATE \($0)" } ?? "")
      }
      try look(terms, where: index.predicate.map { old.text(of: $0) }, isNew, inputs)
    }
    return reasons
  }

  /// A stored column that is computed anew may read, under a new type or collation, values that it cannot be computed of.
  private func storedDemands(
    _ table: MistreatedSchema.Table, _ origin: MistreatedSchema.Table, _ content: MistreatedContent
  ) -> [String] {
    table.columns.compactMap { column in
      guard column.generated != nil, table.isStrict || column.isRequired, isComputedAnew(column, origin, table) else {
        return nil
      }
      return "\(column.name) is computed in a STRICT table"
    }
  }

  private func referenceDemands(
    of table: MistreatedSchema.Table, _ origin: MistreatedSchema.Table, _ was: RawSQLite
  ) throws -> [String] {
    try table.references.compactMap { reference in
      if origin.references.contains(where: { $0.column == reference.column && $0.parent == reference.parent }) {
        return nil
      }
      guard let child = origin.columns.first(where: { $0.id == reference.column }) else { return nil }
      guard let parent = old.table(reference.parent) else { return nil }
      let rows = try was.rows(
        "SELECT count(*) FROM \(origin.name) NOT INDEXED WHERE typeof(\(child.name)) <> 'null' AND \(child.name) NOT IN "
          + "(SELECT rowid FROM \(parent.name) NOT INDEXED)")
      return rows == [[.int(0)]] ? nil : "\(child.name) refers to rows that are not there"
    }
  }
}
