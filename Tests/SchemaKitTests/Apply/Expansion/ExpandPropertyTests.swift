import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Two programs with random schemas that write to one expanded file, judged by a file for each program.
@Suite("Random programs on one expanded file")
struct ExpandPropertyTests {
  private static let sliceCount = 2

  @Test("both programs find on one file what they would find on files of their own", arguments: 0..<sliceCount)
  func twoPrograms(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 120
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 81_260_101
    var (expanded, refused, writes, failed) = (0, 0, 0, 0)
    for number in pairs * slice / Self.sliceCount..<pairs * (slice + 1) / Self.sliceCount {
      var generator = SeededGenerator(seed: seed + number)
      let programs = ProgramPair(&generator)
      let older = try programs.older.fill(&generator)
      let shared = try TemporaryDatabase(older)
      do {
        _ = try shared.migrate(to: programs.newer.declaration) { $0.phase = .expand }
      } catch let error as PlanError {
        guard case .cannotExpand = error.reason else { throw error }
        refused += 1
        continue
      }
      expanded += 1
      let own = try (older: TemporaryDatabase(older), newer: TemporaryDatabase(older))
      try own.newer.migrate(to: programs.newer.declaration, allowing: .everything)
      let judged = try ExpandJudge(
        programs, shared: shared.reopened(), older: own.older.reopened(), newer: own.newer.reopened())
      if generator.chance(50) { try judged.shared.exec("PRAGMA recursive_triggers = ON") }
      for _ in 0..<generator.number(10...40) {
        writes += 1
        if try !judged.write(&generator) { failed += 1 }
        if let difference = try judged.difference() {
          Issue.record(
            "seed \(seed + number): \(difference)\n\(judged.log.joined(separator: "\n"))\n\(older)\n\(programs.newer.declaration)"
          )
          break
        }
      }
      // What is left is what the newer program has.
      try shared.migrate(to: programs.newer.declaration, allowing: .everything) { $0.phase = .contract(quietFor: nil) }
      #expect(
        try shared.query(programs.newer.reading) == own.newer.query(programs.newer.reading), "seed \(seed + number)")
      #expect(try shared.migrate(to: programs.newer.declaration).plan.isEmpty)
    }
    print("\(expanded) expanded, \(refused) refused, \(writes) writes, \(failed) of them refused by both files")
    if pairs >= 50 { #expect(expanded > pairs * 3 / 10) }
  }
}

/// What one of the two programs does with a table.
struct ProgramSchema {
  struct Column {
    /// What the column means, under whatever name.
    var meaning: Int
    var name: String
    var type: String
    var constraints: String
    var isRequired: Bool
    /// The expression that fills it in rows of the other program.
    var fill: String?
    var formerName: String?
  }

  var columns: [Column]
  var indexes: [String]
  var suffix: String

  var declaration: String {
    let lines = columns.map { column in
      "\"\(column.name)\" \(column.type) \(column.constraints),"
        + (column.formerName.map { " -- schemakit: renamed from \"\($0)\"" } ?? "")
        + (column.fill.map { " -- schemakit: fill \($0)" } ?? "")
    }
    return "CREATE TABLE t (\n\(lines.joined(separator: "\n"))\nid INTEGER PRIMARY KEY)\(suffix);\n"
      + indexes.map { $0 + ";\n" }.joined()
  }

  /// The rows as the program sees them.
  var reading: String {
    "SELECT id, \(columns.map { "typeof(\"\($0.name)\"), quote(\"\($0.name)\")" }.joined(separator: ", ")) FROM t ORDER BY id"
  }

  /// Some rows with the schema.
  func fill(_ generator: inout SeededGenerator) throws -> String {
    var sql = declaration
    for id in 1...generator.number(1...6) {
      let values = columns.map { column in
        if !suffix.isEmpty, column.type == "INTEGER" { return "\(id)" }
        if column.isRequired || (!suffix.isEmpty && column.type == "TEXT") { return "'row \(id)'" }
        return Self.value(&generator)
      }
      sql += "INSERT OR IGNORE INTO t VALUES (\((values + ["\(id)"]).joined(separator: ", ")));\n"
    }
    return sql
  }

  static func value(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      "NULL", "0", "1", "7", "-3", "1.5", "1.0", "2.0e3", "9007199254740993", "''", "'a'", "'A'", "'1'", "'01'",
      "'1.0'", "x''",
      "x'61'", "'row 1'", "'Row 1'", "'row 2'", "'row 3'", "'b' || 'c'", "9e999",
    ])
  }
}

/// A schema and its next version, at random.
struct ProgramPair {
  var older: ProgramSchema
  var newer: ProgramSchema

