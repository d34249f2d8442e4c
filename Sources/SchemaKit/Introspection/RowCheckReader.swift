import OrderedCollections

/// Asks a database the planner's questions about its rows.
///
/// *Cost:* one scan of a table for all questions about single rows, one more for each that compares rows with others, and one
/// for each that finds something, to name the rows; where values may change on their way, they are copied into temporary
/// tables once. A table without rows is not asked. Nothing is written to the file.
struct RowCheckReader {
  let connection: any SQLConnection
  let profile: EngineProfile
  /// Called before each table with its name, the number of tables done and their total.
  var onTable: (String, Int, Int) -> Void = { _, _, _ in }
  /// True if the size of rows is estimated as well, of which nothing but the cost of a copy depends.
  var measuresRows = true
  /// Notices collations that this program lacks.
  private var watch: CollationWatch?

  init(
    connection: any SQLConnection, profile: EngineProfile,
    onTable: @escaping (String, Int, Int) -> Void = { _, _, _ in }
  ) {
    self.connection = connection
    self.profile = profile
    self.onTable = onTable
  }

  /// Returns the results of row checks of every table that was asked about, under the name that the questions use.
  func answer(_ questions: RowChecks) throws -> [SQLName: RowCheckResults] {
    try watching { try $0.answers(to: questions) }
  }

  private func watching<T>(_ body: (RowCheckReader) throws -> T) throws -> T {
    try connection.watchingCollations { watch in
      var reader = self
      reader.watch = watch
      return try body(reader)
    }
  }

  private func answers(to questions: RowChecks) throws -> [SQLName: RowCheckResults] {
    if connection.schemaForWork == "main", !questions.preparations.isEmpty {
      let work = WorkConnection(over: connection)
      defer { work.end() }
      var reader = RowCheckReader(connection: work, profile: profile, onTable: onTable)
      (reader.measuresRows, reader.watch) = (measuresRows, watch)
      return try reader.answers(to: questions)
    }
    // Temporary tables count as writing to a connection that only looks.
    let mayNotWrite = try connection.integer("PRAGMA query_only") == 1
    let isLooking = !questions.preparations.isEmpty && mayNotWrite
    if isLooking { try connection.execute("PRAGMA query_only = OFF") }
    defer { if isLooking { try? connection.execute("PRAGMA query_only = ON") } }
    var probes = RowCheckProbes(connection: connection, questions: questions, watch: watch)
    defer { probes.drop() }
    var checkResults: [SQLName: RowCheckResults] = [:]
    for (index, table) in questions.tables.enumerated() {
      onTable(table.name.text, index, questions.tables.count)
      checkResults[table.name, default: RowCheckResults()].merge(
        try table.isOfIndex ? answer(ofIndex: table) : answer(table, probes: &probes))
    }
    return checkResults
  }

  /// Answers from nothing but whether each table is empty: of an empty table everything is known, of another nothing.
  ///
  /// *Cost:* one row of each table that was asked about.
  ///
  /// - Parameter assumesRows: True if tables that are empty here count as filled, because the plan is for other files.
  func answerWithoutRows(_ questions: RowChecks, assumesRows: Bool = false) throws -> [SQLName: RowCheckResults] {
    try watching { try $0.answersWithoutRows(to: questions, assumesRows: assumesRows) }
  }

  private func answersWithoutRows(
    to questions: RowChecks, assumesRows: Bool
  ) throws -> [SQLName: RowCheckResults] {
    var checkResults: [SQLName: RowCheckResults] = [:]
    for table in questions.tables {
      let isEmpty = try !assumesRows && self.isEmpty(table)
      var answer = RowCheckResults(rowCount: isEmpty ? 0 : 1)
      answer.isCounted = isEmpty
      answer.findings = table.questions.map { question in
        RowCheckResults.Finding(
          kind: question.kind, column: question.column, count: 0, isCounted: isEmpty, samples: [])
      }
      checkResults[table.name, default: RowCheckResults()].merge(answer)
    }
    guard assumesRows else { return checkResults }
    // True if SQLite understands an expression at all is known without the rows that it is for.
    let probes = RowCheckProbes(connection: connection, questions: questions)
    for table in questions.trials.keys.sorted() {
      checkResults[table, default: RowCheckResults()].findings +=
        (probes.collapses(in: table) + probes.faults(in: table)).map(\.finding)
    }
    return checkResults
  }

