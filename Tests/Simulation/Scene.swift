import RandomSchemas

/// All that a seed decides: the file, the change, the programs beside it, and the faults.
struct Scene: Sendable {
  /// The way in which the file is changed.
  enum Entry: String, Sendable, CaseIterable {
    case apply
    /// With a plan that was made before, which holds as long as nobody writes.
    case examined
    /// With a plan that was saved as a document before.
    case saved
    /// By recorded migrations: one that leads to the old schema, which the file is said to have, and one from there.
    case recorded
    /// Inside a transaction of the program's own.
    case inside
    /// Rolled back at the end.
    case dryRun
    case online
    case expandAndContract
    /// What is dropped is kept, and the change is undone in peace.
    case undone
    /// The change has been made, and undoing it is disturbed.
    case undo
  }

  static let path = SimulatedFileSystem.folder + "database.db"

  let seed: Int
  var pair: SchemaPair
  var witness: Witness
  var entry: Entry
  var strategy: String
  var journal: String
  var pageSize: Int
  var cacheSize: Int
  var autoVacuum: Int
  var restlessness: Int
  var witnessRows: Int
  var appliers = 1
  var oldWriters = 0
  var newWriters = 0
  var readers = 0
  var checkpointers = 0
  var faults: [Fault] = []
  /// The number of times that the programs start, each time on what the time before left.
  var rounds = 1
  /// True if the disk says of each sync that it is done, and does nothing.
  let isLying: Bool

  init(seed: Int, isLying: Bool) throws {
    self.seed = seed
    self.isLying = isLying
    var random = SeededGenerator(seed: seed &* 6_364_136 &+ 1_442_695)
    pair = try SchemaPair.make(seed: seed)
    if try pair.hasRandomRowIDs() { pair.rows = [] }
    witness = Witness(change: random.pick(Witness.Change.allCases))
    entry = random.pick([.apply, .apply, .apply] + Entry.allCases)
    strategy = random.pick(["auto", "auto", "auto", "rebuild", "alter"])
    journal = random.pick(["DELETE", "TRUNCATE", "PERSIST", "WAL", "WAL", "WAL"])
    pageSize = random.pick([512, 1024, 4096, 4096])
    cacheSize = random.pick([5, 20, 2000])
    autoVacuum = random.pick([0, 0, 0, 1, 2])
    restlessness = random.pick([2, 10, 30, 60])
    witnessRows = random.pick([0, 3, 10, 60])
    appliers = random.pick([1, 1, 1, 2])
    oldWriters = random.pick([0, 0, 1, 2])
    newWriters = random.pick([0, 0, 0, 1])
    readers = random.pick([0, 0, 1])
    rounds = random.pick([1, 1, 2])
    checkpointers = journal == "WAL" ? random.pick([0, 0, 1]) : 0
    let kinds = Fault.Kind.allCases + [.halt, .halt, .halt, .halt]
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 3]) {
      // As many early operations as late ones: the exponent is drawn, not the number.
      let most = random.pick([30, 100, 300, 1_000, 3_000])
      faults.append(Fault(kind: random.pick(kinds), at: random.number(1...most)))
    }
  }

  var oldDDL: [String] { pair.oldDDL + witness.oldDDL }
  var newDDL: [String] { pair.newDDL + witness.newDDL }
  var hints: [String] { pair.hints + witness.hints }

  /// The settings of each connection. A machine that stops must not lose a commit that was acknowledged.
  var settings: String {
    "PRAGMA cache_size = \(cacheSize); PRAGMA synchronous = EXTRA; PRAGMA busy_timeout = 4000"
  }
}

extension Scene: CustomStringConvertible {
  var description: String {
    """
    seed \(seed): \(entry.rawValue) by \(strategy), journal \(journal), pages of \(pageSize), cache of \(cacheSize), \
    auto_vacuum \(autoVacuum), restlessness \(restlessness)
    \(appliers) appliers, \(oldWriters) old writers, \(newWriters) new writers, \(readers) readers, \
    \(checkpointers) checkpointers; witness: \(witness.change.rawValue), \(witnessRows) rows
    \(rounds) rounds, faults: \(faults.map { "\($0.kind.rawValue) at \($0.at)" }.joined(separator: ", "))
    """
  }
}

extension SchemaPair {
  /// True if a table has the greatest rowid there is: SQLite numbers the rows behind it
  /// [at random](https://sqlite.org/autoinc.html), so that the file is not the same a second time, or references break.
  fileprivate func hasRandomRowIDs() throws -> Bool {
    let file = try RawSQLite()
    defer { file.close() }
    guard (try? fill(file)) != nil else { return true }
    let tables = try file.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0[0].string }
    return tables.contains { table in
      ["rowid", "_rowid_", "oid"].contains { name in
        (try? file.rows("SELECT max(\(name)) FROM \(SchemaOracle.quoted(table))")) == [[.int(.max)]]
      }
    }
  }
}
