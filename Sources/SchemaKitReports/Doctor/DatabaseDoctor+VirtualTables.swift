import OrderedCollections
import SchemaKit

// Virtual tables whose modules keep their content in tables of their own.

extension DatabaseDoctor {
  /// Finds virtual tables that have lost tables which their modules make, as another tool drops what it does not know.
  ///
  /// *Cost:* creates each virtual table in memory.
  func lostTables(in schema: DatabaseSchema) throws -> [Finding] {
    try schema.virtualTables.values.filter(\.isModuleLoaded).compactMap { table in
      let lost = try ModuleTables(of: table.sql)?.restoring(in: connection) ?? []
      guard !lost.isEmpty else { return nil }
      let name = table.name.quotedIfNeeded
      let isFilled = table.isFullText && !table.isContentless
      return Finding(
        .lostTables, table: table.name,
        message:
          "Virtual table \(name) lacks tables that its module keeps content in: it may be neither read nor dropped.",
        fix: isFilled
          ? "Make them anew, and let SQLite fill the index from the texts that are left."
          : "Make them anew, so that \(name) can be dropped and made again; fill it then from where its rows came from.",
        sql: (lost + (isFilled ? [] : ["DROP TABLE \(name)", table.sql])).map { $0 + ";" }
          + (isFilled ? [Self.rebuild(table)] : []))
    }
  }

  /// The statement that fills a full-text index from its texts.
  static func rebuild(_ table: VirtualTableSchema) -> String {
    let name = table.name.quotedIfNeeded
    return "INSERT INTO \(name) (\(name)) VALUES ('rebuild');"
  }
}

extension VirtualTableSchema {
  /// Whether the table is a full-text index of a kind that SQLite can check and fill.
  var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module.folded) }
}
