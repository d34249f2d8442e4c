import GRDB

/// The mixed change as a migration of GRDB, with its settings as they come.
enum GRDBCopy {
  static func run(on path: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("mixed") { db in
      try db.execute(
        sql: """
          CREATE TABLE item_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code INTEGER NOT NULL,
            qty INTEGER NOT NULL DEFAULT 0, price REAL NOT NULL, category TEXT NOT NULL, created INTEGER NOT NULL,
            updated INTEGER, rating INTEGER, note TEXT, maker INTEGER, body BLOB NOT NULL);
          INSERT INTO item_new SELECT id, name, code, coalesce(qty, 0), price, category, created, updated, rating, note,
            maker, body FROM item;
          DROP TABLE item;
          ALTER TABLE item_new RENAME TO item;
          CREATE INDEX item_name ON item (name);
          CREATE INDEX item_category ON item (category, created);
          CREATE INDEX item_price ON item (price);
          """)
    }
    try migrator.migrate(queue)
    try queue.close()
    return "rebuild"
  }
}
