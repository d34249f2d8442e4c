import OrderedCollections

/// Counts violated foreign keys before and after a change, so that only new violations count against it.
///
/// *Cost:* one look-up for each row of the children concerned.
/// See [PRAGMA foreign_key_check](https://sqlite.org/pragma.html#pragma_foreign_key_check).
struct ForeignKeyGuard {
  let connection: any SQLConnection

  /// One child and its parent.
  struct Relation: Sendable, Hashable {
    var child: SQLName
    var parent: SQLName
  }

  /// What was found for a relation.
  struct Finding: Sendable, Hashable {
    var count = 0
    /// What SQLite says when the keys do not even fit each other.
    var mismatch: String?
  }

  /// Counts the violations of some children.
  func violations(of children: Set<SQLName>) throws -> [Relation: Finding] {
    var findings: [Relation: Finding] = [:]
    for child in children.sorted() {
      do {
        try connection.forEachRow("PRAGMA main.foreign_key_check(\(child.quoted))", []) { row in
          let relation = Relation(child: child, parent: SQLName(row[2].text ?? ""))
          findings[relation, default: Finding()].count += 1
        }
      } catch let error as SQLiteError where !error.isEnvironmental {
        // "foreign key mismatch" is an answer, not a fault of the check.
        findings[Relation(child: child, parent: child), default: Finding()].mismatch = error.message
      }
    }
    return findings
  }

  /// Fails when children have violations that they did not have before.
  ///
  /// - Parameter areTablesRenamed: Whether a child or parent may have had its violations under other names.
  /// - Throws: `ApplyError`.
  func refuseNewViolations(
    in children: Set<SQLName>, before: [Relation: Finding], areTablesRenamed: Bool
  ) throws {
    let total = before.values.reduce(0) { $0 + $1.count }
    let hadMismatch = before.values.contains { $0.mismatch != nil }
    for (relation, finding) in try violations(of: children) {
      if let mismatch = finding.mismatch, !hadMismatch { throw ApplyError(reason: .foreignKeyMismatch(mismatch)) }
      let known = before[relation]?.count ?? (areTablesRenamed ? total : 0)
      if finding.count > known {
        throw ApplyError(
          reason: .newViolations(
            child: relation.child.text, parent: relation.parent.text, count: finding.count - known))
      }
    }
  }

  /// The children that a plan could turn into orphans: the tables it touches, and those that refer to them.
  static func children(in schema: DatabaseSchema, touching tables: Set<SQLName>) -> Set<SQLName> {
    Set(
      schema.tables.values.filter { table in
        !table.foreignKeys.isEmpty
          && (tables.contains(table.name) || table.foreignKeys.contains { tables.contains($0.parent) })
      }.map(\.name))
  }
}
