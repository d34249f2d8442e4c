import OrderedCollections
import SchemaKitFoundation

/// Estimates what a plan writes and about how long it takes.
///
/// *Cost:* a sample of at most 400 rows of each table that is copied, and, where there are 50,000 rows or more, a copy of
/// 4,000 of them, or a MiB, into a temporary table with one index, which takes about 10 ms.
struct CostEstimator {
  let connection: any SQLConnection
  let target: DatabaseSchema
  let verification: VerificationLevel
  /// The time that planning and examining the rows took, in milliseconds. It is repeated under the lock.
  var preparation = 0.0

  /// The number of rows below which the duration of a copy is not measured.
  private static let longCopy = 50_000
  private static let sampleRows = 4_000
  /// More would not fit in the cache of a temporary table, and would be written to disk, whose share is estimated
  /// separately.
  private static let sampleBytes = 1 << 20
  /// The overhead of an index entry in bytes: its header, the rowid, its place in the page, and the free space of
  /// pages.
  private static let entryBytes = 14
  /// The time to read a page from the system's file cache and to write it back, in milliseconds.
  private static let pageTrip = 0.003
  /// The factor by which a copy takes longer in short transactions: `scripts/bench-online.py` measured 1.1 and 1.4.
  private static let onlineFactor = 1.25
  /// The part of the time of copying a row that it takes to update one of many where it is: see StrategyCost.
  private static let updateFactor = 0.8
  /// The speed at which a file grows, in bytes per millisecond; a modern disk is faster, a memory card slower.
  private static let diskSpeed = 400_000.0

  /// The cost of a plan; nil if no rows are copied or updated, or their number is unknown.
  ///
  /// - Parameter source: The file's schema.
  func cost(of plan: MigrationPlan, source: DatabaseSchema) throws -> MigrationCost? {
    let copies = plan.steps.filter { $0.strategy.copiesRows && ($0.rows ?? 0) > 0 }
    let updates = plan.steps.filter(\.updatesRows)
    guard !copies.isEmpty || !updates.isEmpty, plan.areRowsExamined else { return nil }
    var tableBytes = 0
    var indexBytes = 0
    var time = 0.0
    let fileBytes = try Int((connection.integer("PRAGMA main.page_count") ?? 0) * (connection.pageSize ?? 0))
    // Each row may be on a page of its own, which the journal keeps whole, and an entry of an index leaves one for another.
    let pageBytes = Int(try connection.pageSize ?? 4096)
    let updatedBytes = min(fileBytes, updates.reduce(0) { $0 + ($1.rows ?? 0) + 2 * $1.movedEntries } * pageBytes)
    for copy in copies {
      let name = copy.object.name
      guard let table = target.table(name), let old = source.table(plan.renames.formerTable(name)), let rows = copy.rows
      else { continue }
      let ownKeys = keys(filledBy: copy, of: table)
      let keys = indexes(madeBy: copy, of: table) + ownKeys
      let sample = RowSample(
        connection: connection, table: "\"main\".\(old.name.quoted) \(old.rowOrder)", rowKey: old.rowKey)
      let columns = keys.joined().map { plan.renames.formerColumn($0, of: name) }.filter { old.column($0) != nil }
      let lengths = columns.isEmpty ? [] : try sample.averages(of: columns.map { RowSample.length(of: $0) })
      tableBytes += copy.bytes ?? 0
      let bytes = rows * (lengths.reduce(0, +) + keys.count * Self.entryBytes)
      indexBytes += bytes
      if rows >= Self.longCopy, let pace = try pace(of: old, rowBytes: (copy.bytes ?? 0) / rows) {
        let proof = verification == .counts ? 1.1 : 1.7
        let sorting = pace.entry * Double(keys.count) * Self.depth(rows)
        // The indexes of keys are filled row by row, in an order unrelated to theirs.
        let trips = Double(ownKeys.count) * Self.pageTrip * (try shareOutsideCache(of: bytes))
        let factor = copy.strategy.isOnline ? Self.onlineFactor : 1
        time += Double(rows) * (pace.row * proof + sorting + trips) * factor
      }
    }
    for update in updates {
      let name = update.object.name
      guard let rows = update.rows, rows >= Self.longCopy, let old = source.table(plan.renames.formerTable(name)),
        let pace = try pace(of: old, rowBytes: (update.bytes ?? 0) / rows)
      else { continue }
      time += Double(rows) * pace.row * Self.updateFactor
    }
    let isLogged = try connection.value("PRAGMA main.journal_mode")?.text?.lowercased() == "wal"
    let erases = try plan.losesContent && connection.integer("PRAGMA main.secure_delete") != 0
    let written = tableBytes + indexBytes + updatedBytes
    // Indexes are built in the pages freed by the old table and its indexes. The journal keeps the former content of
    // these, as it does when they are erased.
    let overwritten = erases ? written : indexBytes + updatedBytes
    var journal = (isLogged ? written + (erases ? tableBytes : 0) : overwritten) + (1 << 16)
    var free = tableBytes
    if updates.isEmpty, copies.allSatisfy({ $0.strategy.isOnline }) {
      journal = min(journal, OnlineCopy.usualLog)
      // The old table is still there when they are filled, and their entries are sorted in a temporary file first.
      free += 2 * indexBytes
    }
    if time > 0 {
      // The check of the file reads all of it.
      time += preparation + Double(fileBytes) / 500_000 + Double(written + journal) / Self.diskSpeed
    }
    return MigrationCost(
      writtenBytes: written, journalBytes: journal, freeBytes: free + journal,
      milliseconds: time > 0 ? Int(time) : nil)
  }

