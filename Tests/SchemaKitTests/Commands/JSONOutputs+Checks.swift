import Foundation

extension JSONOutputs {
  /// Databases that have a schema, lack something, or do not exist, and schemas that differ.
  func checkScenes() throws {
    let declared = try String(contentsOf: folder.url("t.sql"), encoding: .utf8)
    try folder.write(declared + "\n-- schemakit: removed t\n", to: "idle.sql")
    for kind in ["check", "sarif", "junit"] {
      try keep(kind, 0, "check same.db --to t.sql")
      try keep(kind, 2, "check shop.db --to shop.sql")
      try keep(kind, 2, "check nowhere.db --to t.sql")
      try keep(kind, 0, "check same.db --to idle.sql")
    }
    try keep("diff", 0, "diff shop.db shop.db")
    try keep("diff", 2, "diff shop.db shop.sql")
    try keep("diff", 2, "diff shop.db shop.sql --running file")
    for kind in ["check", "sarif", "junit"] { try keep(kind, 2, "check shop.db --to shop.sql --running file") }
    try keep("diff", 2, "diff empty.sql shop.sql")
    try keep("diff", 2, "diff shop.db empty.sql")
  }

  /// Folders of migrations that are intact, behind the schema, changed and broken, and databases at several steps.
  func migrationScenes() throws {
    try folder.write("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT);", to: "users.sql")
    try run(0, "migrations new init --to users.sql")
    try FileManager.default.copyItem(at: folder.url("migrations"), to: folder.url("base"))
    try keep("recorded-apply", 0, "apply m.db --migrations migrations --yes --create")
    try folder.write(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, title TEXT NOT NULL, age INTEGER, n INTEGER CHECK (n > 0));
      CREATE INDEX i ON users (title);
      CREATE VIEW v AS SELECT title FROM users;
      CREATE TRIGGER going AFTER DELETE ON users BEGIN SELECT 1; END;
      """, to: "users.sql")
    for kind in ["check", "sarif", "junit"] { try keep(kind, 2, "check --to users.sql --migrations migrations") }
    try run(0, "migrations new titles --to users.sql --rename users.name=users.title --allow SK103:users.age")
    try folder.write("UPDATE users SET title = trim(title);", to: "migrations/0002-titles.after.sql")
    try run(0, "migrations hash")
    for kind in ["check", "sarif", "junit"] {
      try keep(kind, 0, "check --to users.sql --migrations migrations --base base")
    }
    try keep("snapshot", text: String(contentsOf: folder.url("migrations/snapshot.json"), encoding: .utf8))

    try keep("migrations-status", 2, "migrations status m.db")
    _ = try folder.rows(of: "m.db", "INSERT INTO users (name, age) VALUES ('Ann', '007')")
    try keep("recorded-apply", 0, "apply m.db --migrations migrations --dry-run")
    try keepEvents(0, "apply m.db --migrations migrations --dry-run")
    try keep("recorded-apply", 0, "apply m.db --migrations migrations --yes --create")
    try keep("recorded-apply", 0, "apply m.db --migrations migrations --yes --create")
    try keep("migrations-status", 0, "migrations status m.db")
    try keep("migrations-status", 2, "migrations status nowhere.db")
    try keep("migrations-status", 4, "migrations status m.db --migrations base")
    try keep("migrations-status", 4, "migrations status shop.db")
    try keep("history", 0, "history m.db")

    try FileManager.default.createDirectory(at: folder.url("branch"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE a (x);", to: "branch/0001-a.sql")
    try run(0, "migrations hash --migrations branch")
    try run(0, "apply r.db --migrations branch --yes --create")
    try FileManager.default.moveItem(at: folder.url("branch/0001-a.sql"), to: folder.url("branch/0002-a.sql"))
    try run(0, "migrations hash --migrations branch")
    try keep("migrations-status", 0, "migrations status r.db --migrations branch")

    let step = try String(contentsOf: folder.url("base/0001-init.sql"), encoding: .utf8)
    try folder.write(step + "\n-- more\n", to: "base/0001-init.sql")
    for kind in ["check", "sarif", "junit"] { try keep(kind, 1, "check --to users.sql --migrations base") }
    // Of a database that is newer and a folder that is damaged, the folder decides.
    try keep("check", 1, "check new.db --to t.sql --migrations base")
    try keep("check", 1, "check --to users.sql --migrations migrations --base base")
    try run(0, "migrations hash --migrations base")
    try keep("migrations-status", 4, "migrations status m.db --migrations base")
    try folder.write("<<<<<<< ours\n", to: "base/0001-init.sql")
    for kind in ["check", "sarif", "junit"] { try keep(kind, 1, "check --to users.sql --migrations base") }
  }

  /// Schemas and files with mistakes of many kinds, and without any.
  func findingScenes() throws {
    let lint = """
      CREATE TABLE p (id INT PRIMARY KEY, day DATE, x STRING);
      CREATE TABLE c (p INTEGER NOT NULL REFERENCES p ON DELETE SET NULL, n CHECK (n > 0));
      CREATE VIEW v AS SELECT nope FROM p;
      CREATE INDEX i ON c (p);
      CREATE INDEX j ON c (p);
      CREATE TRIGGER tr AFTER INSERT ON c BEGIN SELECT nope FROM p; END;
      """
    try folder.write(lint, to: "lint.sql")
    try folder.write(
      """
      [[lint.rule]]
      id = "own-rule"
      level = "error"
      sentence = "{object}"
      select = "SELECT name AS object FROM schema_tables UNION ALL SELECT NULL"
      """, to: "rules.toml")
    for kind in ["lint", "sarif", "junit"] {
      try keep(kind, 0, "lint t.sql")
      try keep(kind, 2, "lint lint.sql")
      try keep(kind, 2, "lint lint.sql --config rules.toml")
      try keep(kind, 2, "lint shop.db")
      try keep(kind, 2, "lint -", input: lint)
    }
    try keep("snapshot", 0, "inspect lint.sql")
    try keep("snapshot", 0, "inspect empty.sql")
    try folder.write(
      """
      CREATE TABLE g (a, b DEFAULT 'x', c AS (a + 1), PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE TABLE "" ("");
      """, to: "kinds.sql")
    try keep("snapshot", 0, "inspect kinds.sql")
    try keep("diff", 2, "diff kinds.sql t.sql")

    try folder.database(
      "sick.db",
      """
      PRAGMA encoding = 'UTF-16le'; PRAGMA user_version = 7; PRAGMA application_id = -9;
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p);
      INSERT INTO c VALUES (1, 7); CREATE VIEW v AS SELECT nope FROM p; CREATE TABLE _schemakit_new_x (a);
      """)
    try keep("doctor", 2, "doctor sick.db")
    try keep("doctor", 0, "doctor same.db --quick")
    try folder.database(
      "index.db",
      """
      CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2); PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a DESC)' WHERE name = 'i';
      """)
    try keep("doctor", 1, "doctor index.db")
    try folder.database(
      "bad.db", "CREATE TABLE t (a); PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE t ('")
    try keep("doctor", 1, "doctor bad.db")

    let writer = try RawSQLite(folder.url("wal.db").path)
    try writer.exec("INSERT INTO t (id) VALUES (5)")
    try keep("doctor", 0, "doctor wal.db")
    writer.close()
    // A copy of the moment in which a program is stopped.
    let stopped = try RawSQLite(folder.url("writing.db").path)
    defer { stopped.close() }
    try stopped.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA cache_size = 5; BEGIN IMMEDIATE")
    let rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
    try stopped.exec("\(rows) INSERT INTO t SELECT zeroblob(4000) FROM n")
    for suffix in ["", "-journal"] {
      try folder.bytes("writing.db" + suffix).write(to: folder.url("stopped.db" + suffix))
    }
    try keep("doctor", 0, "doctor stopped.db")
  }
}
