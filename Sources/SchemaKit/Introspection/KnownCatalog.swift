/// A database's schema together with the cookie that tells whether it is still what the catalog says.
///
/// See [PRAGMA schema_version](https://sqlite.org/pragma.html#pragma_schema_version).
package struct KnownCatalog: Sendable {
  package let schema: DatabaseSchema
  private let cookie: Int64

  /// Reads the schema of a connection.
  package init(_ connection: any SQLConnection) throws {
    cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    schema = try SchemaReader.read(connection)
  }

  /// The schema as it is now: the known one when the cookie is the same, else read anew.
  ///
  /// - Parameter known: What was read from the same file before, if anything was.
  static func schema(of connection: any SQLConnection, known: KnownCatalog?) throws -> DatabaseSchema {
    if let known, try connection.integer("PRAGMA main.schema_version") == known.cookie { return known.schema }
    return try SchemaReader.read(connection)
  }
}
