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
  /// - Parameters:
  ///   - known: Indexes that differ according to SQLite, which does not know what triggers leave out.
  ///   - lost: Virtual tables that lack tables of their modules.
  func fullText(
    in schema: DatabaseSchema, besides known: Set<SQLName>, without lost: Set<SQLName>
  ) throws -> [Finding] {
    // A table that keeps no text has nothing to compare with, and SQLite 3.33 reports an error for it.
    let tables = schema.virtualTables.values.filter { table in
      let isFed = table.externalContent != nil
      return table.isModuleLoaded && table.isFullText && !table.isContentless && !lost.contains(table.name)
        && (known.contains(table.name) ? isFed : !isQuick)
    }
    let differing = schema.virtualTables.values.filter {
      known.contains($0.name) && $0.externalContent == nil && !lost.contains($0.name)
    }
    guard !tables.isEmpty else { return differing.map { Self.differing($0) } }
    onActivity("comparing full-text indexes with their texts …")
    let isLooking = try connection.integer("PRAGMA query_only") == 1
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    return try differing.map { Self.differing($0) }
      + tables.compactMap { table in
        if connection.isReadOnly { return Self.uncompared(table, "the file cannot be written") }
        do {
          try connection.withoutWaiting { try connection.execute("BEGIN IMMEDIATE") }
          defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
          return try compare(table, in: schema)
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

  private func compare(_ table: VirtualTableSchema, in schema: DatabaseSchema) throws -> Finding? {
    do {
      return try isWhole(table) ? nil : judge(table, in: schema)
    } catch let error as SQLiteError where error.resultCode == 1 {
      return Finding(
        .unexamined, table: table.name,
        message: "Full-text index \(table.name.quotedIfNeeded) cannot be compared with its texts; SQLite says: "
          + "\(error.message).",
        fix:
          "Look whether its table and columns are there, and whether it needs something that only its own program has.")
    }
  }

  /// True if an index is what all of its texts make of it.
  private func isWhole(_ table: VirtualTableSchema) throws -> Bool {
    let name = table.name.quoted
    do {
      if table.module.folded == "fts5" {
        // Without the rank, external content is not checked.
        try connection.run("INSERT INTO main.\(name) (\(name), rank) VALUES ('integrity-check', 1)")
      } else {
        try connection.run("INSERT INTO main.\(name) (\(name)) VALUES ('integrity-check')")
      }
      return true
    } catch let error as SQLiteError where error.isCorrupt {
      return false
    }
  }

  /// The finding for an index that differs from its texts; nil if it only lacks rows that its triggers leave out.
  private func judge(_ table: VirtualTableSchema, in schema: DatabaseSchema) throws -> Finding? {
    guard let index = table.fullTextIndex else { return Self.differing(table) }
    let feed = FullTextFeed(of: index, in: schema)
    let left = LeftOutRows(of: index, in: schema)
    switch feed {
    case .selective(.otherTexts(let trigger)), .selective(.otherTable(let trigger)):
      return Self.incomparable(table, trigger)
    case .selective(.condition), .selective(.incomplete):
      guard let left else { return Self.incomparable(table, nil) }
      let count = try add(left)
      if try isWhole(table) { return nil }
      return Self.differing(table, remedy: count == 0 ? nil : left.remedy)
    case .everyRow, .noTrigger:
      guard let left else { return Self.differing(table) }
      let count = try add(left)
      return Self.differing(table, missing: count, isOtherwiseWhole: try isWhole(table))
    }
  }

  /// Adds the rows that an index does not know, until the transaction is rolled back, and returns how many there were.
  private func add(_ rows: LeftOutRows) throws -> Int {
    do {
      return Int(try connection.run(rows.add))
    } catch let error as SQLiteError where error.isCorrupt {
      return 0
    }
  }

  /// The finding for an index that its triggers fill with something else than the texts of its content.
  private static func incomparable(_ table: VirtualTableSchema, _ trigger: SQLName?) -> Finding {
    Finding(
      .unexamined, table: table.name,
      message: "Full-text index \(table.name.quotedIfNeeded) cannot be compared with its texts: "
        + (trigger.map { "trigger \($0.quotedIfNeeded) fills it with something else." }
          ?? "it keeps no list of the rows that its triggers fill it with."),
      fix:
        "Look with its own program whether it finds what it should; 'rebuild' would fill it with all rows as they are.")
  }

  /// The finding for an index that differs from what its text would produce.
  ///
  /// - Parameters:
  ///   - remedy: Statements that make it anew without the rows that its triggers leave out.
  ///   - missing: The number of rows of its content that it does not know.
  ///   - isOtherwiseWhole: True if nothing else is wrong with it.
  static func differing(
    _ table: VirtualTableSchema, remedy: [String]? = nil, missing: Int = 0, isOtherwiseWhole: Bool = false
  ) -> Finding {
    let name = table.name.quotedIfNeeded
    let message =
      "Full-text index \(name) is not what \(table.externalContent.map { "the texts of \($0.quotedIfNeeded) make" } ?? "its texts make")"
    guard !table.isContentless else {
      return Finding(
        .fullText, table: table.name, message: "\(message) of it.",
        fix: "It keeps no texts: make it anew, and write into it what it shall find.")
    }
    let rows = Wording.counted(missing, "row")
    let fault = isOtherwiseWhole ? "a search misses \(rows)." : "a search misses rows, or finds the wrong ones."
    guard remedy == nil else {
      return Finding(
        .fullText, table: table.name, message: "\(message) of it: \(fault)",
        fix: "Make it anew without the rows that its triggers leave out.", sql: remedy ?? [])
    }
    let found =
      missing == 0 ? "" : " If its program leaves \(missing == 1 ? "this row" : "these rows") out on purpose, do not."
    return Finding(
      .fullText, table: table.name, message: "\(message) of it: \(fault)",
      fix:
        "Let SQLite make it anew from them\(table.externalContent == nil ? "" : ", and let triggers keep it so").\(found)",
      sql: [rebuild(table)])
  }
}

/// The rows of its content that a full-text index does not know, and the statements for them.
private struct LeftOutRows {
  /// Adds them to the index.
  let add: String
  /// Makes the index anew without them.
  let remedy: [String]

  /// Nil where the index keeps no list of its rows, or where a row or its texts cannot be named.
  init?(of index: FullTextIndex, in schema: DatabaseSchema) {
    let table = schema.tables[index.content]
    let columns = index.columns.isEmpty ? table?.columns.map(\.name) ?? [] : index.columns.map(\.name)
    guard let list = index.rowList, !columns.isEmpty,
      let key = index.rowID?.quoted ?? (table == nil ? "rowid" : table?.rowKey)
    else { return nil }
    let texts = columns.map(\.quoted).joined(separator: ", ")
    let (name, content) = (index.name.quoted, "main.\(index.content.quoted)")
    let rows = content + (table.map { " \($0.rowOrder)" } ?? "")
    let isLeftOut = "\(key) NOT IN (SELECT \(list.key.quoted) FROM main.\(list.table.quoted))"
    let rowID = list.key == "docid" ? "docid" : "rowid"
    add = "INSERT INTO main.\(name) (\(rowID), \(texts)) SELECT \(key), \(texts) FROM \(rows) WHERE \(isLeftOut)"
    let isHidden = "(SELECT \"row\" FROM temp.left_out)"
    remedy = [
      "CREATE TEMP TABLE left_out AS SELECT \(key) AS \"row\" FROM \(rows) WHERE \(isLeftOut);",
      "INSERT INTO \(name) (\(name)) VALUES ('rebuild');",
      rowID == "docid"
        ? "DELETE FROM \(name) WHERE docid IN \(isHidden);"
        : "INSERT INTO \(name) (\(name), rowid, \(texts)) SELECT 'delete', \(key), \(texts) FROM \(content) "
          + "WHERE \(key) IN \(isHidden);",
      "DROP TABLE temp.left_out;",
    ]
  }
}
