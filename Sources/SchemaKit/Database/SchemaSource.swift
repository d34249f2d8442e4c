package import Foundation

/// A place that a schema comes from: SQL text, a database file, a snapshot or a folder of recorded migrations.
package enum SchemaSource: Sendable {
  /// SQL text with the name of its place.
  case sql(String, source: String)
  case database(path: String)
  case snapshot(Data, source: String)
  case folder(path: String)

  /// Tells what a path holds: a folder; a file that begins as SQLite files do, or that is empty; `.json`; else SQL.
  ///
  /// - Throws: `SchemaError` when there is nothing, or no right to read it.
  package static func at(path: String) throws(SchemaError) -> SchemaSource {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SchemaError(source: path, problem: "there is no such file; a schema must exist")
    }
    if isDirectory.boolValue { return .folder(path: path) }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SchemaError(source: path, problem: "cannot be read; check its permissions")
    }
    if data.starts(with: Array("SQLite format 3".utf8)) { return .database(path: path) }
    if path.hasSuffix(".json") { return .snapshot(data, source: path) }
    if data.isEmpty, !path.hasSuffix(".sql") { return .database(path: path) }
    guard let text = String(data: data, encoding: .utf8) else {
      throw SchemaError(source: path, problem: "neither a database, a snapshot nor SQL text in UTF-8")
    }
    return .sql(text, source: path)
  }

  /// Loads the schema.
  ///
  /// - Parameter known: The schema of the file that it will be compared with, if that was read already.
  package func load(known: DatabaseSchema? = nil) throws -> SchemaLoader.Loaded {
    switch self {
    case .sql(let text, let source):
      let (declaration, notes) = try SQLSchemaParser.parse(text, source: source)
      var loaded = try SchemaLoader(source: source).load(declaration, known: known)
      loaded.notes = notes + loaded.notes
      return loaded
    case .snapshot(let data, let source):
      return try SchemaLoader(source: source).load(SchemaSnapshot.parse(data, source: source), known: known)
    case .database(let path):
      let connection = try SQLiteConnection.openedForInspection(path: path)
      let schema = try SchemaReader.read(connection)
      let target = DeclaredTarget(
        name: SQLSchemaParser.ledgerName, schema: schema, ownsWholeFile: true, digest: Fingerprint.of(schema))
      return SchemaLoader.Loaded(target: target, notes: [])
    case .folder(let path):
      let files = try RecordedMigrations.files(in: path)
      let text = try files.map { file throws(SchemaError) -> String in
        guard let data = FileManager.default.contents(atPath: file), let text = String(data: data, encoding: .utf8)
        else {
          throw SchemaError(source: file, problem: "cannot be read as SQL text in UTF-8")
        }
        return text
      }
      return try SchemaSource.sql(text.joined(separator: "\n;\n"), source: path).load(known: known)
    }
  }
}

/// The recorded migrations of a folder: its `.sql` files in the order of their names.
package enum RecordedMigrations {
  /// The paths of the files, in order.
  package static func files(in folder: String) throws(SchemaError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw SchemaError(source: folder, problem: "the folder cannot be read")
    }
    let files = names.filter { $0.hasSuffix(".sql") }.sorted().map { folder + "/" + $0 }
    guard !files.isEmpty else { throw SchemaError(source: folder, problem: "the folder holds no .sql file") }
    return files
  }
}

extension SQLiteConnection {
  /// Opens a file to look at it: writable where allowed, so that SQLite can recover after a crash, but with every
  /// statement that writes refused.
  package static func openedForInspection(
    path: String, busyTimeout: Double = 10, trustsSchema: Bool = true
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, mode: .readWrite, busyTimeout: busyTimeout, trustsSchema: trustsSchema)
    try connection.probe()
    try connection.execute("PRAGMA query_only = ON")
    return connection
  }
}
