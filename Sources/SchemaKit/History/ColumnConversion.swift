import OrderedCollections

/// A declared conversion or fill of a column, recorded in the ledger once a file no longer needs it.
///
/// A conversion is written for the values that existed before it. If it were repeated, at the next change of the
/// column's type, it would be applied to its own results. A fill is done wherever it is needed; the author is told of a
/// fill that the ledger does not know and that has nothing to do.
package struct ColumnConversion: Sendable, Hashable {
  var table: SQLName
  var column: SQLName
  /// The expression, or what distinguishes a Swift function from others.
  var identity: String

  /// Returns the text that distinguishes an expression from others. The call of a Swift function has that in a comment, as the
  /// function's name only reflects its position among the others.
  static func identity(of expression: String) -> String {
    guard ColumnHints.isSwift(expression), let start = expression.firstRange(of: "/* ")?.upperBound else {
      return expression
    }
    return String(expression[start...].dropLast(" */".count))
  }

  /// The name of the conversion's row in the ledger.
  ///
  /// - Parameter step: The title of the recorded step that the conversion is part of, which does not change when the
  ///   step is renumbered; nil for a declared schema. Two steps may well convert a column by the same expression.
  func digest(step: String?) -> String {
    let words = [step ?? "", table.folded, column.folded, identity]
    return SHA256.hexDigest(of: words.map { "\($0.utf8.count) \($0)" }.joined(separator: " "))
  }
}

extension MigrationHints {
  /// The conversions of all columns.
  package var conversions: [ColumnConversion] { conversions { $0.conversion.map(ColumnConversion.identity(of:)) } }

  /// The fills of all columns; no conversion has the same identity.
  package var fills: [ColumnConversion] {
    conversions { ($0.declaredBackfill ?? $0.backfill).map { "fill " + ColumnConversion.identity(of: $0) } }
  }

  /// The conversions that the file no longer needs.
  var appliedConversions: [ColumnConversion] {
    conversions { $0.appliedConversion.map(ColumnConversion.identity(of:)) }
  }

  private func conversions(_ identity: (ColumnHints) -> String?) -> [ColumnConversion] {
    tables.flatMap { table, hints in
      hints.columns.compactMap { column, hint in
        identity(hint).map { ColumnConversion(table: table, column: column, identity: $0) }
      }
    }
  }

  /// Removes the conversions that a file no longer needs, and records them as applied.
  ///
  /// - Parameters:
  ///   - digests: The digests of these, by the current or a former name of the table and the column.
  ///   - step: The title of the recorded step that the hints belong to.
  ///   - undone: The digests whose change has since been undone.
  mutating func markAppliedConversions(_ digests: Set<String>, undone: Set<String> = [], step: String?) {
    guard !digests.isEmpty else { return }
    for fill in fills where isAmong(digests, fill, step: step) {
      tables[fill.table]?.columns[fill.column]?.isBackfillApplied = true
    }
    for conversion in conversions where isAmong(digests, conversion, step: step) {
      guard var hint = tables[conversion.table]?.columns[conversion.column] else { continue }
      hint.appliedConversion = hint.conversion
      hint.conversion = nil
      hint.isConversionUndone = !undone.isEmpty && isAmong(undone, conversion, step: step)
      tables[conversion.table]?.columns[conversion.column] = hint
    }
  }

  private func isAmong(_ digests: Set<String>, _ conversion: ColumnConversion, step: String?) -> Bool {
    let table = tables[conversion.table]
    let tables = [conversion.table] + (table?.renamedFrom ?? [])
    let columns = [conversion.column] + (table?.columns[conversion.column]?.renamedFrom ?? [])
    return tables.contains { table in
      columns.contains { column in
        let known = ColumnConversion(table: table, column: column, identity: conversion.identity)
        return digests.contains(known.digest(step: step))
      }
    }
  }