  private func isEmpty(_ table: RowChecks.TableChecks) throws -> Bool {
    do {
      return try watch.asking { try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table.rows))") == 0 }
    } catch let error as SQLiteError where table.isOfIndex && !error.isEnvironmental {
      return false
    }
  }

  /// Counts the rows of its content that a full-text index does not know. Where that cannot be asked, because a view does not
  /// work or the list is gone, nothing is known.
  private func answer(ofIndex table: RowChecks.TableChecks) throws -> RowCheckResults {
    var checkResults = RowCheckResults()
    do {
      checkResults.rowCount = Int(try connection.integer(table.count) ?? 0)
      for question in table.questions {
        let count = Int(try connection.integer(question.count) ?? 0)
        let isNamed = count > 0 && !question.samples.isEmpty
        let samples = try isNamed ? connection.rows(question.samples).map { Self.text($0.first ?? .null) } : []
        checkResults.findings.append(finding(of: question, count: count, samples: samples))
      }
    } catch let error as SQLiteError where !error.isEnvironmental {
      (checkResults.rowCount, checkResults.isCounted) = (1, false)
      checkResults.findings = table.questions.map {
        RowCheckResults.Finding(kind: $0.kind, column: nil, count: 0, isCounted: false, samples: [])
      }
    }
    return checkResults
  }

  /// The answers about a table; of one that cannot be read, such as a virtual table of what is gone, nothing is known.
  private func answer(_ table: RowChecks.TableChecks, probes: inout RowCheckProbes) throws -> RowCheckResults {
    do {
      _ = try isEmpty(table)
    } catch let error as SQLiteError where !error.isEnvironmental {
      var unknown = RowCheckResults(rowCount: 1)
      unknown.isCounted = false
      unknown.findings = table.questions.map {
        RowCheckResults.Finding(kind: $0.kind, column: $0.column, count: 0, isCounted: false, samples: [])
      }
      return unknown
    }
    return try answerOfReadable(table, probes: &probes)
  }

  private func answerOfReadable(_ table: RowChecks.TableChecks, probes: inout RowCheckProbes) throws -> RowCheckResults
  {
    var checkResults = RowCheckResults()
    guard try !isEmpty(table) else {
      checkResults.findings = table.questions.map { finding(of: $0, count: 0, samples: []) }
      return checkResults
    }
    let collapses = probes.collapses(in: table.name)
    guard collapses.isEmpty else {
      // Nothing that is counted beside such a value is true.
      checkResults.rowCount = try rowCount(of: table)
      checkResults.findings = collapses.map(\.finding)
      return checkResults
    }
    guard !table.questions.isEmpty else {
      // Only a copy must know how many rows there are.
      checkResults.rowCount = 1
      checkResults.isCounted = false
      return checkResults
    }
    var questions = table.questions
    let scanner = RowScanner(connection: connection, watch: watch, maximumColumns: profile.maximumColumns)
    let (prefiltered, rowCount) = try countPrefiltered(questions, by: scanner, into: &checkResults)
    if let rowCount { checkResults.rowCount = rowCount }
    questions.removeAll { question in
      guard let count = prefiltered[question] else { return false }
      // A question that may concern a row is asked of the temporary table; all else is answered.
      return question.prefilter == nil || count == 0
    }
    for other in Set(questions.flatMap(\.reads)).sorted() {
      guard let problem = try probes.prepare(other) else { continue }
      // The fault itself is reported once, for the table where it lies.
      questions.removeAll { $0.reads.contains(other) }
      guard probes.owner(of: other) == table.name else { continue }
      checkResults.findings += problem.map(\.finding)
    }
    let scanned = try scanner.count(questions.map { ($0.scan, $0.column) })
    checkResults.stored.merge(scanned.stored) { $0.union($1) }
    if rowCount == nil {
      checkResults.rowCount = try scanned.rowCount ?? self.rowCount(of: table)
    }
    if measuresRows { try measure(table, into: &checkResults) }
    let known = Dictionary(zip(questions, scanned.counts), uniquingKeysWith: { first, _ in first })
    for question in table.questions {
      if let count = known[question] {
        checkResults.findings.append(try finding(of: question, known: count ?? noneRepeated(question, checkResults)))
      } else if let count = prefiltered[question], question.prefilter == nil || count == 0 {
        checkResults.findings.append(try finding(of: question, known: count))
      }
    }
    if checkResults.findings.contains(where: \.isUnprovable) {
      let innocent = try probes.innocentColumns(in: table.name)
      checkResults.findings.removeAll { $0.isUnprovable && $0.column.map { innocent.contains($0) } ?? false }
    }
    return checkResults
  }

  /// Counts the rows of some tables about which nothing was asked.
  ///
  /// *Cost:* the rows of each table: the entries of an index may be fewer.
  func count(_ tables: [RowChecks.TableChecks]) throws -> [SQLName: RowCheckResults] {
    try watching { try $0.counts(of: tables) }
  }

  private func counts(of tables: [RowChecks.TableChecks]) throws -> [SQLName: RowCheckResults] {
    var checkResults: [SQLName: RowCheckResults] = [:]
    for table in tables {
      var counted = RowCheckResults()
      counted.rowCount = try rowCount(of: table)
      try measure(table, into: &counted)
      checkResults[table.name] = counted
    }
    return checkResults
  }

  /// Estimates the size of the rows that were counted without it.
  func measure(_ checks: RowChecks, into checkResults: inout [SQLName: RowCheckResults]) throws {
    try watching { reader in
      for table in checks.tables where !table.questions.isEmpty {
        guard var results = checkResults[table.name], results.rowCount > 0 else { continue }
        try reader.measure(table, into: &results)
        checkResults[table.name] = results
      }
    }
  }

  private func rowCount(of table: RowChecks.TableChecks) throws -> Int {
    try watch.asking { Int(try connection.integer(table.count) ?? 0) }
  }

  private func measure(_ table: RowChecks.TableChecks, into checkResults: inout RowCheckResults) throws {
    guard !table.columns.isEmpty else { return }
    checkResults.byteCount =
      checkResults.rowCount * (try averageRowSize(of: table))
  }

  /// Counts, in one scan of the file, the rows that questions concern or may concern.
  ///
  /// - Returns: The counts, none where no question has a prefilter, and how many rows there are.
  private func countPrefiltered(
    _ questions: [RowCheck], by scanner: RowScanner, into checkResults: inout RowCheckResults
  ) throws -> ([RowCheck: Int], Int?) {
    guard questions.contains(where: { $0.prefilter != nil }) else { return ([:], nil) }
    let own = questions.filter { $0.prefilter != nil || ($0.scan != nil && $0.reads.isEmpty) }
    let scanned = try scanner.count(own.map { ($0.prefilter ?? $0.scan, $0.column) })
    checkResults.stored = scanned.stored
    let known = zip(own, scanned.counts).compactMap { question, count in count.map { (question, $0) } }
    return (Dictionary(known, uniquingKeysWith: { first, _ in first }), scanned.rowCount)
  }

  /// Zero if a table is found to have no equal keys without a sort; nil if that is not known.
  private func noneRepeated(_ question: RowCheck, _ checkResults: RowCheckResults) -> Int? {
    guard let query = question.mayConcern, checkResults.rowCount <= RepeatedKeys.mostKeys,
      let local = connection as? SQLiteConnection
    else { return nil }
    // What it cannot answer is asked of SQLite.
    let found = try? watch.asking {
      try local.withRepeatedKeys(RepeatedKeys.function, most: RepeatedKeys.mostKeys) { try local.integer(query) }
    }
    return found == 0 ? 0 : nil
  }

  private func finding(of question: RowCheck, known: Int?) throws -> RowCheckResults.Finding {
    do {
      let count = try known ?? watch.asking { Int(try connection.integer(question.count) ?? 0) }
      return finding(of: question, count: count, samples: count == 0 ? [] : try samples(of: question))
    } catch let error as LackedCollation {
      return RowCheckResults.Finding(
        kind: .lackingCollation(condition: question.kind.condition, name: error.name), column: question.column,
        count: 0, samples: [])
    } catch let error as SQLiteError where question.kind.isDispensable(after: error) {
      // On a connection of others nothing takes the place of what it lacks.
      return RowCheckResults.Finding(
        kind: question.kind, column: question.column, count: 0, isCounted: false, samples: [])
    } catch let error as SQLiteError where !error.isEnvironmental {
      return RowCheckResults.Finding(
        kind: .unprovable(condition: question.kind.condition, problem: error.message), column: question.column,
        count: 0, samples: [])
    }
  }

  /// The keys of the first rows; none where the table has no rowid to name them by, as a virtual one may.
  private func samples(of question: RowCheck) throws -> [String] {
    do {
      return try connection.rows(question.samples).map { Self.text($0.first ?? .null) }
    } catch let error as SQLiteError where !error.isEnvironmental {
      return []
    }
  }

  private func finding(of question: RowCheck, count: Int, samples: [String]) -> RowCheckResults.Finding {
    RowCheckResults.Finding(kind: question.kind, column: question.column, count: count, samples: samples)
  }

  /// The size of a row in bytes: two bytes of head for each column beside its content.
  ///
  /// *Cost:* the look-up of at most 400 rows.
  private func averageRowSize(of table: RowChecks.TableChecks) throws -> Int {
    let size = table.columns.map { RowSample.length(of: $0) }[...].nested(by: "+")
    let sample = RowSample(connection: connection, table: table.rows, rowKey: table.rowKey)
    return try watch.asking { try sample.averages(of: [size]).first ?? 0 }
  }

  /// A key as a person would write it.
  static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let bytes): "X'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}

