import OrderedCollections

/// Which of an author's conversions a way from one schema to another makes use of.
///
/// A conversion stays in the declaration when it has done its work. The ledger of each file says which are spent there.
struct ConversionUse {
  let source: DatabaseSchema
  let renames: SchemaRenames

  /// The conversions that a file has no more use for when the way is gone: those of columns that got another type, and
  /// those of tables and columns that are new.
  func spent(of hints: MigrationHints, in result: DatabaseSchema) -> [ColumnConversion] {
    hints.conversions.filter { change(of: $0, in: result).map { !$0.old.hasSameType(as: $0.new) } ?? true }
  }

  /// What an author should know of conversions that are not done on the way.
  ///
  /// - Parameters:
  ///   - hints: The hints without the conversions that are spent.
  ///   - spent: Those conversions.
  ///   - diff: What the way changes; a column whose table stays as it is needs no word.
  func notes(on hints: MigrationHints, spent: [ColumnConversion], in diff: SchemaDiff) -> [Hazard] {
    let again = spent.compactMap { conversion -> Hazard? in
      guard let change = change(of: conversion, in: diff), !change.old.hasSameType(as: change.new) else { return nil }
      return note(
        conversion,
        "The conversion of \(conversion.table).\(conversion.column) was done in this file before and is not done again; the "
          + "values are taken over as they are.",
        "If they must be converted once more, write another expression, or give the function another version.")
    }
    let idle = hints.conversions.compactMap { conversion -> Hazard? in
      guard let change = change(of: conversion, in: diff), change.old.hasSameType(as: change.new) else { return nil }
      let type = change.new.type.map { $0.isEmpty ? "without a type" : $0 } ?? "without a type"
      return note(
        conversion,
        "The conversion of \(conversion.table).\(conversion.column) is not done: the column stays \(type), and a "
          + "conversion belongs to a change of the type.",
        "To change values of a type that stays, use UPDATE, in a recorded step or a data step.")
    }
    return (again + idle).sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }

  private func note(_ conversion: ColumnConversion, _ message: String, _ remedy: String) -> Hazard {
    Hazard(
      .lossyConversion, table: conversion.table, column: conversion.column, message: message, remedy: remedy,
      isNote: true)
  }

  private func change(of conversion: ColumnConversion, in diff: SchemaDiff) -> (old: ColumnSchema, new: ColumnSchema)? {
    diff.changedTables.first { $0.to.name == conversion.table }
      .flatMap { table in table.to.column(conversion.column).flatMap { new in old(of: conversion).map { ($0, new) } } }
  }

  /// The column before and after; nil where it is new.
  private func change(
    of conversion: ColumnConversion, in result: DatabaseSchema
  ) -> (old: ColumnSchema, new: ColumnSchema)? {
    result.table(conversion.table)?.column(conversion.column).flatMap { new in old(of: conversion).map { ($0, new) } }
  }

  private func old(of conversion: ColumnConversion) -> ColumnSchema? {
    let column = renames.formerColumn(conversion.column, of: conversion.table)
    return source.table(renames.formerTable(conversion.table))?.column(column)
  }
}

extension DeclaredTarget {
  /// Takes out the conversions that a file has no more use for, as its ledger says, and returns them.
  mutating func removeSpentConversions(on connection: any SQLConnection) throws -> [ColumnConversion] {
    guard !hints.conversions.isEmpty else { return [] }
    return hints.removeConversions(try Ledger(connection: connection).spentConversions(of: name), step: step)
  }
}
