/// A database's schema together with the schema cookie that tells whether it is still current.
///
/// See [PRAGMA schema_version](https://sqlite.org/pragma.html#pragma_schema_version).
package struct KnownCatalog: Sendable {
  package let schema: DatabaseSchema
  /// The part of the catalog that was read; nil for all of it.
  let scope: CatalogScope?
  /// The objects that were not read.
  let others: [SQLName]
  /// Its number among those that are remembered; nil where none are.
  let number: Int?
  private let cookie: Int64

  /// Reads the schema of a connection.
  package init(_ connection: any SQLConnection) throws { try self.init(connection, scope: nil) }

  /// Reads the part of a schema that concerns some objects.
  ///
  /// If there are virtual tables, all of it is read: it takes all statements together to tell which tables are their
  /// shadows.
  ///
  /// - Parameter names: The tables and views, and any other object that is looked up.
  package init(_ connection: any SQLConnection, concerning names: Set<SQLName>) throws {
    try self.init(connection, scope: CatalogScope(names: names))
  }

  /// All of a schema that was read with some cookie.
  init(schema: DatabaseSchema, cookie: Int64, number: Int) {
    self.schema = schema
    self.cookie = cookie
    self.number = number
    scope = nil
    others = []
  }

  private init(_ connection: any SQLConnection, scope: CatalogScope?) throws {
    number = nil
    cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    let entries = try CatalogReader(connection: connection).entries()
    guard let scope, !entries.contains(where: \.isVirtualTable) else {
      self.scope = nil
      others = []
      schema = try SchemaReader.read(entries, of: connection)
      return
    }
    self.scope = scope
    var concerned: [CatalogReader.Entry] = []
    var rest: [CatalogReader.Entry] = []
    for entry in entries {
      if entry.isInternal || scope.contains(entry) { concerned.append(entry) } else { rest.append(entry) }
    }
    others = rest.namesByKind
    schema = try SchemaReader.read(concerned, of: connection)
  }

  /// True if this still matches the catalog.
  func isCurrent(on connection: any SQLConnection) throws -> Bool {
    try connection.integer("PRAGMA main.schema_version") == cookie
  }

  /// The current schema: the known one if the cookie is the same, else read again.
  ///
  /// - Parameter known: The catalog that was read from the same file before, if any.
  static func schema(of connection: any SQLConnection, known: KnownCatalog?) throws -> DatabaseSchema {
    if let known, try known.isCurrent(on: connection) { return known.schema }
    return try SchemaReader.read(connection)
  }
}