extension RowCheckResults {
  fileprivate mutating func merge(_ other: RowCheckResults) {
    rowCount = max(rowCount, other.rowCount)
    byteCount = max(byteCount, other.byteCount)
    isCounted = isCounted && other.isCounted
    findings += other.findings
    stored.merge(other.stored) { $0.union($1) }
  }
}

extension RowCheckResults.Finding {
  fileprivate var isUnprovable: Bool { if case .unprovable = kind { true } else { false } }
}

extension RowCheckResults.Finding.Kind {
  /// Returns true if the change can do without the answer: it only says how much is dropped, or permits a cheaper way.
  fileprivate func isDispensable(after error: SQLiteError) -> Bool {
    switch self {
    case .droppedTable, .droppedColumn: error.lackedStub != nil
    case .undecidedCheck: !error.isEnvironmental
    default: false
    }
  }

  /// The condition that was to be checked, in words.
  fileprivate var condition: String {
    switch self {
    case .failingCheck(let expression): "The new CHECK (\(expression))"
    case .duplicates(let key, _): "Whether rows are distinct in \(key)"
    case .orphans(let parent): "Whether every row has its parent in \(parent)"
    case .computed(let object): object
    case .emptiedByConversion: "The conversion"
    default: "A question about the rows"
    }
  }
}

extension SQLiteError {
  /// True if the fault lies with the file or its surroundings and not with the statement.
  package var isEnvironmental: Bool {
    isBusy || isInterrupted || isFull || (isCorrupt && !isOfVirtualTable) || isNotADatabase || isReadOnly
      || isCannotOpen
  }
}