  init(_ generator: inout SeededGenerator) {
    let isStrict = generator.chance(15) && sqlite3_libversion_number() >= 3_037_000
    func column(_ meaning: Int, _ name: String, canBeRequired: Bool, _ generator: inout SeededGenerator)
      -> ProgramSchema.Column
    {
      let type =
        isStrict
        ? generator.pick(["TEXT", "ANY", "INTEGER"])
        : generator.pick(["", "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"])
      let isRequired = canBeRequired && generator.chance(35)
      var constraints = isRequired ? "NOT NULL" : ""
      if !isRequired, generator.chance(40) {
        constraints = generator.pick([
          "DEFAULT 7", "DEFAULT 'a'", "DEFAULT '1'", "DEFAULT x'61'", "NOT NULL DEFAULT 1", "DEFAULT 1.0",
          "DEFAULT (1 + 1)",
        ])
        if isStrict { constraints = type == "TEXT" ? "DEFAULT 'a'" : "DEFAULT 7" }
      }
      if type == "TEXT", generator.chance(30) { constraints += " COLLATE NOCASE" }
      if generator.chance(15) { constraints += " UNIQUE" }
      return ProgramSchema.Column(
        meaning: meaning, name: name, type: type, constraints: constraints, isRequired: isRequired, fill: nil,
        formerName: nil)
    }
    var columns: [ProgramSchema.Column] = []
    for meaning in 0..<generator.number(2...5) {
      columns.append(column(meaning, "old \(meaning)", canBeRequired: true, &generator))
    }
    older = ProgramSchema(columns: columns, indexes: [], suffix: isStrict ? " STRICT" : "")
    newer = older
    for index in newer.columns.indices.reversed() {
      let fate = generator.number(0...9)
      let column = newer.columns[index]
      if fate < 4 {
        newer.columns[index].formerName = column.name
        newer.columns[index].name = "new \(index)"
      } else if fate < 6, !column.isRequired, !column.constraints.contains("UNIQUE"), newer.columns.count > 1 {
        newer.columns.remove(at: index)
      }
    }
    for meaning in 10..<10 + generator.number(0...2) {
      var added = column(meaning, "added \(meaning)", canBeRequired: false, &generator)
      added.constraints = added.constraints.replacing(" UNIQUE", with: "").replacing("DEFAULT (1 + 1)", with: "")
      let known = newer.columns.first { $0.meaning < 10 }
      if let known, generator.chance(30), !isStrict || added.type != "INTEGER" {
        added.isRequired = true
        added.constraints = "NOT NULL"
        added.fill = "coalesce(typeof(\"\(known.name)\") || \(meaning), 'none')"
      }
      newer.columns.insert(added, at: generator.number(0...newer.columns.count))
    }
    // An index of each program, of the same name or not, unique on a renamed column or not.
    for column in older.columns where generator.chance(25) {
      let isUnique = generator.chance(40)
      let new = newer.columns.first { $0.meaning == column.meaning }
      let name = "i\(column.meaning)"
      let words = "CREATE \(isUnique ? "UNIQUE " : "")INDEX"
      older.indexes.append("\(words) \(name) ON t (\"\(column.name)\")")
      if let new { newer.indexes.append("\(words) \(generator.chance(70) ? name : name + "x") ON t (\"\(new.name)\")") }
    }
  }
}

/// Runs each write on the shared file and on a file of each program, in the words that each file understands.
final class ExpandJudge {
  let programs: ProgramPair
  let shared: RawSQLite
  let own: (older: RawSQLite, newer: RawSQLite)
  private(set) var log: [String] = []

  init(_ programs: ProgramPair, shared: RawSQLite, older: RawSQLite, newer: RawSQLite) {
    self.programs = programs
    self.shared = shared
    own = (older, newer)
  }

  /// A write of one of the programs. Returns false if it was refused.
  func write(_ generator: inout SeededGenerator) throws -> Bool {
    let isOlder = generator.chance(50)
    let (mine, other) = isOlder ? (programs.older, programs.newer) : (programs.newer, programs.older)
    // What a constraint ignores or replaces that the other program does not have, cannot be said in that program's words.
    let alone = mine.columns.filter { column in !other.columns.contains { $0.meaning == column.meaning } }
    let hasOwnConstraint = alone.contains { column in
      column.constraints.contains("UNIQUE") || column.constraints.contains("NOT NULL")
        || mine.indexes.contains { $0.hasPrefix("CREATE UNIQUE") && $0.contains(column.name) }
    }
    let statement = ProgramWrite(&generator, by: mine, resolvesConflicts: !hasOwnConstraint)
    let sql = statement.sql { $0 }
    if sql.isEmpty { return true }
    log.append("\(isOlder ? "older" : "newer"): \(sql)")
    let (first, second) = isOlder ? (own.older, own.newer) : (own.newer, own.older)
    let expected = Result { try first.exec(sql) }
    let found = Result { try shared.exec(sql) }
    let isRefused = (try? expected.get()) == nil
    if isRefused != ((try? found.get()) == nil) {
      log.append("was refused on one file only: \(expected), on the shared file \(found)")
      return true
    }
    if isRefused { return false }
    // A statement that failed on one file may have begun to insert rows there.
    let inserts = sql.hasPrefix("INSERT INTO") && !sql.contains("ON CONFLICT")
    let counts = "SELECT changes()" + (inserts ? ", last_insert_rowid()" : "")
    let (one, two) = (try first.rows(counts), try shared.rows(counts))
    if one != two { log.append("was counted otherwise: \(one), on the shared file \(two)") }
    // The other program's file gets the same with its own names, and without what it does not know.
    let names = Dictionary(uniqueKeysWithValues: other.columns.map { ($0.meaning, $0) })
    let filled = isOlder ? other.columns.filter { $0.fill != nil } : []
    let translated = statement.sql(filling: filled) { column in names[column.meaning] }
    do {
      if !translated.isEmpty { try second.exec(translated) }
    } catch {
      log.append("was refused on the other program's file: \(translated): \(error)")
    }
    // A program that does not know a column gives no value, and the expression does.
    for column in filled {
      try second.exec("UPDATE t SET \"\(column.name)\" = \(column.fill ?? "") WHERE \"\(column.name)\" = 'not given'")
    }
    return true
  }

