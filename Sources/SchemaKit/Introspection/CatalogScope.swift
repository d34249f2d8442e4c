/// The part of a catalog that concerns some declared objects: the objects themselves, and whatever belongs to their
/// tables and views, such as indexes and triggers created by others.
///
/// Models own nothing else in a file, so they can be compared with this part alone: what they neither declare nor
/// declared before is left unchanged, whatever it may be.
struct CatalogScope: Sendable {
  /// The tables and views, and every other object that is looked up by name.
  let names: Set<SQLName>

  func contains(_ entry: CatalogReader.Entry) -> Bool {
    names.contains(SQLName(entry.table)) || names.contains(SQLName(entry.name))
  }
}

extension CatalogReader.Entry {
  /// True if the object is SQLite's or SchemaKit's own, or part of another object that has the statement.
  var isInternal: Bool {
    sql == nil || SQLName(name).folded.hasPrefix("sqlite_") || SQLName(table).isOutsideSchemas
  }

  /// True if a table is a virtual table. SQLite always begins the stored statement of any other table with these words.
  ///
  /// A statement that begins differently was written there by somebody else, and is not taken for an ordinary table.
  var isVirtualTable: Bool { type == "table" && sql?.utf8.starts(with: "CREATE TABLE ".utf8) == false }
}

extension [CatalogReader.Entry] {
  /// The names of objects with statements, by the kinds that plans use: tables, views, indexes, triggers.
  var namesByKind: [SQLName] {
    ["table", "view", "index", "trigger"].flatMap { type in filter { $0.type == type }.map { SQLName($0.name) } }
  }
}
