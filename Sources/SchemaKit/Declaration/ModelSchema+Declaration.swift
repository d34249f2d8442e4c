extension ModelSchema {
  /// The content of the schema, as SQL in creation order and hints.
  ///
  /// Tables come after those they refer to, except in a cycle; then indexes, virtual tables, views and triggers.
  ///
  /// *Cost:* encodes and decodes some values of each model when it is first called for a schema, and nothing
  /// afterwards.
  /// - Throws: ``DeclarationError`` for the first mistake found.
  public func declaration() throws(DeclarationError) -> SchemaDeclaration {
    try known.declaration { () throws(DeclarationError) in try withSearchObjects().newDeclaration() }
  }

  private func newDeclaration() throws(DeclarationError) -> SchemaDeclaration {
    let tables = elements.compactMap { element -> TableDeclaration? in
      if case .model(let model) = element { TableDeclaration(model) } else { nil }
    }
    for table in tables { try table.validate() }
    let objects = try parsedObjects()
    try validateNames(of: tables, and: objects.map(\.object))

    var result = SchemaDeclaration(name: name)
    result.hints.removedTables = Set(removedTables.map { SQLName($0) })
    result.hints.rules = rules
    let ordered = Self.parentsFirst(tables)
    for table in ordered {
      result.statements.append(try table.createTable())
      result.hints.tables[SQLName(table.name)] = table.hints
    }
    result.statements += objects.filter { $0.object.isTable }.map(\.statement)
    for function in rowFunctions {
      let (columns, arguments) = (function.function.columns.count, function.function.arity)
      guard columns == arguments else {
        throw DeclarationError(
          .rowFunctionArity(column: function.column, columns: columns, arguments: arguments), table: function.table)
      }
      let column = (SQLName(function.table), SQLName(function.column))
      if function.isConversion {
        result.hints.tables[column.0]?.columns[column.1, default: ColumnHints()].conversion = function.call
      } else {
        result.hints.tables[column.0]?.columns[column.1, default: ColumnHints()].backfill = function.call
      }
    }
    for (number, entry) in columnForms.enumerated() {
      result.hints.tables[SQLName(entry.table)]?.forms[SQLName(entry.column.name)] = DeclaredForm(
        entry.column.form(), reader: number)
    }
    try validateParents(of: tables, and: objects.map(\.object))
    result.hints.dataSteps = try validatedDataSteps(tables)
    for table in ordered { result.statements += try table.createIndexes() }
    result.statements += objects.filter { !$0.object.isTable && !$0.object.isTrigger }.map(\.statement)
    for case .virtualTable(let table) in elements { result.statements.append(table.statement) }
    for case .view(let view) in elements { result.statements.append(view.statement) }
    for table in ordered { result.statements += table.triggers.compactMap { $0.statement(in: table.name) } }
    for case .trigger(let trigger) in elements {
      guard let statement = trigger.statement(in: nil) else {
        throw DeclarationError(.triggerWithoutTable(trigger.name ?? ""))
      }
      result.statements.append(statement)
    }
    result.statements += objects.filter { $0.object.isTrigger }.map(\.statement)
    for statement in result.statements where statement.sql.utf8.contains(0) {
      throw DeclarationError(.embeddedNUL("an SQL text"), table: statement.table?.text)
    }
    return result
  }

  /// The objects given as SQL, in the order of the declaration.
  private func parsedObjects() throws(DeclarationError) -> [(statement: DeclaredStatement, object: CreateStatement)] {
    var objects: [(statement: DeclaredStatement, object: CreateStatement)] = []
    for case .object(let object) in elements { objects.append(try object.parsed()) }
    return objects
  }

  /// Tables, views and indexes share one namespace, triggers have their own.
  private func validateNames(
    of tables: [TableDeclaration], and objects: [CreateStatement]
  ) throws(DeclarationError) {
    var seen: Set<SQLName> = []
    for table in tables {
      guard seen.insert(SQLName(table.name)).inserted else { throw table.error(.duplicateObject(table.name)) }
    }
    for element in elements {
      let (name, kind) =
        switch element {
        case .view(let view): (view.name, "a view")
        case .virtualTable(let table): (table.name, "a virtual table")
        case .model, .trigger, .object, .dataStep, .recordedWork: ("", "")
        }
      if kind.isEmpty { continue }
      if let reason = reservation(of: name, kind: kind) { throw DeclarationError(reason) }
      guard seen.insert(SQLName(name)).inserted else { throw DeclarationError(.duplicateObject(name)) }
    }
    for object in objects {
      let name = object.name.text
      if let reason = reservation(of: name, kind: "an object in SQL"), !name.isEmpty { throw DeclarationError(reason) }
      guard object.isTrigger || seen.insert(object.name).inserted else {
        throw DeclarationError(.duplicateObject(name))
      }
    }
    for name in removedTables {
      if let reason = flaw(in: name, kind: "a removed table") { throw DeclarationError(reason) }
      guard !seen.contains(SQLName(name)) else { throw DeclarationError(.removedButDeclared(name)) }
    }
    for table in tables {
      for index in table.indexes {
        guard seen.insert(SQLName(index.name)).inserted else { throw table.error(.duplicateObject(index.name)) }
      }
    }
    try validateTriggerNames(of: tables, and: objects)
  }

  /// Data steps have a namespace of their own, and must wait for something that the schema has.
  private func validatedDataSteps(_ tables: [TableDeclaration]) throws(DeclarationError) -> [DataStepHint] {
    var names: Set<String> = []
    let hints = dataSteps.map(\.hint)
    for work in recordedWorks {
      if let reason = flaw(in: work.name, kind: "recorded work") { throw DeclarationError(reason) }
      guard names.insert(work.name).inserted else { throw DeclarationError(.duplicateDataStep(work.name)) }
    }
    for hint in hints {
      if let reason = flaw(in: hint.name, kind: "a data step") { throw DeclarationError(reason) }
      guard names.insert(hint.name).inserted else { throw DeclarationError(.duplicateDataStep(hint.name)) }
      let (table, column): (SQLName?, SQLName?) =
        switch hint.moment {
        case .tableAdded(let table): (table, nil)
        case .columnAdded(let table, let column): (table, column)
        case .schemaChanged: (nil, nil)
        }
      guard let table else { continue }
      let declared = tables.first { SQLName($0.name) == table }
      let hasColumn = column.map { column in declared?.columns.contains { SQLName($0.name) == column } == true } ?? true
      guard declared != nil, hasColumn else {
        throw DeclarationError(.dataStepWithoutObject(hint.name, object: column.map { "\(table).\($0)" } ?? table.text))
      }
    }
    return hints
  }

  private func validateTriggerNames(
    of tables: [TableDeclaration], and objects: [CreateStatement]
  ) throws(DeclarationError) {
    var seen: Set<SQLName> = []
    func check(_ trigger: Trigger) -> DeclarationError.Reason? {
      guard let name = trigger.name else { return nil }
      if let reason = reservation(of: name, kind: "a trigger") { return reason }
      return seen.insert(SQLName(name)).inserted ? nil : .duplicateTrigger(name)
    }
    for table in tables {
      for trigger in table.triggers {
        if let reason = check(trigger) { throw table.error(reason) }
      }
    }
    for case .trigger(let trigger) in elements {
      if let reason = check(trigger) { throw DeclarationError(reason) }
    }
    for object in objects where object.isTrigger {
      guard seen.insert(object.name).inserted else { throw DeclarationError(.duplicateTrigger(object.name.text)) }
    }
  }

  /// The tables in the order of declaration, each moved behind those it refers to.
  private static func parentsFirst(_ tables: [TableDeclaration]) -> [TableDeclaration] {
    let byName = Dictionary(tables.map { (SQLName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    var visited: Set<SQLName> = []
    var ordered: [TableDeclaration] = []
    func visit(_ table: TableDeclaration) {
      guard visited.insert(SQLName(table.name)).inserted else { return }
      for reference in table.references {
        if let parent = byName[SQLName(reference.table())] { visit(parent) }
      }
      ordered.append(table)
    }
    tables.forEach(visit)
    return ordered
  }
}
