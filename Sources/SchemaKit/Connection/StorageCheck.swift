import CSQLite

/// Asks SQLite whether a file is intact, and sorts the answers: a broken page is damage; a row that violates a
/// constraint and a full-text index that lags behind its text are not.
///
/// From 3.44 on, SQLite checks virtual tables as well. One that this program cannot open, because a tokenizer of
/// another program is missing, makes the whole check fail; an FTS4 index without content is reported as impossible to
/// validate although nothing is wrong; and tokenizing all text costs more than reading all pages.
///
/// *Cost:* reads every page of the file once; a full check looks up each row in each index of its table.
/// See [PRAGMA integrity_check](https://sqlite.org/pragma.html#pragma_integrity_check) and
/// [the xIntegrity method](https://sqlite.org/vtab.html#the_xintegrity_method).
package struct StorageCheck {
  package enum Depth: String {
    case quick = "quick_check"
    /// Indexes are compared with their tables as well.
    case full = "integrity_check"
  }

  package let connection: any SQLConnection
  package var depth = Depth.quick
  /// True if rows are checked against their CHECK constraints too.
  package var readsChecks = false

  package init(connection: any SQLConnection, depth: Depth = .quick, readsChecks: Bool = false) {
    self.connection = connection
    self.depth = depth
    self.readsChecks = readsChecks
  }

  /// The problems that SQLite reports, in lines.
  package struct Findings {
    /// Problems of pages, rows and indexes.
    package var damage: [String] = []
    /// Rows that violate a constraint of their table, one for each.
    package var values: [ValueFinding] = []
    /// R*Trees that do not fit together, a line for each problem.
    package var spatialIndexes: [String] = []
    /// The full-text indexes that differ from their texts, by name.
    package var fullTextIndexes: [String] = []

    package init() {}
  }

  /// The problems in the pages of a file; empty if there are none.
  ///
  /// Reads them through another connection if this one lacks a function, a collation or a module that tables name, or
  /// would check virtual tables as well.
  ///
  /// - Parameters:
  ///   - isWaiting: True if another connection waits for locks; the holder of the lock would wait for itself.
  ///   - observing: Runs the work on the connection that it is given, and may observe it.
  /// - Throws: `SQLiteError` if the file cannot be read, or the work was interrupted.
  package static func damage(
    of connection: SQLiteConnection, isWaiting: Bool = false,
    observing: (SQLiteConnection, () throws -> [String]) throws -> [String] = { try $1() }
  ) throws -> [String] {
    func damage(_ connection: SQLiteConnection) throws -> [String] {
      try observing(connection) { try Self(connection: connection).run().damage }
    }
    if try connection.asksVirtualTables, let other = connection.forPages(isWaiting) {
      return try other.stubbing { try damage(other) }
    }
    do {
      return try damage(connection)
    } catch let error as SQLiteError where error.isOfStatement {
      guard let other = connection.forPages(isWaiting) else { throw error }
      return try other.stubbing { try damage(other) }
    }
  }

  /// Runs the check that this connection is capable of.
  ///
  /// - Parameter table: The one table to check, with its indexes.
  /// - Throws: `SQLiteError` that is `isOfStatement` if the connection lacks something that tables name.
  package func run(on table: String? = nil) throws -> Findings {
    let ignoring = try connection.pragmaInteger("ignore_check_constraints") ?? 0
    if !readsChecks { try connection.execute("PRAGMA ignore_check_constraints = ON") }
    defer { if !readsChecks { try? connection.execute("PRAGMA ignore_check_constraints = \(ignoring)") } }
    // With a limit, since SQLite otherwise stops after 100 problems, and constraint violations alone can be that many.
    let argument = table.map {
      "'\($0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    }
    var findings = Findings()
    var failure: SQLiteError?
    do {
      try connection.forEachRow("PRAGMA main.\(depth.rawValue)(\(argument ?? "1000000"))", []) { row in
        guard let line = row.first?.text, line != "ok" else { return }
        if let value = ValueFinding(line) {
          findings.values.append(value)
        } else if line.hasPrefix("In RTree ") {
          findings.spatialIndexes.append(line)
        } else if Self.isAboutFullText(line) {
          if let index = Self.fullTextIndex(in: line) { findings.fullTextIndexes.append(index) }
        } else {
          findings.damage += line.split(separator: "\n").filter { !$0.hasPrefix("***") }.map { String($0) }
        }
      }
    } catch let error as SQLiteError where !error.isOfVirtualTable && (error.isCorrupt || error.isUnexplained) {
      failure = error
    }
    guard failure != nil || !findings.damage.isEmpty else { return findings }
    if let pages = (connection as? SQLiteConnection)?.undecryptablePages, !pages.isEmpty {
      // SQLCipher reads nothing more after the first of them, and SQLite finds fault with all that it did not get.
      findings.damage = pages
    } else if let failure {
      guard failure.isCorrupt else { throw failure }
      findings.damage.append(failure.message)
    }
    return findings
  }

  /// Checks each table separately, for a connection that lacks something that one of them names.
  ///
  /// - Returns: The findings, and why tables could not be checked. Pages claimed by two tables are not detected.
  package func runByTable() throws -> (Findings, unchecked: [(table: String, error: SQLiteError)]) {
    var all = Findings()
    var unchecked: [(table: String, error: SQLiteError)] = []
    for table in try connection.texts("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0") {
      do {
        let found = try run(on: table)
        all.damage += found.damage
        all.values += found.values
      } catch let error as SQLiteError where error.isOfStatement {
        unchecked.append((table, error))
      }
    }
    return (all, unchecked)
  }

  /// Checks all that the connection can compute.
  package func runAsFarAsPossible() throws -> Findings {
    do {
      return try run()
    } catch let error as SQLiteError where error.isOfStatement {
      return try runByTable().0
    }
  }

  // MARK: - The subjects of lines

  private static func isAboutFullText(_ line: String) -> Bool {
    line.contains("malformed inverted index for FTS") || line.contains("unable to validate the inverted index for FTS")
      || line.hasPrefix("fts5: ")
  }

  /// The index that a line is about, as SQLite says it from 3.44 on.
  private static func fullTextIndex(in line: String) -> String? {
    if line.contains("malformed inverted index for FTS"), let place = line.firstRange(of: "table main.") {
      return String(line[place.upperBound...].prefix { $0 != ":" })
    }
    guard line.hasSuffix("\""), let place = line.firstRange(of: " table \"") else { return nil }
    return String(line[place.upperBound...].dropLast())
  }

  /// The index that a line about entries is about.
  package static func index(in line: String) -> String? {
    guard isOnlyAboutIndex(line), let word = line.firstRange(of: "index ") else { return nil }
    return String(line[word.upperBound...])
  }

  /// True if a line says that an index has no entry for a row, or another one.
  package static func isAboutMissingRow(_ line: String) -> Bool {
    line.contains("missing from index") || line.contains("values differ from index")
  }

  /// True if a line says which entries an index has, and not that two of them are equal.
  package static func isAboutEntries(_ line: String) -> Bool {
    isAboutMissingRow(line) || line.contains("wrong # of entries in index")
  }

  /// True if a problem is in an index alone, which REINDEX makes anew.
  package static func isOnlyAboutIndex(_ line: String) -> Bool {
    line.contains("index") && !line.contains("ree ") && !line.contains("Page ")
  }
}

extension SQLiteConnection {
  /// The problems in the pages of the file; empty if there are none.
  package func damage(
    isCancelled: @escaping () -> Bool,
    observing: @escaping (any LocalEngine, () throws -> [String]) throws -> [String]
  ) throws -> [String] {
    try StorageCheck.damage(of: self) { connection, check in
      try connection.withCancellation(check: isCancelled) { try observing(connection, check) }
    }
  }

  /// True if a check of the file tokenizes the text of full-text indexes again.
  fileprivate var asksVirtualTables: Bool {
    get throws {
      guard engineVersionNumber >= 3_044_000 else { return false }
      do {
        return try integer(
          "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND rootpage = 0)") == 1
      } catch let error as SQLiteError where error.isUnexplained {
        // After a page that it could not decrypt, a connection reads nothing more, and another one may.
        return true
      }
    }
  }

  /// Another connection to the same file, which reads it and knows neither modules nor the meaning of functions and
  /// collations; nil if one cannot be opened.
  fileprivate func forPages(_ isWaiting: Bool) -> SQLiteConnection? {
    guard !isBorrowed, !isInMemory, let path = filePath else { return nil }
    do {
      // Without waiting: if somebody has locked the file exclusively, this connection does the check.
      var options = options
      options.trustsSchema = try pragmaInteger("trusted_schema") != 0
      if !isWaiting { (options.busyTimeout, options.busyHandler) = (0, nil) }
      let other = try SQLiteConnection(path: path, mode: .readOnly, options)
      other.forgetModules()
      try other.installCollationStubs()
      _ = try other.pragmaInteger("main.schema_version")
      return other
    } catch {
      return nil
    }
  }

  /// Removes all virtual table modules from this connection.
  package func forgetModules() { sqlite3_drop_modules(handle, nil) }
}

extension SQLiteError {
  /// True if SQLite found no fault with the file but could not compile or run the statement, as where a virtual table
  /// that it has to ask lacks a table of its module.
  package var isOfStatement: Bool { resultCode == SQLITE_ERROR || isOfVirtualTable }
}
