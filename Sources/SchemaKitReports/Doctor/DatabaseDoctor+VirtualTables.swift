import OrderedCollections
import SchemaKit

// Virtual tables whose modules keep their content in tables of their own.

extension DatabaseDoctor {
  /// Finds virtual tables that have lost tables which their modules make, as another tool drops what it does not know.
  ///
  /// Another version of a module that is not SQLite's may make other tables: a table that can be read lacks nothing.
  ///
  /// *Cost:* creates each virtual table in memory.
  func lostTables(in schema: DatabaseSchema) throws -> [Finding] {
    try schema.virtualTables.values.filter(\.isModuleLoaded).compactMap { table in
      guard let lost = try ModuleTables(of: table.sql)?.lost(in: connection), !lost.isEmpty,
        table.isFullText || !canBeRead(table)
      else { return nil }
      let name = table.name.quotedIfNeeded
      let isFilled =
        table.isFullText && !table.isContentless && !lost.contains { $0.name == SQLName("\(table.name)_content") }
      return Finding(
        .lostTables, table: table.name,
        message:
          "Virtual table \(name) lacks \(Wording.list(lost.map(\.name.quotedIfNeeded))), in which its module keeps "
          + "content: it may be neither read nor dropped.",
        fix: isFilled
          ? "Copy the file. Make \(lost.count == 1 ? "it" : "them") anew, and let SQLite fill the index from the texts that are left."
          : "Copy the file. Make \(lost.count == 1 ? "it" : "them") anew, empty, and look what \(name) still holds.",
        sql: lost.flatMap(\.statements).map { $0 + ";" } + (isFilled ? [Self.rebuild(table)] : []))
    }
  }

  private func canBeRead(_ table: VirtualTableSchema) -> Bool {
    (try? connection.rows("SELECT * FROM main.\(table.name.quoted) LIMIT 1")) != nil
  }

  /// The statement that fills a full-text index from its texts.
  static func rebuild(_ table: VirtualTableSchema) -> String {
    let name = table.name.quotedIfNeeded
    return "INSERT INTO \(name) (\(name)) VALUES ('rebuild');"
  }
}

extension VirtualTableSchema {
  /// True if the table is a full-text index of a kind that SQLite can check and fill.
  var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module.folded) }
}
