import RandomSchemas

/// Makes a failing scene smaller for as long as it fails in the same way.
package struct Shrinking {
  private(set) var scene: Scene
  private let failure: String
  package private(set) var runs = 0

  /// - Parameter result: The result of the simulation, with at least one violation.
  package init(_ simulation: Simulation, _ result: Simulation.Result) {
    scene = simulation.scene
    failure = Self.kind(of: result.violations.first ?? "")
  }

  /// Tries every reduction until none is left that keeps the failure.
  ///
  /// - Parameter most: The most simulations to run.
  /// - Returns: The smallest scene found, and what it breaks.
  package mutating func smallest(most: Int = 600) -> (simulation: Simulation, violation: String) {
    var violation = failure
    var hasShrunk = true
    while hasShrunk, runs < most {
      hasShrunk = false
      for candidate in candidates() where runs < most {
        runs += 1
        let found = Simulation(scene: candidate).run().violations.first { Self.kind(of: $0) == failure }
        guard let found else { continue }
        (scene, violation, hasShrunk) = (candidate, found, true)
        break
      }
    }
    return (Simulation(scene: scene), violation)
  }

  /// The violation without what differs from file to file: numbers, and everything behind the second colon.
  private static func kind(of violation: String) -> String {
    violation.filter { !$0.isNumber }.split(separator: ":").prefix(2).joined(separator: ":")
  }

  /// Scenes that are smaller in one thing, the largest reductions first.
  private func candidates() -> [Scene] {
    var result: [Scene] = []
    func add(_ change: (inout Scene) -> Void) {
      var candidate = scene
      change(&candidate)
      if candidate.size < scene.size { result.append(candidate) }
    }
    for fault in scene.faults.indices { add { $0.faults.remove(at: fault) } }
    for path: WritableKeyPath<Scene, Int> in [
      \.oldWriters, \.newWriters, \.readers, \.checkpointers, \.witnessRows, \.autoVacuum,
    ] {
      add { $0[keyPath: path] = 0 }
      add { $0[keyPath: path] -= $0[keyPath: path] > 0 ? 1 : 0 }
    }
    add { $0.appliers = 1 }
    add { $0.witness = Witness(change: .none) }
    add { $0.journal = "DELETE" }
    add { $0.strategy = "auto" }
    add { $0.pageSize = 4096 }
    add { $0.cacheSize = 2000 }
    let rows = scene.pair.rows
    for part in [rows.count / 2, rows.count / 4, 1] where part > 0 {
      for start in stride(from: 0, to: rows.count, by: part) {
        add { $0.pair.rows.removeSubrange(start..<min(rows.count, start + part)) }
      }
    }
    for old in scene.pair.oldDDL.indices {
      let name = scene.pair.oldDDL[old].nameOfObject
      add { scene in
        scene.pair.oldDDL.remove(at: old)
        scene.pair.newDDL.removeAll { $0.nameOfObject == name }
        scene.pair.rows.removeAll { $0.contains("\"\(name)\"") }
      }
      add { $0.pair.oldDDL.remove(at: old) }
    }
    for new in scene.pair.newDDL.indices { add { $0.pair.newDDL.remove(at: new) } }
    return result
  }
}

extension Scene {
  /// A measure that each reduction makes smaller.
  fileprivate var size: Int {
    let texts = pair.oldDDL + pair.newDDL + pair.rows
    let settings = [
      journal == "DELETE", strategy == "auto", pageSize == 4096, cacheSize == 2000, witness.change == .none,
    ]
    let programs = appliers + oldWriters + newWriters + readers + checkpointers
    return texts.reduce(0) { $0 + $1.utf8.count } + 50 * (faults.count + programs) + witnessRows + autoVacuum
      + 10 * settings.count { !$0 }
  }
}

extension String {
  /// The name that a CREATE statement gives, without quotes and in lower case; empty where it cannot be told.
  fileprivate var nameOfObject: String {
    let words = split { " \t\n(".contains($0) }.map(String.init)
    guard let kind = words.firstIndex(where: { ["table", "view", "index", "trigger"].contains(asciiFolded($0)) }),
      kind + 1 < words.count
    else { return "" }
    return asciiFolded(words[kind + 1].trimmingQuotes)
  }

  private var trimmingQuotes: String {
    String(drop { "\"[`".contains($0) }.reversed().drop { "\"]`".contains($0) }.reversed())
  }
}
