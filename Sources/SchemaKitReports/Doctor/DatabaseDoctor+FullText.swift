import OrderedCollections
import SchemaKit

// Full-text indexes.

extension DatabaseDoctor {
  /// Compares each full-text index with the text that it indexes, its own or that of another table.
  ///
  /// The check is an INSERT that changes nothing, for which SQLite nevertheless needs the write lock; the transaction
  /// is rolled back.
  ///
  /// *Cost:* reads all these texts and takes them apart into words again; nobody else can write while it looks at one.
  ///
  /// - Parameter known: Indexes that have already been found to differ.
  func fullText(in schema: DatabaseSchema, besides known: Set<SQLName>) throws -> [Finding] {
    // A table that keeps no text has nothing to compare with, and SQLite 3.33 reports an error for it.
    let tables = schema.virtualTables.values.filter { table in
      table.isModuleLoaded && ["fts3", "fts4", "fts5"].contains(table.module.folded) && !known.contains(table.name)
        && !table.isContentless
    }
    guard !tables.isEmpty else { return [] }
    onActivity("comparing full-text indexes with their texts …")
    let isLooking = try connection.integer("PRAGMA query_only") == 1
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    return try tables.compactMap { table in
      if connection.isReadOnly { return Self.uncompared(table, "the file cannot be written") }
      do {
        try connection.withoutWaiting { try connection.execute("BEGIN IMMEDIATE") }
        defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
        return try compare(table)
      } catch let error as SQLiteError where error.isBusy {
        return Self.uncompared(table, "somebody else is writing")
      } catch let error as SQLiteError where error.isReadOnly {
        return Self.uncompared(table, "the file cannot be written")
      }
    }
  }

  private static func uncompared(_ table: VirtualTableSchema, _ why: String) -> Finding {
    Finding(
      .unexamined, table: table.name,
      message:
        "Full-text index \(table.name.quotedIfNeeded) was not compared with its texts: \(why), and SQLite checks it "
        + "only for those who may write.",
      fix: "Examine a copy of the file that can be written, when nobody else does.")
  }

  private func compare(_ table: VirtualTableSchema) throws -> Finding? {
    let name = table.name.quoted
    do {
      if table.module.folded == "fts5" {
        // Without the rank, external content is not checked.
        try connection.run("INSERT INTO main.\(name) (\(name), rank) VALUES ('integrity-check', 1)")
      } else {
        try connection.run("INSERT INTO main.\(name) (\(name)) VALUES ('integrity-check')")
      }
      return nil
    } catch let error as SQLiteError where error.isCorrupt {
      return Self.differing(table)
    } catch let error as SQLiteError where error.resultCode == 1 {
      return Finding(
        .unexamined, table: table.name,
        message: "Full-text index \(table.name.quotedIfNeeded) cannot be compared with its texts; SQLite says: "
          + "\(error.message).",
        fix:
          "Look whether its table and columns are there, and whether it needs something that only its own program has.")
    }
  }

  /// The finding for an index that differs from what its text would produce.
  static func differing(_ table: VirtualTableSchema) -> Finding {
    let name = table.name.quotedIfNeeded
    let rebuild = "INSERT INTO \(name) (\(name)) VALUES ('rebuild');"
    let message =
      "Full-text index \(name) is not what \(table.externalContent.map { "the texts of \($0.quotedIfNeeded) make" } ?? "its texts make")"
    guard !table.isContentless else {
      return Finding(
        .fullText, table: table.name, message: "\(message) of it.",
        fix: "It keeps no texts: make it anew, and write into it what it shall find.")
    }
    return Finding(
      .fullText, table: table.name, message: "\(message) of it: a search misses rows, or finds the wrong ones.",
      fix: "Let SQLite make it anew from them\(table.externalContent == nil ? "" : ", and let triggers keep it so").",
      sql: [rebuild])
  }
}
