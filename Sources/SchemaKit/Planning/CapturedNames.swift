import OrderedCollections

/// Finds views and triggers that would mean something else because a column gets a name that they use already.
///
/// SQLite looks up a name when it compiles the statement. A name in double quotes is
/// [a text](https://sqlite.org/quirks.html#dblquote) as long as no column has it, a column of a subquery's table hides one of the
/// query around it, and NATURAL JOIN compares whatever columns share a name. Nothing fails, and the rows are others.
///
/// *Cost:* nothing if no view or trigger has the name of a new column; else creates tables, views and triggers in memory twice, and
/// compiles those that have it.
struct CapturedNames {
  /// The schema before, and the one after.
  let source: DatabaseSchema
  let result: DatabaseSchema
  let renames: SchemaRenames
  /// The dependencies of the views and triggers before the change.
  let needed: Dependencies

  /// A view or trigger that stays as it is, with the new columns whose names it uses.
  private struct User {
    var kind: ObjectReference.Kind
    var name: SQLName
    /// The table or view whose statements compile it.
    var probed: SQLName
    var isNatural: Bool
    var columns: [ColumnReference]
  }

  /// - Parameter connection: The clone of the catalog after the change, whose functions are there.
  func hazards(on connection: SQLiteConnection) throws -> [Hazard] {
    let users = self.users
    guard !users.isEmpty else { return [] }
    var names: [ColumnReference: SQLName] = [:]
    for (number, column) in Set(users.flatMap(\.columns)).sorted().enumerated() {
      names[column] = SQLName("_schemakit_other_\(number)")
    }
    let named = try Trial(part(of: users), like: connection)
    // The same columns under names that nothing uses.
    let unnamed = try Trial(part(of: users, naming: names), like: connection)
    let (with, without) = (try named.references(), try unnamed.references())
    return users.compactMap { user in
      // What does not compile without the name did not before.
      guard !named.fails(user.probed), !unnamed.fails(user.probed) else { return nil }
      let read = with[user.name] ?? [:]
      var own: [ColumnReference: Int] = [:]
      for (reference, count) in without[user.name] ?? [:] {
        own[names.first { $0.key.table == reference.table && $0.value == reference.column }?.key ?? reference] = count
      }
      let column = user.columns.first { read[$0] != own[$0] } ?? (read == own ? nil : user.columns.first)
      let joined = user.isNatural ? user.columns.first { named.isShared($0, among: read.keys.map(\.table)) } : nil
      guard let column = column ?? joined else { return nil }
      var hazard = Hazard(
        .brokenObject, table: user.name,
        cause: HazardCause(
          BrokenObjectHazard.capturedName(kind: user.kind, table: column.table, column: column.column ?? "")))
      hazard.isDeclaredFault = true
      return hazard
    }
  }

  /// The columns that tables get, by their names.
  private var newColumns: [SQLName: [SQLName]] {
    var found: [SQLName: [SQLName]] = [:]
    for table in result.tables.values {
      guard let former = source.tables[renames.formerTable(table.name)], former.columns != table.columns else {
        continue
      }
      for column in table.columns where former.column(column.name) == nil {
        found[column.name, default: []].append(table.name)
      }
    }
    return found
  }

  private var users: [User] {
    let new = newColumns
    guard !new.isEmpty else { return [] }
    let views = result.views.values.compactMap { view in
      user(.view, view.name, probed: view.name, before: source.views[view.name]?.sql, after: view.sql, new)
    }
    let triggers = result.triggers.values.compactMap { trigger in
      user(
        .trigger, trigger.name, probed: trigger.table, before: source.triggers[trigger.name]?.sql, after: trigger.sql,
        new
      )
    }
    return views + triggers
  }

