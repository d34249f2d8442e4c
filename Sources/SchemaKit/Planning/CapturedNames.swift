import OrderedCollections

/// Finds views and triggers that would mean something else because a column gets a name that they use already.
///
/// SQLite looks up a name when it compiles the statement. A name in double quotes is
/// [a text](https://sqlite.org/quirks.html#dblquote) as long as no column has it, a column of a subquery's table hides one of the
/// query around it, and NATURAL JOIN compares whatever columns share a name. Nothing fails, and the rows are others. Such a statement
/// is compiled to [another program](https://sqlite.org/opcode.html) than without the names.
///
/// *Cost:* nothing if no view or trigger has the name of a new column; else creates tables and views in memory twice, and compiles
/// those that have it.
struct CapturedNames {
  /// The schema before, and the one after.
  let source: DatabaseSchema
  let result: DatabaseSchema
  let renames: SchemaRenames
  /// The dependencies of the views and triggers before the change.
  let needed: Dependencies

  /// A view or trigger that stays as it is, with the new columns whose names it uses.
  fileprivate struct User {
    var kind: ObjectReference.Kind
    var name: SQLName
    /// Its statement before the change, and after.
    var before: String
    var after: String
    var columns: [ColumnReference]
  }

  /// - Parameter connection: The clone of the catalog after the change, whose functions are there.
  func hazards(on connection: SQLiteConnection) throws -> [Hazard] {
    let users = self.users
    guard !users.isEmpty else { return [] }
    let after = try Trial(result, views: result.views.values.map(\.sql), like: connection)
    let before = try Trial(formerNames, views: formerViews, like: connection)
    return users.compactMap { user in
      let (old, new) =
        user.kind == .view
        ? (before.program(of: user.name), after.program(of: user.name))
        : (triggerProgram(user, in: before, isFormer: true), triggerProgram(user, in: after, isFormer: false))
      // What does not compile without the names did not before.
      guard let old, let new, old != new, let column = user.columns.first else { return nil }
      var hazard = Hazard(
        .brokenObject, table: user.name,
        cause: HazardCause(
          BrokenObjectHazard.capturedName(kind: user.kind, table: column.table, column: column.column ?? "")))
      hazard.isDeclaredFault = true
      return hazard
    }
  }

  // MARK: - Who uses the names

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
      user(.view, view.name, before: source.views[view.name]?.sql, after: view.sql, new)
    }
    let triggers = result.triggers.values.compactMap { trigger in
      user(.trigger, trigger.name, before: source.triggers[trigger.name]?.sql, after: trigger.sql, new)
    }
    return views + triggers
  }

  private func user(
    _ kind: ObjectReference.Kind, _ name: SQLName, before: String?, after: String, _ new: [SQLName: [SQLName]]
  ) -> User? {
    guard let before, let old = try? SQLLexer.tokens(of: before), isUnchanged(before, after) else { return nil }
    let used = Set(old.compactMap(\.name))
    let isNatural = old.contains { $0.isKeyword("NATURAL") }
    // A view of which no column is read is not among what SQLite tells of.
    let named = used.filter(source.hasRelation)
    let tables = named.reduce(into: named) { $0.formUnion(needed.all(of: $1).map(\.table)) }
      .union(needed.all(of: name).map(\.table))
    let columns = new.keys.filter { isNatural || used.contains($0) }.sorted().flatMap { column in
      (new[column] ?? []).filter { tables.contains(renames.formerTable($0)) }.map { ColumnReference($0, column) }
    }
    return columns.isEmpty ? nil : User(kind: kind, name: name, before: before, after: after, columns: columns)
  }

  /// True if two texts differ in nothing but names that the change renames.
  private func isUnchanged(_ before: String, _ after: String) -> Bool {
    if before == after { return true }
    guard let old = try? SQLLexer.tokens(of: before), let new = try? SQLLexer.tokens(of: after), old.count == new.count
    else { return false }
    return zip(old, new).allSatisfy { old, new in
      if old.text == new.text { return true }
      guard let former = old.name, let name = new.name else { return false }
      return former == name || renames.newTable(former) == name
        || renames.formerColumns.values.contains { $0[name] == former }
    }
  }

  // MARK: - What they are compiled to

  /// The schema after the change under the names of before, and with names that nothing uses for columns that are added.
  private var formerNames: DatabaseSchema {
    var schema = result
    schema.tables = [:]
    var number = 0
    for table in result.tables.values {
      let former = source.tables[renames.formerTable(table.name)]
      var names: [SQLName: SQLName] = [:]
      for column in table.columns {
        let old = renames.formerColumn(column.name, of: table.name)
        if former == nil || former?.column(old) != nil {
          names[column.name] = old
        } else {
          names[column.name] = SQLName("_schemakit_other_\(number)")
          number += 1
        }
      }
      var renamed = table.named(names)
      renamed.name = former?.name ?? table.name
      schema.tables[table.name] = renamed
    }
    return schema
  }

  /// The views before the change, as far as they stay.
  private var formerViews: [String] {
    result.views.values.map { view in
      source.views[view.name].flatMap { isUnchanged($0.sql, view.sql) ? $0.sql : nil } ?? view.sql
    }
  }

  /// The program of the statements that fire a trigger.
  private func triggerProgram(_ user: User, in trial: Trial, isFormer: Bool) -> [[String]]? {
    guard let trigger = result.triggers[user.name] else { return nil }
    let table = isFormer ? renames.formerTable(trigger.table) : trigger.table
    return trial.program(
      ofTrigger: user.name, isFormer ? user.before : user.after, event: trigger.event, on: table,
      columns: trial.schema.tables[trigger.table]?.writableColumns.map(\.name))
  }
}

