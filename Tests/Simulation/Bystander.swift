import RandomSchemas

/// A program that reads the file or tidies its WAL while others change it. It fails where it must, and tries again.
struct Bystander {
  let world: World
  let settings: String

  /// Holds read transactions open for a while.
  func read(_ seed: Int) {
    work(seed) { file, random in
      world.statement("BEGIN")
      try file.exec("BEGIN")
      _ = try file.rows("SELECT count(*) FROM sqlite_master")
      world.schedule.sleep(nanoseconds: random.number(1...60) * 100_000)
      try file.exec("COMMIT")
    }
  }

  func checkpoint(_ seed: Int) {
    work(seed) { file, random in
      let mode = random.pick(["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
      world.statement("checkpoint \(mode)")
      _ = try file.rows("PRAGMA wal_checkpoint(\(mode))")
    }
  }

  private func work(_ seed: Int, _ body: (RawSQLite, inout SeededGenerator) throws -> Void) {
    var random = SeededGenerator(seed: seed)
    var database: RawSQLite?
    for _ in 0..<8 where !world.isHalted {
      do {
        let file = try database ?? RawSQLite(Scene.path)
        if database == nil { try file.exec(settings) }
        database = file
        try body(file, &random)
      } catch {
        world.observe("bystander: \(error)")
        database?.close()
        database = nil
      }
      world.schedule.sleep(nanoseconds: random.number(1...50) * 100_000)
    }
    database?.close()
  }
}