  /// The columns of each index that a copy creates once the rows have been inserted.
  private func indexes(madeBy copy: MigrationStep, of table: TableSchema) -> [[SQLName]] {
    target.indexes(on: table.name).filter { index in
      copy.strategy.remakesTable || copy.statements.contains { $0.sql == SwapBuilder.reindex(index) }
    }.map { $0.terms.map { $0.column ?? "" } }
  }

  /// The columns of each UNIQUE and PRIMARY KEY whose index is filled along with the rows.
  private func keys(filledBy copy: MigrationStep, of table: TableSchema) -> [[SQLName]] {
    if let online = copy.onlineCopy { return online.indexes.map(\.columns) }
    guard copy.strategy.remakesTable else { return [] }
    let key = table.rowIDAlias == nil && !table.isWithoutRowID ? table.primaryKey?.columns : nil
    return (table.uniques.map(\.columns) + [key ?? []]).filter { !$0.isEmpty }.map { $0.map(\.name) }
  }

  /// The share of an index that the page cache does not hold. See
  /// [PRAGMA cache_size](https://sqlite.org/pragma.html#pragma_cache_size).
  private func shareOutsideCache(of bytes: Int) throws -> Double {
    guard bytes > 0, let size = try connection.integer("PRAGMA main.cache_size") else { return 0 }
    let pageSize = try connection.pageSize ?? 4096
    return max(0, 1 - Double(size < 0 ? -size * 1024 : size * pageSize) / Double(bytes))
  }

  /// The factor by which sorting an entry is more expensive among this many than in the sample.
  private static func depth(_ rows: Int) -> Double {
    var depth = 1.0
    var count = sampleRows
    while count < rows {
      depth += 1.0 / 12
      count *= 2
    }
    return depth
  }

  /// The time to copy a row and the time to build an index entry, in milliseconds.
  private func pace(of table: TableSchema, rowBytes: Int) throws -> (row: Double, entry: Double)? {
    // Outside of them it would write into the database that it looks at.
    guard connection.schemaForWork == "temp" else { return nil }
    let isLooking = try connection.integer("PRAGMA query_only") == 1
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    let probe = "temp.\"_schemakit_pace\""
    defer { try? connection.execute("DROP TABLE IF EXISTS \(probe)") }
    func time(_ sql: String) throws -> Double {
      let start = WorkClock.now
      try connection.execute(sql)
      return (WorkClock.now - start) / .milliseconds(1)
    }
    guard let column = table.writableColumns.last else { return nil }
    let rows = min(Self.sampleRows, max(50, Self.sampleBytes / max(1, rowBytes)))
    try connection.execute("DROP TABLE IF EXISTS \(probe)")
    let copy = try time(
      "CREATE TABLE \(probe) AS SELECT * FROM \"main\".\(table.name.quoted) LIMIT \(rows)")
    let index = try time("CREATE INDEX temp.\"_schemakit_pace_index\" ON \"_schemakit_pace\" (\(column.name.quoted))")
    return (copy / Double(rows), index / Double(rows))
  }
}