extension TableSchema {
  /// The table with other names for its columns.
  fileprivate func named(_ names: [SQLName: SQLName]) -> TableSchema {
    var table = self
    for place in table.columns.indices { table.columns[place].name = names[columns[place].name] ?? columns[place].name }
    for place in primaryKey?.columns.indices ?? 0..<0 {
      let column = primaryKey?.columns[place].name
      table.primaryKey?.columns[place].name = column.flatMap { names[$0] } ?? column ?? ""
    }
    for place in uniques.indices {
      for key in uniques[place].columns.indices {
        let column = uniques[place].columns[key].name
        table.uniques[place].columns[key].name = names[column] ?? column
      }
    }
    return table
  }
}

/// A schema in memory with the names of its columns and no more, in which views and triggers are compiled.
private struct Trial {
  let schema: DatabaseSchema
  let connection: SQLiteConnection

  init(_ schema: DatabaseSchema, views: [String], like clone: SQLiteConnection) throws {
    self.schema = schema
    let connection = try SQLiteConnection.memory()
    self.connection = connection
    try connection.installCollationStubs()
    try connection.installStubs(of: clone)
    try connection.setAllowsDoubleQuotedText(true)
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.denyingDangerousStatements {
      try connection.transaction {
        for table in schema.tables.values { _ = try? connection.run(Self.names(of: table)) }
        for sql in schema.virtualTables.values.map(\.sql) + views { try? connection.runStubbing(sql) }
      }
    }
  }

  /// The statement that creates a table with its names and keys.
  private static func names(of table: TableSchema) -> String {
    var parts = table.columns.map(\.name.quoted)
    func list(_ columns: [KeyColumn]) -> String { columns.map(\.name.quoted).joined(separator: ", ") }
    if let key = table.primaryKey { parts.append("PRIMARY KEY (\(list(key.columns)))") }
    parts += table.uniques.map { "UNIQUE (\(list($0.columns)))" }
    return "CREATE TABLE main.\(table.name.quoted) (\(parts.joined(separator: ", ")))"
      + (table.isWithoutRowID ? " WITHOUT ROWID" : "")
  }

  /// The program of a view; nil if it does not compile.
  func program(of view: SQLName) -> [[String]]? { program("SELECT * FROM main.\(view.quoted)") }

  /// The program of a statement that fires a trigger; nil if it does not compile.
  ///
  /// - Parameter columns: The columns of its table; nil for a view.
  func program(
    ofTrigger name: SQLName, _ sql: String, event: String, on table: SQLName, columns: [SQLName]?
  ) -> [[String]]? {
    guard (try? connection.runStubbing(sql)) != nil else { return nil }
    defer { _ = try? connection.run("DROP TRIGGER main.\(name.quoted)") }
    let target = "main.\(table.quoted)"
    switch event {
    case "INSERT": return program("INSERT INTO \(target) DEFAULT VALUES")
    case "DELETE": return program("DELETE FROM \(target)")
    default:
      let names =
        columns
        ?? (try? connection.rows("PRAGMA main.table_info(\(table.quoted))"))?.compactMap {
          $0[1].text.map { SQLName($0) }
        }
      guard let names, !names.isEmpty else { return nil }
      return program("UPDATE \(target) SET " + names.map { "\($0.quoted) = \($0.quoted)" }.joined(separator: ", "))
    }
  }

  /// Operations whose fourth operand is a value or a function, and not a name.
  private static let valued: Set = [
    "String", "String8", "Integer", "Int64", "Real", "Blob", "Function", "PureFunc", "AggStep", "AggStep1", "AggFinal",
    "Cast", "CollSeq",
  ]

  /// The operations with their operands, but for names.
  private func program(_ sql: String) -> [[String]]? {
    let rows = try? connection.stubbing { try connection.rows("EXPLAIN \(sql)") }
    return rows?.map { row in
      let operation = row[1].text ?? ""
      let operands = [2, 3, 4, 6].map { "\(row[$0])" }
      return [operation] + operands + (Self.valued.contains(operation) ? ["\(row[5])"] : [])
    }
  }
}
