import OrderedCollections

/// Finds the orphans before and after a change, so that only new orphans count against it.
///
/// *Cost:* one look-up for each row of the children concerned, and one more for each orphan.
/// See [PRAGMA foreign_key_check](https://sqlite.org/pragma.html#pragma_foreign_key_check).
package struct ForeignKeyGuard {
  let connection: any SQLConnection

  package init(connection: any SQLConnection) { self.connection = connection }

  /// A foreign key, by its names in one schema. The order of its pairs of columns means nothing.
  struct Reference: Sendable, Hashable {
    var child: SQLName
    var columns: Set<SQLName>
    var parent: SQLName
  }

  /// The rows that break a foreign key.
  struct Orphans: Sendable, Hashable {
    /// The rowids of the rows; in a table WITHOUT ROWID, the values of their primary key.
    var rows: Set<String> = []
    /// The number of rows for each dangling reference, keyed by the values of the foreign key's columns.
    var values: [String: Int] = [:]
    /// The number of rows.
    var count = 0
    /// SQLite's error when the columns do not even match a key of the parent.
    var mismatch: String?
  }

  /// The orphans of a schema's tables.
  typealias Findings = [Reference: Orphans]

  /// Finds the orphans among all rows, before a change.
  package func baseline(of schema: DatabaseSchema) throws -> Baseline {
    Baseline(schema: schema, orphans: try orphans(of: Set(schema.tables.keys), in: schema))
  }

  /// Finds the orphans among the rows of some children.
  ///
  /// - Parameter before: What was found before the change, whose foreign keys give the order of the values.
  func orphans(
    of children: Set<SQLName>, in schema: DatabaseSchema, like before: Baseline? = nil
  ) throws -> Findings {
    var findings: Findings = [:]
    for child in children.sorted() {
      var own: Findings = [:]
      let whole = Reference(child: child, columns: [], parent: child)
      do {
        // A child without rows needs no collation of its parent's key.
        try connection.watchingCollations { watch in
          try watch.asking { try add(orphansOf: child, in: schema, like: before, to: &own) }
        }
      } catch let error as SQLiteError where !error.isEnvironmental {
        // "foreign key mismatch" is a result, not a failure of the check.
        own = [whole: Orphans(mismatch: error.message)]
      } catch let error as LackedCollation {
        own = [whole: Orphans(mismatch: "\(error)")]
      }
      findings.merge(own) { $1 }
    }
    return findings
  }

  private func add(
    orphansOf child: SQLName, in schema: DatabaseSchema, like before: Baseline?, to findings: inout Findings
  ) throws {
    var rowIDs: [Int64: [Int64?]] = [:]
    try connection.forEachRow("PRAGMA main.foreign_key_check(\(child.quoted))", []) { row in
      rowIDs[row[3].integer ?? 0, default: []].append(row[1].integer)
    }
    guard !rowIDs.isEmpty, let table = schema.tables[child] else { return }
    let keys = try connection.rows("PRAGMA main.foreign_key_list(\(child.quoted))")
    for (number, rows) in rowIDs {
      let key = keys.filter { $0[0].integer == number }.sorted { ($0[1].integer ?? 0) < ($1[1].integer ?? 0) }
      let columns = key.map { SQLName($0[3].text ?? "") }
      let parent = SQLName(key.first?[2].text ?? "")
      let reference = Reference(child: table.name, columns: Set(columns), parent: parent)
      let values = Self.quoted(before?.order(of: columns, in: reference) ?? columns)
      var orphans = findings[reference] ?? Orphans()
      if table.isWithoutRowID || table.rowKey == nil {
        let parentColumns = key.compactMap { $0[4].text.map { SQLName($0) } }
        try add(rowsOf: table, columns, values, to: schema.tables[parent], parentColumns, &orphans)
      } else {
        try add(rows.compactMap { $0 }, of: table, values, &orphans)
      }
      orphans.count += rows.count
      findings[reference] = orphans
    }
  }

  private func add(_ rowIDs: [Int64], of table: TableSchema, _ values: String, _ orphans: inout Orphans) throws {
    orphans.rows.formUnion(rowIDs.map(String.init))
    guard let rowKey = table.rowKey else { return }
    let sql = "SELECT \(values) FROM \"main\".\(table.name.quoted) WHERE \(rowKey) = ?1"
    for rowID in rowIDs {
      guard let values = try connection.value(sql, [.integer(rowID)])?.text else { continue }
      orphans.values[values, default: 0] += 1
    }
  }

  /// For rows that have no rowid, or whose rowid has no accessible name, SQLite does not say which they are. The
  /// parent's affinity and collating sequence decide which references dangle:
  /// https://sqlite.org/foreignkeys.html#fk_basics
  private func add(
    rowsOf table: TableSchema, _ columns: [SQLName], _ values: String, to parent: TableSchema?,
    _ parentColumns: [SQLName], _ orphans: inout Orphans
  ) throws {
    let own = "\"main\".\(table.name.quoted)"
    var condition = columns.map { "\(own).\($0.quoted) IS NOT NULL" }.joined(separator: " AND ")
    if let parent {
      let names = parentColumns.isEmpty ? parent.primaryKey?.columns.map(\.name) ?? [] : parentColumns
      let matches = zip(names, columns).map { "\"_parent\".\($0.quoted) = +\(own).\($1.quoted)" }
      condition +=
        " AND NOT EXISTS (SELECT 1 FROM \"main\".\(parent.name.quoted) AS \"_parent\" WHERE "
        + "\(matches.joined(separator: " AND ")))"
    }
    let key = table.primaryKey?.columns.map(\.name) ?? []
    let sql =
      "SELECT \(Self.quoted(key)), \(values) FROM \(own) \(table.rowOrder) WHERE \(condition)"
    try connection.forEachRow(sql, []) { row in
      orphans.rows.insert(row[0].text ?? "")
      orphans.values[row[1].text ?? "", default: 0] += 1
    }
  }

  /// Always text: the quote() of a number is itself a number in SQLite 3.33. A real that is an integer is written as that
  /// integer, because 1 becomes 1.0 in a column that gets the type REAL.
  private static func quoted(_ columns: [SQLName]) -> String {
    let values = columns.map(\.quoted).map { value in
      "quote(CASE WHEN typeof(\(value)) = 'real' AND \(value) = CAST(\(value) AS INTEGER) "
        + "THEN CAST(\(value) AS INTEGER) ELSE \(value) END)"
    }
    return "'' || " + values.joined(separator: " || ',' || ")
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

// MARK: - Comparing

extension ForeignKeyGuard {
  /// The orphans before a change, and the names that the change maps to new ones.
  package struct Baseline {
    var schema: DatabaseSchema
    var orphans: Findings
    package var renames = SchemaRenames()
    /// Orphans of an earlier time, by their names after the change, whose rows may come back.
    var returning: Findings = [:]

    /// The foreign key as it was before.
    func former(_ reference: Reference) -> Reference {
      Reference(
        child: renames.formerTable(reference.child),
        columns: Set(reference.columns.map { renames.formerColumn($0, of: reference.child) }),
        parent: renames.formerTable(reference.parent))
    }

    /// The columns of a foreign key in the order in which they stood before.
    func order(of columns: [SQLName], in reference: Reference) -> [SQLName]? {
      let former = columns.map { renames.formerColumn($0, of: reference.child) }
      let keys = schema.tables[renames.formerTable(reference.child)]?.foreignKeys.filter {
        Set($0.columns) == Set(former) && $0.parent == renames.formerTable(reference.parent)
      }
      let key = keys?.first { $0.columns == former } ?? keys?.first
      return key?.columns.compactMap { column in former.firstIndex(of: column).map { columns[$0] } }
    }

    /// True if rows keep the rowid or key that identifies them.
    func keepsKeys(of table: TableSchema) -> Bool {
      guard let former = schema.tables[renames.formerTable(table.name)] else { return false }
      return table.keepsRowKeys(of: former) { renames.formerColumn($0, of: table.name) }
    }
  }

  /// Throws if children have orphans that did not exist before.
  ///
  /// - Parameter plan: The plan that was carried out, whose faults of the declared schema have consent.
  /// - Throws: `ApplyError`.
  package func refuseNewOrphans(
    in children: Set<SQLName>, of schema: DatabaseSchema, since before: Baseline, by plan: MigrationPlan
  ) throws {
    let faulty = Set(plan.hazards.filter { $0.code == .brokenObject }.map { SQLName($0.table) })
    let found = try self.orphans(of: children, in: schema, like: before)
    for (reference, orphans) in found.sorted(by: { $0.key.child < $1.key.child }) {
      let hadMismatch = before.orphans.contains {
        $0.key.child == before.former(reference).child && $0.value.mismatch != nil
      }
      // Where SQLite could not compare before, no row is known to have had a parent.
      if hadMismatch { continue }
      // That rows refer to a table which is not declared has had its consent.
      if schema.tables[reference.parent] == nil, faulty.contains(reference.child) { continue }
      if let mismatch = orphans.mismatch {
        let parents = schema.tables[reference.child]?.foreignKeys.map(\.parent) ?? []
        if !faulty.isDisjoint(with: parents + [reference.child]) { continue }
        throw ApplyError(reason: .foreignKeyMismatch(mismatch))
      }
      let keepsKeys = schema.tables[reference.child].map(before.keepsKeys) ?? false
      let known = [before.orphans[before.former(reference)], before.returning[reference]].compactMap { $0 }
      let unnamed = before.returning[Reference(child: reference.child, columns: [], parent: reference.parent)]
      let count = orphans.countNew(since: known, comparingRows: keepsKeys) - (unnamed?.count ?? 0)
      if count > 0 {
        throw ApplyError(
          reason: .newViolations(child: reference.child.text, parent: reference.parent.text, count: count))
      }
    }
  }
}

extension ForeignKeyGuard.Orphans {
  /// The number of rows that were not orphans before.
  ///
  /// - Parameter isByRow: True if rows are identified by the same keys as before; otherwise the references themselves
  ///   are compared.
  fileprivate func countNew(since known: [Self], comparingRows isByRow: Bool) -> Int {
    if isByRow { return rows.count { row in !known.contains { $0.rows.contains(row) } } }
    return values.reduce(0) { sum, value in
      let before = known.map { $0.values[value.key] ?? 0 }.max() ?? 0
      return sum + max(0, value.value - before)
    }
  }
}
