import OrderedCollections

/// Finds views and triggers in which the name of a dropped column would become a string literal, or the rowid.
///
/// SQLite treats a double-quoted name that matches nothing as a string literal, and compiles the statement:
/// [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote). A view that read a column in
/// this way would return the column's name from then on, in every row.
///
/// *Cost:* nothing if no view or trigger needs a dropped column; else compiles the views and triggers once more.
struct LostColumns {
  /// The schema before, and the one after.
  let source: DatabaseSchema
  let result: DatabaseSchema
  let renames: SchemaRenames
  /// The dependencies of the views and triggers before the change.
  let needed: Dependencies

  /// - Parameter connection: The clone of the catalog after the change.
  func hazards(on connection: SQLiteConnection) throws -> [Hazard] {
    let lost = needed.direct.compactMapValues { references -> [ColumnReference]? in
      let gone = references.filter { reference in
        reference.column.map { !isThere($0, in: reference) || losesRowID($0, in: reference) } ?? false
      }
      return gone.isEmpty ? nil : gone.sorted()
    }
    guard !lost.isEmpty else { return [] }
    return rowNumbers(lost) + (try texts(lost, on: connection))
  }

  /// The hazards of views and triggers that would read the rowid, since the column has one of its names.
  private func rowNumbers(_ lost: [SQLName: [ColumnReference]]) -> [Hazard] {
    lost.sorted { $0.key < $1.key }.flatMap { viewAndTrigger($0.key, reading: $0.value) }.compactMap { reader in
      let reference = reader.references.first { reference in
        reference.column?.isNameOfRowID == true
          && result.tables[renames.newTable(reference.table)].map { !$0.isWithoutRowID } == true
      }
      guard let reference, let column = reference.column,
        let tokens = try? SQLLexer.tokens(of: reader.sql), tokens.contains(where: { $0.name == column })
      else { return nil }
      let cause = BrokenObjectHazard.rowIDForColumn(kind: reader.kind, table: reference.table, column: column)
      var hazard = Hazard(.brokenObject, table: reader.name, cause: HazardCause(cause))
      hazard.isDeclaredFault = true
      return hazard
    }
  }

  /// The hazards of views and triggers that would read a text, since the name stands in double quotes.
  private func texts(_ lost: [SQLName: [ColumnReference]], on connection: SQLiteConnection) throws -> [Hazard] {
    // A statement that compiles with such literals disallowed contains none.
    let readers = lost.sorted { $0.key < $1.key }.flatMap { viewAndTrigger($0.key, reading: $0.value) }
    let probed = Set(readers.map(\.probed))
    let failing = Set(
      WriteProbes(connection: connection, allowsDoubleQuotedText: false).failures(in: result, objects: probed)
        .filter { SQLiteError.isAboutMissingColumn($0.value.message) }.map(\.key.object))
    guard !failing.isEmpty else { return [] }
    let after = try DependencyReader(connection: connection).read(result)
    return readers.flatMap { reader -> [Hazard] in
      guard failing.contains(reader.probed), let tokens = try? SQLLexer.tokens(of: reader.sql) else { return [] }
      let object = reader.name
      // The alias of a result follows AS, and reads nothing.
      let quoted = Set(
        zip([nil] + tokens.map { Optional($0) }, tokens).filter { before, token in
          token.kind == .quotedName && token.text.hasPrefix("\"") && before?.isKeyword("AS") != true
        }.compactMap(\.1.name))
      return reader.references.compactMap { reference in
        guard var column = reference.column else { return nil }
        if losesRowID(column, in: reference) {
          guard let name = quoted.sorted().first(where: \.isNameOfRowID) else { return nil }
          column = name
        } else if !quoted.contains(column) || (after.direct[object] ?? []).contains(where: { $0.column == column }) {
          return nil
        }
        let cause = BrokenObjectHazard.textForColumn(kind: reader.kind, table: reference.table, column: column)
        var hazard = Hazard(.brokenObject, table: object, cause: HazardCause(cause))
        hazard.isDeclaredFault = true
        return hazard
      }
    }
  }

  /// A view or trigger that read a dropped column.
  private struct ColumnUser {
    var kind: ObjectReference.Kind
    var name: SQLName
    var sql: String
    /// The table or view whose statements compile it.
    var probed: SQLName
    var references: [ColumnReference]
  }

  /// The view and the trigger of that name: both may exist, and the compiler reports only the name.
  private func viewAndTrigger(_ name: SQLName, reading references: [ColumnReference]) -> [ColumnUser] {
    let view = result.views[name].map {
      ColumnUser(kind: .view, name: name, sql: $0.sql, probed: name, references: references)
    }
    let trigger = result.triggers[name].map {
      ColumnUser(kind: .trigger, name: name, sql: $0.sql, probed: $0.table, references: references)
    }
    return [view, trigger].compactMap(\.self)
  }

  /// True if a column is the rowid of a table that has none after the change. SQLite tells of the rowid by the name of the column
  /// that is it.
  private func losesRowID(_ column: SQLName, in reference: ColumnReference) -> Bool {
    guard let former = source.tables[reference.table], !former.isWithoutRowID,
      let table = result.tables[renames.newTable(reference.table)], table.isWithoutRowID
    else { return false }
    return former.rowIDAlias.map { $0.name == column } ?? (column.isNameOfRowID && former.column(column) == nil)
  }

  /// True if a column still exists under its name. Columns of views are not checked: they change with their tables.
  private func isThere(_ column: SQLName, in reference: ColumnReference) -> Bool {
    guard source.tables[reference.table] != nil else { return true }
    guard let table = result.tables[renames.newTable(reference.table)] else { return false }
    return table.column(column) != nil || source.tables[reference.table]?.column(column) == nil
  }
}
