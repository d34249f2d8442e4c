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
/// VirtualTable("notes_search", using: "fts5", "title", "body", "content='notes'")
/// ```
public struct VirtualTable: Sendable, Hashable {
  let name: String
  let module: String
  let arguments: [String]

  /// Declares a virtual table.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - module: The module, such as fts5.
  ///   - arguments: The module's arguments, each as written in SQL.
  public init(_ name: String, using module: String, _ arguments: String...) {
    self.name = name
    self.module = module
    self.arguments = arguments
  }

  var statement: DeclaredStatement {
    let list = arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")"
    let sql = "CREATE VIRTUAL TABLE \(SQLQuoting.identifier(name)) USING \(SQLQuoting.identifier(module))\(list)"
    return DeclaredStatement(sql: sql, table: SQLName(name))
  }
}
