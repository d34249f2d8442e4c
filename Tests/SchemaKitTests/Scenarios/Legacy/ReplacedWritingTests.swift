import Foundation
import SchemaKit
import Testing

@Suite("What older libraries could write, and what they got wrong", .needs(.fts5))
struct ReplacedWritingTests {
  typealias Volume = Shelf.Volume
  typealias Writer = Shelf.Writer

  private struct Regret: Error {}

  @Test("saving over a row keeps its rowid, its children and the columns that are not named")
  func savesOver() throws {
    let session = try Shelf.session()
    try session.save(Writer(id: 1, name: "Virginia Woolf"))
    #expect(try session.count(Volume.self, where: { $0.writerID == 1 }) == 2)
    var volume = try #require(try session.find(Volume.self, 1))
    volume.title = "O"
    volume.views = 99
    try session.save(volume, .update(\.views))
    #expect(try session.find(Volume.self, 1)?.title == "Orlando")
    #expect(try session.find(Volume.self, 1)?.views == 99)
    volume.views = 1
    #expect(try session.save(volume, .ignore).views == 99)
    let error = #expect(throws: RecordError.self) { try session.save(volume, .insert) }
    #expect(error?.violation == "PRIMARY KEY volumes.id")
    #expect(try session.count(Volume.self) == 4)
  }

  @Test("saving many is one transaction that gives back the keys, and an empty list is not an error")
  func savesMany() throws {
    let session = try Shelf.session()
    let new = ["a", "b"].map { Writer(id: nil, name: $0) }
    #expect(try session.save(new).integers == [3, 4])
    #expect(try session.save([Writer]()).isEmpty)
    #expect(throws: RecordError.self) {
      try session.save([Writer(id: nil, name: "c"), Writer(id: nil, name: "a")])
    }
    #expect(try session.count(Writer.self) == 4)
  }

  @Test("updates and deletions by condition say how many rows they changed; an unwanted one cannot happen by nil")
  func changesByCondition() throws {
    let session = try Shelf.session()
    let increased = try session.update(
      Volume.self, set: { [$0.views.increase(by: 10), $0.genre.set(.essay)] }, where: { $0.price > 10 })
    #expect(increased == 2)
    #expect(try session.select(Volume.self, { $0.views }, orderBy: { [$0.id.ascending] }) == [15, 7, 13, 1])
    #expect(try session.updateAll(Volume.self, set: { [$0.title.set(sql: "lower(title)")] }) == 4)
    #expect(try session.delete(Volume.self, where: { $0.views > 10 }) == 2)
    #expect(try session.delete(Volume.self, where: { $0.price == nil }) == 1)
    #expect(try session.deleteAll(Volume.self) == 1)
    #expect(try session.delete(Writer.self, key: 1))
    #expect(try session.delete(Writer.self, key: 1) == false)
  }

  @Test("statements in SQL bind their values, quote names, and say what they changed on the connection that did it")
  func statements() throws {
    let session = try Shelf.session()
    let name = "Robert'); DROP TABLE writers; --"
    let result = try session.execute("INSERT INTO \(id: "writers") (name) VALUES (\(name))")
    #expect(result.changes == 1 && result.lastInsertedID == 3)
    #expect(try session.execute("UPDATE volumes SET views = 0 WHERE title <> '?' AND id < ?", [3]).changes == 2)
    #expect(try session.find(Writer.self, 3)?.name == name)
    try session.execute("CREATE TABLE mine (a); INSERT INTO mine VALUES (1); INSERT INTO mine VALUES (2)")
    #expect(try session.query("SELECT count(*) AS n FROM mine")[0]["n"] == .integer(2))
    try session.execute("DROP TABLE mine")
    #expect(try !session.hasTable("mine"))
  }

  @Test("a transaction or savepoint that throws is rolled back and the connection usable; one that returns is kept")
  func transactions() throws {
    let session = try Shelf.session()
    for kind in [TransactionKind.deferred, .immediate, .exclusive] {
      #expect(throws: Regret.self) {
        try session.transaction(kind) {
          try session.deleteAll(Volume.self)
          throw Regret()
        }
      }
    }
    #expect(throws: Regret.self) { try session.savepoint { throw Regret() } }
    #expect(!session.connection.isInTransaction)
    try session.transaction {
      try session.delete(Volume.self, key: 4)
      #expect(throws: Regret.self) {
        try session.transaction {
          try session.deleteAll(Volume.self)
          throw Regret()
        }
      }
    }
    #expect(try session.count(Volume.self) == 3)
  }

  @Test("the names of tables, columns and indexes are read without SchemaKit's own")
  func names() throws {
    let session = try Shelf.session()
    #expect(try session.tableNames().filter { !$0.hasPrefix("volume_search") } == ["volumes", "writers"])
    #expect(try session.columnNames(of: "writers") == ["id", "name"])
    #expect(try session.indexNames(of: "volumes") == ["volumes_by_price"])
    #expect(try session.hasTable("expensive") && !session.hasTable("nothing"))
  }

  @Test("settings, checks, maintenance and other files are reached in SQL")
  func pragmas() throws {
    let file = try TemporaryDatabase()
    let other = try TemporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES (5);")
    let session = try Session(at: file.sibling("new.db"), schema: Shelf.schema)
    #expect(try session.query("PRAGMA foreign_keys")[0][0] == .integer(1))
    #expect(try session.query("PRAGMA journal_mode")[0][0] == .text("wal"))
    #expect(try session.query("PRAGMA integrity_check")[0][0] == .text("ok"))
    #expect(try session.query("PRAGMA foreign_key_check").isEmpty)
    try session.execute("PRAGMA user_version = 9")
    #expect(try session.query("PRAGMA user_version")[0][0] == .integer(9))
    try session.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try session.execute("VACUUM")
    try session.execute("ATTACH \(other.path) AS other")
    #expect(try session.query("SELECT a FROM other.t")[0][0] == .integer(5))
    try session.execute("DETACH other")
    #expect(try session.query("SELECT sqlite_version()")[0][0]?.text?.hasPrefix("3.") == true)
  }

  @Test("a file opened for reading only is read and never written")
  func readOnly() throws {
    let file = try TemporaryDatabase()
    do { try Session(at: file.path, schema: Shelf.schema).save(Writer(id: 1, name: "Woolf")) }
    let session = try Session(at: file.path, schema: Shelf.schema) { $0.isReadOnly = true }
    #expect(try session.all(Writer.self).map(\.name) == ["Woolf"])
    let error = #expect(throws: SQLiteError.self) { try session.save(Writer(id: 2, name: "Borges")) }
    #expect(error?.isReadOnly == true)
  }

  @Test("changes are told to an observer after the commit, with cascades, and what is rolled back never is")
  func observes() throws {
    let session = try Shelf.session()
    let seen = Gathered<String>()
    let observation = try session.observe(Volume.self) { changes in
      for change in changes { seen.append("\(change.kind) \(change.key)") }
    }
    try? session.transaction {
      try session.deleteAll(Volume.self)
      throw Regret()
    }
    try session.delete(Writer.self, key: 2)
    try session.update(Volume.self, set: { [$0.views.set(0)] }, where: { $0.id == 1 })
    observation.cancel()
    try session.deleteAll(Volume.self)
    #expect(seen.all == ["delete 3", "update 1"])
  }
}
