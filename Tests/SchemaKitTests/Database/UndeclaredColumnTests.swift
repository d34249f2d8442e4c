import SchemaKit
import Testing

@Suite("Undeclared columns")
struct UndeclaredColumnTests {
  private static let sql = """
    CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    ALTER TABLE pets ADD COLUMN colour TEXT COLLATE NOCASE;
    INSERT INTO pets VALUES (1, 'Rex', 'brown'), (2, 'Tom', NULL);
    """

  private func open(
    _ file: TemporaryDatabase, _ policy: Configuration.UndeclaredColumns, _ schema: ModelSchema = Pets.one
  ) throws -> Session {
    try Session(at: file.path, schema: schema) { $0.undeclaredColumns = policy }
  }

  @Test("by default an empty one is dropped, and any other requires consent")
  func dropped() throws {
    let file = try TemporaryDatabase(Self.sql)
    #expect(throws: PlanError.self) { try Session(at: file.path, schema: Pets.one) }
    #expect(try file.value("SELECT colour FROM pets") == .text("brown"))
    try file.exec("UPDATE pets SET colour = NULL")
    _ = try Session(at: file.path, schema: Pets.one)
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('pets')") == .int(2))
  }

  @Test("one that is kept survives copies of its table, and models work beside it")
  func kept() throws {
    let file = try TemporaryDatabase(Self.sql)
    do {
      let session = try open(file, .keep)
      #expect(try session.all(PetOne.self).map(\.name) == ["Rex", "Tom"])
      try session.save(PetOne(id: 1, name: "Max"))
      try session.save(PetOne(id: nil, name: "Ida"))
    }
    guard case .warm = try open(file, .keep).openReport else {
      Issue.record("the second open compared")
      return
    }
    _ = try open(file, .keep, Pets.checked)
    #expect(
      try file.query("SELECT id, name, colour FROM pets ORDER BY id") == [
        [.int(1), .text("Max"), .text("brown")], [.int(2), .text("Tom"), .null], [.int(3), .text("Ida"), .null],
      ])
    #expect(try file.value("SELECT count(*) FROM pets WHERE colour = 'BROWN'") == .int(1))
    #expect(throws: PlanError.self) { try open(file, .dropEmpty, Pets.checked) }
  }

  @Test("tables that swap their names are not compared with each other")
  func swappedNames() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE swapped_a (ida INTEGER PRIMARY KEY); CREATE TABLE swapped_b (idb INTEGER PRIMARY KEY);
      INSERT INTO swapped_a VALUES (1); INSERT INTO swapped_b VALUES (2), (3);
      """)
    let schema = ModelSchema {
      FormerlyB.self
      FormerlyA.self
    }
    _ = try open(file, .keep, schema)
    #expect(try file.query("SELECT idb FROM swapped_a") == [[.int(2)], [.int(3)]])
    #expect(try file.query("SELECT ida FROM swapped_b") == [[.int(1)]])
  }

  @Test("the constraints over a column that is kept stay with it")
  func keepsConstraints() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT, owner INTEGER, UNIQUE (tag, name),
        CONSTRAINT short CHECK (length(tag) < 5), FOREIGN KEY (owner) REFERENCES owners ON DELETE CASCADE);
      INSERT INTO owners VALUES (1);
      INSERT INTO pets VALUES (1, 'Rex', 'a', 1);
      """)
    _ = try open(file, .keep)
    _ = try open(file, .keep, Pets.checked)
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO pets VALUES (2, 'Rex', 'a', 1)") }
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO pets VALUES (2, 'Tom', 'abcdef', 1)") }
    try file.exec("PRAGMA foreign_keys = ON; DELETE FROM owners")
    #expect(try file.value("SELECT count(*) FROM pets") == .int(0))
  }

  @Test("a declared column that gets another name is renamed, not kept")
  func renamed() throws {
    struct Named: Model {
      let id: Int64?
      let title: String

      static let table = ModelTable("pets", as: Self.init) {
        Column("id", \Named.id).primaryKey()
        Column("title", \Named.title).renamed(from: "name")
      }
    }
    let file = try TemporaryDatabase(Self.sql)
    _ = try open(file, .keep, ModelSchema { Named.self })
    #expect(try file.query("SELECT title, colour FROM pets WHERE id = 1") == [[.text("Rex"), .text("brown")]])
  }

  @Test("one that is listed as removed goes, and a foreign file stays untouched where all are refused")
  func refused() throws {
    let file = try TemporaryDatabase(Self.sql)
    try file.exec("UPDATE pets SET colour = NULL")
    let before = try file.bytes
    let error = #expect(throws: PlanError.self) { try open(file, .refuse) }
    guard case .undeclaredColumns(_, let columns)? = error?.reason else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(columns == ["pets.colour"])
    #expect(try file.bytes == before)
    struct Removing: Model {
      let id: Int64?
      let name: String

      static let table = ModelTable("pets", as: Self.init, removed: ["colour"]) {
        Column("id", \Removing.id).primaryKey()
        Column("name", \Removing.name)
      }
    }
    for policy in [Configuration.UndeclaredColumns.keep, .refuse] {
      let copy = try TemporaryDatabase(Self.sql)
      _ = try open(copy, policy, ModelSchema { Removing.self })
      #expect(try copy.value("SELECT count(*) FROM pragma_table_info('pets')") == .int(2))
    }
  }

  @Test("one that takes no NULL and has no default is named where it stands in the way of a new row")
  func unwritable() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL)")
    let session = try open(file, .keep)
    let error = #expect(throws: RecordError.self) { try session.save(PetOne(id: nil, name: "Rex")) }
    #expect(error?.reason == .undeclaredColumn(model: "PetOne", table: "pets", column: "owner"))
    #expect(try file.value("SELECT count(*) FROM pets") == .int(0))
  }

  /// A column `code` that cannot stand beside the declared ones, and why.
  private static let unkeepable: [(definition: String, obstacle: PlanError.KeepObstacle)] = [
    ("name TEXT, old TEXT, code TEXT PRIMARY KEY", .primaryKey),
    ("name TEXT, old TEXT, code INTEGER PRIMARY KEY AUTOINCREMENT", .primaryKey),
    ("id INTEGER, name TEXT, old TEXT, code TEXT, PRIMARY KEY (id, code)", .primaryKey),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code VARCHAR(9)", .type("VARCHAR(9)")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code", .type("")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code TEXT AS (upper(old))", .uses("old")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code TEXT CHECK (code <> old)", .uses("old")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code TEXT, CHECK (code <> old)", .uses("old")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code TEXT, UNIQUE (code, old)", .uses("old")),
    ("id INTEGER PRIMARY KEY, name TEXT, old TEXT, code TEXT, FOREIGN KEY (code, old) REFERENCES o", .uses("old")),
  ]

  @Test(
    "one that cannot stand in the declared table is named with the reason, and nothing is changed", arguments: 0..<10)
  func unkeepable(index: Int) throws {
    struct Plain: Model {
      let id: Int64?
      let name: String?

      static let table = ModelTable("pets", as: Self.init, removed: ["old"]) {
        Column("id", \Plain.id).primaryKey()
        Column("name", \Plain.name)
      }
    }
    struct Strict: Model {
      let id: Int64?
      let name: String?

      static let table = ModelTable("pets", as: Self.init, removed: ["old"]) {
        Column("id", \Strict.id).primaryKey()
        Column("name", \Strict.name)
      }.strict()
    }
    let (definition, obstacle) = Self.unkeepable[index]
    let file = try TemporaryDatabase(
      "CREATE TABLE o (a, b, PRIMARY KEY (a, b)); CREATE TABLE pets (\(definition)); INSERT INTO pets (name) VALUES ('Rex')"
    )
    let before = try file.bytes
    let isOfType = if case .type = obstacle { true } else { false }
    if isOfType { try Engine.require(.strict) }
    let schema = isOfType ? ModelSchema { Strict.self } : ModelSchema { Plain.self }
    let error = #expect(throws: PlanError.self) { try open(file, .keep, schema) }
    guard case .cannotKeep("pets.code", obstacle)? = error?.reason else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(error?.description.contains("Column pets.code cannot be kept") == true)
    #expect(try file.bytes == before)
  }

  @Test("a computed one, one in a column that gets another name, and a foreign key named like a removed one are kept")
  func keepsComputed() throws {
    struct Named: Model {
      let id: Int64?
      let title: String

      static let table = ModelTable("pets", as: Self.init, removed: ["old"]) {
        Column("id", \Named.id).primaryKey()
        Column("title", \Named.title).renamed(from: "name").check("title <> ''")
      }
    }
    let file = try TemporaryDatabase(
      """
      CREATE TABLE owners (old INTEGER PRIMARY KEY);
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, old TEXT, loud TEXT AS (upper(name)),
        owner INTEGER REFERENCES owners (old), CHECK (owner > 0 OR name = 'x'));
      INSERT INTO owners VALUES (7);
      INSERT INTO pets (name, owner) VALUES ('Rex', 7);
      """)
    _ = try open(file, .keep, ModelSchema { Named.self })
    _ = try open(file, .keep, ModelSchema { Named.self })
    #expect(
      try file.query("SELECT title, loud, owner FROM pets") == [[.text("Rex"), .text("REX"), .int(7)]])
    #expect(try file.value("SELECT count(*) FROM pragma_table_xinfo('pets')") == .int(4))
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO pets (title, owner) VALUES ('Tom', 0)") }
  }
}

private struct FormerlyB: Model {
  let idb: Int64?

  static let table = ModelTable("swapped_a", as: Self.init) { Column("idb", \.idb).primaryKey() }.renamed(
    from: "swapped_b")
}

private struct FormerlyA: Model {
  let ida: Int64?

  static let table = ModelTable("swapped_b", as: Self.init) { Column("ida", \.ida).primaryKey() }.renamed(
    from: "swapped_a")
}
