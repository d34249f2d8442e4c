import OrderedCollections
package import SchemaKitFoundation

/// A schema as a file that can be kept next to the code: `inspect --format json`.
package struct SchemaSnapshot: Codable, Sendable, Hashable {
  /// An object of the schema.
  package struct Object: Codable, Sendable, Hashable {
    package var type: String
    package var name: String
    package var table: String
    package var sql: String
    package var columns: [Column]?
  }

  /// A column of a table, for readers of the file; loading uses the SQL.
  package struct Column: Codable, Sendable, Hashable {
    package var name: String
    package var type: String?
    package var isNotNull: Bool
    package var defaultValue: String?
    package var isGenerated: Bool
    package var keyOrdinal: Int?
  }

  /// The version of the format; additions keep it, changes raise it.
  package static let currentFormat = 1

  package var formatVersion: Int
  package var fingerprint: String
  package var engine: String
  /// The SQLite that wrote the file last; nil where there is no file, or it does not say.
  package var lastWriter: String?
  package var objects: [Object]

  /// Takes a snapshot of a schema.
  package init(_ schema: DatabaseSchema, engine: String, lastWriter: SQLiteVersion? = nil) {
    formatVersion = Self.currentFormat
    fingerprint = Fingerprint.of(schema)
    self.engine = engine
    self.lastWriter = lastWriter?.description
    objects = schema.tables.values.map { table in
      Object(
        type: "table", name: table.name.text, table: table.name.text, sql: table.sql,
        columns: table.columns.map { column in
          Column(
            name: column.name.text, type: column.type, isNotNull: column.isNotNull,
            defaultValue: column.defaultValue?.value.text, isGenerated: column.generation != nil,
            keyOrdinal: table.keyOrdinal(of: column.name))
        })
    }
    objects += schema.virtualTables.values.map {
      Object(type: "table", name: $0.name.text, table: $0.name.text, sql: $0.sql)
    }
    objects += schema.indexes.values.map {
      Object(type: "index", name: $0.name.text, table: $0.table.text, sql: $0.sql)
    }
    objects += schema.views.values.map {
      Object(type: "view", name: $0.name.text, table: $0.name.text, sql: $0.sql)
    }
    objects += schema.triggers.values.map {
      Object(type: "trigger", name: $0.name.text, table: $0.table.text, sql: $0.sql)
    }
  }

  /// The snapshot as JSON, with sorted keys.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Parses a snapshot.
  package static func parse(_ data: Data, source: String) throws(SchemaError) -> SchemaDeclaration {
    // Other documents have a format of their own, and no objects.
    struct Head: Decodable {
      struct Object: Decodable {}
      var formatVersion: Int
      var objects: [Object]
    }
    guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
      throw Self.noSnapshot(source)
    }
    guard head.formatVersion <= currentFormat else {
      throw SchemaError(
        source: source,
        problem: "the snapshot has format \(head.formatVersion), this SchemaKit knows up to \(currentFormat)")
    }
    let snapshot: SchemaSnapshot
    do {
      snapshot = try JSONDecoder().decode(SchemaSnapshot.self, from: data)
    } catch {
      throw Self.noSnapshot(source)
    }
    return SchemaDeclaration(
      name: SQLSchemaParser.ledgerName,
      statements: snapshot.objects.map { DeclaredStatement(sql: $0.sql, table: SQLName($0.table)) },
      ownsWholeFile: true)
  }

  private static func noSnapshot(_ source: String) -> SchemaError {
    SchemaError(
      source: source,
      problem:
        "not a snapshot of a schema, which schemactl inspect --format json makes; give that, a .sql file, a database, or a "
        + "folder of migrations")
  }
}
