import OrderedCollections

/// Which of a declared conversions and fills a way from one schema to another makes use of.
///
/// A conversion stays in the declaration when it has done its work. The ledger of each file says which are spent there.
struct ConversionUse {
  let source: DatabaseSchema
  let renames: SchemaRenames

  /// The conversions and fills that a file has no more use for once this migration has run: those that were done,
  /// and those of tables and columns that are new.
  ///
  /// - Parameters:
  ///   - changed: The tables that the way changes.
  ///   - isFirst: Whether the file meets the schema for the first time. Then somebody else has done what it took to come
  ///     to the tables that are as declared.
  func spent(
    of hints: MigrationHints, in result: DatabaseSchema, changed: Set<SQLName>, isFirst: Bool
  ) -> [ColumnConversion] {
    func isSpent(_ conversion: ColumnConversion, _ isDone: (ColumnSchema, ColumnSchema) -> Bool)
      -> Bool
    {
      guard let new = result.table(conversion.table)?.column(conversion.column), let old = old(of: conversion) else {
        return true
      }
      return isDone(old, new) || (isFirst && !changed.contains(conversion.table))
    }
    return hints.conversions.filter { isSpent($0) { !$0.hasSameType(as: $1) } }
      + hints.fills.filter { isSpent($0) { !$0.isNotNull && $1.isNotNull } }
  }

  /// Those of some conversions whose column the way gives another type.
  func changingType(_ conversions: [ColumnConversion], in result: DatabaseSchema) -> Set<ColumnConversion> {
    Set(
      conversions.filter { conversion in
        guard let new = result.table(conversion.table)?.column(conversion.column), let old = old(of: conversion) else {
          return false
        }
        return !old.hasSameType(as: new)
      })
  }

  /// The column before; nil where it is new.
  func old(of conversion: ColumnConversion) -> ColumnSchema? {
    let column = renames.formerColumn(conversion.column, of: conversion.table)
    return source.table(renames.formerTable(conversion.table))?.column(column)
  }
}

extension TargetSchema {
  /// Takes out the conversions that a file has no more use for, as its ledger says, and keeps them as such. Fills stay, and
  /// are known for spent.
  ///
  /// Without a ledger, the stored text of a table tells: it has the hints of the SQL that the table was made from.
  package mutating func markAppliedConversions(on connection: any SQLConnection, source: DatabaseSchema? = nil) throws {
    guard !hints.conversions.isEmpty || !hints.fills.isEmpty else { return }
    let ledger = Ledger(connection: connection)
    if let source, step == nil, try ledger.record(of: name) == nil {
      hints.markAppliedConversions(hints.digestsStored(in: source), step: nil)
    }
    let spent = try ledger.appliedConversions(of: name)
    hints.markAppliedConversions(spent.all, undone: spent.undone, step: step)
  }
}

extension MigrationHints {
  /// The digests of the conversions and fills that stand in the stored texts of their tables.
  fileprivate func digestsStored(in source: DatabaseSchema) -> Set<String> {
    func areStored(_ conversion: ColumnConversion, as words: String) -> Bool {
      let names = [conversion.table] + (tables[conversion.table]?.renamedFrom ?? [])
      return names.contains { name in
        guard let sql = source.tables[name]?.sql, let read = try? SQLLexer.tokensAndComments(of: sql) else {
          return false
        }
        return read.comments.contains {
          $0.text.contains("schemakit:") && $0.text.contains(words)
        }
      }
    }
    let stored =
      conversions.filter { areStored($0, as: "convert \($0.identity)") }
      + fills.filter { areStored($0, as: $0.identity) }
    return Set(stored.map { $0.digest(step: nil) })
  }
}
