import OrderedCollections
import SchemaKit

/// Examines SchemaKit's own tables in a file: whether they can be read, and what was left over.
struct LedgerExamination {
  let connection: SQLiteConnection
  let schema: DatabaseSchema

  /// The findings, and how many changes the history lists; nil if there is none.
  func findings() throws -> (findings: [Finding], entries: Int?) {
    var findings: [Finding] = []
    var entries: Int?
    var known = Set(LedgerShape.tables.map { SQLName($0.name) })
    do {
      let ledger = Ledger(connection: connection)
      try ledger.checkFormat()
      let comparison = LedgerComparison(connection: connection, schema: schema)
      findings += try comparison.findings()
      if try ledger.exists() {
        entries = try ledger.entries().count
        findings += try ledger.expansions().map(Self.finding)
      } else {
        known.formUnion(comparison.leftTables)
      }
      let kept = try KeptTables(connection: connection).values(of: nil)
      known.formUnion(kept.map(\.storage))
      let rows = kept.reduce(0) { $0 + $1.rowCount }
      if !kept.isEmpty {
        findings.append(
          Finding(
            .keptRows,
            message: "\(Wording.counted(rows, "row")) of what was dropped "
              + "\(rows == 1 ? "is" : "are") kept in \(Wording.counted(kept.count, "table")): "
              + "\(Wording.excerpt(kept.map(\.object), of: kept.count)).\(Self.words(ofScripts: kept))",
            fix: "Throw it away with history --discard-kept when no undo is needed any more."))
      }
    } catch let error as HistoryError {
      findings.append(
        Finding(
          .history, message: error.description, fix: "No migration changes the file until this is fixed."))
      // The tables that the list names are not known, so nothing can be told from a leftover.
      return (findings, nil)
    }
    findings += try onlineCopies()
    for table in schema.ownTables.subtracting(known).sorted() {
      findings.append(
        Finding(
          .leftover, table: table,
          message: "Table \(table) has a name of SchemaKit's, and nothing needs it: a script was stopped half-way, or "
            + "another program made it.",
          fix: "Look what it holds; if it is a copy of another table, drop it.",
          sql: []))
    }
    return (findings, entries)
  }

  /// The tables that are copied online, and those whose copy was ended.
  private func onlineCopies() throws -> [Finding] {
    guard let run = try OnlineJournal.run(in: connection) else { return [] }
    return run.tables.map { table in
      if run.isAlive {
        return Finding(
          .onlineCopy, table: table,
          message: run.isChanged
            ? "Table \(table) was copied online, and its old rows are being freed."
            : "Table \(table) is being copied online. Every write is logged for it.",
          fix: "Change the schema when that has ended.")
      }
      return Finding(
        .leftover, table: table,
        message: run.isChanged
          ? "An online copy of \(table) was ended before it had freed the old rows. The change itself is made."
          : "An online copy of \(table) was ended. What it has copied is still there, and every write is logged for it.",
        fix: run.isChanged
          ? "Run any apply, also one that finds nothing to do, to free them."
          : "Run the same apply again to go on, or any other to remove it.", sql: [])
    }
  }

  private static func finding(_ schema: String, _ expansion: Expansion) -> Finding {
    Finding(
      .expanded,
      message: expansion.servesOlder
        ? "Schema \(schema) serves an older program too, since \(expansion.start)."
        : "Of schema \(schema) there is still what it does not declare any more, since \(expansion.start).",
      fix: expansion.servesOlder
        ? "Once no older program uses the file any more, apply --contract removes what is there for it."
        : "The program that opened it removes it in the background; apply does so at once.")
  }

  /// The finding for what scripts have kept, of which the history has no record.
  private static func words(ofScripts kept: [KeptValues]) -> String {
    let objects = kept.filter { $0.entry == nil }.map(\.object)
    guard !objects.isEmpty else { return "" }
    return " No entry of the history knows of \(Wording.excerpt(objects, of: objects.count)): no undo brings "
      + "\(objects.count == 1 ? "it" : "them") back."
  }
}
