import OrderedCollections

/// Asks rows for values that versions of SQLite compute in different ways.
package struct EngineDependenceReader {
  let connection: any SQLConnection

  package init(connection: any SQLConnection) { self.connection = connection }

  /// Rows that hold such a value.
  package struct Findings: Sendable, Hashable {
    /// The number of rows; nil where they could not be asked.
    package var count: Int?
    /// The differences that the values meet; all that was asked about where they could not be asked.
    package var differences: [EngineDifference]
    /// Keys of some of the rows.
    package var samples: [String] = []
  }

  /// The rows that hold a value for which what is computed of it differs.
  ///
  /// *Cost:* scans the table once, and stops early in a second scan for keys where there are such rows.
  ///
  /// - Parameters:
  ///   - table: The table as the file has it.
  ///   - looks: True if the rows are asked; if not, any of them may hold such a value.
  ///   - formerName: The name there of a column that the dependence names.
  /// - Returns: Nil if no value that the rows have can meet a difference.
  package func rows(
    of table: TableSchema, meeting differences: Set<EngineDifference>, in dependence: EngineDependence,
    looks: Bool = true, formerName: (SQLName) -> SQLName = { $0 }
  ) throws -> Findings? {
    let columns = dependence.columns.sorted().compactMap { table.column(formerName($0)) }
    let conditions = differences.intersection(dependence.differences).sorted().compactMap { difference in
      let terms = columns.compactMap { Self.condition(difference, $0, in: dependence) }
      return terms.isEmpty ? nil : (difference, terms.map { "(\($0))" }.joined(separator: " OR "))
    }
    guard !conditions.isEmpty else { return nil }
    if !looks { return Findings(count: nil, differences: conditions.map(\.0)) }
    let any = conditions.map { "(\($0.1))" }.joined(separator: " OR ")
    // An index answers from what it holds; these are questions to the rows.
    do {
      let terms = (conditions.map(\.1) + [any]).map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
      let counts = try connection.rows("SELECT \(terms) FROM \(table.rows)").first?.map { Int($0.integer ?? 0) } ?? []
      guard let count = counts.last, count > 0 else { return nil }
      var findings = Findings(count: count, differences: zip(conditions, counts).filter { $1 > 0 }.map(\.0.0))
      if let key = table.rowKey {
        findings.samples = try connection.rows("SELECT \(key) FROM \(table.rows) WHERE \(any) LIMIT 5").compactMap {
          $0.first?.integer.map { String($0) }
        }
      }
      return findings
    } catch let error as SQLiteError where !error.isEnvironmental {
      return Findings(count: nil, differences: conditions.map(\.0))
    }
  }

  /// The condition for a REAL to have another text from 3.53 on than before.
  ///
  /// There 17 digits are written, unless they end in zeros or nines and fewer digits read back as the same number; of 20,000
  /// numbers of 10 to 17 digits this misjudges a few. Both texts are the same on every version, but for this.
  private static func hasOtherText(_ value: String) -> String {
    let short = "printf('%!.15g', \(value))"
    let digits = "printf('%!.16e', abs(\(value)))"
    return "\(short) <> printf('%!.17g', \(value)) AND NOT (CAST(\(short) AS REAL) = \(value) AND "
      + "(substr(\(digits), 16, 2) = '99' OR substr(\(digits), 15, 3) = '000'))"
  }

  /// The condition for the rows in which a column's value meets a difference; nil if none can.
  private static func condition(
    _ difference: EngineDifference, _ column: ColumnSchema, in dependence: EngineDependence
  ) -> String? {
    let value = column.name.quoted
    let isLong = hasOtherText(value)
    switch difference {
    case .realsAsText, .rounding:
      if dependence.makesReals {
        return "typeof(\(value) + 0) = 'real' OR (typeof(\(value)) = 'text' AND \(value) GLOB '*.[0-9]*')"
      }
      let half = difference == .rounding ? "printf('%!.15g', \(value)) GLOB '*.*5' OR " : ""
      let isReal = "typeof(\(value)) = 'real' AND (\(half)(\(isLong)))"
      guard dependence.findsReals else { return column.affinity == .text ? nil : isReal }
      // Fewer digits are the same text everywhere.
      let digits = String(repeating: "[0-9.]", count: 16)
      let isInText =
        difference == .rounding
        ? "\(value) GLOB '*.*5*'" : "\(value) GLOB '*\(digits)*' OR \(value) GLOB '*[0-9][eE][0-9+]*'"
      return "(\(isReal)) OR (typeof(\(value)) = 'text' AND (\(isInText)))"
    case .dates:
      let year = "CAST(substr(\(value), 1, 4) AS INTEGER)"
      return """
        typeof(\(value)) = 'text' AND (
        substr(\(value), 6, 5) IN ('02-30', '02-31', '04-31', '06-31', '09-31', '11-31') OR substr(\(value), 12, 3) = '24:'
        OR \(value) GLOB '*:[0-5][0-9].999*' OR (substr(\(value), 6, 5) = '02-29' AND
        (\(year) % 4 <> 0 OR (\(year) % 100 = 0 AND \(year) % 400 <> 0))))
        """
    case .wholeDefaults:
      guard column.affinity == .blob, let value = column.defaultValue else { return nil }
      switch value.form {
      case .decimal(isWhole: true), .number: return "\(column.name.quoted) = \(value.expression)"
      default: return nil
      }
    case .truthDefaults:
      guard column.affinity == .text, case .truth? = column.defaultValue?.form else { return nil }
      return "CAST(\(value) AS TEXT) IN ('0', '1')"
    }
  }
}

