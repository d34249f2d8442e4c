/// Decides which constraints ALTER TABLE can set and drop by itself.
///
/// Applies where the engine takes it: from SQLite 3.53 on to NOT NULL and CHECK, by `ALTER COLUMN … SET NOT NULL`, `DROP NOT NULL`,
/// `ADD CHECK` and, for a CHECK that has a name, `DROP CONSTRAINT`, which from 3.54 on drops a foreign key with a name as well. SQLite
/// checks the rows itself and refuses if they violate the constraint; they were counted before, so that an edit of the
/// catalog, where possible, is cheaper. SQLite 3.53 rejects a CHECK that is NULL for a row, where 3.54 lets the row pass, as
/// every CHECK does: there a CHECK is added in this way only if it is known not to be NULL. UNIQUE and defaults are left unchanged. See
/// [ALTER TABLE](https://sqlite.org/lang_altertable.html).
package enum ConstraintAlterRule {
  /// The part of a change that ALTER TABLE makes to constraints, with the rest of the change.
  package struct Part {
    package var rest: TableChange
    /// To be run after columns are added and before any is dropped.
    package var statements: [String] = []
    /// True if SQLite reads every row to check it.
    package var readsRows = false
  }

  /// Removes from a change what ALTER TABLE can do to its constraints.
  ///
  /// - Parameters:
  ///   - hasRows: True if the table has rows.
  ///   - isDecided: True if a CHECK is known not to be NULL for any row.
  ///   - writes: True if rows must get another value: NULL is filled before, or restored after.
  package static func part(
    of change: TableChange, profile: EngineProfile, hasRows: Bool, isDecided: (CheckSchema) -> Bool,
    writes: (SQLName) -> Bool
  ) -> Part {
    var part = Part(rest: change)
    guard profile.canAlterConstraints else { return part }
    let table = "ALTER TABLE \"main\".\(change.to.name.quoted)"
    var relaxing: [String] = []
    var tightening: [String] = []
    part.rest.changedColumns.removeAll { column in
      guard column.kinds == [.nullability] || column.kinds == [.nullability, .conflictClause] else { return false }
      let name = column.to.name
      guard !writes(name) else { return false }
      if column.to.isNotNull {
        let conflict = column.to.notNullConflict.map { " ON CONFLICT \($0.rawValue.uppercased())" } ?? ""
        tightening.append("\(table) ALTER COLUMN \(name.quoted) SET NOT NULL\(conflict)")
      } else {
        relaxing.append("\(table) ALTER COLUMN \(name.quoted) DROP NOT NULL")
      }
      return true
    }
    part.rest.droppedChecks.removeAll { check in
      guard let name = check.name, change.from.checks.count(where: { $0.name == name }) == 1 else { return false }
      relaxing.append("\(table) DROP CONSTRAINT \(name.quoted)")
      return true
    }
    if profile.constraintForms.contains(.foreignKeys) {
      part.rest.droppedForeignKeys.removeAll { key in
        guard let name = change.from.constraintName(of: key) else { return false }
        relaxing.append("\(table) DROP CONSTRAINT \(name.quoted)")
        return true
      }
    }
    part.rest.addedChecks.removeAll { check in
      guard !hasRows || !profile.addsDecidedChecksOnly || isDecided(check),
        !change.addedColumns.contains(where: { check.expression.mentions($0.name) })
      else { return false }
      let name = check.name.map { "CONSTRAINT \($0.quoted) " } ?? ""
      tightening.append("\(table) ADD \(name)CHECK \(check.expression.closed)")
      return true
    }
    part.statements = relaxing + tightening
    part.readsRows = hasRows && !tightening.isEmpty
    return part
  }
}

extension TableSchema {
  /// The name of a foreign key's constraint; nil if it has none, or one that another constraint has too.
  fileprivate func constraintName(of key: ForeignKeySchema) -> SQLName? {
    guard case .table(let statement)? = try? SQLParser.create(sql) else { return nil }
    var names = statement.columns.flatMap { $0.constraints.compactMap(\.name) }
    names += statement.constraints.compactMap(\.name)
    var found: [SQLName?] = []
    for column in statement.columns {
      for constraint in column.constraints {
        guard case .references(let clause) = constraint.kind else { continue }
        if ForeignKeySchema([column.name], clause) == key { found.append(constraint.name) }
      }
    }
    for constraint in statement.constraints {
      guard case .foreignKey(let columns, let clause) = constraint.kind else { continue }
      if ForeignKeySchema(columns, clause) == key { found.append(constraint.name) }
    }
    guard found.count == 1, let name = found.first ?? nil, names.count(where: { $0 == name }) == 1 else { return nil }
    return name
  }
}

extension CanonicalSQL {
  /// The SQL as written, in parentheses that no comment in it can swallow.
  fileprivate var closed: String { text.contains("--") ? "(\(text)\n)" : "(\(text))" }
}
