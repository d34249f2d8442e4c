import OrderedCollections
package import SchemaKit
import SchemaKitFoundation

/// Examines a database file and changes nothing.
///
/// *Cost:* reads every page of the file once for `integrity_check` (less for `quick_check`) and looks up the parent of each
/// row of the tables with foreign keys.
package struct DatabaseDoctor {
  let connection: SQLiteConnection
  let isQuick: Bool
  /// The journal that was beside the file before it was opened.
  private let journal: Journal
  /// Called before long-running work, with a sentence.
  package var onActivity: (String) -> Void = { _ in }

  /// The files that SQLite keeps beside a database, as they were before it was opened.
  package struct Journal: Sendable {
    package var path: String
    /// The size of the rollback journal; nil if there is none in use by a transaction.
    package var bytes: Int?

    /// Examines the files beside a database that has not been opened yet.
    package init(beside path: String) {
      // SQLite names them after the file itself.
      self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      bytes = Self.journalBytes(self.path)
    }

    /// The current size of the journal.
    var present: Int? { Self.journalBytes(path) }

    /// The current size of the write-ahead log.
    var walBytes: Int? { FileManager.default.fileSize(atPath: path + "-wal").flatMap { $0 > 0 ? $0 : nil } }

    // A journal that is not in use is empty, or has its header overwritten with zeros.
    // https://sqlite.org/fileformat2.html#the_rollback_journal
    private static func journalBytes(_ path: String) -> Int? {
      let magic = FileManager.default.firstBytes(8, atPath: path + "-journal")
      guard magic == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] else { return nil }
      return FileManager.default.fileSize(atPath: path + "-journal")
    }
  }

  /// - Parameters:
  ///   - connection: A connection that was opened for inspection.
  ///   - journal: The journal that was beside the file before that.
  ///   - isQuick: True if indexes are not compared with their tables.
  package init(over connection: SQLiteConnection, journal: Journal, isQuick: Bool) {
    self.connection = connection
    self.journal = journal
    self.isQuick = isQuick
  }

  /// Examines the file.
  ///
  /// - Throws: `SQLiteError` if the file cannot be read at all, is locked, or the work was interrupted.
  package func examine() throws -> Examination {
    var examination = Examination(
      engine: try Examination.Engine(
        version: SQLiteConnection.engineVersion, sourceID: SQLiteConnection.engineSourceID,
        profile: EngineProfile(of: connection)),
      isQuick: isQuick)
    examination.file = try fileProperties()
    if let broken = UnreadableStatement.first(in: connection) {
      // The check for damage would call the pages of that object unused.
      examination.findings = [finding(broken)] + storage(examination.file)
      return examination
    }
    var indexes: Set<SQLName> = []
    examination.findings += try damage(&indexes)
    let hasDamage = examination.findings.contains { $0.severity == .error }
    do {
      try examineSchema(&examination, differing: indexes)
    } catch let error as IntrospectionError {
      examination.findings.append(
        Finding(
          .unexamined, message: "The schema cannot be read: \(error).",
          fix: "Nothing more was examined; no plan can be made for this file."))
    } catch let error as SQLiteError where hasDamage && (error.isCorrupt || error.isUnexplained) {
      // The damage has already been reported.
    }
    examination.findings += storage(examination.file)
    return examination
  }

  /// - Parameter indexes: Full-text indexes that differ from their text, according to SQLite.
  private func examineSchema(_ examination: inout Examination, differing indexes: Set<SQLName>) throws {
    let schema = try SchemaReader.read(connection)
    examination.contents = Examination.Contents(schema)
    examination.findings += try orphans(in: schema)
    let lost = try lostTables(in: schema)
    examination.findings += lost
    examination.findings += try fullText(in: schema, besides: indexes, without: Set(lost.compactMap(\.table)))
    examination.findings += try lint(schema)
    let keeper = LedgerExamination(connection: connection, schema: schema)
    let (findings, entries) = try keeper.findings()
    examination.findings += findings
    examination.historyEntries = entries
    examination.findings += try statistics(of: schema)
  }

  /// The lint findings about problems of a file at work; the rest is for `lint`.
  private func lint(_ schema: DatabaseSchema) throws -> [Finding] {
    var selection = LintSelection()
    for code in ["SL101", "SL102", "SL103", "SL401", "SL501", "SL502", "SL503"] { try selection.add(rule: code) }
    return try SchemaLint.findings(in: schema, selection: selection).kept
  }
}

// MARK: - The file

extension DatabaseDoctor {
  private func fileProperties() throws -> Examination.FileProperties {
    var properties = Examination.FileProperties()
    func number(_ pragma: String) throws -> Int { Int(try connection.integer("PRAGMA main.\(pragma)") ?? 0) }
    try properties.readPages(of: connection)
    properties.applicationID = try number("application_id")
    properties.userVersion = try number("user_version")
    properties.encoding = try connection.value("PRAGMA encoding")?.text ?? ""
    properties.journalMode = try connection.value("PRAGMA main.journal_mode")?.text ?? ""
    properties.walBytes = journal.walBytes
    properties.lastWriter = connection.lastWriterVersionNumber.map { SQLiteVersion(number: $0) }
    properties.journalBytes = journal.bytes
    return properties
  }