  /// What a program finds on the shared file and not on its own; nil if both find the same.
  func difference() throws -> String? {
    if let line = log.last, line.hasPrefix("was ") { return line }
    for (program, file) in [(programs.older, own.older), (programs.newer, own.newer)] {
      let (found, expected) = (try shared.rows(program.reading), try file.rows(program.reading))
      if found != expected { return "\(program.reading)\nfinds \(found)\nand not \(expected)" }
    }
    return nil
  }
}

/// A statement of a program, with the columns by their meaning.
struct ProgramWrite {
  private enum Kind {
    case insert(conflict: String, rows: [[String]], upsert: Bool)
    case update(conflict: String, condition: String)
    case delete(condition: String)
  }

  private let kind: Kind
  private let columns: [ProgramSchema.Column]
  private let values: [String]
  private let ids: [String]

  init(_ generator: inout SeededGenerator, by program: ProgramSchema, resolvesConflicts: Bool) {
    let condition = generator.chance(70) ? "id = \(generator.number(1...9))" : "id % 2 = \(generator.number(0...1))"
    let clauses = ["", "", "", " OR IGNORE", " OR REPLACE", " OR ABORT", " OR ROLLBACK"]
    let conflict = resolvesConflicts ? generator.pick(clauses) : ""
    func value(_ column: ProgramSchema.Column, _ generator: inout SeededGenerator) -> String {
      column.isRequired && generator.chance(90) ? "'v\(generator.number(1...30))'" : ProgramSchema.value(&generator)
    }
    switch generator.number(0...9) {
    case 0..<5:
      let named = program.columns.filter { column in column.isRequired || generator.chance(60) }
      columns = named
      let count = generator.chance(80) ? 1 : 3
      ids = (0..<count).map { _ in generator.chance(50) ? "NULL" : "\(generator.number(1...12))" }
      kind = .insert(
        conflict: conflict, rows: (0..<count).map { _ in named.map { value($0, &generator) } },
        // A row that is inserted and changed by one statement is filled in between, which the judge cannot do.
        upsert: conflict.isEmpty && !named.isEmpty && generator.chance(30) && count == 1)
      values = []
    case 5..<9:
      columns = program.columns.filter { _ in generator.chance(40) }
      values = columns.map { value($0, &generator) }
      ids = []
      kind = .update(conflict: conflict, condition: condition)
    default:
      (columns, values, ids) = ([], [], [])
      kind = .delete(condition: condition)
    }
  }

  /// The statement in the words of a file.
  ///
  /// - Parameters:
  ///   - filled: The columns of that file that an expression fills afterwards.
  ///   - column: The column of that file; nil where it has none.
  func sql(
    filling filled: [ProgramSchema.Column] = [], _ column: (ProgramSchema.Column) -> ProgramSchema.Column?
  ) -> String {
    let known = columns.indices.filter { column(columns[$0]) != nil }
    let names = known.compactMap { column(columns[$0]).map { "\"\($0.name)\"" } }
    switch kind {
    case .delete(let condition): return "DELETE FROM t WHERE \(condition)"
    case .update(let conflict, let condition):
      guard !known.isEmpty else { return "" }
      let assignments = zip(names, known).map { "\($0) = \(values[$1])" }
      return "UPDATE\(conflict) t SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
    case .insert(let conflict, let rows, let upsert):
      let lines = zip(ids, rows).map { id, row in
        "(\(([id] + known.map { row[$0] } + filled.map { _ in "'not given'" }).joined(separator: ", ")))"
      }
      let all = ["id"] + names + filled.map { "\"\($0.name)\"" }
      var sql = "INSERT\(conflict) INTO t (\(all.joined(separator: ", "))) VALUES \(lines.joined(separator: ", "))"
      if upsert {
        let changes =
          names.isEmpty ? "NOTHING" : "UPDATE SET " + names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        sql += " ON CONFLICT (id) DO \(changes)"
      }
      return sql
    }
  }
}
