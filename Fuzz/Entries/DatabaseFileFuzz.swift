import Foundation
import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Looks at hostile database files and plans for them: each ends with a plan or a typed error, soon, and no byte of the
/// file changes.
package enum DatabaseFileFuzz {
  /// Looks at one file.
  ///
  /// - Parameter bytes: An image of a file; without SQLite's head, the rows of a catalog. See ``CatalogImage``.
  /// - Throws: `FuzzFinding` for what must not happen.
  package static func run(_ bytes: [UInt8]) throws {
    let path = Self.folder + "/schemakit-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString).db"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    } else {
      try CatalogImage(bytes).write(to: path)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try look(at: path)
    guard try Data(contentsOf: URL(fileURLWithPath: path)) == before else {
      throw FuzzFinding("looking at a file changed it")
    }
  }

  /// Memory where the system has such a folder, since every input is a file.
  private static let folder =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  private static func look(at path: String) throws {
    // Counted, not timed, so that every run ends alike.
    var checks = 0
    let isCancelled = {
      checks += 1
      return checks > 5_000
    }
    do {
      let connection = try SQLiteConnection.openedForInspection(path: path, busyTimeout: 0)
      try connection.withCancellation(check: isCancelled) {
        let known = try KnownCatalog(connection)
        _ = Fingerprint.of(known.schema)
        _ = try SchemaSnapshot(known.schema, engine: "").json()
        var request = ChangeRequest()
        request.known = known
        for target in Self.targets {
          let plan = try Change(over: connection, to: target, request).plan()
          let report = PlanReport(plan, database: path, isNewFile: false, policy: .lossless)
          _ = report.text()
          _ = report.json()
          _ = report.sql()
        }
      }
      _ = try SchemaInspector(at: path, busyTimeout: 0).history()
    } catch let error as SQLiteError {
      if error.isInterrupted { throw FuzzFinding("planning does not end") }
      guard error.isAboutInput else { throw FuzzFinding("\(error)") }
    } catch is IntrospectionError {
    } catch is PlanError {
    } catch is HistoryError {
    } catch {
      throw FuzzFinding("an error of the type \(type(of: error)): \(error)")
    }
  }

  /// Schemas that have something in common with the files of the corpus.
  private static let targets: [TargetSchema] = [target, emptyTarget].compactMap { $0 }

  private static let emptyTarget = try? SchemaSource.sql("CREATE TABLE only(one)", source: "target").load().target

  private static let target = try? SchemaSource.sql(
    """
    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
    CREATE TABLE book(
      id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE NOCASE, -- schemakit: renamed from name
      author INTEGER NOT NULL DEFAULT 1 REFERENCES author(id) ON DELETE CASCADE,
      price REAL CHECK (price >= 0), upper_title TEXT AS (upper(title)) VIRTUAL, pages INTEGER NOT NULL);
    CREATE TABLE tag(word TEXT PRIMARY KEY, book INTEGER) WITHOUT ROWID;
    CREATE TABLE log(at TEXT DEFAULT CURRENT_TIMESTAMP, what ANY) STRICT;
    CREATE UNIQUE INDEX book_title ON book(title, author);
    CREATE INDEX book_price ON book(price DESC) WHERE price > 1;
    CREATE VIEW priced AS SELECT title, price FROM book WHERE price IS NOT NULL;
    CREATE TRIGGER book_log AFTER INSERT ON book BEGIN INSERT INTO log(what) VALUES (new.title); END;
    """, source: "target"
  ).load().target
}
