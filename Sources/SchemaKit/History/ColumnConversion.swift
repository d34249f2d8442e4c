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

  /// The name of the conversion's row in the ledger.
  ///
  /// - Parameter step: The recorded step that the conversion is a part of; nil where it stands in a declared schema. Two
  ///   steps may well convert a column by the same expression.
  func digest(step: String?) -> String {
    let words = [step ?? "", table.folded, column.folded, identity]
    return SHA256.hexDigest(of: words.map { "\($0.utf8.count) \($0)" }.joined(separator: " "))
  }
}

extension MigrationHints {
  /// The conversions of all columns.
  var conversions: [ColumnConversion] {
    tables.flatMap { table, hints in
      hints.columns.compactMap { column, hint in
        hint.conversionIdentity.map { ColumnConversion(table: table, column: column, identity: $0) }
      }
    }
  }

  /// Takes out the conversions that a file has no more use for, and returns them.
  ///
  /// - Parameter digests: The digests of these, under the present or a former name of the table and the column.
  mutating func removeConversions(_ digests: Set<String>, step: String?) -> [ColumnConversion] {
    guard !digests.isEmpty else { return [] }
    let spent = conversions.filter { conversion in
      let table = tables[conversion.table]
      let former = [conversion.table] + (table?.renamedFrom ?? [])
      let columns = [conversion.column] + (table?.columns[conversion.column]?.renamedFrom ?? [])
      return former.contains { table in
        columns.contains { column in
          let known = ColumnConversion(table: table, column: column, identity: conversion.identity)
          return digests.contains(known.digest(step: step))
        }
      }
    }
    for conversion in spent { tables[conversion.table]?.columns[conversion.column]?.conversion = nil }
    return spent
  }

  /// The hints without the conversions that earlier ones have had.
  package func withoutConversions(in earlier: [MigrationHints]) -> MigrationHints {
    var hints = self
    _ = hints.removeConversions(Set(earlier.flatMap(\.conversions).map { $0.digest(step: nil) }), step: nil)
    return hints
  }
}

extension ColumnHints {
  /// What tells the conversion from others; nil where there is none.
  var conversionIdentity: String? { conversion.map { conversionFunction ?? $0 } }
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
  /// - Parameter step: The recorded step that they are a part of.
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
