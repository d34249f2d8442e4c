import Foundation

extension MistreatedOracle {
  /// Index entries that are others than before although the index reads nothing that has changed.
  func indexProblems(_ path: String) throws -> [String] {
    let shared = new.tables.compactMap { table in old.table(table.id).map { (origin: $0, table: table) } }
    let was = try MistreatedIndexes.entries(of: before, tables: shared.map(\.origin))
    let now = try MistreatedIndexes.entries(of: path, tables: shared.map(\.table))
    let fresh = try MistreatedIndexes.entries(of: path, tables: shared.map(\.table), isFresh: true)
    var problems: [String] = []
    for (origin, table) in shared {
      let names = Dictionary(uniqueKeysWithValues: origin.columns.map { ($0.name, $0.id) })
      let newNames = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0.id) })
      let changed = changedColumns(origin, table)
      let numbers = sameNumbers(origin, table)
      let hasOtherKey =
        origin.hasRowID != table.hasRowID || (!table.hasRowID && !changed.isDisjoint(with: table.keyColumns))
      for index in now
      where index.isAutomatic == false || index.columns.allSatisfy({ $0.map { newNames[$0] != nil } ?? false }) {
        let declared = table.indexes.first { $0.name == index.name }
        let columns = index.columns.map { $0.flatMap { newNames[$0] } }
        guard declared != nil || (index.isAutomatic && index.name.hasPrefix("sqlite_autoindex_\(table.name)_")) else {
          continue
        }
        let former = was.first { other in
          index.isAutomatic
            ? other.isAutomatic && other.name.hasPrefix("sqlite_autoindex_\(origin.name)_")
              && other.columns.map { $0.flatMap { names[$0] } } == columns
            : other.name == index.name
        }
        let inputs = declared.map { table.inputs(of: $0) } ?? Set(columns.compactMap { $0 })
        // The same number under another type has the same place in an index that computes nothing with it.
        let phrases = zip(index.columns, declared?.terms ?? []).filter { $0.0 == nil }.map(\.1.phrase)
        let computed = table.inputs(of: phrases.flatMap { $0 } + (declared?.predicate ?? []))
        let read = inputs.subtracting(numbers.subtracting(computed))
        let isKept = former != nil && read.isDisjoint(with: changed) && !hasOtherKey
        let right = fresh.first { $0.name == index.name }
        if index.entries == right?.entries || (isKept && index.entries == former?.entries) { continue }
        // From 3.46 on, REINDEX stores a whole number that is computed from a REAL as an integer, and INSERT as a real.
        let isComputed =
          !phrases.isEmpty
          || index.columns.contains { name in table.columns.contains { $0.name == name && $0.generated != nil } }
        if isComputed, let right, Self.numbers(index.entries) == Self.numbers(right.entries) { continue }
        problems.append(
          "\(index.name) has \(index.entries.prefix(4)), had \(former?.entries.prefix(4) ?? []), "
            + "made anew \(right.map { "\($0.entries.prefix(4))" } ?? "impossible")")
      }
    }
    return problems
  }

  /// The entries without the class of whole numbers.
  private static func numbers(_ entries: [String]) -> [String] { entries.map { $0.replacing(/\b(\d+)\.0\b/) { $0.1 } } }

  /// The columns that only get another type of numbers.
  private func sameNumbers(_ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table) -> Set<Int> {
    Set(
      table.columns.filter { column in
        guard let former = origin.columns.first(where: { $0.id == column.id }), column.generated == nil else {
          return false
        }
        let (was, now) = (origin.affinity(of: former), table.affinity(of: column))
        return former.collation == column.collation && [.integer, .numeric].contains(was)
          && [.integer, .numeric, .real].contains(now)
      }.map(\.id))
  }

  /// Marks of AUTOINCREMENT that moved.
  func markProblems(
    _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table, _ was: RawSQLite, _ now: RawSQLite
  ) throws -> [String] {
    guard origin.isAutoincrement, table.isAutoincrement else { return [] }
    let mark: (RawSQLite, String) throws -> [[RawValue]] = { file, name in
      try file.rows("SELECT seq FROM sqlite_sequence WHERE name = \(RawValue.text(name))")
    }
    let (old, new) = (try mark(was, origin.name), try mark(now, table.name))
    return old == new ? [] : ["mark: \(table.name) had \(old), has \(new)"]
  }

  /// Words that find other rows than before.
  func searchProblems(
    _ origin: MistreatedSchema.Table, _ table: MistreatedSchema.Table, _ was: RawSQLite, _ now: RawSQLite
  ) throws -> [String] {
    guard let old = origin.search, let new = table.search else { return [] }
    return try MistreatedArtist.vocabulary.compactMap { word in
      let find: (RawSQLite, String) throws -> [[RawValue]] = { file, name in
        try file.rows("SELECT rowid FROM \(name) WHERE \(name) MATCH '\(word)' ORDER BY rowid")
      }
      let (before, after) = (try find(was, old.name), try find(now, new.name))
      return before == after ? nil : "search: \(new.name) found \(before) for \(word), finds \(after)"
    }
  }

  /// What integrity_check says now and did not say before.
  func integrityProblems(_ was: RawSQLite, _ now: RawSQLite) throws -> [String] {
    // Values are compared above, class by class. SQLite words these lines by the declaration, and 3.40 finds some in sound rows.
    let lines: (RawSQLite) throws -> [String] = { file in
      try file.rows("PRAGMA integrity_check(1000)").compactMap { $0.first?.string }.filter { line in
        line != "ok" && !line.contains(" value in ")
      }.map(Self.original)
    }
    var known = try lines(was)
    return try lines(now).filter { line in
      guard let at = known.firstIndex(of: line) else { return true }
      known.remove(at: at)
      return false
    }
  }

  private static func original(_ text: String) -> String {
    text.replacingOccurrences(of: MistreatedChange.newNameSuffix, with: "")
  }
}
