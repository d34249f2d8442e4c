/// Small schemas as people write them, each with something that makes careless comparisons see a difference.
///
/// Many have a table `t`, so that the way from one to the next is a change and not only a drop and a create.
enum SchemaCorpus {
  static let all: [String] =
    defaults + columns + quoting + constraints + keys + indexes + generated + views + triggers + whole

  static let defaults = [
    "CREATE TABLE t (a INT DEFAULT 0)", "CREATE TABLE t (a INT DEFAULT (0))", "CREATE TABLE t (a INT DEFAULT ((0)))",
    "CREATE TABLE t (a INT DEFAULT -1)", "CREATE TABLE t (a INT DEFAULT (-1))", "CREATE TABLE t (a INT DEFAULT +1)",
    "CREATE TABLE t (a INT DEFAULT 0x1F)", "CREATE TABLE t (a REAL DEFAULT 1e3)", "CREATE TABLE t (a REAL DEFAULT -.5)",
    "CREATE TABLE t (a REAL DEFAULT 1.)", "CREATE TABLE t (a TEXT DEFAULT 'x')",
    "CREATE TABLE t (a TEXT DEFAULT ('x'))",
    "CREATE TABLE t (a TEXT DEFAULT '')", "CREATE TABLE t (a TEXT DEFAULT 'it''s')",
    "CREATE TABLE t (a TEXT DEFAULT \"dq\")",
    "CREATE TABLE t (a TEXT DEFAULT word)", "CREATE TABLE t (a TEXT DEFAULT NULL)",
    "CREATE TABLE t (a TEXT DEFAULT (NULL))",
    "CREATE TABLE t (a BLOB DEFAULT x'00ff')", "CREATE TABLE t (a BLOB DEFAULT X'00FF')",
    "CREATE TABLE t (a TEXT DEFAULT CURRENT_TIMESTAMP)", "CREATE TABLE t (a TEXT DEFAULT (CURRENT_TIMESTAMP))",
    "CREATE TABLE t (a TEXT DEFAULT current_date, b TEXT DEFAULT Current_Time)",
    "CREATE TABLE t (a TEXT DEFAULT (datetime('now', 'localtime')))",
    "CREATE TABLE t (a TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
    "CREATE TABLE t (a TEXT DEFAULT (lower(hex(randomblob(16)))))", "CREATE TABLE t (a BOOLEAN DEFAULT true)",
    "CREATE TABLE t (a BOOLEAN DEFAULT FALSE NOT NULL)", "CREATE TABLE t (a BOOLEAN DEFAULT (true))",
    "CREATE TABLE t (a INT DEFAULT 9223372036854775807, b INT DEFAULT -9223372036854775808)",
    "CREATE TABLE t (a INT DEFAULT (1 + 2 * 3))", "CREATE TABLE t (a TEXT DEFAULT ('a' || 'b'))",
    "CREATE TABLE t (a TEXT DEFAULT '{\"k\": [1, 2]}')", "CREATE TABLE t (a TEXT DEFAULT ',)(' NOT NULL)",
    "CREATE TABLE t (a TEXT DEFAULT '-- no comment')", "CREATE TABLE t (a TEXT DEFAULT 'line\nbreak')",
  ]

  static let columns = [
    "CREATE TABLE t (a)", "CREATE TABLE t (a, b, c)",
    "CREATE TABLE t (a VARCHAR(255), b DECIMAL(10,5), c NUMERIC( 3 , 1 ))",
    "CREATE TABLE t (a UNSIGNED BIG INT, b DOUBLE PRECISION, c character varying (20))",
    "CREATE TABLE t (a integer, B Text, C_c BLOB)", "CREATE TABLE t (a INT NULL, b TEXT NOT NULL)",
    "CREATE TABLE t (a TEXT COLLATE nocase, b TEXT COLLATE \"RTRIM\", c TEXT COLLATE BINARY)",
    "CREATE TABLE t (a TEXT CONSTRAINT filled NOT NULL ON CONFLICT IGNORE)",
    "CREATE TABLE t (a TEXT NOT NULL DEFAULT 'x' COLLATE NOCASE CHECK (a <> '') UNIQUE)",
    "CREATE TABLE t (a ANY, b INT, c REAL, d BLOB) STRICT", "CREATE TABLE t (a ANY)",
    "CREATE TABLE t (a DATETIME, b JSON, c UUID)",
    "CREATE TABLE t (rowid INT, oid INT, _rowid_ INT)", "CREATE TABLE t (a \"odd type\"(3), b [x y])",
  ]

