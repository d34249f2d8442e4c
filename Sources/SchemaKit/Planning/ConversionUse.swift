import OrderedCollections

/// Determines which declared conversions and fills the migration from one schema to another uses.
///
/// A conversion may stay in the declaration after it has run. The ledger of each file says which have been applied there.
struct ConversionUse {
  let source: DatabaseSchema
  let renames: SchemaRenames
  /// True if the migration makes other values of those of a column although its type stays.
  var changesForm: (ColumnConversion) -> Bool = { _ in false }

  /// The conversions and fills that a file no longer needs once this migration has run: those that were done, and those
  /// of tables and columns that are new.
  ///
  /// - Parameters:
  ///   - changed: The tables that the migration changes.
  ///   - isFirst: True if the file is migrated to the schema for the first time. Then the tables that match the
  ///     declaration already had whatever conversions they needed.
  func applied(
    of hints: MigrationHints, in result: DatabaseSchema, changed: Set<SQLName>, isFirst: Bool
  ) -> [ColumnConversion] {
    func isApplied(_ conversion: ColumnConversion, _ isDone: (ColumnSchema, ColumnSchema) -> Bool)
      -> Bool
    {
      guard let new = result.table(conversion.table)?.column(conversion.column), let old = old(of: conversion) else {
        return true
      }
      return isDone(old, new) || (isFirst && !changed.contains(conversion.table))
    }
    func isFilled(_ fill: ColumnConversion) -> Bool {
      isApplied(fill) { old, new in
        source.table(renames.formerTable(fill.table))?.refusesNull(in: old) == false
          && result.table(fill.table)?.refusesNull(in: new) == true
      }
    }
    return hints.conversions.filter { conversion in
      changesForm(conversion) || isApplied(conversion) { !$0.hasSameType(as: $1) }
    }
      + hints.fills.filter(isFilled)
  }

  /// Returns the conversions whose column changes its type in the migration.
  func changingType(_ conversions: [ColumnConversion], in result: DatabaseSchema) -> Set<ColumnConversion> {
    Set(
      conversions.filter { conversion in
        guard let new = result.table(conversion.table)?.column(conversion.column), let old = old(of: conversion) else {
          return false
        }
        return !old.hasSameType(as: new) || changesForm(conversion)
      })
  }

  /// The former column; nil if the column is new.
  func old(of conversion: ColumnConversion) -> ColumnSchema? {
    let column = renames.formerColumn(conversion.column, of: conversion.table)
    return source.table(renames.formerTable(conversion.table))?.column(column)
  }
}

extension TargetSchema {
  /// Removes the conversions that a file no longer needs according to its ledger, and records them as applied. Fills
  /// stay, and are known to be applied.
  ///
  /// Without a ledger, the stored text of a table is decisive: it contains the hints of the SQL that created the table.
  package mutating func markAppliedConversions(on connection: any SQLConnection, source: DatabaseSchema? = nil) throws {
    guard !hints.conversions.isEmpty || !hints.fills.isEmpty else { return }
    let ledger = Ledger(connection: connection)
    if let source, step == nil, try ledger.record(of: name) == nil {
      hints.markAppliedConversions(hints.digestsStored(in: source), step: nil)
    }
    let applied = try ledger.appliedConversions(of: name)
    hints.markAppliedConversions(applied.all, undone: applied.undone, step: step)
  }
}

extension MigrationHints {
  /// The digests of the conversions and fills found in the stored text of their tables.
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
