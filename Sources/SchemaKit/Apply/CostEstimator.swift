import OrderedCollections

/// Reckons what a plan writes and about how long it takes.
///
/// *Cost:* a sample of at most 400 rows of each table that is copied, and, where there are 50,000 rows or more, a copy of
/// 4,000 of them into a temporary table with one index, which takes about 10 ms.
struct CostEstimator {
  let connection: any SQLConnection
  let target: DatabaseSchema
  let verification: VerificationLevel

  /// Fewer rows than these are copied before anybody wonders how long it will take.
  private static let longCopy = 50_000
  private static let sampleRows = 4_000
  /// The bytes of an index entry beside the values: its head, the rowid, its place in the page, and what pages leave free.
  private static let entryBytes = 14
  /// How fast a file grows, in bytes per millisecond; a disk of our time does more, a memory card less.
  private static let diskSpeed = 250_000.0

  /// The cost of a plan; nil when no row is copied, or their number is not known.
  ///
  /// - Parameter source: The file's schema.
  func cost(of plan: MigrationPlan, source: DatabaseSchema) throws -> MigrationCost? {
    let copies = plan.steps.filter { $0.strategy.copiesRows && ($0.rows ?? 0) > 0 }
    guard !copies.isEmpty, plan.areRowsExamined else { return nil }
    var tables = 0
    var indexes = 0
    var time = 0.0
    for copy in copies {
      let name = SQLName(copy.object)
      guard let table = target.table(name), let old = source.table(plan.renames.formerTable(name)), let rows = copy.rows
      else { continue }
      let keys = indexedColumns(made: copy, of: table)
      let sample = RowSample(connection: connection, table: "\"main\".\(old.name.quoted)", rowKey: old.rowKey)
      let columns = keys.joined().map { plan.renames.formerColumn($0, of: name) }.filter { old.column($0) != nil }
      let lengths = columns.isEmpty ? [] : try sample.averages(of: columns.map { RowSample.length(of: $0) })
      tables += copy.bytes ?? 0
      indexes += rows * (lengths.reduce(0, +) + keys.count * Self.entryBytes)
      if rows >= Self.longCopy, let pace = try pace(of: old) {
        let proof = verification == .counts ? 1.1 : 1.7
        time += Double(rows) * (pace.row * proof + pace.entry * Double(keys.count) * Self.depth(rows))
      }
    }
    let isLogged = try connection.value("PRAGMA main.journal_mode")?.text?.lowercased() == "wal"
    let erases = try plan.losesContent && connection.integer("PRAGMA main.secure_delete") != 0
    let written = tables + indexes
    // Indexes are made in the pages that the old table and its indexes leave. The journal keeps what those held, as it
    // does when they are erased.
    let overwritten = erases ? written : indexes
    let journal = (isLogged ? written + (erases ? tables : 0) : overwritten) + (1 << 16)
    if time > 0 {
      let size =
        try (connection.integer("PRAGMA main.page_count") ?? 0) * (connection.integer("PRAGMA main.page_size") ?? 0)
      // The check of the file reads all of it.
      time += Double(size) / 500_000 + Double(written + journal) / Self.diskSpeed
    }
    return MigrationCost(
      writtenBytes: written, journalBytes: journal, freeBytes: tables + journal,
      milliseconds: time > 0 ? Int(time) : nil)
  }

  /// The columns of each index that a copy has to make.
  private func indexedColumns(made copy: MigrationStep, of table: TableSchema) -> [[SQLName]] {
    let indexes = target.indexes(on: table.name).filter { index in
      copy.strategy == .rebuild || copy.statements.contains { $0.sql == SwapBuilder.reindex(index) }
    }
    let own = copy.strategy == .rebuild ? table.uniques.map(\.columns) + [table.primaryKey?.columns ?? []] : []
    let hasOwnKey = table.rowIDAlias == nil && !table.isWithoutRowID
    return indexes.map { $0.terms.map { $0.column ?? "" } }
      + (hasOwnKey ? own : Array(own.dropLast())).filter { !$0.isEmpty }.map { $0.map(\.name) }
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
  private func pace(of table: TableSchema) throws -> (row: Double, entry: Double)? {
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
    try connection.execute("DROP TABLE IF EXISTS \(probe)")
    let copy = try time(
      "CREATE TABLE \(probe) AS SELECT * FROM \"main\".\(table.name.quoted) LIMIT \(Self.sampleRows)")
    let index = try time("CREATE INDEX temp.\"_schemakit_pace_index\" ON \"_schemakit_pace\" (\(column.name.quoted))")
    return (copy / Double(Self.sampleRows), index / Double(Self.sampleRows))
  }
}
