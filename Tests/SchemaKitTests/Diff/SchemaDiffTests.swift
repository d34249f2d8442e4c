import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SchemaDiff")
struct SchemaDiffTests {
  /// Two spellings of one schema.
  static let equal: [(String, String)] = [
    ("CREATE TABLE t (a INT)", "create table T(A int)"),
    ("CREATE TABLE t (a INT)", "CREATE TABLE \"t\" ( [a] /* comment */ INT -- more\n)"),
    ("CREATE TABLE t (a INT, b TEXT)", "CREATE TABLE t (b TEXT, a INT)"),
    ("CREATE TABLE t (a INT PRIMARY KEY)", "CREATE TABLE t (a INT, PRIMARY KEY (a))"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER CONSTRAINT pk PRIMARY KEY ASC)"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY NOT NULL)"),
    (
      "CREATE TABLE t (a INTEGER, b, PRIMARY KEY (a DESC))",
      "CREATE TABLE t (a INTEGER NOT NULL ON CONFLICT IGNORE, b, PRIMARY KEY (a DESC))"
    ),
    ("CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a, CONSTRAINT u UNIQUE (a ASC))"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY UNIQUE)"),
    ("CREATE TABLE t (a, b, PRIMARY KEY (a, b DESC))", "CREATE TABLE t (a, b, UNIQUE (a, b), PRIMARY KEY (a, b DESC))"),
    (
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a REFERENCES p)",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a REFERENCES P (ID))"
    ),
    (
      "CREATE TABLE t (a, b, c REFERENCES t, PRIMARY KEY (a, b), FOREIGN KEY (a, b) REFERENCES t (a, b))",
      "CREATE TABLE t (a, b, c REFERENCES t, PRIMARY KEY (a, b), FOREIGN KEY (a, b) REFERENCES t)"
    ),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a, CONSTRAINT positive CHECK ((a > 0)))"),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a, CHECK (t.\"a\" > 0))"),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a, CHECK (\"main\" . T.a > 0))"),
    ("CREATE TABLE main (a, t, CHECK (main.t > a))", "CREATE TABLE main (a, t, CHECK (main.main.t > main.a))"),
    ("CREATE TABLE t (a REFERENCES u)", "CREATE TABLE t (a, CONSTRAINT f FOREIGN KEY (a) REFERENCES u)"),
    ("CREATE TABLE t (a NOT NULL)", "CREATE TABLE t (a CONSTRAINT n NOT NULL ON CONFLICT ABORT)"),
    ("CREATE TABLE t (a COLLATE binary)", "CREATE TABLE t (a)"),
    ("CREATE TABLE t (a DEFAULT 1)", "CREATE TABLE t (a DEFAULT (1))"),
    ("CREATE TABLE t (a DEFAULT 'x')", "CREATE TABLE t (a DEFAULT (('x')))"),
    ("CREATE TABLE t (a REFERENCES u ON DELETE NO ACTION)", "CREATE TABLE t (a REFERENCES u)"),
    ("CREATE TABLE t (a, b AS (a + 1))", "CREATE TABLE t (a, b GENERATED ALWAYS AS ((a + 1)) VIRTUAL)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE INDEX i ON T (\"a\" ASC)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE INDEX i ON t (a COLLATE BINARY)"),
    (
      "CREATE TABLE t (a COLLATE NOCASE); CREATE INDEX i ON t (a)",
      "CREATE TABLE t (a COLLATE NOCASE); CREATE INDEX i ON t (a COLLATE nocase)"
    ),
    (
      "CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a > 0",
      "CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE (a > 0)"
    ),
    ("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t", "CREATE TABLE t (a); create view v as select A from T"),
  ]

  /// Two schemas that differ.
  static let different: [(String, String)] = [
    ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INTEGER)"),
    ("CREATE TABLE t (a VARCHAR(10))", "CREATE TABLE t (a VARCHAR(20))"),
    ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT NOT NULL)"),
    ("CREATE TABLE t (a NOT NULL)", "CREATE TABLE t (a NOT NULL ON CONFLICT IGNORE)"),
    ("CREATE TABLE t (a TEXT)", "CREATE TABLE t (a TEXT COLLATE NOCASE)"),
    ("CREATE TABLE t (a DEFAULT 1)", "CREATE TABLE t (a DEFAULT 2)"),
    ("CREATE TABLE t (a DEFAULT 1)", "CREATE TABLE t (a DEFAULT '1')"),
    ("CREATE TABLE t (a DEFAULT NULL)", "CREATE TABLE t (a DEFAULT 0)"),
    ("CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (a)"),
    ("CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a UNIQUE ON CONFLICT REPLACE)"),
    ("CREATE TABLE t (a, b, UNIQUE (a, b))", "CREATE TABLE t (a, b, UNIQUE (b, a))"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY DESC)"),
    ("CREATE TABLE t (a INT PRIMARY KEY)", "CREATE TABLE t (a INT PRIMARY KEY NOT NULL)"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY DESC)", "CREATE TABLE t (a INTEGER PRIMARY KEY DESC NOT NULL)"),
    ("CREATE TABLE t (a INTEGER, b, PRIMARY KEY (a, b))", "CREATE TABLE t (a INTEGER NOT NULL, b, PRIMARY KEY (a, b))"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "CREATE TABLE t (a INTEGER PRIMARY KEY NOT NULL, b NOT NULL)"),
    (
      "CREATE TABLE t (a INTEGER PRIMARY KEY NOT NULL) WITHOUT ROWID",
      "CREATE TABLE t (a INTEGER PRIMARY KEY NOT NULL ON CONFLICT IGNORE) WITHOUT ROWID"
    ),
    ("CREATE TABLE t (a, b, PRIMARY KEY (a, b))", "CREATE TABLE t (a, b, PRIMARY KEY (b, a))"),
    ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT) STRICT"),
    ("CREATE TABLE t (a INT PRIMARY KEY NOT NULL)", "CREATE TABLE t (a INT PRIMARY KEY NOT NULL) WITHOUT ROWID"),
    ("CREATE TABLE t (a CHECK (a > 0))", "CREATE TABLE t (a CHECK (a >= 0))"),
    ("CREATE TABLE t (a CHECK (a > 'x'))", "CREATE TABLE t (a CHECK (a > 'X'))"),
    ("CREATE TABLE t (a CHECK (a > 0), CHECK (a > 0))", "CREATE TABLE t (a CHECK (a > 0))"),
    ("CREATE TABLE t (a REFERENCES u)", "CREATE TABLE t (a REFERENCES u ON DELETE CASCADE)"),
    ("CREATE TABLE t (a REFERENCES u)", "CREATE TABLE t (a REFERENCES u DEFERRABLE INITIALLY DEFERRED)"),
    ("CREATE TABLE t (a REFERENCES u)", "CREATE TABLE t (a REFERENCES w)"),
    ("CREATE TABLE t (a, b AS (a))", "CREATE TABLE t (a, b AS (a) STORED)"),
    ("CREATE TABLE t (a, b AS (a))", "CREATE TABLE t (a, b AS (a + 1))"),
    ("CREATE TABLE t (a, b AS (a))", "CREATE TABLE t (a, b)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE INDEX i ON t (a DESC)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (a)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE INDEX i ON t (a COLLATE NOCASE)"),
    ("CREATE TABLE t (a, b); CREATE INDEX i ON t (a, b)", "CREATE TABLE t (a, b); CREATE INDEX i ON t (b, a)"),
    ("CREATE TABLE t (a); CREATE INDEX i ON t (a)", "CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a > 0"),
    ("CREATE TABLE t (a); CREATE VIEW v AS SELECT 'a'", "CREATE TABLE t (a); CREATE VIEW v AS SELECT 'A'"),
    (
      "CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
      "CREATE TABLE t (a); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT 1; END"
    ),
  ]

  @Test("another spelling is not a difference, in either direction, and has the same fingerprint", arguments: equal)
  func equals(left: String, right: String) throws {
    #expect(try SchemaText.diff(left, right).isEmpty)
    #expect(try SchemaText.diff(right, left).isEmpty)
    #expect(Fingerprint.of(try SchemaText.schema(left)) == Fingerprint.of(try SchemaText.schema(right)))
  }

  @Test("another meaning is a difference, in either direction, and has another fingerprint", arguments: different)
  func differs(left: String, right: String) throws {
    #expect(try !SchemaText.diff(left, right).isEmpty)
    #expect(try !SchemaText.diff(right, left).isEmpty)
    #expect(Fingerprint.of(try SchemaText.schema(left)) != Fingerprint.of(try SchemaText.schema(right)))
  }

  @Test("the order of columns is a difference where it is asked for")
  func strictOrder() throws {
    let left = try SchemaText.schema("CREATE TABLE t (a INT, b TEXT)")
    let right = try SchemaText.schema("CREATE TABLE t (b TEXT, a INT)")
    let diff = SchemaDiff(from: left, to: right, isOrderStrict: true)
    #expect(diff.changedTables.map(\.isOrderChanged) == [true])
    #expect(SchemaDiff(from: left, to: left, isOrderStrict: true).isEmpty)
  }

  @Test("what comes, goes and changes is told apart for every kind of object")
  func kinds() throws {
    let diff = try SchemaText.diff(
      """
      CREATE TABLE gone (a); CREATE TABLE same (a); CREATE TABLE other (a);
      CREATE INDEX gone_i ON same (a); CREATE INDEX other_i ON other (a); CREATE INDEX same_i ON same (a DESC);
      CREATE VIEW gone_v AS SELECT 1; CREATE VIEW other_v AS SELECT 1;
      CREATE TRIGGER gone_g AFTER INSERT ON same BEGIN SELECT 1; END;
      """,
      """
      CREATE TABLE new (a); CREATE TABLE same (a); CREATE TABLE other (a, b);
      CREATE INDEX new_i ON same (a); CREATE INDEX other_i ON other (b); CREATE INDEX same_i ON same (a DESC);
      CREATE VIEW new_v AS SELECT 1; CREATE VIEW other_v AS SELECT 2;
      CREATE TRIGGER new_g AFTER INSERT ON same BEGIN SELECT 1; END;
      """)
    #expect(diff.addedTables.map(\.name) == ["new"])
    #expect(diff.droppedTables.map(\.name) == ["gone"])
    #expect(diff.changedTables.map(\.to.name) == ["other"])
    #expect(diff.changedTables.first?.addedColumns.map(\.name) == ["b"])
    #expect(
      diff.indexes.map { [$0.old?.name, $0.new?.name] } == [
        ["gone_i", nil], [nil, "new_i"], ["other_i", "other_i"],
      ])
    #expect(
      diff.views.map { [$0.old?.name, $0.new?.name] } == [["gone_v", nil], [nil, "new_v"], ["other_v", "other_v"]])
    #expect(diff.triggers.map { [$0.old?.name, $0.new?.name] } == [["gone_g", nil], [nil, "new_g"]])
    #expect(Set(diff.names).isSuperset(of: ["new", "gone", "other", "gone_i", "new_v", "gone_g"]))
    #expect(!diff.names.contains("same"))
  }

  @Test(
    "a changed column says in what",
    arguments: [
      ("a INT", "a TEXT", [.type]), ("a INT", "a INT NOT NULL", [.nullability]),
      ("a INT", "a INT DEFAULT 0", [.defaultValue]),
      ("a TEXT", "a TEXT COLLATE RTRIM", [.collation]), ("a INT", "a INT AS (1)", [.generation]),
      ("a INT", "a TEXT NOT NULL ON CONFLICT FAIL DEFAULT 'x'", [.type, .nullability, .defaultValue, .conflictClause]),
    ] as [(String, String, Set<TableChange.Kind>)])
  func columnKinds(from: String, to: String, kinds: Set<TableChange.Kind>) throws {
    let change = try SchemaText.change("CREATE TABLE t (\(from), z)", "CREATE TABLE t (\(to), z)")
    #expect(change.changedColumns.map(\.kinds) == [kinds])
    #expect(change.change(of: "A")?.kinds == kinds)
    #expect(change.change(of: "z") == nil)
  }

  @Test("a loose type is satisfied by every type of its affinity, from either side")
  func looseTypes() throws {
    let file = try SchemaText.table("CREATE TABLE t (a VARCHAR(40), b INT)")
    var declared = try SchemaText.table("CREATE TABLE t (a TEXT, b TEXT)")
    for index in declared.columns.indices { declared.columns[index].acceptsAnyTypeOfAffinity = true }
    #expect(TableChange(from: file, to: declared).changedColumns.map(\.to.name) == ["b"])
    #expect(TableChange(from: declared, to: file).changedColumns.map(\.to.name) == ["b"])
  }

  @Test(
    "a UNIQUE or foreign key that says more than the primary key is a difference",
    arguments: [
      ("CREATE TABLE t (a, b, PRIMARY KEY (a, b))", "CREATE TABLE t (a, b, UNIQUE (b, a), PRIMARY KEY (a, b))"),
      ("CREATE TABLE t (a PRIMARY KEY)", "CREATE TABLE t (a PRIMARY KEY, UNIQUE (a COLLATE NOCASE))"),
      ("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE t (a INTEGER PRIMARY KEY UNIQUE ON CONFLICT IGNORE)"),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY, k UNIQUE); CREATE TABLE t (a REFERENCES p)",
        "CREATE TABLE p (id INTEGER PRIMARY KEY, k UNIQUE); CREATE TABLE t (a REFERENCES p (k))"
      ),
    ])
  func redundancy(old: String, new: String) throws {
    #expect(SchemaDiff(from: try SchemaText.schema(old), to: try SchemaText.schema(new)).changedTables.count == 1)
  }

  @Test("a foreign key that gets its old meaning by name is a difference where the primary key is another")
  func otherPrimaryKey() throws {
    let old = "CREATE TABLE p (id INTEGER PRIMARY KEY, k); CREATE TABLE t (a REFERENCES p)"
    let new = "CREATE TABLE p (id INTEGER UNIQUE, k PRIMARY KEY); CREATE TABLE t (a REFERENCES p (id))"
    let diff = SchemaDiff(from: try SchemaText.schema(old), to: try SchemaText.schema(new))
    #expect(Set(diff.changedTables.map(\.to.name)) == ["p", "t"])
  }

  @Test("a file takes both spellings of a reference in turn, and neither is newer")
  func spellingsInTurn() throws {
    let short = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a REFERENCES p);"
    let long = "CREATE TABLE p (id INTEGER PRIMARY KEY UNIQUE); CREATE TABLE t (a REFERENCES p (id));"
    let file = try TemporaryDatabase()
    try file.migrate(to: short)
    for sql in [long, short, long] { #expect(try file.migrate(to: sql).plan.isEmpty) }
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))
    try file.migrate(to: long + "CREATE TABLE u (a);")
    #expect(throws: HistoryError.self) { try file.migrate(to: long, allowing: .destructive) }
  }
}
