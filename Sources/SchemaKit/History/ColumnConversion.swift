import OrderedCollections

/// An author's conversion of one column, as the ledger remembers that a file has no more use for it.
///
/// A conversion is written for the values that were there before it. Done again, at the next change of the column's type,
/// it would take its own results for them.
package struct ColumnConversion: Sendable, Hashable {
  var table: SQLName
  var column: SQLName
  /// The expression, or what tells a function in Swift from others.
  var identity: String

  /// What tells an expression from others. The call of a function in Swift has that in a comment, as the function's name is
  /// nothing but its place among the others.
  static func identity(of expression: String) -> String {
    guard ColumnHints.isSwift(expression), let start = expression.firstRange(of: "/* ")?.upperBound else {
      return expression
    }
    return String(expression[start...].dropLast(" */".count))
  }

  /// The name of the conversion's row in the ledger.
  ///
  /// - Parameter step: The title of the recorded step that the conversion is a part of, which it keeps when it gets
  ///   another number; nil where it stands in a declared schema. Two steps may well convert a column by one expression.
  func digest(step: String?) -> String {
    let words = [step ?? "", table.folded, column.folded, identity]
    return SHA256.hexDigest(of: words.map { "\($0.utf8.count) \($0)" }.joined(separator: " "))
  }
}

extension MigrationHints {
  /// The conversions of all columns.
  var conversions: [ColumnConversion] { conversions { $0.conversion.map(ColumnConversion.identity(of:)) } }

  /// The conversions that the file has no more use for.
  var spentConversions: [ColumnConversion] {
    conversions { $0.spentConversion.map(ColumnConversion.identity(of:)) }
  }

  private func conversions(_ identity: (ColumnHints) -> String?) -> [ColumnConversion] {
    tables.flatMap { table, hints in
      hints.columns.compactMap { column, hint in
        identity(hint).map { ColumnConversion(table: table, column: column, identity: $0) }
      }
    }
  }

  /// Takes out the conversions that a file has no more use for, and keeps them as such.
  ///
  /// - Parameters:
  ///   - digests: The digests of these, under the present or a former name of the table and the column.
  ///   - step: The title of the recorded step that the hints belong to.
  mutating func spendConversions(_ digests: Set<String>, step: String?) {
    guard !digests.isEmpty else { return }
    for conversion in conversions where isAmong(digests, conversion, step: step) {
      guard var hint = tables[conversion.table]?.columns[conversion.column] else { continue }
      hint.spentConversion = hint.conversion
      hint.conversion = nil
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

  /// The hints without the conversions that earlier ones have had, and what these were of.
  package func withoutConversions(in earlier: [MigrationHints]) -> (hints: MigrationHints, spent: [String]) {
    var hints = self
    hints.spendConversions(Set(earlier.flatMap(\.conversions).map { $0.digest(step: nil) }), step: nil)
    let spent = hints.spentConversions
    for conversion in spent { hints.tables[conversion.table]?.columns[conversion.column]?.spentConversion = nil }
    return (hints, spent.map { "\($0.table.quotedIfNeeded).\($0.column.quotedIfNeeded)" }.sorted())
  }
}

// Each conversion is a row of `_schemakit_meta`: its digest behind the name of the schema, with the column and the time.
extension Ledger {
  private static func conversionKey(_ schema: String, _ digest: String) -> String {
    "conversion \(schema.unicodeScalars.count) \(schema) \(digest)"
  }

  /// The digests of the conversions that this file has no more use for.
  func spentConversions(of schema: String) throws -> Set<String> {
    guard try exists() else { return [] }
    let prefix = Self.conversionKey(schema, "")
    let sql = "SELECT key FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1"
    return try connection.onLedger(LedgerShape.meta) {
      Set(try connection.texts(sql, [.text(prefix)]).map { String($0.dropFirst(prefix.count)) })
    }
  }

  /// Notes conversions that this file has no more use for. Undoing a change gives no value back that a conversion
  /// replaced, so they stay.
  ///
  /// - Parameter step: The title of the recorded step that they are a part of.
  func noteSpent(_ conversions: [ColumnConversion], step: String?, of schema: String) throws {
    let sql = """
      INSERT INTO main._schemakit_meta (key, value) VALUES (?1, ?2 || ' ' || strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) \
      ON CONFLICT (key) DO NOTHING
      """
    for conversion in conversions.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
      let column = "\(conversion.table.quotedIfNeeded).\(conversion.column.quotedIfNeeded)"
      // The file may be brought to a schema as a whole as well, which has no steps.
      for digest in Set([conversion.digest(step: nil), conversion.digest(step: step)]).sorted() {
        _ = try connection.onLedger(LedgerShape.meta) {
          try connection.run(sql, [.text(Self.conversionKey(schema, digest)), .text(column)])
        }
      }
    }
  }
}
