import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Plans that are remembered from file to file")
struct PlanningMemoryPropertyTests {
  @Test("a plan that was made for another file with the same schema is the one that its own rows ask for")
  func equalPlans() throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 120
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 43_260_101
    print("property test: base seed \(seed), \(pairs) pairs")
    var reused = 0
    for seed in seed..<(seed + pairs) {
      let pair = try SchemaPair.make(seed: seed)
      var target = try TemporaryDatabase.target(pair.newScript)
      for hint in pair.hints { try target.hints.add(rename: hint) }
      let proofs = Shared(0)
      let memory = PlanningMemory { proofs.change { $0 += 1 } }
      // Most rows, all, every other one, none, and all again.
      let selections = [pair.rows.dropLast(2)[...], pair.rows[...], pair.rows.evenOnes[...], [], pair.rows[...]]
      for (number, rows) in selections.enumerated() {
        let file = try TemporaryDatabase()
        let database = try file.reopened()
        try database.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
        try database.exec(pair.oldScript)
        // Some rows need others that are left out.
        for row in rows { try? database.exec(row) }
        database.close()
        let before = proofs.value
        let own = Result { try Self.plan(file, target, memory: nil) }
        let remembered = Result { try Self.plan(file, target, memory: memory) }
        switch (own, remembered) {
        case (.success(var own), .success(var remembered)):
          // How large rows are that are not copied is told, and decides nothing.
          own.forgetSizes()
          remembered.forgetSizes()
          #expect(own.steps == remembered.steps, "seed \(seed), file \(number)")
          #expect(own.hazards == remembered.hazards, "seed \(seed), file \(number)")
          #expect(own == remembered, "seed \(seed), file \(number)")
          if number > 0, proofs.value == before { reused += 1 }
          try Self.apply(file, target, memory)
        case (.failure(let own), .failure(let remembered)): #expect("\(own)" == "\(remembered)")
        default: Issue.record("seed \(seed), file \(number): only one of both could be planned")
        }
      }
    }
    #expect(reused > pairs)
  }

  private static func plan(
    _ file: TemporaryDatabase, _ target: TargetSchema, memory: PlanningMemory?
  ) throws -> MigrationPlan {
    try migrator(SQLiteConnection.openedForInspection(path: file.path), target, memory).plan()
  }

  private static func migrator(
    _ connection: SQLiteConnection, _ target: TargetSchema, _ memory: PlanningMemory?
  ) throws -> Change {
    var request = ChangeRequest(allowing: .everything)
    request.memory = memory
    request.known = try memory?.catalog(of: connection)
    return Change(over: connection, to: target, request)
  }

  /// What is applied with what was remembered must be what an own look at the file calls done.
  private static func apply(_ file: TemporaryDatabase, _ target: TargetSchema, _ memory: PlanningMemory) throws {
    do {
      _ = try migrator(SQLiteConnection(path: file.path, mode: .readWrite), target, memory).apply()
    } catch let error as PlanError {
      guard case .refused = error.reason else { throw error }
      return
    }
    #expect(try plan(file, target, memory: nil).isEmpty)
  }
}

extension MigrationPlan {
  fileprivate mutating func forgetSizes() {
    for index in steps.indices where !steps[index].strategy.copiesRows { steps[index].bytes = nil }
  }
}

extension Array {
  /// The elements at even places.
  fileprivate var evenOnes: [Element] { indices.filter { $0.isMultiple(of: 2) }.map { self[$0] } }
}
