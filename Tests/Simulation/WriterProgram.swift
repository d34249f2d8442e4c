import CSQLite
import RandomSchemas

/// A program that writes the witness table as one version of it knows it, and remembers which writes were acknowledged.
///
/// It has identity because its thread writes it and the judge reads it afterwards.
final class WriterProgram: @unchecked Sendable {
  let name: String
  private let table: String
  private let amount: String
  private let world: World
  private var random: SeededGenerator
  private let settings: String
  private let transactions: Int
  /// The amounts that acknowledged transactions left; a mark without an amount was deleted.
  private(set) var amounts: [String: Int] = [:]
  /// What a transaction that may or may not have been committed would have left.
  private(set) var doubtful: [[String: Int?]] = []
  /// The marks of such transactions, which are left alone from there on.
  private var retired: Set<String> = []
  private(set) var acknowledged = 0

  init(
    _ name: String, table: String, amount: String, world: World, seed: Int, settings: String, transactions: Int
  ) {
    self.name = name
    self.table = table
    self.amount = amount
    self.world = world
    self.settings = settings
    self.transactions = transactions
    random = SeededGenerator(seed: seed)
  }

  func run() {
    var database: RawSQLite?
    for _ in 0..<transactions {
      do {
        let file = try database ?? opened()
        database = file
        try transaction(on: file)
      } catch {
        world.observe("\(name): \(error)")
        // As a program does that starts again after an error.
        database?.close()
        database = nil
      }
      world.schedule.sleep(nanoseconds: random.number(1...40) * 100_000)
      if world.isHalted { break }
    }
    database?.close()
  }

  private func opened() throws -> RawSQLite {
    let file = try RawSQLite(Scene.path)
    try file.exec(settings)
    return file
  }

  private func transaction(on file: RawSQLite) throws {
    var after: [String: Int?] = [:]
    var statements: [String] = []
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      let known = amounts.merging(after.compactMapValues { $0 }) { $1 }.filter {
        after[$0.key] != .some(nil) && !retired.contains($0.key)
      }
      switch (random.number(0...4), known.keys.sorted()) {
      case (0, let marks) where !marks.isEmpty:
        let mark = random.pick(marks)
        statements.append("DELETE FROM \(table) WHERE mark = '\(mark)'")
        after[mark] = .some(nil)
      case (1...2, let marks) where !marks.isEmpty:
        let mark = random.pick(marks)
        statements.append("UPDATE \(table) SET \(amount) = \(amount) + 1 WHERE mark = '\(mark)'")
        after[mark] = (known[mark] ?? 0) + 1
      default:
        let mark = "\(name)-\(amounts.count)-\(random.number(0...999_999))"
        statements.append("INSERT INTO \(table) (mark, \(amount)) VALUES ('\(mark)', 1)")
        after[mark] = 1
      }
    }
    if statements.count > 1 { statements = ["BEGIN IMMEDIATE"] + statements + ["COMMIT"] }
    for (index, statement) in statements.enumerated() {
      world.statement(statement)
      do {
        try file.exec(statement)
      } catch let error as RawSQLiteError {
        // The last statement commits, alone or by COMMIT. Only a lock or the schema can be said to have kept it from that.
        let isRefused = [SQLITE_BUSY, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_SCHEMA].contains(error.code & 0xff)
        if index == statements.count - 1, !isRefused {
          doubtful.append(after)
          retired.formUnion(after.keys)
        }
        try? file.exec("ROLLBACK")
        throw error
      }
    }
    for (mark, value) in after { amounts[mark] = value }
    acknowledged += 1
  }

  /// True if an amount, or the lack of a row, agrees with what was acknowledged.
  func allows(_ found: Int?, for mark: String) -> Bool {
    if found == amounts[mark] { return true }
    return doubtful.contains { doubt in
      guard let value = doubt[mark] else { return false }
      return value == found
    }
  }

  /// The marks that the judge asks about.
  var marks: Set<String> { Set(amounts.keys).union(doubtful.flatMap(\.keys)) }
}
