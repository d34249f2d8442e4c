import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Plans that were made for an engine, carried out on a connection to a local file.
@Suite("Plans for an engine, applied to a file")
struct ProfileApplyTests {
  private static let before = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY, a TEXT);
    CREATE TABLE child (parent INTEGER REFERENCES parent ON DELETE CASCADE);
    INSERT INTO parent VALUES (1, 'x'); INSERT INTO child VALUES (1), (NULL);
    """
  private static let after = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> ''));
    CREATE TABLE child (parent INTEGER REFERENCES parent ON DELETE CASCADE);
    """

  @Test(
    "children are kept where the connection enforces foreign keys, in a transaction too",
    arguments: EngineProfile.Name.allCases, [false, true])
  func children(profile: EngineProfile.Name, isInTransaction: Bool) throws {
    let database = try TemporaryDatabase(Self.before)
    do {
      let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
      try connection.execute("PRAGMA foreign_keys = ON")
      if isInTransaction { try connection.execute("BEGIN IMMEDIATE") }
      var request = ChangeRequest()
      request.plan.profile = profile
      let target = try TemporaryDatabase.target(Self.after)
      let report = try Change(over: connection, to: target, request).apply()
      #expect(report.outcome == .applied)
      #expect(try connection.integer("PRAGMA foreign_keys") == 1)
      if isInTransaction { try connection.execute("COMMIT") }
    }
    #expect(try database.query("SELECT parent FROM child ORDER BY parent") == [[.null], [.int(1)]])
    #expect(try database.query("SELECT a FROM parent") == [[.text("x")]])
  }
}
