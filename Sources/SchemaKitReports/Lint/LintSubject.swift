import OrderedCollections
package import SchemaKit

/// The material that rules examine: a schema, the text of its tables, and SQLite's compiler errors.
package struct LintSubject: Sendable {
  package let schema: DatabaseSchema
  /// SQLite's errors for views and triggers.
  package let faults: [CompilationFault]
  /// The rules that the schema keeps beyond those of SQLite.
  package let rules: SchemaRules
  private let statements: [SQLName: CreateTableStatement]
  private let indexes: [SQLName: [IndexSchema]]

  package init(_ schema: DatabaseSchema, faults: [CompilationFault] = [], rules: SchemaRules = []) {
    self.schema = schema
    self.faults = faults
    self.rules = rules
    var statements: [SQLName: CreateTableStatement] = [:]
    for table in schema.tables.values {
      if case .table(let statement)? = try? SQLParser.create(table.sql) { statements[table.name] = statement }
    }
    self.statements = statements
    indexes = Dictionary(grouping: schema.indexes.values, by: \.table)
  }

  /// The tables in the order of the schema.
  var tables: [TableSchema] { Array(schema.tables.values) }

  /// The indexes of a table.
  func indexes(on table: SQLName) -> [IndexSchema] { indexes[table] ?? [] }

  /// The statement that creates a table.
  func statement(of table: SQLName) -> CreateTableStatement? { statements[table] }

  /// Where the definition of a column begins in its table's statement.
  func offset(of column: SQLName, in table: SQLName) -> Int? {
    statements[table]?.columns.first { $0.name == column }?.span.start
  }

  /// The position of a foreign key in its table's statement.
  func offset(of key: ForeignKeySchema, in table: SQLName) -> Int? {
    let constraint = statements[table]?.constraints.first { constraint in
      if case .foreignKey(let columns, let clause) = constraint.kind {
        columns == key.columns && clause.table == key.parent
      } else {
        false
      }
    }
    return constraint?.span.start ?? key.columns.first.flatMap { offset(of: $0, in: table) }
  }

  /// The columns that a foreign key refers to; empty if the parent is missing or has no key.
  func parentColumns(of key: ForeignKeySchema) -> [SQLName] {
    guard key.parentColumns.isEmpty else { return key.parentColumns }
    return schema.tables[key.parent]?.primaryKey?.columns.map(\.name) ?? []
  }

  /// A name for an index that no object has.
  func freeName(_ wanted: String) -> SQLName {
    func isTaken(_ name: SQLName) -> Bool {
      schema.indexes[name] != nil || schema.tables[name] != nil || schema.views[name] != nil
        || schema.virtualTables[name] != nil
    }
    var name = SQLName(wanted)
    var number = 2
    while isTaken(name) {
      name = SQLName("\(wanted)_\(number)")
      number += 1
    }
    return name
  }
}

/// A way for SQLite to find rows of a table without reading all of them: an index, or a key of the table.
struct Lookup: Sendable {
  struct Term: Sendable, Hashable {
    /// The column, or the expression in canonical form.
    var text: String
    var column: SQLName?
    var collation: SQLName?
    var isDescending: Bool
  }
  var terms: [Term]
  var isUnique: Bool
  var predicate: CanonicalSQL?
  /// The index; nil for a constraint.
  var index: SQLName?
  /// Its description, as text.
  var words: String
}

extension LintSubject {
  /// All lookups of a table, including the rowid if a column is an alias of it.
  func lookups(of table: TableSchema) -> [Lookup] {
    var lookups: [Lookup] = []
    func add(_ columns: [KeyColumn], _ words: String) {
      let terms = columns.map {
        Lookup.Term(
          text: $0.name.folded, column: $0.name, collation: $0.collation, isDescending: $0.isDescending)
      }
      lookups.append(Lookup(terms: terms, isUnique: true, words: words))
    }
    if let key = table.primaryKey { add(key.columns, "the PRIMARY KEY") }
    for unique in table.uniques {
      add(unique.columns, "UNIQUE (\(unique.columns.map(\.name.quotedIfNeeded).joined(separator: ", ")))")
    }
    for index in indexes(on: table.name) {
      let terms = index.terms.map {
        Lookup.Term(
          text: $0.column?.folded ?? $0.expression.key, column: $0.column, collation: $0.collation,
          isDescending: $0.isDescending)
      }
      lookups.append(
        Lookup(
          terms: terms, isUnique: index.isUnique, predicate: index.predicate, index: index.name,
          words: "index \(index.name.quotedIfNeeded)"))
    }
    return lookups
  }
}