  /// The results of SQLite's own check, with findings about rows and full-text indexes kept apart from damage.
  private func damage(_ indexes: inout Set<SQLName>) throws -> [Finding] {
    onActivity("checking the file for damage …")
    let check = StorageCheck(connection: connection, depth: isQuick ? .quick : .full, readsChecks: true)
    var found = StorageCheck.Findings()
    var unchecked: [Finding] = []
    do {
      found = try check.run()
    } catch let error as SQLiteError where error.isNotADatabase {
      found.damage.append(error.message)
    } catch let error as SQLiteError where error.isOfStatement {
      let (all, left) = try check.runByTable()
      found = all
      unchecked = left.map { name, error in
        Finding(
          .unexamined, table: SQLName(name),
          message:
            "Table \(SQLName(name).quotedIfNeeded) cannot be checked row by row; SQLite says: \(error.message).",
          fix: "Check it with a program that has what is missing.")
      }
      found.damage += try damageOfPages(&unchecked)
    }
    indexes.formUnion(found.fullTextIndexes.map { SQLName($0) })
    found.damage += found.spatialIndexes
    let others = try indexesOfOthers(among: &found.damage)
    let damage = Array(OrderedSet(found.damage))
    try found.removeMisreadNulls(on: connection)
    let rows = OrderedDictionary(found.values.map { ($0, 1) }, uniquingKeysWith: +)
    return try findings(damage: damage)
      + others + unchecked
      + rows.map { row, count in
        Finding(
          .brokenRows, table: row.place.split(separator: ".").first.map { SQLName(String($0)) },
          message: "\(row.text), in \(Wording.counted(count, "row")).",
          fix: "Fix the rows, or change the rule that they break.")
      }
  }

  /// The damage of the pages. The check needs nothing that this program may lack, except for another look at the file.
  private func damageOfPages(_ unchecked: inout [Finding]) throws -> [String] {
    do {
      return try StorageCheck.damage(of: connection, isWaiting: true) { other, check in
        if other === connection { return try check() }
        return try other.withCancellation(check: { connection.isCancelled }, check)
      }
    } catch let error as SQLiteError where error.isOfStatement || error.isBusy {
      unchecked.append(
        Finding(
          .unexamined, message: "The pages of the file cannot be checked as a whole; SQLite says: \(error.message).",
          fix: "Examine the file again when nobody writes, or with a program that has what is missing."))
      return []
    }
  }

  private func finding(_ broken: UnreadableStatement) -> Finding {
    let place = "WHERE type = '\(broken.kind)' AND name = \(SQLQuoting.literal(broken.name.text))"
    return Finding(
      .damage, table: broken.name,
      message:
        "SQLite cannot read the statement of \(broken.kind) \(broken.name), and so nothing in the file: \(broken.problem). The rows "
        + "are not damaged.",
      fix:
        "Copy the file. Look at the statement, then correct it: UPDATE sqlite_schema SET sql = 'THE RIGHT STATEMENT' \(place). "
        + "The sqlite3 shell needs .dbconfig defensive off before that. Nothing more was examined.",
      sql: ["PRAGMA writable_schema = ON;", "SELECT sql FROM sqlite_schema \(place);"])
  }

  private func findings(damage: [String]) throws -> [Finding] {
    guard !damage.isEmpty else { return [] }
    let isOnlyIndexes = damage.allSatisfy(StorageCheck.isOnlyAboutIndex)
    let shown = damage.prefix(5).map { "\n\($0.prefix(200))" }.joined()
    let rest = damage.count > 5 ? "\nand \(Wording.counted(damage.count - 5, "more problem"))" : ""
    let duplicates = try isOnlyIndexes ? unseenDuplicates(in: damage) : []
    if !duplicates.isEmpty {
      let counts = duplicates.map { "\(Wording.counted($0.duplicates.count, "row")) in \($0.index)" }
      return [
        Finding(
          .damage, message: "SQLite finds \(Wording.counted(damage.count, "problem")):\(shown)\(rest)",
          fix:
            "Only indexes are wrong, and rows are not distinct that unique ones lack: \(Wording.list(counts)). REINDEX "
            + "refuses them: copy the file, make these rows distinct, then let REINDEX make the indexes anew.",
          sql: duplicates.map(\.duplicates.query) + ["REINDEX;"])
      ]
    }
    return [
      Finding(
        .damage, message: "SQLite finds \(Wording.counted(damage.count, "problem")):\(shown)\(rest)",
        fix: isOnlyIndexes
          ? "Only indexes are wrong; REINDEX makes them anew from the rows. Copy the file before."
          : "Restore the file from a backup, or save what can be read with .recover in the sqlite3 shell. Write nothing to it.",
        sql: isOnlyIndexes ? ["REINDEX;"] : [])
    ]
  }

