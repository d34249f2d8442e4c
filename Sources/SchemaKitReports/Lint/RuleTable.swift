import OrderedCollections
import SchemaKit

/// A table over which the rules of a project are asked: one kind of object of a schema, each a row.
package enum RuleTable: String, Sendable, CaseIterable {
  case tables = "schema_tables"
  case columns = "schema_columns"
  case indexes = "schema_indexes"
  case indexColumns = "schema_index_columns"
  case foreignKeys = "schema_foreign_keys"
  case foreignKeyColumns = "schema_foreign_key_columns"
  case checks = "schema_checks"
  case views = "schema_views"
  case triggers = "schema_triggers"
  case virtualTables = "schema_virtual_tables"

  /// A column of such a table.
  package struct Column: Sendable, Hashable {
    package var name: String
    /// The meaning of its values, in a few words.
    package var meaning: String
    /// True if its values are names, which are compared as SQLite compares them.
    var holdsNames = false

    fileprivate init(_ name: String, _ meaning: String, holdsNames: Bool = false) {
      self.name = name
      self.meaning = meaning
      self.holdsNames = holdsNames
    }

    fileprivate static func name(_ name: String, _ meaning: String) -> Column {
      Column(name, meaning, holdsNames: true)
    }
  }

  package var columns: [Column] {
    switch self {
    case .tables, .columns: Self.columnsOfTables(self)
    case .indexes, .indexColumns, .foreignKeys, .foreignKeyColumns: Self.columnsOfKeys(self)
    case .checks, .views, .triggers, .virtualTables: Self.columnsOfOthers(self)
    }
  }

  private static func columnsOfTables(_ table: RuleTable) -> [Column] {
    guard table == .columns else {
      return [
        .name("name", "the name of an ordinary table"),
        Column("is_strict", "1 for a STRICT table, 0 for any other"),
        Column("is_without_rowid", "1 for a WITHOUT ROWID table, 0 for any other"),
        Column("has_primary_key", "1 where a PRIMARY KEY is declared, otherwise 0"),
        Column("is_autoincrement", "1 where that key is AUTOINCREMENT, otherwise 0"),
        Column("sql", "the CREATE statement"),
      ]
    }
    return [
      .name("table_name", "the table"),
      .name("name", "the name of the column"),
      Column("position", "its place in the table, from 1"),
      Column("type", "the declared type; NULL without one"),
      Column("affinity", "INTEGER, TEXT, BLOB, REAL or NUMERIC"),
      Column("is_not_null", "1 where no row can hold NULL, by NOT NULL or as a key; otherwise 0"),
      Column("default_value", "the DEFAULT as SQL; NULL without one"),
      .name("collation", "the collation, such as BINARY"),
      Column("key_position", "its place in the PRIMARY KEY, from 1; NULL outside of it"),
      Column("generated", "STORED or VIRTUAL for a generated column; NULL for any other"),
    ]
  }

  private static func columnsOfKeys(_ table: RuleTable) -> [Column] {
    switch table {
    case .indexes:
      return [
        Column("id", "a number, to which index_id refers"),
        .name("table_name", "the table"),
        .name("name", "the name of the index; NULL for the key of a constraint"),
        Column("origin", "index, primary key or unique"),
        Column("is_unique", "1 where it refuses equal values, otherwise 0"),
        Column("condition", "the WHERE of a partial index as SQL; NULL for any other"),
        Column("sql", "the CREATE statement; NULL for the key of a constraint"),
      ]
    case .indexColumns:
      return [
        Column("index_id", "the index or key"),
        Column("position", "the place in it, from 1"),
        .name("name", "the column; NULL for an expression"),
        Column("expression", "the expression as SQL; NULL for a column"),
        .name("collation", "the collation, such as BINARY"),
        Column("is_descending", "1 for DESC, otherwise 0"),
      ]
    case .foreignKeys:
      return [
        Column("id", "a number, to which foreign_key_id refers"),
        .name("table_name", "the table that refers to another"),
        .name("parent_table", "the table that it refers to"),
        Column("on_delete", "NO ACTION, RESTRICT, SET NULL, SET DEFAULT or CASCADE"),
        Column("on_update", "the same for updates"),
        Column("is_deferred", "1 where it is checked at COMMIT, otherwise 0"),
      ]
    default:
      return [
        Column("foreign_key_id", "the foreign key"),
        Column("position", "the place in it, from 1"),
        .name("name", "the column"),
        .name("parent_name", "the column that it refers to; NULL where the parent is missing or has no key"),
      ]
    }
  }

  private static func columnsOfOthers(_ table: RuleTable) -> [Column] {
    switch table {
    case .checks:
      return [
        .name("table_name", "the table"),
        .name("name", "the name of the CHECK; NULL without one"),
        Column("expression", "the condition as SQL"),
      ]
    case .views:
      return [.name("name", "the name of the view"), Column("sql", "the CREATE statement")]
    case .triggers:
      return [
        .name("name", "the name of the trigger"),
        .name("table_name", "the table or view"),
        Column("timing", "BEFORE, AFTER or INSTEAD OF"),
        Column("event", "INSERT, UPDATE or DELETE"),
        Column("sql", "the CREATE statement"),
      ]
    default:
      return [
        .name("name", "the name of the virtual table"),
        .name("module", "the module, such as fts5"),
        Column("sql", "the CREATE statement"),
      ]
    }
  }
}

extension RuleTable {
  /// A database in memory that holds all of these tables, with the rows of a schema.
  static func database(of subject: LintSubject) throws -> SQLiteConnection {
    // A rule reads, and gets no function that an extension brings.
    let database = try SQLiteConnection.withoutExtensions { try SQLiteConnection.memory() }
    for table in allCases { try database.execute(table.creation) }
    // SQLite declares these when they are first named, and that is more than reading.
    for function in ["json_each", "json_tree"] { try? database.prepareOnly("SELECT 1 FROM \(function)('[]')") }
    var indexID = 0
    try database.transaction {
      func insert(_ table: RuleTable, _ values: [SQLValue]) throws {
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try database.run("INSERT INTO \(table.rawValue) VALUES (\(places))", values)
      }
      for row in subject.rows { try insert(row.table, row.values) }
      for table in subject.tables {
        for key in subject.keys(of: table) {
          indexID += 1
          try insert(.indexes, [.number(indexID)] + key.values)
          for term in key.terms { try insert(.indexColumns, [.number(indexID)] + term) }
        }
      }
    }
    return database
  }

  private var creation: String {
    let columns = columns.map { $0.holdsNames ? "\"\($0.name)\" COLLATE NOCASE" : "\"\($0.name)\"" }
    return "CREATE TABLE \(rawValue) (\(columns.joined(separator: ", ")))"
  }
}

extension SQLValue {
  static func number(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
  static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}
