/// SK217: rows of other tables name a table or a column that is renamed or dropped, and keep the old name.
///
/// Applies to the registers of [GeoPackage](https://www.geopackage.org/spec140/index.html) and SpatiaLite, by which programs find what a
/// file holds. SQLite does not know what such rows mean. A note.
package struct RegisteredNameNote: HazardWording {
  /// The tables with such rows.
  package let registers: [SQLName]
  /// The name that the table or column had.
  package let former: SQLName
  /// The name that it gets; nil if it is dropped.
  package let new: SQLName?

  package init(registers: [SQLName], former: SQLName, new: SQLName?) {
    self.registers = registers
    self.former = former
    self.new = new
  }

  package func message(for hazard: Hazard) -> String {
    let rows = Wording.counted(hazard.count ?? 0, "row")
    let what = hazard.column == nil ? "" : "column "
    let change = new.map { "becomes \($0.quotedIfNeeded)" } ?? "is dropped"
    return "\(rows) of \(Wording.list(registers.map(\.quotedIfNeeded))) \(hazard.verb("name")) \(what)"
      + "\(former.quotedIfNeeded), which \(change): \(hazard.count == 1 ? "it keeps" : "they keep") the old name."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    "Change \(hazard.count == 1 ? "it" : "them") too, in a recorded step or with the program that reads them."
  }
}

/// A table whose rows name tables and columns of the same file.
package struct NameRegister: Sendable {
  package let table: SQLName
  /// Its columns that hold names of tables.
  package let tableNames: [SQLName]
  /// Its columns that hold names of columns.
  package let columnNames: [SQLName]

  /// Nil where a table is not known as one.
  package init?(_ table: TableSchema) {
    guard table.name.folded.hasPrefix("gpkg_") || Self.others.contains(table.name) else { return nil }
    self.table = table.name
    tableNames = table.columns.map(\.name).filter(Self.ofTables.contains)
    columnNames = table.columns.map(\.name).filter(Self.ofColumns.contains)
    guard !tableNames.isEmpty else { return nil }
  }

  /// The condition for rows that name a table, or one of its columns.
  package func names(_ name: SQLName, column: SQLName?) -> String? {
    func any(_ columns: [SQLName], _ name: SQLName) -> String? {
      guard !columns.isEmpty else { return nil }
      let tests = columns.map { "\($0.quoted) = \(SQLQuoting.literal(name.text)) COLLATE NOCASE" }
      return "(\(tests.joined(separator: " OR ")))"
    }
    guard let table = any(tableNames, name) else { return nil }
    guard let column else { return table }
    return any(columnNames, column).map { "\(table) AND \($0)" }
  }

  private static let others: Set<SQLName> = ["geometry_columns", "views_geometry_columns", "virts_geometry_columns"]
  private static let ofTables: Set<SQLName> = [
    "table_name", "f_table_name", "view_name", "virt_name", "base_table_name", "related_table_name",
    "mapping_table_name",
  ]
  private static let ofColumns: Set<SQLName> = [
    "column_name", "f_geometry_column", "view_geometry", "virt_geometry", "geometry_column_name",
  ]
}

extension HazardCode {
  /// Rows of other tables name what is renamed or dropped.
  public static let registeredName = Self("SK217", .note, "rows that name what is renamed or dropped")
}
