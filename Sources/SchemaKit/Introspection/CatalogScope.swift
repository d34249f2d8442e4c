/// The part of a catalog that some declared objects have to do with: they themselves, and whatever belongs to their
/// tables and views, such as the indexes and triggers of others.
///
/// Models own nothing else in a file, so that they can be compared with this part alone: what they neither declare nor
/// declared before is left as it is, whatever it may be.
struct CatalogScope: Sendable {
  /// The tables and views, and every other object that is looked for by its name.
  let names: Set<SQLName>

  func contains(_ entry: CatalogReader.Entry) -> Bool {
    names.contains(SQLName(entry.table)) || names.contains(SQLName(entry.name))
  }
}

extension CatalogReader.Entry {
  /// Whether the object is SQLite's or SchemaKit's own, or part of another that has the statement.
  var isInternal: Bool {
    sql == nil || SQLName(name).folded.hasPrefix("sqlite_") || SQLName(table).isReserved
  }

  /// Whether a table is one that a module keeps. SQLite begins the stored statement of any other with these words.
  ///
  /// What begins in other words was written there by somebody else, and is not taken for a plain table.
  var isVirtualTable: Bool { type == "table" && sql?.utf8.starts(with: "CREATE TABLE ".utf8) == false }
}

extension [CatalogReader.Entry] {
  /// The names of objects with statements, by their kind, as plans name them: tables, views, indexes, triggers.
  var namesByKind: [SQLName] {
    ["table", "view", "index", "trigger"].flatMap { type in filter { $0.type == type }.map { SQLName($0.name) } }
  }
}
