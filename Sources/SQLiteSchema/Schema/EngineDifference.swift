/// Something that versions of SQLite compute in different ways, and that an index or a stored column may hold.
///
/// Found by running the same expressions on fifteen versions from 3.33.0 to 3.54.1; docs/sqlite-versions.md has all that was
/// found. Here is what values in rows may meet.
package enum EngineDifference: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A REAL as text: 15 significant digits, 17 since 3.53, where JSON functions followed with 3.53.2.
  case realsAsText
  /// A REAL rounded by `round` or `printf`: a half decimal goes up, or to what is nearer since 3.43.
  case rounding
  /// A day that no month has, which counts as one of the next month since 3.45; 24:00, likewise since 3.54; and the fraction of a second
  /// that `%f` writes, never more than 59.999 since 3.49.
  case dates
  /// A whole decimal as the default of a column without a type, in rows from before the column: an integer, a REAL since 3.46.
  case wholeDefaults
  /// TRUE or FALSE as the default of a TEXT column, in rows from before the column: an integer, a text since 3.44.
  case truthDefaults

  /// The versions since which it is computed as now.
  private var since: [SQLiteVersion] {
    switch self {
    case .realsAsText: [SQLiteVersion(3, 53)]
    case .rounding: [SQLiteVersion(3, 43)]
    case .dates: [SQLiteVersion(3, 45), SQLiteVersion(3, 49), SQLiteVersion(3, 54)]
    case .wholeDefaults: [SQLiteVersion(3, 46)]
    case .truthDefaults: [SQLiteVersion(3, 44)]
    }
  }

  /// The differences between two versions.
  package static func between(_ one: SQLiteVersion, _ other: SQLiteVersion) -> Set<EngineDifference> {
    Set(
      allCases.filter { difference in
        difference.since.contains { min(one, other) < $0 && $0 <= max(one, other) }
      })
  }

  package static func < (left: EngineDifference, right: EngineDifference) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// The differences between versions of SQLite that affect one expression of a schema, and the columns that cause them.
package struct EngineDependence: Sendable, Hashable {
  package var differences: Set<EngineDifference> = []
  /// The stored columns that it reads.
  package var columns: Set<SQLName> = []
  /// True if a REAL may arise within it, so that the columns' own values do not tell whether any differs.
  package var makesReals = false
  /// True if a REAL may be read out of a text.
  package var findsReals = false

  package init() {}

  /// Adds what a part of an expression does.
  package mutating func formUnion(_ other: EngineDependence) {
    differences.formUnion(other.differences)
    columns.formUnion(other.columns)
    makesReals = makesReals || other.makesReals
    findsReals = findsReals || other.findsReals
  }
}

/// Finds what the expressions of one table depend on.
package struct EngineDependenceFinder {
  private let table: TableSchema

  package init(_ table: TableSchema) { self.table = table }

  /// The dependence of an expression. VIRTUAL columns that it reads are a part of it; STORED ones hold their values.
  package func dependence(of expression: CanonicalSQL) -> EngineDependence {
    dependence(of: expression, besides: [])
  }

  /// The dependence of a column where it is read: only that of its default, unless the column is computed then.
  package func dependence(ofReading name: SQLName) -> EngineDependence { reading(name, isAlone: true, besides: []) }

  /// The dependence of a generated column where it is computed.
  package func dependence(ofComputing column: ColumnSchema) -> EngineDependence { computing(column, besides: []) }

  private func dependence(of expression: CanonicalSQL, besides seen: Set<SQLName>) -> EngineDependence {
    guard let tokens = try? SQLLexer.tokens(of: expression.enclosed) else { return EngineDependence() }
    var result = EngineDependence()
    let names = Set(tokens.compactMap(\.name)).filter { table.column($0) != nil }
    // In parentheses.
    let isAlone = tokens.count == 3
    for name in names where !seen.contains(name) {
      result.formUnion(reading(name, isAlone: isAlone, besides: seen))
    }
    let words = ExpressionWords(tokens)
    let affinities = names.compactMap { table.column($0)?.affinity }
    let comparesTexts = words.compares && affinities.contains(.text) && affinities.contains(.blob)
    if words.makesTexts || comparesTexts { result.differences.insert(.realsAsText) }
    if words.rounds { result.differences.insert(.rounding) }
    if words.readsDates { result.differences.insert(.dates) }
    let calculates = words.calculates && affinities.contains { $0 != .text }
    result.makesReals = result.makesReals || words.makesReals || calculates
    result.findsReals = result.findsReals || words.findsReals
    return result
  }

  private func reading(_ name: SQLName, isAlone: Bool, besides seen: Set<SQLName>) -> EngineDependence {
    guard let column = table.column(name) else { return EngineDependence() }
    if let generation = column.generation, !generation.isStored { return computing(column, besides: seen) }
    var result = EngineDependence()
    result.columns = [column.name]
    switch (column.affinity, column.defaultValue?.form) {
    case (.blob, .decimal(isWhole: true)), (.blob, .number):
      // 1 and 1.0 are equal; only what is made of them differs.
      if !isAlone { result.differences.insert(.wholeDefaults) }
    case (.text, .truth): result.differences.insert(.truthDefaults)
    default: break
    }
    return result
  }

  private func computing(_ column: ColumnSchema, besides seen: Set<SQLName>) -> EngineDependence {
    guard let generation = column.generation else { return EngineDependence() }
    var result = dependence(of: generation.expression, besides: seen.union([column.name]))
    let reads = result.columns.compactMap { table.column($0)?.affinity }
    if column.affinity == .text, result.makesReals || result.findsReals || reads.contains(where: { $0 != .text }) {
      result.differences.insert(.realsAsText)
    }
    return result
  }
}

extension EngineDependenceFinder {
  /// The dependence of the entries of an index, and of the condition that decides which rows have one.
  package func dependence(of index: IndexSchema) -> EngineDependence {
    var result = EngineDependence()
    for term in index.terms {
      result.formUnion(term.column.map { dependence(ofReading: $0) } ?? dependence(of: term.expression))
    }
    if let predicate = index.predicate { result.formUnion(dependence(of: predicate)) }
    return result
  }
}
