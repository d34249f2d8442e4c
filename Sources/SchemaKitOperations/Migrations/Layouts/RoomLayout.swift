package import SchemaKitFoundation

/// A schema of Room, Android's library, as its build exports it: `schemas/DATABASE/VERSION.json`.
///
/// Room creates the objects of a new file by these statements. It knows a file by `user_version` and by a hash in
/// `room_master_table`; without that table it compares the objects.
/// See [Export schemas](https://developer.android.com/training/data-storage/room/migrating-db-versions#export-schemas).
package struct RoomSchema: Sendable {
  private struct Head: Decodable {
    struct Database: Decodable { var identityHash: String }
    var database: Database
  }

  private struct Export: Decodable {
    struct Entity: Decodable {
      var tableName: String
      var createSql: String
      var indices: [Index]?
      /// The triggers that keep a full-text index up to date.
      var contentSyncTriggers: [String]?
    }
    struct Index: Decodable { var createSql: String }
    struct View: Decodable {
      var viewName: String
      var createSql: String
    }
    struct Database: Decodable {
      var version: Int
      var identityHash: String
      var entities: [Entity]
      var views: [View]?
    }
    var formatVersion: Int
    var database: Database
  }

  /// The path of the file.
  package let source: String
  package let version: Int
  private let hash: String
  /// The statements in an order in which SQLite takes them.
  let statements: [String]

  /// Reads an exported schema; nil for JSON of another kind.
  ///
  /// - Throws: `SchemaError` if it is of another form, or holds something other than the objects of a schema.
  package init?(_ data: Data, source: String) throws(SchemaError) {
    guard (try? JSONDecoder().decode(Head.self, from: data)) != nil else { return nil }
    let export: Export
    do {
      export = try JSONDecoder().decode(Export.self, from: data)
    } catch {
      throw SchemaError(
        source: source, problem: "is a schema of Room, of which a part is missing or of another type; export it again")
    }
    guard export.formatVersion == 1 else {
      throw SchemaError(
        source: source,
        problem: "is a schema of Room in format \(export.formatVersion), and this SchemaKit knows format 1")
    }
    self.source = source
    version = export.database.version
    hash = export.database.identityHash
    var tables: [String] = []
    var indexes: [String] = []
    var triggers: [String] = []
    for entity in export.database.entities {
      func named(_ sql: String) -> String { Self.filled(sql, "${TABLE_NAME}", with: entity.tableName) }
      tables.append(named(entity.createSql))
      indexes += (entity.indices ?? []).map { named($0.createSql) }
      triggers += entity.contentSyncTriggers ?? []
    }
    let views = (export.database.views ?? []).map { Self.filled($0.createSql, "${VIEW_NAME}", with: $0.viewName) }
    // A full-text index may stand before the table that it is about.
    let (full, ordinary) = (tables.filter(Self.isVirtual), tables.filter { !Self.isVirtual($0) })
    statements = ordinary + full + indexes + views + triggers
    for sql in statements {
      guard let script = try? SQLScript.statements(in: sql), script.count == 1, (try? SQLParser.create(sql)) != nil
      else {
        throw SchemaError(source: source, problem: "has a text that is not one CREATE statement: \(sql.prefix(80))")
      }
    }
  }

  /// A statement with a name in its place, which stands in backticks.
  private static func filled(_ sql: String, _ place: String, with name: String) -> String {
    let quoted = "`" + name.replacing("`", with: "``") + "`"
    return sql.replacing("`\(place)`", with: quoted).replacing(place, with: quoted)
  }

  private static func isVirtual(_ sql: String) -> Bool {
    if case .virtualTable? = try? SQLParser.create(sql) { true } else { false }
  }
}

extension RoomSchema {
  /// The schema at a path, a file or the folder of a database; nil for anything else.
  package static func found(at path: String) -> RoomSchema? {
    guard FileManager.default.folderExists(atPath: path) else {
      guard path.hasSuffix(".json"), let data = FileManager.default.contents(atPath: path) else { return nil }
      return try? RoomSchema(data, source: path)
    }
    guard let folder = try? LayoutFolder(path: path), RoomLayout.fits(folder) else { return nil }
    return try? RoomSchema(latestIn: path)
  }

  /// Reads the schema of the highest version in a folder.
  init(latestIn path: String) throws(SchemaError) {
    let folder = try LayoutFolder(path: path)
    guard let (version, name) = RoomLayout.versions(in: folder).last else {
      throw SchemaError(source: path, problem: "holds no schema of Room, such as 1.json")
    }
    let file = folder.path(of: name)
    guard let schema = try RoomSchema(Data(try folder.text(name).utf8), source: file) else {
      throw SchemaError(source: file, problem: "cannot be read as a schema of Room")
    }
    guard schema.version == version else {
      throw SchemaError(
        source: file, problem: "is called version \(version) and holds version \(schema.version); export it again")
    }
    self = schema
  }

  /// The statements by which a file becomes one of this version for Room.
  package var adoption: String {
    "PRAGMA user_version = \(version); and, where the file has that table, UPDATE room_master_table SET identity_hash = "
      + "\(SQLQuoting.literal(hash)) WHERE id = 42;"
  }
}

/// The folder of the schemas that Room exports of one database: `1.json`, `2.json` and so on, each of them whole.
enum RoomLayout: LayoutRules {
  /// An empty `room_master_table` would have Room refuse the file, so that it is left to Room; Android adds the other one.
  static let bookkeepingTables = ["room_master_table", "android_metadata"]

  static func fits(_ folder: LayoutFolder) -> Bool {
    guard folder.scripts.isEmpty, let name = versions(in: folder).last?.name else { return false }
    guard let data = FileManager.default.contents(atPath: folder.path(of: name)) else { return false }
    do throws(SchemaError) {
      return try RoomSchema(data, source: name) != nil
    } catch {
      // One that cannot be read is told when it is.
      return true
    }
  }

  /// The files of a folder that a version names, in the order of the versions.
  static func versions(in folder: LayoutFolder) -> [(version: Int, name: String)] {
    folder.names.compactMap { name in
      guard name.hasSuffix(".json"), let version = Int(name.dropLast(".json".count)), version > 0 else { return nil }
      return (version, name)
    }.sorted { $0.version < $1.version }
  }

  static func order(of folder: LayoutFolder) throws(SchemaError) -> [String] {
    versions(in: folder).last.map { [$0.name] } ?? []
  }

  static func replayedText(_ text: String, source: String) throws(SchemaError) -> String {
    try RoomSchema(Data(text.utf8), source: source)?.statements.map { "\($0);\n" }.joined() ?? ""
  }

  /// The error for a folder that holds the folders of several databases.
  static func outerFolder(_ folder: LayoutFolder) -> SchemaError? {
    let inner = folder.names.filter { name in
      folder.isFolder(name) && (try? LayoutFolder(path: folder.path(of: name))).map(fits) == true
    }
    guard folder.scripts.isEmpty, let first = inner.first else { return nil }
    return SchemaError(
      source: folder.path,
      problem: "holds a folder of Room's schemas for each database; name one of them, such as \(folder.path(of: first))"
    )
  }
}