  /// The rows that REINDEX would refuse, by the unique indexes that lack some of them.
  private func unseenDuplicates(in damage: [String]) throws -> [(index: SQLName, duplicates: UnseenDuplicates)] {
    guard let schema = try? SchemaReader.read(connection) else { return [] }
    let indexes = OrderedSet(damage.compactMap { StorageCheck.index(in: $0).map { SQLName($0) } })
    return try indexes.compactMap { index in
      try UnseenDuplicates(in: index, of: schema, on: connection).map { (index, $0) }
    }
  }

  private func storage(_ file: Examination.FileProperties) -> [Finding] {
    var findings: [Finding] = []
    if let bytes = file.journalBytes {
      let isThere = journal.present != nil
      findings.append(
        Finding(
          .journal,
          message: isThere
            ? "A journal of \(Wording.bytes(bytes)) is in use: a program is writing to the file."
            : "A journal of \(Wording.bytes(bytes)) stood beside the file: a program was stopped in the middle of a "
              + "transaction, and SQLite took it back when the file was opened.",
          fix: isThere ? "Examine the file again when nobody writes." : "Nothing needs to be done."))
    }
    if let bytes = file.walBytes, bytes > 10_000 * max(file.pageSize, 512) {
      findings.append(
        Finding(
          .longWAL,
          message: "The write-ahead log is \(Wording.bytes(bytes)) long, beside a file of "
            + "\(Wording.bytes(file.pageCount * file.pageSize)); SQLite writes it back at 1,000 pages unless a reader is in the way.",
          fix: "End the reader that never ends, and write the log back.", sql: ["PRAGMA wal_checkpoint(TRUNCATE);"]))
    }
    if let free = file.reclaimableBytes {
      findings.append(
        Finding(
          .freePages,
          message:
            "\(Wording.number(file.freePageCount)) of \(Wording.counted(file.pageCount, "page")) hold nothing: VACUUM "
            + "would give \(Wording.bytes(free)) back to the disk.",
          fix: "VACUUM when nobody writes; it needs as much room as the file for a while.", sql: ["VACUUM;"]))
    }
    return findings
  }
}

// MARK: - The rows

extension DatabaseDoctor {
  private func orphans(in schema: DatabaseSchema) throws -> [Finding] {
    let children = schema.tables.values.filter { !$0.foreignKeys.isEmpty }
    if !children.isEmpty { onActivity("looking for rows without their parent …") }
    var findings: [Finding] = []
    for table in children {
      var counts: OrderedDictionary<SQLName, (count: Int, rows: [String])> = [:]
      do {
        // table, rowid, parent, number of the foreign key
        try connection.forEachRow("PRAGMA main.foreign_key_check(\(table.name.quoted))", []) { row in
          let parent = SQLName(row[2].text ?? "")
          counts[parent, default: (0, [])].count += 1
          if let rowid = row[1].integer, counts[parent].map({ $0.rows.count < 5 }) == true {
            counts[parent]?.rows.append(String(rowid))
          }
        }
      } catch let error as SQLiteError where error.isLackingExtension || error.isMissingQueryPlan {
        findings.append(
          Finding(
            .unexamined, table: table.name,
            message: "The references of \(table.name.quotedIfNeeded) cannot be checked; SQLite says: \(error.message).",
            fix: "Check them with a program that has what is missing."))
        continue
      } catch let error as SQLiteError where error.resultCode == 1 {
        // A foreign key mismatch; the schema rules report it.
        continue
      }
      findings += counts.map { parent, found in
        let keys =
          found.rows.isEmpty
          ? "" : " (\(table.rowIDAlias?.name.text ?? "rowid") \(Wording.excerpt(found.rows, of: found.count)))"
        return Finding(
          .orphans, table: table.name,
          message: "\(Wording.counted(found.count, "row")) of \(table.name.quotedIfNeeded)\(keys) "
            + "\(found.count == 1 ? "refers" : "refer") to rows of \(parent.quotedIfNeeded) that do not exist.",
          fix: "Delete them, or add their parents; PRAGMA foreign_key_check(\(table.name.quotedIfNeeded)) lists them.")
      }
    }
    return findings
  }

  private func statistics(of schema: DatabaseSchema) throws -> [Finding] {
    guard schema.systemTables.contains("sqlite_stat1") else { return [] }
    let known = Set(try connection.texts("SELECT DISTINCT tbl FROM main.sqlite_stat1").map { SQLName($0) })
    guard !known.isEmpty else { return [] }
    let missing = try schema.tables.values.filter { table in
      let hasRows = "SELECT EXISTS (SELECT 1 FROM main.\(table.name.quoted) \(table.rowOrder))"
      do {
        return try !known.contains(table.name) && connection.integer(hasRows) == 1
      } catch let error as SQLiteError where error.isOfStatement {
        // That it cannot be read is told already.
        return false
      }
    }
    guard !missing.isEmpty else { return [] }
    let names = Wording.excerpt(missing.map(\.name.quotedIfNeeded), of: missing.count)
    return [
      Finding(
        .statistics,
        message:
          "\(Wording.counted(missing.count, "table")) with rows \(missing.count == 1 ? "has" : "have") no statistics "
          + "while others do: \(names).",
        fix: "Run ANALYZE.", sql: ["ANALYZE;"])
    ]
  }
}
