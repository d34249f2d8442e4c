import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// A copy of the coordinate system database that Debian ships as `/usr/share/proj/proj.db`: a real schema of others.
struct ProjDatabase {
  static let originalPath = "/usr/share/proj/proj.db"
  /// Whether the suite runs: always on a build server, where the file must be there, else if it is installed.
  static let isExpected =
    FileManager.default.fileExists(atPath: originalPath) || ProcessInfo.processInfo.environment["CI"] != nil

  let database: TemporaryDatabase
  /// The file's own statements, in the order of its catalog.
  let sql: String

  init() throws {
    database = try TemporaryDatabase()
    if EncryptedFiles.areOn {
      try database.exec("ATTACH '\(Self.originalPath)' AS original KEY ''; SELECT sqlcipher_export('main', 'original')")
    } else {
      let copy = URL(fileURLWithPath: database.path)
      try FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: URL(fileURLWithPath: Self.originalPath), to: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: database.path)
    }
    sql = try Self.statements(of: try database.reopened()).joined(separator: ";\n") + ";\n"
  }

  /// The statements that a file's catalog holds.
  static func statements(of database: RawSQLite) throws -> [String] {
    try database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
      .compactMap { $0.first?.string }
  }

  /// The file's statements with a change in the statement of one object.
  ///
  /// - Throws: `Missing` when there is nothing to replace, so that a test never runs with an unchanged schema.
  func changing(_ object: String, _ old: String, to new: String, in sql: String? = nil) throws -> String {
    let sql = sql ?? self.sql
    let statements = sql.components(separatedBy: ";\nCREATE ")
    let index = statements.firstIndex { statement in
      let head = statement.prefix { $0 != "\n" }.replacing("CREATE ", with: "")
      let words = head.split { " (".contains($0) }
      return words.count > 1 && words[1] == object
    }
    guard let index, statements[index].contains(old) else { throw Missing(object: object, text: old) }
    var changed = statements
    changed[index] = statements[index].replacing(old, with: new)
    return changed.joined(separator: ";\nCREATE ")
  }

  /// The file's statements without those that create the named objects.
  func dropping(_ objects: String...) throws -> String {
    let database = try database.reopened()
    let list = objects.map { "'\($0)'" }.joined(separator: ", ")
    let kept = try database.rows(
      """
      SELECT sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT IN (\(list)) ORDER BY rowid
      """)
    return kept.compactMap { $0.first?.string }.joined(separator: ";\n") + ";\n"
  }

  /// A text that was to be replaced is not in the file.
  struct Missing: Error {
    let object: String
    let text: String
  }
}
