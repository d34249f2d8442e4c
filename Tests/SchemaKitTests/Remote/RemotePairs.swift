import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Takes random databases to a server, changes them there, and takes them back.
enum RemotePairs {
  static func target(_ script: String, _ hints: [String]) throws -> TargetSchema {
    var target = try TemporaryDatabase.target(script)
    for hint in hints { try target.hints.add(rename: hint) }
    return target
  }

  /// Runs the pairs that the environment asks for.
  static func run(
    on engine: String, seed: Int, _ migrate: @escaping PropertyRun.Migrate
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 60
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? seed
    var run = PropertyRun(
      pairs: pairs, baseSeed: seed, migrate: migrate,
      planIsEmpty: { file, script, hints in
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        return try Change(over: connection, to: target(script, hints)).plan().isEmpty
      })
    try run.run()
    print("\(engine): " + run.summary)
    for (reason, count) in run.unavailable.sorted(by: { $0.value > $1.value }) {
      print("\(engine): \(count) \(reason)")
    }
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    #expect(run.applied * 2 > run.pairs)
  }

  /// Fills an empty database with what a file has.
  static func load(_ file: URL, into connection: any SQLConnection) throws {
    let source = try RawSQLite(file.path)
    defer { source.close() }
    try connection.execute("PRAGMA foreign_keys = OFF; BEGIN")
    let objects = try source.rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    )
    let hasSequence = try source.rows("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != []
    // It stays where the last table with AUTOINCREMENT is gone.
    if hasSequence { try connection.execute("CREATE TABLE q (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE q") }
    for object in objects where object[0] == .text("table") {
      guard case .text(let name) = object[1], case .text(let sql) = object[2] else { continue }
      try connection.execute(sql)
      let columns = try source.rows(
        "SELECT name, hidden, type, pk FROM pragma_table_xinfo(\(SQLQuoting.literal(name)))")
      var names: [String] = columns.filter { $0[1] == .int(0) }.compactMap { column in
        if case .text(let name) = column[0] { SQLQuoting.identifier(name) } else { nil }
      }
      let taken = Set(columns.compactMap { if case .text(let name) = $0[0] { name.lowercased() } else { nil } })
      let list = try source.rows(
        "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = \(SQLQuoting.literal(name))")
      if list == [[.int(0)]], let rowid = ["rowid", "oid", "_rowid_"].first(where: { !taken.contains($0) }) {
        names.insert(rowid, at: 0)
      }
      let place = SQLQuoting.identifier(name)
      for row in try source.rows("SELECT \(names.joined(separator: ", ")) FROM \(place)") {
        let values = row.map { value in
          if case .text(let text) = value {
            "CAST(X'\(text.utf8.map { String(format: "%02x", $0) }.joined())' AS TEXT)"
          } else {
            "\(value)"
          }
        }
        try connection.execute(
          "INSERT INTO \(place) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))")
      }
    }
    for object in objects where object[0] != .text("table") {
      if case .text(let sql) = object[2] { try connection.execute(sql) }
    }
    if hasSequence {
      try connection.execute("DELETE FROM sqlite_sequence")
      for row in try source.rows("SELECT name, seq FROM sqlite_sequence") {
        try connection.execute("INSERT INTO sqlite_sequence VALUES (\(row[0]), \(row[1]))")
      }
    }
    try connection.execute("COMMIT; PRAGMA foreign_keys = ON")
  }
}