  static let quoting = [
    "CREATE TABLE \"t\" (\"a\" INT)", "CREATE TABLE [t] ([a] INT)", "CREATE TABLE `t` (`a` INT, `b c` TEXT)",
    "CREATE TABLE 't' ('a' INT)",
    "CREATE TABLE \"my table\" (\"my \"\"column\"\"\" INT, \"select\" TEXT, \"order\" INT)",
    "CREATE TABLE \"größe\" (\"straße\" TEXT, \"日本\" INT, emoji🙂 TEXT)", "CREATE\tTABLE\nt\t(\na\tINT\n,\nb\tTEXT\n)",
    "CREATE TABLE t (a INT, -- a comment, with ) and '\n b TEXT /* another, */)",
    "CREATE TABLE t(a INT/**/,b/*x*/TEXT)",
    "create table if not exists T (A int)", "CREATE TABLE main.t (a INT)", "CREATE TABLE \"main\".\"t\" (\"a\" INT);",
    "CREATE TABLE \"a.b\" (\"c.d\" INT, \"e'f\" TEXT, \"100%\" REAL)", "CREATE TABLE t (\"\" INT, b INT)",
    "CREATE TABLE t (abort INT, \"check\" INT, key TEXT, replace TEXT, \"unique\" INT)",
  ]

  static let constraints = [
    "CREATE TABLE t (a INT CHECK (a > 0))", "CREATE TABLE t (a INT CHECK ((a > 0)))",
    "CREATE TABLE t (a INT, CHECK(a>0 AND a<10))",
    "CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y', 'z,)')))",
    "CREATE TABLE t (a TEXT CONSTRAINT c1 CHECK (a LIKE 'x%' ESCAPE '!'))",
    "CREATE TABLE t (a TEXT CHECK (length(a) BETWEEN 1 AND 5), CHECK (a NOT GLOB '*[^0-9]*'))",
    "CREATE TABLE t (a TEXT CHECK (CASE a WHEN 'x' THEN 1 ELSE 0 END))",
    "CREATE TABLE t (a INT CHECK (t.a > 0), b INT CHECK (\"t\".\"b\" <> a))",
    "CREATE TABLE t (a INT CHECK (typeof(a) = 'integer'), CONSTRAINT \"odd name\" CHECK (a <> 5))",
    "CREATE TABLE t (a TEXT CHECK (json_valid(a)), b TEXT CHECK (b IS NULL OR b GLOB 'x'))",
    "CREATE TABLE t (a INT, b INT, UNIQUE (a, b))",
    "CREATE TABLE t (a INT UNIQUE ON CONFLICT REPLACE, b INT, UNIQUE (b COLLATE NOCASE))",
    "CREATE TABLE t (a INT, b INT, CONSTRAINT u UNIQUE (b, a) ON CONFLICT IGNORE)",
    "CREATE TABLE t (a TEXT UNIQUE, UNIQUE (a))",
    "CREATE TABLE t (a INT CONSTRAINT n1 CONSTRAINT n2 NOT NULL)",
    "CREATE TABLE t (a INT, b INT, CHECK (a) CHECK (b) UNIQUE (a))",
  ]

