/// Decides which constraints ALTER TABLE can set and drop by itself.
///
/// Applies from SQLite 3.53 on, to NOT NULL and CHECK: `ALTER COLUMN … SET NOT NULL`, `DROP NOT NULL`, `ADD CHECK` and,
/// for a CHECK that has a name, `DROP CONSTRAINT`. SQLite checks the rows itself and refuses if they violate the
/// constraint; they were counted before, so that an edit of the catalog, where possible, is cheaper for NOT NULL. A
/// CHECK is added in this way to empty tables only: SQLite 3.53.4 rejects rows for which it is NULL, though a CHECK
/// lets them pass. Foreign keys, UNIQUE and defaults are left unchanged. See
/// [ALTER TABLE](https://sqlite.org/lang_altertable.html).
package enum ConstraintAlterRule {
  /// What ALTER TABLE does to constraints, and what remains of a change.
  package struct Part {
    package var rest: TableChange
    /// To be run after columns are added and before any is dropped.
    package var statements: [String] = []
    /// Whether SQLite reads every row to check it.
    package var readsRows = false
  }

  /// Removes from a change what ALTER TABLE can do to its constraints.
  ///
  /// - Parameters:
  ///   - hasRows: Whether the table has rows.
  ///   - writes: Whether rows must get another value: NULL is filled before, or restored after.
  package static func part(
    of change: TableChange, profile: EngineProfile, hasRows: Bool, writes: (SQLName) -> Bool
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
    part.rest.addedChecks.removeAll { check in
      guard !hasRows, !change.addedColumns.contains(where: { check.expression.mentions($0.name) }) else { return false }
      let name = check.name.map { "CONSTRAINT \($0.quoted) " } ?? ""
      tightening.append("\(table) ADD \(name)CHECK \(check.expression.closed)")
      return true
    }
    part.statements = relaxing + tightening
    part.readsRows = hasRows && !tightening.isEmpty
    return part
  }
}

extension CanonicalSQL {
  /// The SQL as written, in parentheses that no comment in it can swallow.
  fileprivate var closed: String { text.contains("--") ? "(\(text)\n)" : "(\(text))" }
}
