import OrderedCollections

/// Counts the rows that questions about single rows concern, in one scan of the same rows.
struct RowScanner {
  let connection: any SQLConnection
  let watch: CollationWatch?
  /// The most columns of a result.
  let maximumColumns: Int

  /// The answers of scans.
  struct Answer {
    /// A count for each question; nil where there is nothing to scan or where one of those counted together cannot be
    /// evaluated: each must be asked by itself then, to find out which.
    var counts: [Int?]
    /// The number of rows; nil if nothing was scanned.
    var rowCount: Int?
    /// Classes that hold all values of a column, where that was seen.
    var stored: [SQLName: Set<StoredClasses>] = [:]
  }

  /// - Parameter questions: The scan and the column of each.
  func count(_ questions: [(scan: RowCheck.Scan?, column: SQLName?)]) throws -> Answer {
    var answer = Answer(counts: Array(repeating: nil, count: questions.count))
    for (rows, indices) in OrderedDictionary(grouping: questions.indices, by: { questions[$0].scan?.rows }) {
      guard let rows else { continue }
      if let count = try countWhereAllIsAsExpected(indices.compactMap { questions[$0].scan }, in: rows) {
        answer.rowCount = count
        for index in indices {
          answer.counts[index] = questions[index].scan?.condition == nil ? count : 0
          guard let column = questions[index].column, let classed = questions[index].scan?.classed else { continue }
          answer.stored[column, default: []].insert(classed.stores)
        }
        continue
      }
      var rest = indices[...]
      // Beside the number of rows; each is a column of the result.
      let most = max(1, maximumColumns - 1)
      while !rest.isEmpty {
        let some = rest.prefix(most)
        rest = rest.dropFirst(most)
        let asked = some.map { questions[$0].scan?.condition.map { "count(*) FILTER (WHERE \($0))" } ?? "count(*)" }
        let terms = OrderedSet(asked)
        do {
          let sql = "SELECT \((["count(*)"] + terms).joined(separator: ", ")) FROM \(rows)"
          guard let row = try watch.asking({ try connection.rows(sql).first }) else { continue }
          answer.rowCount = row.first.map { Int($0.integer ?? 0) }
          for (index, term) in zip(some, asked) {
            answer.counts[index] = terms.firstIndex(of: term).map { Int(row[$0 + 1].integer ?? 0) }
          }
        } catch let error as SQLiteError where !error.isEnvironmental {
          continue
        } catch is LackedCollation {
          continue
        }
      }
    }
    return answer
  }

  /// The number of rows where the classes of values say that no question concerns any; nil if they do not.
  private func countWhereAllIsAsExpected(_ scans: [RowCheck.Scan], in rows: String) throws -> Int? {
    let classed = OrderedSet(scans.compactMap(\.classed))
    // SQLite itself tells NULL from the rest as fast.
    guard classed.contains(where: { $0.stores.kind != .any }),
      scans.allSatisfy({ $0.classed != nil || $0.condition == nil }), let local = connection as? SQLiteConnection
    else { return nil }
    let sql = "SELECT count(*), count(*) FILTER (WHERE \(classed.breaks.joined(separator: " OR "))) FROM \(rows)"
    // What it cannot answer is asked of SQLite.
    let answer = try? watch.asking {
      try local.withClassFunction(StoredClasses.function) { try local.rows(sql).first }
    }
    guard case let row?? = answer, row[1].integer == 0 else { return nil }
    return row[0].integer.map { Int($0) }
  }
}