  private func user(
    _ kind: ObjectReference.Kind, _ name: SQLName, probed: SQLName, before: String?, after: String,
    _ new: [SQLName: [SQLName]]
  ) -> User? {
    guard let before, let old = try? SQLLexer.tokens(of: before), let now = try? SQLLexer.tokens(of: after),
      isSame(old, now)
    else { return nil }
    let used = Set(old.compactMap(\.name))
    let isNatural = old.contains { $0.isKeyword("NATURAL") }
    // A view of which no column is read is not among what SQLite tells of.
    let named = used.filter(source.hasRelation)
    let tables = named.reduce(into: named) { $0.formUnion(needed.all(of: $1).map(\.table)) }
      .union(needed.all(of: name).map(\.table))
    let columns = new.keys.filter { isNatural || used.contains($0) }.sorted().flatMap { column in
      (new[column] ?? []).filter { table in
        let former = renames.formerTable(table)
        let old = renames.formerColumn(column, of: table)
        // SQLite has written the new name where it read the column by its former one.
        return tables.contains(former)
          && (old == column || needed.direct[name]?.contains(ColumnReference(former, old)) != true)
      }.map { ColumnReference($0, column) }
    }
    return columns.isEmpty ? nil : User(kind: kind, name: name, probed: probed, isNatural: isNatural, columns: columns)
  }

  /// True if two texts differ in nothing but names that the change renames.
  private func isSame(_ old: [SQLToken], _ new: [SQLToken]) -> Bool {
    guard old.count == new.count else { return false }
    return zip(old, new).allSatisfy { old, new in
      if old.text == new.text { return true }
      guard let former = old.name, let name = new.name else { return false }
      return former == name || renames.newTable(former) == name
        || renames.formerColumns.values.contains { $0[name] == former }
    }
  }

  /// The schema with some columns under other names, and with the views, and the triggers among the users.
  private func part(of users: [User], naming names: [ColumnReference: SQLName] = [:]) -> DatabaseSchema {
    var schema = result
    for (reference, name) in names {
      guard let place = schema.tables[reference.table]?.columns.firstIndex(where: { $0.name == reference.column })
      else {
        continue
      }
      schema.tables[reference.table]?.columns[place].name = name
    }
    let triggers = Set(users.filter { $0.kind == .trigger }.map(\.name))
    schema.triggers.removeAll { !triggers.contains($0.key) }
    return schema
  }
}

/// A schema in memory with the names of its columns and no more, in which views and triggers are compiled.
private struct Trial {
  let schema: DatabaseSchema
  let connection: SQLiteConnection

  init(_ schema: DatabaseSchema, like clone: SQLiteConnection) throws {
    self.schema = schema
    connection = try SQLiteConnection.memory()
    try connection.installCollationStubs()
    try connection.installStubs(of: clone)
    try connection.setAllowsDoubleQuotedText(true)
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.denyingDangerousStatements {
      try connection.transaction {
        for table in schema.tables.values { _ = try? connection.run(Self.names(of: table, in: schema)) }
        for sql in schema.virtualTables.values.map(\.sql) + schema.views.values.map(\.sql) {
          try? connection.runStubbing(sql)
        }
        for trigger in schema.triggers.values { try? connection.runStubbing(trigger.sql) }
      }
    }
  }

  /// The statement that creates a table with its names and keys.
  private static func names(of table: TableSchema, in schema: DatabaseSchema) -> String {
    var parts = table.columns.map(\.name.quoted)
    func list(_ names: [SQLName]) -> String { names.map(\.quoted).joined(separator: ", ") }
    if let key = table.primaryKey { parts.append("PRIMARY KEY (\(list(key.columns.map(\.name))))") }
    parts += table.uniques.map { "UNIQUE (\(list($0.columns.map(\.name))))" }
    for index in schema.indexes(on: table.name) where index.isUnique && index.predicate == nil {
      let columns = index.terms.compactMap(\.column)
      if columns.count == index.terms.count { parts.append("UNIQUE (\(list(columns)))") }
    }
    return "CREATE TABLE main.\(table.name.quoted) (\(parts.joined(separator: ", ")))"
      + (table.isWithoutRowID ? " WITHOUT ROWID" : "")
  }

  func references() throws -> [SQLName: [ColumnReference: Int]] {
    try DependencyReader(connection: connection).references(in: schema)
  }

  /// True if statements on a table or view do not compile.
  func fails(_ object: SQLName) -> Bool {
    !WriteProbes(connection: connection).failures(in: schema, objects: [object]).isEmpty
  }

  /// True if another one of some tables and views has a column of that name.
  func isShared(_ column: ColumnReference, among tables: [SQLName]) -> Bool {
    Set(tables).contains { table in
      let rows = table == column.table ? nil : try? connection.rows("PRAGMA main.table_info(\(table.quoted))")
      return rows?.contains { $0[1].text.map { SQLName($0) } == column.column } == true
    }
  }
}