  static let keys = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY)", "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)",
    "CREATE TABLE t (id INT PRIMARY KEY)", "CREATE TABLE t (id INTEGER PRIMARY KEY DESC)",
    "CREATE TABLE t (id INTEGER, PRIMARY KEY (id))",
    "CREATE TABLE t (id INTEGER, PRIMARY KEY (id AUTOINCREMENT))",
    "CREATE TABLE t (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID",
    "CREATE TABLE t (a TEXT PRIMARY KEY ON CONFLICT REPLACE, b INT) WITHOUT ROWID, STRICT",
    "CREATE TABLE t (a TEXT COLLATE NOCASE, PRIMARY KEY (a COLLATE RTRIM DESC))",
    "CREATE TABLE t (a TEXT, CONSTRAINT pk PRIMARY KEY (a))",
    "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (p INT REFERENCES p)",
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (p INT REFERENCES p (id) ON DELETE SET NULL ON UPDATE \
    CASCADE)
    """,
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (p INT CONSTRAINT f REFERENCES P(ID) DEFERRABLE \
    INITIALLY DEFERRED)
    """,
    "CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b)); CREATE TABLE t (x INT, y INT, FOREIGN KEY (x, y) REFERENCES p)",
    """
    CREATE TABLE p (a INT UNIQUE); CREATE TABLE t (x INT, FOREIGN KEY (x) REFERENCES p (a) MATCH SIMPLE NOT \
    DEFERRABLE)
    """,
    "CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t (id) ON DELETE NO ACTION)",
    """
    CREATE TABLE a (x INTEGER PRIMARY KEY, y INT REFERENCES b); CREATE TABLE b (x INTEGER PRIMARY KEY, y INT \
    REFERENCES a)
    """,
  ]

  static let indexes = [
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (a)",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (a ASC, b DESC)",
    "CREATE TABLE t (a INT, b TEXT); create unique index if not exists I on T(B collate nocase)",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (a) WHERE b IS NOT NULL",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (a) WHERE (b = 'x' AND a > 0)",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (lower(b), a+1, (a))",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX \"odd index\" ON \"t\" (\"a\", [b], `a`)",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (json_extract(b, '$.k'))",
    "CREATE TABLE t (a INT, b TEXT); CREATE INDEX i ON t (b COLLATE RTRIM DESC) -- why",
    """
    CREATE TABLE t (a INT, b TEXT); CREATE INDEX i1 ON t (a); CREATE INDEX i2 ON t (a); CREATE UNIQUE INDEX i3 ON t \
    (a, b)
    """,
  ]

  static let generated = [
    "CREATE TABLE t (a INT, g INT AS (a + 1))", "CREATE TABLE t (a INT, g INT GENERATED ALWAYS AS (a+1) STORED)",
    "CREATE TABLE t (a INT, g AS (a || 'x') VIRTUAL NOT NULL)",
    "CREATE TABLE t (g INT AS (a * 2), a INT, h INT AS (g + 1) STORED UNIQUE)",
    """
    CREATE TABLE t (a TEXT, g TEXT COLLATE NOCASE AS (json_extract(a, '$.name')) CHECK (g <> '')); CREATE INDEX i \
    ON t (g)
    """,
    "CREATE TABLE t (a INT, g INT AS ((a)) STORED) STRICT",
  ]

  static let views = [
    "CREATE TABLE t (a INT, b TEXT); CREATE VIEW v AS SELECT * FROM t",
    "CREATE TABLE t (a INT, b TEXT); CREATE VIEW v(x,y) AS SELECT a , b FROM t",
    "CREATE TABLE t (a INT, b TEXT);\nCREATE VIEW   v\nAS\n\tSELECT  a,\n\n b -- c\n FROM\tt  WHERE a>1",
    """
    CREATE TABLE t (a INT, b TEXT); CREATE VIEW IF NOT EXISTS v AS WITH x AS (SELECT a FROM t) SELECT * FROM x \
    UNION ALL SELECT 1
    """,
    "CREATE TABLE t (a INT, b TEXT); CREATE VIEW v AS SELECT \"a\" AS \"x y\", 'lit' AS [z], b AS `q` FROM \"t\"",
    """
    CREATE TABLE t (a INT, b TEXT); CREATE VIEW v1 AS SELECT a FROM t; CREATE VIEW v2 AS SELECT a FROM v1 JOIN t \
    USING (a)
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE VIEW v AS SELECT row_number() OVER (PARTITION BY b ORDER BY a DESC) AS n \
    FROM t
    """,
    "CREATE VIEW v AS SELECT 1 AS one, CASE WHEN 1 THEN 'END' END AS e", "CREATE VIEW v AS VALUES (1, 2), (3, 4)",
  ]

  static let triggers = [
    """
    CREATE TABLE t (a INT, b TEXT); CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET b = 'x' WHERE a = new.a; \
    END
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE TRIGGER r BEFORE UPDATE OF a, b ON t FOR EACH ROW WHEN new.a IS NOT \
    old.a BEGIN SELECT RAISE(ABORT, 'no;'); END
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE TRIGGER r DELETE ON t BEGIN SELECT CASE WHEN old.a > 1 THEN \
    RAISE(IGNORE) ELSE 1 END; END
    """,
    """
    CREATE TABLE t (a INT, b TEXT); create trigger if not exists R after insert on T begin select 1; select case \
    when 1 then 2 end; end
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE VIEW v AS SELECT a FROM t; CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN \
    INSERT INTO t (a) VALUES (new.a); END
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE TRIGGER \"odd; name\" AFTER INSERT ON t BEGIN -- END;\n DELETE FROM t \
    WHERE b = 'END;'; /* END */ END
    """,
    """
    CREATE TABLE t (a INT PRIMARY KEY, b TEXT); CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t VALUES (1, \
    'u') ON CONFLICT (a) DO UPDATE SET b = excluded.b; END
    """,
    """
    CREATE TABLE t (a INT, b TEXT); CREATE TABLE log (x, at DEFAULT CURRENT_TIMESTAMP); CREATE TRIGGER r1 AFTER \
    INSERT ON t BEGIN INSERT INTO log (x) VALUES (new.b); END; CREATE TRIGGER r2 AFTER DELETE ON t BEGIN INSERT \
    INTO log (x) SELECT old.b; END
    """,
  ]

  static let whole = [
    """
    CREATE TABLE django_migrations (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, app varchar(255) NOT NULL, \
    applied datetime NOT NULL)
    """,
    """
    CREATE TABLE \"auth_user\" (\"id\" integer NOT NULL PRIMARY KEY AUTOINCREMENT, \"is_superuser\" bool NOT NULL, \
    \"username\" varchar(150) NOT NULL UNIQUE); CREATE TABLE \"auth_perm\" (\"user_id\" integer NOT NULL REFERENCES \
    \"auth_user\" (\"id\") DEFERRABLE INITIALLY DEFERRED); CREATE INDEX \"auth_perm_u\" ON \"auth_perm\" \
    (\"user_id\")
    """,
    """
    CREATE TABLE \"users\" (\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \"created_at\" DATETIME NOT NULL \
    DEFAULT CURRENT_TIMESTAMP, \"role\" TEXT NOT NULL DEFAULT 'USER'); CREATE UNIQUE INDEX \"users_role_key\" ON \
    \"users\"(\"role\")
    """,
    """
    CREATE TABLE `users` (`id` integer,`created_at` datetime,`name` text DEFAULT \"x\",PRIMARY KEY \
    (`id`),CONSTRAINT `uni` UNIQUE (`name`)); CREATE INDEX `idx` ON `users`(`created_at`)
    """,
    """
    CREATE TABLE \"posts\" (\"id\" integer PRIMARY KEY AUTOINCREMENT NOT NULL, \"body\" text, \"tags\" json DEFAULT \
    '[]', \"at\" datetime(6) DEFAULT CURRENT_TIMESTAMP, CONSTRAINT \"fk_rails_1\" FOREIGN KEY (\"id\") REFERENCES \
    \"posts\" (\"id\"))
    """,
    """
    CREATE TABLE kv (k TEXT PRIMARY KEY NOT NULL, v BLOB, expires INTEGER DEFAULT (unixepoch() + 3600)) WITHOUT \
    ROWID; CREATE INDEX kv_e ON kv (expires) WHERE expires IS NOT NULL
    """,
    """
    CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE doc_fts USING fts5(body, \
    content='doc', content_rowid='id', tokenize=\"unicode61 remove_diacritics 2\"); CREATE TRIGGER doc_ai AFTER \
    INSERT ON doc BEGIN INSERT INTO doc_fts(rowid, body) VALUES (new.id, new.body); END
    """,
    """
    CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR , ZDATE TIMESTAMP \
    ); CREATE INDEX ZNOTE_I ON ZNOTE (ZTITLE COLLATE BINARY ASC)
    """,
    """
    CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER \
    DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, guid TEXT, url_hash INTEGER DEFAULT 0 NOT NULL); CREATE UNIQUE \
    INDEX moz_g ON moz_places (guid); CREATE INDEX moz_h ON moz_places (url_hash)
    """,
  ]

  /// Two spellings of one schema.
  static let equalPairs: [(String, String)] = [
    ("CREATE TABLE t (a INT DEFAULT (0))", "CREATE TABLE t (a INT DEFAULT 0)"),
    ("CREATE TABLE t (a TEXT DEFAULT ('x'))", "CREATE TABLE t (a TEXT DEFAULT 'x')"),
    ("CREATE TABLE t (a INT DEFAULT (-1))", "CREATE TABLE t (a INT DEFAULT -1)"),
    ("CREATE TABLE t (a BOOLEAN DEFAULT true)", "CREATE TABLE t (a BOOLEAN DEFAULT TRUE)"),
    ("CREATE TABLE t (a TEXT DEFAULT (CURRENT_TIMESTAMP))", "CREATE TABLE t (a TEXT DEFAULT current_timestamp)"),
    ("CREATE TABLE t (a BLOB DEFAULT x'ff')", "CREATE TABLE t (a BLOB DEFAULT X'FF')"),
    ("CREATE TABLE \"t\" (\"a\" integer)", "CREATE TABLE t(a INTEGER)"),
    ("CREATE TABLE t (a INT CHECK ((a > 0)))", "CREATE TABLE [t] ([a] INT CHECK(\"a\">0))"),
    ("CREATE TABLE t (a INT, CONSTRAINT c CHECK (a > 0))", "CREATE TABLE t (a INT CHECK (a > 0))"),
    ("CREATE TABLE t (a INT, b INT, UNIQUE (a))", "CREATE TABLE t (a INT UNIQUE, b INT)"),
    ("CREATE TABLE t (a INTEGER, PRIMARY KEY (a))", "CREATE TABLE t (a INTEGER PRIMARY KEY)"),
    ("CREATE TABLE t (a INT NULL)", "CREATE TABLE t (a INT)"),
    ("CREATE TABLE t (a INT, b INT)", "CREATE TABLE t (b INT, a INT)"),
    ("CREATE TABLE t (a INT); CREATE INDEX i ON t (a ASC)", "CREATE TABLE t (a INT); CREATE INDEX i ON t (a)"),
    (
      "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t",
      "CREATE TABLE t (a INT); CREATE VIEW v AS\n SELECT /*x*/ \"a\" FROM [t]"
    ),
    (
      "CREATE TABLE t (a INT); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
      "CREATE TABLE t (a INT); create trigger `r` after insert on `t` for each row begin select 1; end"
    ),
    ("CREATE TABLE t (a INT, g INT GENERATED ALWAYS AS (a+1) VIRTUAL)", "CREATE TABLE t (a INT, g INT AS ( a + 1 ))"),
    (
      """
      CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES p (x) ON DELETE NO \
      ACTION)
      """,
      "CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a INT REFERENCES p (x))"
    ),
  ]
}
