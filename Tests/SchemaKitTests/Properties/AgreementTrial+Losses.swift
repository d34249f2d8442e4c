extension AgreementTrial {
  /// What is lost, or works no longer, in a file that was changed; by SQLite's own words alone.
  func losses(in path: String) throws -> [String] {
    let (was, now) = (try RawSQLite(before), try RawSQLite(path))
    defer {
      was.close()
      now.close()
    }
    var losses = try SchemaOracle.sameData(before: was, after: now, pair: agreement.pair)
    losses += try agreement.oddities.compactMap { try Self.loss(of: $0, was, now) }
    // SQLite may be unable to check what calls a function that nobody has.
    if let sound = try? SchemaOracle.integrityProblems(of: was),
      let unsound = try? SchemaOracle.integrityProblems(of: now)
    {
      losses += unsound.filter { !sound.contains($0) }.map { "integrity: \($0)" }
    }
    losses += ((try? SchemaOracle.newOrphans(before: was, after: now, pair: agreement.pair)) ?? []).map {
      "orphan: \($0)"
    }
    return try losses + failures(was, now)
  }

  /// Whether a column that another one is made of has other stored values than before, as an engine leaves them that computed with the
  /// value before it had its type; or one that is dropped has the name of a new one that is computed, and other values.
  func isComputedAnew(in path: String) throws -> Bool {
    let (was, now) = (try RawSQLite(before), try RawSQLite(path))
    defer {
      was.close()
      now.close()
    }
    func values(_ file: RawSQLite, _ table: String, _ column: String, hidden: String) throws -> [String]? {
      let isSuch =
        "SELECT 1 FROM pragma_table_xinfo(\(RawValue.text(table))) "
        + "WHERE name = \(RawValue.text(column)) COLLATE NOCASE AND hidden \(hidden)"
      guard try !file.rows(isSuch).isEmpty else { return nil }
      return try file.rows("SELECT \(SchemaOracle.quoted(column)) FROM \(SchemaOracle.quoted(table))").map(
        \.description
      ).sorted()
    }
    let isStoredAnew = try agreement.pair.columnMap.contains { map in
      guard let old = try values(was, map.oldTable, map.oldColumn, hidden: "= 3"),
        let new = try values(now, map.newTable, map.newColumn, hidden: "= 3")
      else { return false }
      return old != new
    }
    return try isStoredAnew
      || agreement.pair.tableMap.contains { map in
        let computed = "SELECT name FROM pragma_table_xinfo(\(RawValue.text(map.new))) WHERE hidden IN (2, 3)"
        return try now.rows(computed).compactMap(\.[0].string).contains { column in
          guard let old = try values(was, map.old, column, hidden: "= 0") else { return false }
          return try values(now, map.new, column, hidden: ">= 2") != old
        }
      }
  }

  /// A value of an odd table that is another one than before.
  private static func loss(of oddity: FileOddity, _ was: RawSQLite, _ now: RawSQLite) throws -> String? {
    guard !oddity.keptColumns.isEmpty else { return nil }
    // An integer that becomes a text of its digits comes back.
    let columns = oddity.keptColumns.map { $0 == "n" && oddity.fate == .typeChanged ? "n || ''" : $0 }
    let query = "SELECT \(columns.joined(separator: ", ")) FROM \(oddity.table) NOT INDEXED ORDER BY rowid"
    guard let rows = try? was.rows(query) else { return nil }
    return try now.rows(query) == rows ? nil : "\(oddity): \(rows) became \(try now.rows(query))"
  }

  /// Statements that SQLite compiled before, or for what is new, and does not any more.
  private func failures(_ was: RawSQLite, _ now: RawSQLite) throws -> [String] {
    let query = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB '[s_]*'"
    let known = Set(try was.rows(query).compactMap { $0[0].string.map(asciiFolded) })
    let former = Dictionary(
      agreement.pair.tableMap.map { (asciiFolded($0.new), $0.old) }, uniquingKeysWith: { first, _ in first })
    return try now.rows(query).compactMap { row in
      guard let name = row[0].string else { return nil }
      let old = former[asciiFolded(name)] ?? name
      let statements = { (name: String) in
        ["SELECT * FROM \(name)"]
          + (row[1] == .text("table") ? ["INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)"] : [])
      }
      for (sql, before) in zip(statements(SchemaOracle.quoted(name)), statements(SchemaOracle.quoted(old))) {
        do {
          try now.compiles(sql)
        } catch {
          let failedBefore = known.contains(asciiFolded(old)) && (try? was.compiles(before)) == nil
          if !failedBefore { return "\(sql) fails: \(error)" }
        }
      }
      return nil
    }
  }
}
