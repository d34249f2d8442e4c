import SchemaKit
import SchemaKitOperations

/// Undoes every change that a migration made to a file, and compares it with the file before.
struct UndoTrial {
  let paths: UpgradePaths
  let newest: UpgradeStop
  /// The file before the migration.
  let original: String
  /// The content of the file after the migration.
  let direct: DatabaseDump

  /// Undoes what was done to a file, and migrates it once more.
  func run(_ path: String, _ outcome: inout UpgradeOutcome) throws {
    let (schema, rows, known) = try paths.connect(to: original) { connection in
      (
        newest.schema.removingIgnored(try SchemaReader.read(connection)), try DatabaseDump(connection),
        try Ledger(connection: connection).entries().map(\.id)
      )
    }
    let losses = try paths.connect(to: path) { try undo($0, until: Set(known)) }
    guard let losses else { return }
    outcome.ways.append(.undone)
    outcome.losses = losses.map(\.words)
    let found = try paths.connect(to: path) { connection in
      (newest.schema.removingIgnored(try SchemaReader.read(connection)), try DatabaseDump(connection))
    }
    let difference = SchemaDiff(from: found.0, to: schema)
    if !difference.isEmpty {
      let names = difference.names.map(\.text)
      outcome.findings.append(
        UpgradeFinding(
          .undo, .undone, "the undo leads to another schema than before: \(names.joined(separator: ", "))",
          object: names.first))
    }
    let touched = Set(losses.flatMap { [$0.table, $0.newTable].compactMap { $0.map { SQLName($0) } } })
    // The work of a step on rows stays, wherever it was.
    let staysAnywhere = losses.contains { $0.table == nil }
    for table in found.1.differingTables(from: rows)
    where !staysAnywhere && !touched.contains(SQLName(table)) && !table.hasPrefix("sqlite_") {
      outcome.findings.append(
        UpgradeFinding(.undo, .undone, "the undo does not bring back the rows of \(table)", object: table))
    }
    try migrateAgain(path, after: losses, &outcome)
  }

  /// Undoes every change since, the last one first.
  ///
  /// - Returns: What that does not bring back; nil if there was no change.
  private func undo(_ connection: SQLiteConnection, until known: Set<Int>) throws -> [Loss]? {
    let ledger = Ledger(connection: connection)
    var losses: [Loss]?
    var undone: Set<Int> = []
    while let last = try ledger.entries().last(where: { $0.isLive && !known.contains($0.id) }), last.kind == .apply,
      undone.insert(last.id).inserted
    {
      let undo = try MigrationUndo(over: connection, schema: last.schema)
      losses = (losses ?? []) + undo.context.losses
      try undo.apply(allowing: .everything)
    }
    return losses
  }

  /// Migrates the file that came back; where nothing was lost, it must become what it was.
  private func migrateAgain(_ path: String, after losses: [Loss], _ outcome: inout UpgradeOutcome) throws {
    let worked = losses.compactMap { [.dataStep, .dataFile].contains($0.kind) ? $0.name : nil }
    guard losses.isEmpty || !worked.isEmpty else { return }
    try paths.connect(to: path) { try newest.schema.bring($0, allowing: paths.policy) }
    let again = try paths.connect(to: path) { try DatabaseDump($0) }
    let tables = again.differingTables(from: direct).filter { !$0.hasPrefix("sqlite_") }
    guard let table = tables.first else { return }
    if worked.isEmpty {
      outcome.findings.append(
        UpgradeFinding(
          .undo, .undone, "undone and migrated again, the file has other rows in \(tables.joined(separator: ", "))",
          object: table))
    } else {
      outcome.losses.append(
        "Undone and migrated again, the file has other rows in \(tables.joined(separator: ", ")): "
          + "\(Wording.list(worked)) \(worked.count == 1 ? "works" : "work") on them once more.")
    }
  }
}
