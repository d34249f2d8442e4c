import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The files of a case that is made from the schema of a database.
struct NewCase {
  private let before: String
  private let expect: String
  /// The remarks that stand in the files in place of rows.
  let remarks: [String]

  /// Makes up rows for a schema.
  ///
  /// - Throws: `SQLiteError` for a statement that this SQLite cannot run.
  init(_ schema: DatabaseSchema, database: String) throws {
    let statements = SchemaReport.sql(schema)
    let rows = try SampleRows(for: schema, createdBy: statements)
    let name = database.split(separator: "/").last.map { String($0) } ?? database
    before = """
      -- This file stands for one that an older release left behind. It has the schema of \(Self.remark(name)) and made-up rows:
      -- put rows in their place that your program writes.

      \(statements)
      \(rows.lines.joined(separator: "\n"))

      """
    let queries = rows.counts.map { table, count in "SELECT count(*) FROM \(table.quotedIfNeeded);\n-- \(count)\n" }
    expect = """
      -- These queries must give these rows once the file has the newest schema. The rows stand behind their query: SQL values
      -- between bars, such as 1 | 'Ada' | NULL, or (no rows).

      \(queries.joined(separator: "\n"))
      """
    remarks = rows.remarks
  }

  /// A name on one line.
  private static func remark(_ name: String) -> String { String(name.map { $0.isNewline ? " " : $0 }) }

  /// The name of the case for a database: that of the file, without what it ends in.
  static func name(for database: String) -> String {
    let file = database.split(separator: "/").last ?? "case"
    let parts = file.split(separator: ".")
    return parts.count > 1 ? parts.dropLast().joined(separator: ".") : String(file)
  }

  /// A name for a case that is not there yet.
  private static func freeName(beside folder: String) -> String {
    let isCase = ["before.sql", "before.db"].contains { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    let parent = folder.contains("/") ? String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]) : "."
    let place = isCase ? parent : folder
    let numbers = (1...999).lazy.map { "\(place)/\($0).0" }
    return numbers.first { !FileManager.default.fileExists(atPath: $0) } ?? "\(place)/first"
  }

  /// Writes the files into a folder that has none yet.
  ///
  /// - Returns: Their paths.
  func write(to folder: String) throws -> [String] {
    let files = FileManager.default
    let names = try? files.contentsOfDirectory(atPath: folder)
    guard names?.isEmpty ?? !files.fileExists(atPath: folder) else {
      throw CommandError(
        code: .failed,
        sentence:
          "\(folder) is there already, and nothing was written. Name a folder that is not, such as "
          + "\(Self.freeName(beside: folder)).")
    }
    do {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandError(
        code: .failed, sentence: "the folder \(folder) cannot be made; check the permissions of its folder.")
    }
    return try [("before.sql", before), ("expect.sql", expect)].map { name, text in
      let path = "\(folder)/\(name)"
      guard files.createNewFile(atPath: path, permissions: 0o644),
        (try? Data(text.utf8).write(to: URL(fileURLWithPath: path))) != nil
      else { throw CommandError(code: .failed, sentence: "\(path) cannot be written.") }
      return path
    }
  }
}