  /// The hints without the conversions that earlier hints already had, and the columns of those conversions.
  package func withoutConversions(in earlier: [MigrationHints]) -> (hints: MigrationHints, applied: [String]) {
    var hints = self
    hints.markAppliedConversions(
      Set(earlier.flatMap { $0.conversions + $0.fills }.map { $0.digest(step: nil) }), step: nil)
    let applied = hints.appliedConversions
    for conversion in applied { hints.tables[conversion.table]?.columns[conversion.column]?.appliedConversion = nil }
    return (hints, applied.map { "\($0.table.quotedIfNeeded).\($0.column.quotedIfNeeded)" }.sorted())
  }
}

// Each conversion is a row of `_schemakit_meta`: its digest after the name of the schema, with the column and the time.
extension Ledger {
  private static func conversionKey(_ schema: String, _ digest: String) -> String {
    "conversion \(schema.unicodeScalars.count) \(schema) \(digest)"
  }

  /// The suffix of a conversion whose change was undone.
  private static let undoneMark = " undone"

  /// The digests of the conversions that this file no longer needs, and of those among them whose change was undone.
  func appliedConversions(of schema: String) throws -> (all: Set<String>, undone: Set<String>) {
    try exists() ? readAppliedConversions(of: schema) : ([], [])
  }

  /// True if a file no longer needs any conversion of a schema that it was migrated to.
  func areApplied(_ hints: MigrationHints, of schema: String) throws -> Bool {
    guard !hints.conversions.isEmpty else { return true }
    var hints = hints
    hints.markAppliedConversions(try readAppliedConversions(of: schema).all, step: nil)
    return hints.conversions.isEmpty
  }

  private func readAppliedConversions(of schema: String) throws -> (
    all: Set<String>, undone: Set<String>
  ) {
    let prefix = Self.conversionKey(schema, "")
    let sql = "SELECT key, value FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1"
    let rows = try connection.onLedger(LedgerShape.meta) { try connection.rows(sql, [.text(prefix)]) }
    let digest = { (row: [SQLValue]) in String((row[0].text ?? "").dropFirst(prefix.count)) }
    return (
      Set(rows.map(digest)), Set(rows.filter { $0[1].text?.hasSuffix(Self.undoneMark) ?? false }.map(digest))
    )
  }

  /// Records that the change which conversions were part of was undone.
  func noteUndone(_ conversions: [UndoRecord.Rename], of schema: String) throws {
    let sql = """
      UPDATE main._schemakit_meta SET value = value || ?3 WHERE substr(key, 1, length(?1)) = ?1 \
      AND substr(value, 1, length(?2)) = ?2 AND substr(value, -length(?3)) <> ?3
      """
    for conversion in conversions {
      let column = Self.path(SQLName(conversion.newTable), SQLName(conversion.newColumn ?? "")) + " "
      _ = try connection.onLedger(LedgerShape.meta) {
        try connection.run(
          sql, [.text(Self.conversionKey(schema, "")), .text(column), .text(Self.undoneMark)])
      }
    }
  }

  private static func path(_ table: SQLName, _ column: SQLName) -> String {
    "\(table.quotedIfNeeded).\(column.quotedIfNeeded)"
  }

  /// Records conversions that this file no longer needs. Undoing a change does not restore values that a conversion
  /// replaced, so the records stay.
  ///
  /// - Parameters:
  ///   - again: The conversions whose column has regained the new type that an undo had reverted.
  ///   - step: The title of the recorded step that they are part of.
  package func noteApplied(
    _ conversions: [ColumnConversion], again: Set<ColumnConversion> = [], step: String?, of schema: String
  ) throws {
    let sql = """
      INSERT INTO main._schemakit_meta (key, value) VALUES (?1, ?2 || ' ' || strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE ?3
      """
    for conversion in conversions.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
      let column = Self.path(conversion.table, conversion.column)
      // The file may also be migrated to a schema as a whole, which has no steps.
      for digest in Set([conversion.digest(step: nil), conversion.digest(step: step)]).sorted() {
        _ = try connection.onLedger(LedgerShape.meta) {
          try connection.run(
            sql,
            [.text(Self.conversionKey(schema, digest)), .text(column), .integer(again.contains(conversion) ? 1 : 0)])
        }
      }
    }
  }
}
