import OrderedCollections

/// Which of an author's conversions a way from one schema to another makes use of.
///
/// A conversion stays in the declaration when it has done its work. The ledger of each file says which are spent there.
struct ConversionUse {
  let source: DatabaseSchema
  let renames: SchemaRenames

  /// The conversions that a file has no more use for when the way is gone: those of columns that got another type, and
  /// those of tables and columns that are new.
  ///
  /// - Parameters:
  ///   - changed: The tables that the way changes.
  ///   - isFirst: Whether the file meets the schema for the first time. Then somebody else has done what it took to come
  ///     to the tables that are as declared.
  func spent(
    of hints: MigrationHints, in result: DatabaseSchema, changed: Set<SQLName>, isFirst: Bool
  ) -> [ColumnConversion] {
    hints.conversions.filter { conversion in
      guard let new = result.table(conversion.table)?.column(conversion.column), let old = old(of: conversion) else {
        return true
      }
      return !old.hasSameType(as: new) || (isFirst && !changed.contains(conversion.table))
    }
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

  /// What an author should know of conversions that are not done because the type stays.
  ///
  /// - Parameter diff: What the way changes; a column whose table stays as it is needs no word.
  func notes(on hints: MigrationHints, in diff: SchemaDiff) -> [Hazard] {
    hints.conversions.compactMap { conversion -> Hazard? in
      guard let table = diff.changedTables.first(where: { $0.to.name == conversion.table })?.to,
        let new = table.column(conversion.column), let old = old(of: conversion), old.hasSameType(as: new)
      else { return nil }
      let type = new.type.map { $0.isEmpty ? "without a type" : $0 } ?? "without a type"
      return Hazard(
        .lossyConversion, table: conversion.table, column: conversion.column,
        message:
          "The conversion of \(conversion.table).\(conversion.column) is not done: the column stays \(type), and a "
          + "conversion belongs to a change of the type.",
        remedy: "To change values of a type that stays, use UPDATE, in a recorded step or a data step.", isNote: true)
    }.sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }

  /// The column before; nil where it is new.
  private func old(of conversion: ColumnConversion) -> ColumnSchema? {
    let column = renames.formerColumn(conversion.column, of: conversion.table)
    return source.table(renames.formerTable(conversion.table))?.column(column)
  }
}

extension DeclaredTarget {
  /// Takes out the conversions that a file has no more use for, as its ledger says, and keeps them as such.
  ///
  /// Without a ledger, the stored text of a table tells: it has the hints of the SQL that the table was made from.
  package mutating func spendConversions(on connection: any SQLConnection, source: DatabaseSchema? = nil) throws {
    guard !hints.conversions.isEmpty else { return }
    let ledger = Ledger(connection: connection)
    if let source, step == nil, try ledger.record(of: name) == nil {
      hints.spendConversions(hints.digestsStored(in: source), step: nil)
    }
    let spent = try ledger.spentConversions(of: name)
    hints.spendConversions(spent.all, undone: spent.undone, step: step)
  }
}

extension MigrationHints {
  /// The digests of the conversions that stand in the stored texts of their tables.
  fileprivate func digestsStored(in source: DatabaseSchema) -> Set<String> {
    let stored = conversions.filter { conversion in
      let names = [conversion.table] + (tables[conversion.table]?.renamedFrom ?? [])
      return names.contains { name in
        guard let sql = source.tables[name]?.sql, let read = try? SQLLexer.tokensAndComments(of: sql) else {
          return false
        }
        return read.comments.contains {
          $0.text.contains("schemakit:") && $0.text.contains("convert \(conversion.identity)")
        }
      }
    }
    return Set(stored.map { $0.digest(step: nil) })
  }
}
