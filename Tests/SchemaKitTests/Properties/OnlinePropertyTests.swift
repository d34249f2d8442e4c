import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Random pairs of schemas, with tables that are copied while a program writes them.
@Suite("Random schema pairs, copied online")
struct OnlinePropertyTests {
  private static let sliceCount = 2

  /// What the runs of a slice did.
  private final class Tally {
    var copies = 0
    var writes = 0
    var stopped = 0
  }

  @Test("copies beside a program that writes keep what it has written", arguments: 0..<sliceCount)
  func besideWriters(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 120
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 61_260_101
    let start = pairs * slice / Self.sliceCount
    let tally = Tally()
    var number = seed + start
    var run = PropertyRun(
      pairs: pairs * (slice + 1) / Self.sliceCount - start, baseSeed: seed + start,
      migrate: { file, script, hints in
        number += 1
        return try Self.migrate(file, script, hints, SeededGenerator(seed: number), tally)
      },
      planIsEmpty: { file, script, hints in
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        return try Change(over: connection, to: Self.target(script, hints)).plan().isEmpty
      })
    try run.run()
    let unavailable = run.unavailable.values.reduce(0, +)
    print(
      run.summary
        + ", \(unavailable) not available online, \(tally.copies) tables copied online, \(tally.writes) writes, "
        + "\(tally.stopped) runs stopped by what was written")
    for (reason, count) in run.unavailable.sorted(by: { $0.value > $1.value }) { print("\(count) \(reason)") }
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    if run.pairs >= 50 { #expect(tally.copies > 0) }
  }

  private static func target(_ script: String, _ hints: [String]) throws -> TargetSchema {
    var target = try TemporaryDatabase.target(script)
    for hint in hints { try target.hints.add(rename: hint) }
    return target
  }

  private static var request: ChangeRequest {
    var request = ChangeRequest(allowing: .destructive)
    request.plan.policy.strategy = .online
    request.online.lock = .nanoseconds(1)
    return request
  }

  private static func migrate(
    _ file: URL, _ script: String, _ hints: [String], _ generator: SeededGenerator, _ tally: Tally
  ) throws -> PropertyRun.Outcome {
    if let outcome = try obstacle(file, script, hints) { return outcome }
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let isWAL = try connection.value("PRAGMA journal_mode = WAL")?.text == "wal"
    defer { _ = isWAL ? try? connection.value("PRAGMA journal_mode = DELETE") : nil }
    try connection.execute("PRAGMA synchronous = OFF")
    // The judge's file gets the same writes.
    let before = file.deletingPathExtension().appendingPathExtension("before")
    let writer = try OnlineWriter(file.path, before.path, generator)
    defer { writer.close() }
    var request = request
    request.observer.onProgress = { progress in
      if progress.step.strategy == .online, [.copying, .comparing].contains(progress.activity) { writer.write() }
    }
    defer { tally.writes += writer.count }
    do {
      let report = try Change(over: connection, to: target(script, hints), request).apply()
      tally.copies += report.plan.steps.count { $0.strategy == .online }
      return writer.unlike.isEmpty ? .applied : .failed("not alike: \(writer.unlike)")
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason, writer.count > 0 else { return .failed("\(error)") }
      let left = try connection.texts("SELECT name FROM sqlite_master WHERE name LIKE '%schemakit_online%'")
      guard left.isEmpty, writer.unlike.isEmpty else { return .failed("left \(left), not alike: \(writer.unlike)") }
      tally.stopped += 1
      return .stopped(hazards.map(\.message).joined(separator: "\n"))
    } catch { return .failed("\(error)") }
  }

  /// Why the change is not tried, found out on a copy: the file must stay as it is.
  private static func obstacle(_ file: URL, _ script: String, _ hints: [String]) throws -> PropertyRun.Outcome? {
    let copy = file.deletingPathExtension().appendingPathExtension("trial")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: file, to: copy)
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) } }
    let connection = try SQLiteConnection(path: copy.path, mode: .readWrite)
    _ = try connection.value("PRAGMA journal_mode = WAL")
    do {
      let plan = try Change(over: connection, to: target(script, hints), request).plan()
      let refusals = plan.refusals(under: request.plan.policy)
      // A journal mode that is set and set back would change the file.
      if plan.isEmpty { return .applied }
      if refusals.isEmpty { return nil }
      let rest = refusals.filter { $0.code != .notOnline }
      if !rest.isEmpty { return .refused(rest.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n")) }
      let reasons = plan.steps.flatMap(\.passedOver).filter { $0.strategy == .online }.flatMap(\.rejections)
      return .unavailable(reasons.first?.code.rawValue ?? "another change in the same plan")
    } catch { return .failed("\(error)") }
  }
}

