import OrderedCollections

/// Reckons what a plan writes and about how long it takes.
///
/// *Cost:* a sample of at most 400 rows of each table that is copied, and, where there are 50,000 rows or more, a copy of
/// 4,000 of them, or a MiB, into a temporary table with one index, which takes about 10 ms.
struct CostEstimator {
  let connection: any SQLConnection
  let target: DatabaseSchema
  let verification: VerificationLevel
  /// How long it took to plan and to examine the rows, in milliseconds. Under the lock that is done again.
  var preparation = 0.0

  /// Fewer rows than these are copied before anybody wonders how long it will take.
  private static let longCopy = 50_000
  private static let sampleRows = 4_000
  /// More would not stay in the cache of a temporary table, and be written to a disk, which is estimated separately.
  private static let sampleBytes = 1 << 20
  /// The bytes of an index entry beside the values: its head, the rowid, its place in the page, and what pages leave free.
  private static let entryBytes = 14
  /// What it takes to read a page from what the system keeps of a file and to write it back, in milliseconds.
  private static let pageTrip = 0.003
  /// How fast a file grows, in bytes per millisecond; a disk of our time does more, a memory card less.
  private static let diskSpeed = 400_000.0

  /// The cost of a plan; nil when no row is copied, or their number is not known.
  ///
  /// - Parameter source: The file's schema.
  func cost(of plan: MigrationPlan, source: DatabaseSchema) throws -> MigrationCost? {
    let copies = plan.steps.filter { $0.strategy.copiesRows && ($0.rows ?? 0) > 0 }
    guard !copies.isEmpty, plan.areRowsExamined else { return nil }
    var tableBytes = 0
    var indexBytes = 0
    var time = 0.0
    for copy in copies {
      let name = copy.object.name
      guard let table = target.table(name), let old = source.table(plan.renames.formerTable(name)), let rows = copy.rows
      else { continue }
      let ownKeys = keys(filledBy: copy, of: table)
      let keys = indexes(madeBy: copy, of: table) + ownKeys
      let sample = RowSample(connection: connection, table: "\"main\".\(old.name.quoted)", rowKey: old.rowKey)
      let columns = keys.joined().map { plan.renames.formerColumn($0, of: name) }.filter { old.column($0) != nil }
      let lengths = columns.isEmpty ? [] : try sample.averages(of: columns.map { RowSample.length(of: $0) })
      tableBytes += copy.bytes ?? 0
      let bytes = rows * (lengths.reduce(0, +) + keys.count * Self.entryBytes)
      indexBytes += bytes
      if rows >= Self.longCopy, let pace = try pace(of: old, rowBytes: (copy.bytes ?? 0) / rows) {
        let proof = verification == .counts ? 1.1 : 1.7
        let sorting = pace.entry * Double(keys.count) * Self.depth(rows)
        // The indexes of keys are filled row by row, in no order that suits them.
        let trips = Double(ownKeys.count) * Self.pageTrip * (try shareOutsideCache(of: bytes))
        time += Double(rows) * (pace.row * proof + sorting + trips)
      }
    }
    let isLogged = try connection.value("PRAGMA main.journal_mode")?.text?.lowercased() == "wal"
    let erases = try plan.losesContent && connection.integer("PRAGMA main.secure_delete") != 0
    let written = tableBytes + indexBytes
    // Indexes are made in the pages that the old table and its indexes leave. The journal keeps what those held, as it
    // does when they are erased.
    let overwritten = erases ? written : indexBytes
    let journal = (isLogged ? written + (erases ? tableBytes : 0) : overwritten) + (1 << 16)
    if time > 0 {
      let size =
        try (connection.integer("PRAGMA main.page_count") ?? 0) * (connection.integer("PRAGMA main.page_size") ?? 0)
      // The check of the file reads all of it.
      time += preparation + Double(size) / 500_000 + Double(written + journal) / Self.diskSpeed
    }
    return MigrationCost(
      writtenBytes: written, journalBytes: journal, freeBytes: tableBytes + journal,
      milliseconds: time > 0 ? Int(time) : nil)
  }

  /// The columns of each index that a copy makes once the rows are there.
  private func indexes(madeBy copy: MigrationStep, of table: TableSchema) -> [[SQLName]] {
    target.indexes(on: table.name).filter { index in
      copy.strategy == .rebuild || copy.statements.contains { $0.sql == SwapBuilder.reindex(index) }
    }.map { $0.terms.map { $0.column ?? "" } }
  }

  /// The columns of each UNIQUE and PRIMARY KEY whose index is filled with the rows.
  private func keys(filledBy copy: MigrationStep, of table: TableSchema) -> [[SQLName]] {
    guard copy.strategy == .rebuild else { return [] }
    let key = table.rowIDAlias == nil && !table.isWithoutRowID ? table.primaryKey?.columns : nil
    return (table.uniques.map(\.columns) + [key ?? []]).filter { !$0.isEmpty }.map { $0.map(\.name) }
  }

  /// The share of an index that the page cache does not hold. See
  /// [PRAGMA cache_size](https://sqlite.org/pragma.html#pragma_cache_size).
  private func shareOutsideCache(of bytes: Int) throws -> Double {
    guard bytes > 0, let size = try connection.integer("PRAGMA main.cache_size") else { return 0 }
    let pageSize = try connection.integer("PRAGMA main.page_size") ?? 4096
    return max(0, 1 - Double(size < 0 ? -size * 1024 : size * pageSize) / Double(bytes))
  }

  /// How much dearer sorting an entry is among many than in the sample.
  private static func depth(_ rows: Int) -> Double {
    var depth = 1.0
    var count = sampleRows
    while count < rows {
      depth += 1.0 / 12
      count *= 2
    }
    return depth
  }

  /// How long a row takes to be copied, and an entry of an index to be made, in milliseconds.
  private func pace(of table: TableSchema, rowBytes: Int) throws -> (row: Double, entry: Double)? {
    let isLooking = try connection.integer("PRAGMA query_only") == 1
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    let probe = "temp.\"_schemakit_pace\""
    defer { try? connection.execute("DROP TABLE IF EXISTS \(probe)") }
    func time(_ sql: String) throws -> Double {
      let start = ContinuousClock.now
      try connection.execute(sql)
      return (ContinuousClock.now - start) / .milliseconds(1)
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
