import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Undo of random schema pairs")
struct UndoPropertyTests {
  private static let sliceCount = 2

  @Test(
    "what was migrated with everything kept goes back to the schema and the values before", arguments: 0..<sliceCount)
  func thereAndBack(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 200
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 20_261_121
    let start = pairs * slice / Self.sliceCount
    let end = pairs * (slice + 1) / Self.sliceCount
    var outcomes: [String: Int] = [:]
    for offset in start..<end {
      let pair = try SchemaPair.make(seed: seed &+ offset)
      let outcome: String
      do {
        outcome = try judge(pair)
      } catch {
        outcome = "failed"
        Issue.record("SCHEMAKIT_PROPERTY_SEED=\(pair.seed) SCHEMAKIT_PROPERTY_PAIRS=1: \(error)\n\(pair)")
      }
      outcomes[outcome, default: 0] += 1
    }
    print("undo property test: seeds \(seed + start)..<\(seed + end), \(outcomes.sorted { $0.key < $1.key })")
    if end - start >= 100 { #expect(outcomes["undone", default: 0] * 2 >= end - start) }
  }

  /// Migrates and undoes a pair; says how it ended.
  private func judge(_ pair: SchemaPair) throws -> String {
    let file = try TemporaryDatabase()
    let writer = try file.reopened()
    try writer.exec("PRAGMA synchronous = OFF")
    try pair.fill(writer)
    writer.close()
    let before = try schema(of: file)
    var target = try TemporaryDatabase.target(pair.newScript)
    for hint in pair.hints { try target.hints.add(rename: hint) }
    let old = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: old.path)
    try FileManager.default.copyItem(atPath: file.path, toPath: old.path)

    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    let request = ChangeRequest(allowing: .keepingEverything)
    let plan: MigrationPlan
    do {
      let report = try Change(over: connection, to: target, request).apply()
      guard report.outcome == .applied else { return "nothing to do" }
      plan = report.plan
    } catch is PlanError {
      return "refused"
    }
    do {
      try MigrationUndo(over: connection).apply(allowing: .everything)
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { throw error }
      // A value that is gone for good may be one that the former schema insists on.
      let isExcused = plan.lossesOfUndo.isEmpty == false || hazards.allSatisfy { $0.code == .brokenObject }
      guard isExcused else { throw error }
      return "undo refused"
    } catch let error as ApplyError {
      // Rows may refer to values that nobody could keep.
      guard case .newViolations = error.reason, !plan.lossesOfUndo.isEmpty else { throw error }
      return "undo refused"
    }
    let difference = SchemaDiff(from: try schema(of: file), to: before)
    guard difference.isEmpty else { throw Difference(text: "schema: \(difference.names)") }
    try compare(old, file, plan: plan, schema: before)
    return "undone"
  }

  private struct Difference: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  private func schema(of file: TemporaryDatabase) throws -> DatabaseSchema {
    try SchemaReader.read(SQLiteConnection.openedForInspection(path: file.path))
  }

  /// Every value must be what it was, but those that a conversion changed, that filled NULL, or that nobody could keep.
  private func compare(
    _ old: TemporaryDatabase, _ new: TemporaryDatabase, plan: MigrationPlan, schema: DatabaseSchema
  ) throws {
    let names = try old.query("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0[0].string }
    for table in names.compactMap({ schema.table(SQLName($0)) }) {
      let name = plan.renames.formerTables.first { $0.value == table.name }?.key ?? table.name
      let columns = table.writableColumns.filter { column in
        let newName = plan.renames.formerColumns[name]?.first { $0.value == column.name }?.key ?? column.name
        return !plan.hazards.contains { hazard in
          let isColumn = hazard.column.map { SQLName($0) == newName || SQLName($0) == column.name } ?? false
          let isLoss = hazard.code == .lossyConversion && (hazard.count ?? 0) > 0
          let isUnkept =
            hazard.code == .droppedColumn
            && !plan.keptValues.contains { $0.table == table.name && $0.column == column.name }
          return SQLName(hazard.table) == name && isColumn && (isLoss || isUnkept)
        } && !fillsNulls(column: column, newName: newName, table: name, plan: plan)
      }
      guard !columns.isEmpty else { continue }
      let query = "SELECT \(columns.map(\.name.quoted).joined(separator: ", ")) FROM main.\(table.name.quoted)"
      let expected = try old.query(query).map { "\($0.map(Self.number))" }.sorted()
      let found = try new.query(query).map { "\($0.map(Self.number))" }.sorted()
      guard expected == found else {
        throw Difference(
          text: "\(table.name): \(expected.filter { !found.contains($0) }.prefix(3)) became "
            + "\(found.filter { !expected.contains($0) }.prefix(3))")
      }
    }
  }

  /// Whether NULLs of a column may have got the default of a new NOT NULL.
  private func fillsNulls(column: ColumnSchema, newName: SQLName, table: SQLName, plan: MigrationPlan) -> Bool {
    guard !column.isNotNull else { return false }
    return plan.steps.contains { step in
      (step.strategy.copiesRows || step.strategy == .update) && step.object.name == table
        && step.changes.contains { $0.hasPrefix("column \(newName):") && $0.contains("NOT NULL") }
    }
  }

  /// A number is the same number in either storage class.
  private static func number(_ value: RawValue) -> RawValue {
    if case .real(let real) = value, let whole = Int64(exactly: real) { return .int(whole) }
    return value
  }
}
