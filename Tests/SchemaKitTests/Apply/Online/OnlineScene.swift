import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// A table that has to be copied, with everything by which rows can change unseen, and programs that write it meanwhile.
struct OnlineScene {
  static let before = """
    CREATE TABLE kinds (id INTEGER PRIMARY KEY);
    CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, qty INTEGER, name TEXT UNIQUE, a INTEGER, b TEXT COLLATE NOCASE,
      kind INTEGER REFERENCES kinds (id) ON DELETE CASCADE, note TEXT, tag TEXT NOT NULL DEFAULT 'none', CHECK (qty IS NULL OR qty > -100), UNIQUE (a, id));
    CREATE INDEX t_note ON t (note);
    CREATE INDEX t_code ON t (code DESC, note) WHERE code > '1';
    CREATE UNIQUE INDEX t_qty ON t (qty, id);
    CREATE INDEX t_sum ON t (coalesce(qty, -1) + id) WHERE qty > 3;
    CREATE UNIQUE INDEX t_a_b ON t (a, b) WHERE a > 0;
    CREATE UNIQUE INDEX t_tag ON t (tag, kind) WHERE tag <> 'all';
    CREATE TABLE seen (id INTEGER, what TEXT);
    CREATE TRIGGER t_seen AFTER UPDATE ON t BEGIN INSERT INTO seen VALUES (NEW.id, 'updated'); END;
    CREATE TRIGGER t_zero AFTER INSERT ON t WHEN NEW.note = 'zero' BEGIN UPDATE t SET qty = 0 WHERE id = NEW.id; END;
    """
  /// NULL becomes 0, texts become numbers, a CHECK goes, and of the keys one stays under another number, one goes and one is new.
  static let after = """
    CREATE TABLE kinds (id INTEGER PRIMARY KEY);
    CREATE TABLE t (id INTEGER PRIMARY KEY, code INTEGER, qty INTEGER NOT NULL DEFAULT 0, name TEXT, a INTEGER,
      b TEXT COLLATE NOCASE, kind INTEGER REFERENCES kinds (id) ON DELETE CASCADE, note TEXT,
      tag TEXT NOT NULL DEFAULT 'none', UNIQUE (code, id), UNIQUE (name));
    CREATE INDEX t_note ON t (note);
    CREATE INDEX t_code ON t (code DESC, note) WHERE code > '1';
    CREATE UNIQUE INDEX t_qty ON t (qty, id);
    CREATE INDEX t_sum ON t (coalesce(qty, -1) + id) WHERE qty > 3;
    CREATE UNIQUE INDEX t_a_b ON t (a, b) WHERE a > 0;
    CREATE UNIQUE INDEX t_tag ON t (tag, kind) WHERE tag <> 'all';
    CREATE TABLE seen (id INTEGER, what TEXT);
    CREATE TRIGGER t_seen AFTER UPDATE ON t BEGIN INSERT INTO seen VALUES (NEW.id, 'updated'); END;
    CREATE TRIGGER t_zero AFTER INSERT ON t WHEN NEW.note = 'zero' BEGIN UPDATE t SET qty = 0 WHERE id = NEW.id; END;
    """

  let database: TemporaryDatabase
  /// A file that gets the same writes and is changed in the usual way afterwards.
  let judge: TemporaryDatabase

  init(rows: Int) throws {
    let fill = """
      PRAGMA journal_mode = WAL;
      \(Self.before)
      INSERT INTO kinds WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT i FROM n;
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        SELECT i * 3, i * 7, CASE i % 10 WHEN 0 THEN NULL ELSE i % 50 END, 'name ' || i, i % 20 - 5, 'b' || i, i % 40 + 1,
        'note ' || (i % 100), 'all' FROM n;
      """
    database = try TemporaryDatabase(fill)
    judge = try TemporaryDatabase(fill)
  }

