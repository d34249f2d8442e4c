import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Schema values")
struct SchemaValueTests {
  @Test(
    "a declared type has the affinity that SQLite gives it",
    arguments: [
      "INT", "integer", "BIGINT", "CHARINT", "VARCHAR(10)", "NCHAR", "clob", "TEXT", "BLOB", "REAL", "FLOAT",
      "DOUBLE PRECISION", "FLOATING POINT", "NUMERIC", "DECIMAL(10,5)", "BOOLEAN", "DATE", "STRING", "ANY", "",
    ])
  func affinity(type: String) throws {
    let database = try RawSQLite()
    try database.exec("CREATE TABLE t (c \(type)); INSERT INTO t VALUES ('1'), (2.5), (x'00')")
    let classes = try database.rows("SELECT typeof(c) FROM t").compactMap { $0[0].string }
    let expected: [Affinity: [String]] = [
      .integer: ["integer", "real", "blob"], .numeric: ["integer", "real", "blob"], .text: ["text", "text", "blob"],
      .real: ["real", "real", "blob"], .blob: ["text", "real", "blob"],
    ]
    let affinity = Affinity(declaredType: type, isStrict: false)
    #expect(expected[affinity] == classes, "\(affinity)")
  }

  @Test("integers and numbers are told apart by a CAST", arguments: ["INT": true, "POINT": true, "DECIMAL": false])
  func integerAffinity(type: String, isInteger: Bool) {
    #expect((Affinity(declaredType: type, isStrict: false) == .integer) == isInteger)
  }

  @Test("ANY keeps every value in a STRICT table only")
  func any() {
    #expect(Affinity(declaredType: "ANY", isStrict: true) == .blob)
    #expect(Affinity(declaredType: "any", isStrict: false) == .numeric)
    #expect(Affinity(declaredType: nil, isStrict: false) == .blob)
  }

  @Test("versions are ordered and printed as SQLite does")
  func versions() {
    #expect(SQLiteVersion(number: 3_040_001) == SQLiteVersion(3, 40, 1))
    #expect(SQLiteVersion(3, 9, 2) < SQLiteVersion(3, 35))
    #expect("\(SQLiteVersion(3, 40, 1))" == "3.40.1")
  }

  @Test(
    "what a version can do",
    arguments: [
      (SQLiteVersion(3, 33), [false, false, false]), (SQLiteVersion(3, 34, 1), [false, false, false]),
      (SQLiteVersion(3, 35), [true, false, false]), (SQLiteVersion(3, 37), [true, true, true]),
    ])
  func profile(version: SQLiteVersion, expected: [Bool]) {
    let profile = EngineProfile(version: version)
    #expect([profile.canDropColumn, profile.hasStrictTables, profile.hasTableList] == expected)
  }

  @Test("the rowid is found under its alias, under a free name, or not at all")
  func rowKey() throws {
    #expect(try SchemaText.table("CREATE TABLE t (a INTEGER PRIMARY KEY)").rowKey == "\"a\"")
    #expect(try SchemaText.table("CREATE TABLE t (a INTEGER PRIMARY KEY DESC)").rowKey == "rowid")
    #expect(try SchemaText.table("CREATE TABLE t (a INT PRIMARY KEY)").rowIDAlias == nil)
    #expect(try SchemaText.table("CREATE TABLE t (a INTEGER, PRIMARY KEY (a DESC))").rowIDAlias?.name == "a")
    #expect(try SchemaText.table("CREATE TABLE t (ROWID, a)").rowKey == "oid")
    #expect(try SchemaText.table("CREATE TABLE t (rowid, oid, _rowid_)").rowKey == nil)
    #expect(try SchemaText.table("CREATE TABLE t (a INTEGER PRIMARY KEY) WITHOUT ROWID").rowKey == nil)
  }

  @Test(
    "a rename option is read with SQL's quoting",
    arguments: [
      ("a=b", "a", nil, "b", nil), ("t.a=t.b", "t", "a", "t", "b"), ("\"x.y\".a = [u v].\"=\"", "x.y", "a", "u v", "="),
    ] as [(String, String, String?, String, String?)])
  func renameOption(text: String, oldTable: String, oldColumn: String?, newTable: String, newColumn: String?) throws {
    let option = try RenameOption(text)
    #expect(option.oldTable.text == oldTable)
    #expect(option.oldColumn?.text == oldColumn)
    #expect(option.newTable.text == newTable)
    #expect(option.newColumn?.text == newColumn)
  }

  @Test("what is not a rename is refused", arguments: ["", "a", "a=", "=b", "a=b=c", "a.b=c", "a=b.c", "a.b.c=d.e.f"])
  func noRenameOption(text: String) {
    #expect(throws: RenameOptionError(text: text)) { try RenameOption(text) }
  }

  @Test("rename options become hints of the new names, in the order given")
  func renameHints() throws {
    var hints = MigrationHints()
    for text in ["user=users", "people=users", "user.name=users.title"] { try hints.add(rename: text) }
    #expect(hints.tables["users"]?.renamedFrom == ["user", "people"])
    #expect(hints.tables["users"]?.columns["title"]?.renamedFrom == ["name"])
  }
}