/// Writes to a file and to the judge's copy of it, as a program of the old schema could.
private final class OnlineWriter {
  private let file: RawSQLite
  private let judge: RawSQLite
  private var generator: SeededGenerator
  private let tables: [(name: String, columns: [String])]
  private(set) var count = 0
  /// What succeeded on one of the files only.
  private(set) var unlike: [String] = []

  init(_ path: String, _ judge: String, _ generator: SeededGenerator) throws {
    file = try RawSQLite(path)
    self.judge = try RawSQLite(judge)
    self.generator = generator
    func quoted(_ value: RawValue?) -> String? {
      guard case .text(let name) = value else { return nil }
      return "\"\(name.replacing("\"", with: "\"\""))\""
    }
    tables = try self.judge.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ).compactMap { quoted($0.first) }.map { [judge = self.judge] name in
      let columns = try judge.rows("PRAGMA table_info(\(name))").compactMap { quoted($0[1]) }
      return (name: name, columns: columns)
    }
    let settings = "PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 1"
    for connection in [file, self.judge] { try connection.exec(settings) }
  }

  func close() {
    file.close()
    judge.close()
  }

  func write() {
    for _ in 0..<generator.number(0...2) {
      guard let sql = statement() else { return }
      count += 1
      do {
        try file.exec(sql)
        do { try judge.exec(sql) } catch { unlike.append("\(sql): \(error)") }
      } catch let problem {
        guard (try? judge.exec("SAVEPOINT s; \(sql)")) != nil else {
          try? judge.exec("ROLLBACK TO s; RELEASE s")
          continue
        }
        // A deferred foreign key is looked at now.
        if isOwedToTriggers {
          try? judge.exec("ROLLBACK TO s; RELEASE s")
        } else if (try? judge.exec("RELEASE s")) == nil {
          try? judge.exec("ROLLBACK")
        } else {
          unlike.append("\(sql): \(problem)")
        }
      }
    }
  }

  /// Whether SQLite let the last statement of the judge through because its table has no trigger: it then overlooks some
  /// violations of a foreign key by OR REPLACE, and ignores a row of a STRICT table for NULL before it looks at its types.
  private var isOwedToTriggers: Bool {
    let violations = (try? judge.rows("PRAGMA foreign_key_check")) ?? []
    let changes = (try? judge.rows("SELECT changes()")) ?? []
    return !violations.isEmpty || changes == [[.int(0)]]
  }

  private func statement() -> String? {
    guard let table = generator.any(tables), let column = generator.any(table.columns),
      let other = generator.any(table.columns)
    else { return nil }
    let clause = generator.pick(["", " OR REPLACE", " OR IGNORE"])
    let some = "(SELECT \(other) FROM \(table.name) ORDER BY \(table.columns.joined(separator: ", ")) LIMIT 1)"
    let value = generator.pick(["NULL", "\(generator.number(-3...9))", "'\(generator.number(0...9))'", some])
    switch generator.number(0...3) {
    case 0: return "DELETE FROM \(table.name) WHERE \(column) = \(some)"
    case 1: return "INSERT\(clause) INTO \(table.name) (\(column)) VALUES (\(value))"
    default: return "UPDATE\(clause) \(table.name) SET \(column) = \(value) WHERE \(other) = \(some)"
    }
  }
}
