import OrderedCollections

/// Asks SQLite's compiler which columns every view and trigger needs.
///
/// The compiler asks for authorization to read each column, with `SELECT *` expanded, and says on behalf of which view
/// or trigger. See [Compile-Time Authorization Callbacks](https://sqlite.org/c3ref/set_authorizer.html). Never on a
/// borrowed handle, whose own authorizer would be lost: a clone of the catalog gives the same answers.
///
/// *Cost:* compiles one statement per view and up to three per table with triggers; reads no rows.
struct DependencyReader {
  /// An in-memory copy of the catalog, in which missing functions are stubbed.
  let connection: SQLiteConnection

  /// Returns what the views and triggers of a schema need. Objects that do not compile are omitted.
  func read(_ schema: DatabaseSchema) throws -> Dependencies {
    let objects = Set(schema.views.keys).union(schema.triggers.keys)
    guard !objects.isEmpty else { return Dependencies() }
    var found = Dependencies()
    let note = { (request: AuthorizerRequest) -> AuthorizerAnswer in
      if let source = request.source.map({ SQLName($0) }), objects.contains(source),
        let access = request.access, access.isInMain
      {
        let column = access.column.map { SQLName($0) }
        found.direct[source, default: []].insert(ColumnReference(SQLName(access.table), column))
      }
      return .allow
    }
    for view in schema.views.values {
      try collect("SELECT * FROM main.\(view.name.quoted)", note)
    }
    let tables = Set(schema.triggers.values.map(\.table))
    for name in tables.sorted() {
      let table = "main.\(name.quoted)"
      let events = Set(schema.triggers(on: name).map(\.event))
      if events.contains("INSERT") { try collect("INSERT INTO \(table) DEFAULT VALUES", note) }
      if events.contains("DELETE") { try collect("DELETE FROM \(table)", note) }
      if events.contains("UPDATE") {
        let columns = columns(of: name, in: schema).map { "\($0.quoted) = \($0.quoted)" }
        if !columns.isEmpty { try collect("UPDATE \(table) SET \(columns.joined(separator: ", "))", note) }
      }
    }
    for trigger in schema.triggers.values {
      for column in trigger.updateColumns {
        found.direct[trigger.name, default: []].insert(ColumnReference(trigger.table, column))
      }
    }
    return found
  }

  /// Compiles a statement while recording the compiler's requests; one that does not compile makes no further requests.
  private func collect(_ sql: String, _ note: @escaping (AuthorizerRequest) -> AuthorizerAnswer) throws {
    try connection.withAuthorizer(note) {
      do {
        try connection.stubbing { try connection.prepareOnly("EXPLAIN " + sql) }
      } catch is SQLiteError {
        return
      }
    }
  }

  /// The columns that UPDATE can set; none of a view that does not compile.
  private func columns(of name: SQLName, in schema: DatabaseSchema) -> [SQLName] {
    if let table = schema.tables[name] { return table.writableColumns.map(\.name) }
    let rows = try? connection.rows("PRAGMA main.table_xinfo(\(name.quoted))")
    return (rows ?? []).compactMap { $0[1].text.map { SQLName($0) } }
  }
}