  /// A statement as an application of the old schema could run it.
  static func write(_ generator: inout SeededGenerator, rows: Int) -> String {
    let id = generator.number(-5...(rows * 3 + 20))
    let other = generator.number(1...(rows * 3))
    let name = "'name \(generator.number(1...rows))'"
    let pair = "\(generator.number(-5...15)), 'B\(generator.number(1...rows))'"
    let qty = generator.chance(20) ? "NULL" : "\(generator.number(0...99))"
    let clause = generator.pick(["", " OR REPLACE", " OR IGNORE", " OR FAIL", " OR ROLLBACK"])
    let note = generator.chance(10) ? "'zero'" : "'note \(generator.number(1...99))'"
    switch generator.number(0...9) {
    case 0, 1:
      return "INSERT\(clause) INTO t VALUES (\(generator.chance(50) ? "NULL" : "\(id)"), '\(other)', \(qty), \(name), "
        + "\(pair), \(generator.number(1...40)), \(note), \(generator.chance(30) ? "NULL" : "'all'"))"
    case 2: return "DELETE FROM t WHERE id BETWEEN \(id) AND \(id + 9)"
    case 3: return "UPDATE\(clause) t SET id = \(other) WHERE id = \(id)"
    case 4: return "UPDATE\(clause) t SET name = \(name), (a, b) = (\(pair)) WHERE id BETWEEN \(id) AND \(id + 6)"
    case 5:
      return
        "INSERT INTO t (code, name, qty) VALUES ('\(other)', \(name), \(qty)) ON CONFLICT (name) DO UPDATE SET qty = 7"
    case 6 where generator.chance(60): return "UPDATE\(clause) t SET tag = NULL WHERE id = \(id)"
    case 6: return "DELETE FROM kinds WHERE id = \(generator.number(1...400))"
    case 7: return "UPDATE t SET code = '\(other)' WHERE note = \(note)"
    default: return "UPDATE t SET qty = \(qty), note = \(note) WHERE id BETWEEN \(id) AND \(id + 30)"
    }
  }

  /// Runs a write on both files; it fails on both or on neither.
  func write(_ sql: String, on connection: RawSQLite, _ other: RawSQLite) throws -> Bool {
    func outcome(_ connection: RawSQLite) -> String? {
      do {
        try connection.exec(sql)
        return nil
      } catch { return "\(error)" }
    }
    return outcome(connection) == outcome(other)
  }

  static func policy(_ strategy: StrategyChoice = .online) -> PlanPolicy {
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    return policy
  }

  /// Migrates the file online.
  @discardableResult
  func migrate(
    to sql: String = Self.after, limits: (inout OnlineLimits) -> Void = { _ in },
    observing: (inout ChangeObserver) -> Void = { _ in }
  ) throws -> ApplyReport {
    try database.migrate(to: sql, allowing: Self.policy()) { options in
      // The smallest batches.
      options.online.lock = .nanoseconds(1)
      limits(&options.online)
      observing(&options.observer)
    }
  }

  /// The rows of both files are the same, in tables and through each index, and nothing of the run is left.
  func differences() throws -> [String] {
    var found: [String] = []
    for query in [
      "SELECT *, typeof(code) FROM t ORDER BY id", "SELECT note, id FROM t ORDER BY note, id", "SELECT * FROM kinds",
      "SELECT name, id FROM t WHERE name > '' ORDER BY name", "SELECT a, b, id FROM t WHERE a > 0 ORDER BY a, b",
      "SELECT code, id FROM t WHERE code > '1' ORDER BY code DESC, note, id",
      "SELECT qty, id FROM t WHERE qty > 3 ORDER BY qty, id",
      "SELECT id FROM t WHERE qty > 3 AND coalesce(qty, -1) + id > 9 ORDER BY coalesce(qty, -1) + id, id",
      "SELECT code, id FROM t WHERE code > 30 ORDER BY code, id",
      "SELECT tag, kind, id FROM t WHERE tag <> 'all' ORDER BY tag, kind, id", "SELECT count(*) FROM seen",
      "SELECT type, name, tbl_name FROM sqlite_master WHERE name <> '_schemakit_nulls' ORDER BY name",
    ] where try database.query(query) != judge.query(query) { found.append(query) }
    let check = try database.query("PRAGMA integrity_check")
    if check != [[.text("ok")]] { found.append("\(check)") }
    found += try traces()
    return found
  }

  /// How much room an online copy needs from now on.
  func neededRoom() throws -> Int64 {
    let plan = try database.plan(to: Self.after, strategy: .online)
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    return try OnlineRoom(connection: connection, plan: plan, freeSpace: { _ in 0 }).shortage()?.needed ?? 0
  }

  /// What a run has left in the file.
  func traces() throws -> [String] {
    try database.query("SELECT name FROM sqlite_master WHERE name LIKE '\\_schemakit\\_online%' ESCAPE '\\'").map {
      "\($0)"
    }
  }
}