extension EngineDifference {
  /// The differences between the version that wrote a file and the SQLite of a connection, whose own digits are found by trying.
  package static func between(
    _ writer: SQLiteVersion, here engine: SQLiteVersion, on connection: any SQLConnection
  ) throws -> Set<EngineDifference> {
    var differences = between(writer, engine)
    let isLong = try connection.value("SELECT length((0.1 + 0.2) || '') > 3")?.integer == 1
    // A program may choose the digits for its connection.
    if isLong != (writer >= SQLiteVersion(3, 53)) {
      differences.insert(.realsAsText)
    } else {
      differences.remove(.realsAsText)
    }
    return differences
  }
}

/// An index whose entries are those of another SQLite, as far as the rows tell.
package struct IndexOfOthers: Sendable, Hashable {
  package var name: SQLName
  package var table: SQLName
  /// The number of rows that this SQLite does not find by it; none where it has entries for rows that it would leave out.
  package var missing: Int
  package var differences: [EngineDifference]
}

extension EngineDependenceReader {
  /// Tells indexes that are damaged from those that another SQLite has made: what it computes otherwise must explain each row
  /// that is missing.
  ///
  /// *Cost:* a scan of each table with such an index.
  ///
  /// - Parameter damage: The lines that `integrity_check` reports.
  /// - Returns: The indexes, and what is said of anything else.
  package func indexesOfOthers(
    among damage: [String], in schema: DatabaseSchema
  ) throws -> (indexes: [IndexOfOthers], rest: [String]) {
    var indexes: [IndexOfOthers] = []
    var explained: Set<SQLName> = []
    let lines = Dictionary(grouping: damage) { StorageCheck.index(in: $0).map { SQLName($0) } }
    for (name, lines) in lines {
      guard let name, let index = schema.indexes[name], let table = schema.tables[index.table],
        let found = try rows(
          of: table, meeting: Set(EngineDifference.allCases), in: EngineDependenceFinder(table).dependence(of: index)),
        let count = found.count
      else { continue }
      let missing = lines.count(where: StorageCheck.isAboutMissingRow)
      // A condition that holds for other rows leaves entries too many, which are only counted.
      guard lines.allSatisfy(StorageCheck.isAboutEntries), missing <= count, missing > 0 || index.predicate != nil
      else {
        continue
      }
      explained.insert(name)
      indexes.append(
        IndexOfOthers(name: name, table: table.name, missing: missing, differences: found.differences))
    }
    let rest = damage.filter { line in StorageCheck.index(in: line).map { !explained.contains(SQLName($0)) } ?? true }
    return (indexes.sorted { $0.name < $1.name }, rest)
  }
}
