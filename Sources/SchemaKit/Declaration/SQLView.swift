/// A view, in SQL.
public struct SQLView: Sendable, Hashable {
  let name: String
  let columns: [String]
  let query: String

  /// Declares a view.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - columns: The names of its columns; if empty, the query's own.
  ///   - sql: The query, beginning with SELECT, VALUES or WITH.
  public init(_ name: String, columns: [String] = [], sql: String) {
    self.name = name
    self.columns = columns
    query = sql
  }

  var statement: DeclaredStatement {
    let list = columns.isEmpty ? "" : " (" + columns.map(SQLQuoting.identifier).joined(separator: ", ") + ")"
    return DeclaredStatement(sql: "CREATE VIEW \(SQLQuoting.identifier(name))\(list) AS\n\(query.withoutTerminator)")
  }
}

/// A table implemented by a module, such as a full-text index.
///
/// ```swift
/// VirtualTable("note_search", .fts5, of: Note.self, \.title, \.text)
/// VirtualTable("places", using: "rtree", "id", "west", "east", "south", "north")
/// ```
public struct VirtualTable: Sendable, Hashable {
  let name: String
  let module: String
  let arguments: [String]
  /// The full-text index of a model that it is; nil for any other table.
  private(set) var search: DeclaredSearch?
  /// True if a condition was given for a table that is not a full-text index of a model.
  private(set) var hasLostCondition = false

  /// Declares a virtual table.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - module: The module, such as fts5.
  ///   - arguments: The module's arguments, each as written in SQL.
  public init(_ name: String, using module: String, _ arguments: String...) {
    self.init(name, module, arguments)
  }

  init(_ name: String, _ module: String, _ arguments: [String]) {
    self.name = name
    self.module = module
    self.arguments = arguments
  }

  /// Declares a full-text index of a model, which triggers keep up to date.
  ///
  /// The index keeps no copy of the texts. A migration makes it, its triggers and what they need, fills it, and
  /// fills it anew when the texts that it finds change. Triggers are `NAME_insert`, `NAME_update` and `NAME_delete`; FTS4 has
  /// `NAME_before_update` and `NAME_before_delete` in the place of the last.
  /// The model must be in the same schema and have an integer primary key: VACUUM gives other rows new numbers.
  ///
  /// *Cost:* each insert, delete and update of these columns writes to the index. `OR REPLACE` in SQL deletes rows
  /// [without triggers](https://sqlite.org/lang_conflict.html), unless `PRAGMA recursive_triggers` is on, and an UPDATE that sets the key
  /// by the name `rowid` fires none; records do neither.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - module: The module with its options, such as `.fts5`.
  ///   - model: The model whose objects are found.
  ///   - columns: The properties whose words are found.
  public init<M: Model>(
    _ name: String, _ module: SearchModule, of model: M.Type, _ columns: (any PartialKeyPath<M> & Sendable)...
  ) {
    self.init(name, module.name, [])
    search = DeclaredSearch(model: model, module: module, columns: columns)
  }

  /// Finds only those objects for which an SQL expression over their columns is true, such as `deleted = 0`.
  ///
  /// The index reads them from a view, `NAME_rows`. Applies to an FTS5 index of a model. The condition should change with its row
  /// alone, and not with the time. Several conditions must all be true.
  public func `where`(_ condition: String) -> VirtualTable {
    var copy = self
    let former = copy.search?.condition
    copy.search?.condition = former.map { "(\($0)) AND (\(condition))" } ?? condition
    copy.hasLostCondition = search == nil
    return copy
  }

  var statement: DeclaredStatement {
    let list = arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")"
    let sql = "CREATE VIRTUAL TABLE \(SQLQuoting.identifier(name)) USING \(SQLQuoting.identifier(module))\(list)"
    return DeclaredStatement(sql: sql, table: SQLName(name))
  }
}
