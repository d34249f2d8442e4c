import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// The function that looks for equal keys finds those that SQLite groups.
@Suite struct RepeatedKeysTests {
  private static let values = [
    "NULL", "0", "1", "-7", "9007199254740993", "9223372036854775807", "-9223372036854775808", "0.0", "-0.0", "1.0",
    "1.5", "9007199254740992.0", "9007199254740992", "9223372036854775807.0", "-9223372036854775808.0", "1e300",
    "9e999",
    "-9e999", "''", "'a'", "'A'", "'a '", "'A  '", "' a'", "'1'", "'abcdefgh'", "'abcdefgH'", "'abcdefgh '",
    "'abcdefghi'", "'É'", "'é'", "CAST(x'610062' AS TEXT)", "CAST(x'610063' AS TEXT)", "CAST(x'41006263' AS TEXT)",
    "x''", "x'61'", "x'31'", "x'6162636465666768'", "x'616263646566676800'", "'['", "'{'", "'@'", "'`'",
  ]

  /// True if SQLite groups any rows, and if the function says that it may.
  private func answers(
    on database: SQLiteConnection, _ terms: [(value: String, collation: SQLName)], nullable: [String] = ["c"],
    most: Int = RepeatedKeys.mostKeys
  ) throws -> (groups: Bool, function: Bool) {
    let present = nullable.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let keys = terms.map { "+\($0.value) COLLATE \($0.collation.quoted)" }.joined(separator: ", ")
    let groups = try database.integer(
      "SELECT EXISTS (SELECT 1 FROM t WHERE \(present) GROUP BY \(keys) HAVING count(*) > 1)")
    let call = try #require(RepeatedKeys.call(terms))
    let function = try database.withRepeatedKeys(RepeatedKeys.function, most: most) {
      try database.integer("SELECT EXISTS (SELECT 1 FROM t WHERE \(present) AND \(call))")
    }
    return (groups == 1, try #require(function) == 1)
  }

  @Test(arguments: ["BINARY", "nocase", "RTRIM"] as [SQLName], ["UTF-8", "UTF-16le"])
  func `each pair of values is equal or not as SQLite has it`(_ collation: SQLName, _ encoding: String) throws {
    let database = try SQLiteConnection.memory()
    try database.execute("PRAGMA encoding = '\(encoding)'")
    try database.execute("CREATE TABLE t (c)")
    for (index, first) in Self.values.enumerated() {
      for second in Self.values[...index] {
        try database.execute("DELETE FROM t")
        try database.execute("INSERT INTO t VALUES (\(first)), (\(second))")
        let (groups, function) = try answers(on: database, [(value: "c", collation: collation)])
        // Bytes that are no UTF-16 may be one text in UTF-8; SQLite is asked then.
        #expect(groups == function || encoding != "UTF-8" && function, "\(first) and \(second)")
      }
    }
  }

  @Test func `keys of several columns, and many rows`() throws {
    let database = try SQLiteConnection.memory()
    try database.execute(
      """
      CREATE TABLE t (c, d); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO t SELECT i / 300, 'x' || (i % 300) FROM n
      """)
    let key: [(value: String, collation: SQLName)] = [("c", "BINARY"), ("d", "NOCASE")]
    var answer = try answers(on: database, key)
    #expect(!answer.groups && !answer.function)
    for column in [("c", "BINARY"), ("d", "BINARY")] as [(value: String, collation: SQLName)] {
      answer = try answers(on: database, [column])
      #expect(answer.groups && answer.function)
    }
    try database.execute("INSERT INTO t SELECT c, upper(d) FROM t WHERE rowid = 77777")
    answer = try answers(on: database, key)
    #expect(answer.groups && answer.function)
  }

  @Test func `more keys than it remembers may be equal`() throws {
    let database = try SQLiteConnection.memory()
    try database.execute(
      "CREATE TABLE t (c); INSERT INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"
    )
    let key: [(value: String, collation: SQLName)] = [("c", "BINARY")]
    #expect(try answers(on: database, key, most: 1 << 14).function == false)
    #expect(try answers(on: database, key, most: 1 << 10).function)
  }

  @Test func `a collation of the program is left to SQLite`() {
    #expect(RepeatedKeys.call([(value: "c", collation: "of the app")]) == nil)
  }
}
