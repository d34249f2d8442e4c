extension IndexSchema {
  /// Reads an index from its CREATE INDEX statement.
  ///
  /// - Parameter table: The indexed table, whose columns lend their collating sequences.
  package init(_ statement: CreateIndexStatement, on table: TableSchema?, sql: String) {
    let columnNames = table.map { Set($0.columns.map(\.name)) }
    let canonical = { (expression: SQLExpression) in
      CanonicalSQL(
        text: expression.text(withoutSchemaOf: statement.table),
        tokens: expression.canonical(
          droppingQualifier: statement.table, columns: columnNames, hasRowID: table?.isWithoutRowID != true))
    }
    name = statement.name
    self.table = statement.table
    isUnique = statement.isUnique
    terms = statement.columns.map { term in
      let column = term.column.flatMap { name in table.map { $0.column(name) != nil ? name : nil } ?? name }
      return Term(
        expression: canonical(term.expression),
        column: column,
        collation: (term.collation ?? column.flatMap { table?.column($0)?.collation }).unlessBinary,
        isDescending: term.order == .descending)
    }
    predicate = statement.predicate.map(canonical)
    self.sql = sql
  }
}

extension IndexSchema {
  /// The index as its statement creates it on another version of its table: if the statement does not specify a
  /// collation, that of the column applies.
  package func read(on table: TableSchema) -> IndexSchema {
    guard case .index(let statement)? = try? SQLParser.create(sql) else { return self }
    return IndexSchema(statement, on: table, sql: sql)
  }
}

extension ViewSchema {
  /// Reads a view from its CREATE VIEW statement.
  package init(_ statement: CreateViewStatement, sql: String) {
    name = statement.name
    let columns = statement.columns.map { ["("] + $0.map(\.folded) + [")"] } ?? []
    definition = CanonicalSQL(
      text: statement.body.text,
      tokens: columns + statement.body.canonical(droppingQualifier: nil, columns: nil))
    self.sql = sql
  }
}

extension TriggerSchema {
  /// Reads a trigger from its CREATE TRIGGER statement.
  package init(_ statement: CreateTriggerStatement, sql: String) {
    name = statement.name
    table = statement.table
    let timing = statement.timing ?? .before
    isBefore = timing == .before
    var tokens = [timing.rawValue]
    switch statement.event {
    case .delete:
      updateColumns = []
      event = "DELETE"
      tokens.append("delete")
    case .insert:
      updateColumns = []
      event = "INSERT"
      tokens.append("insert")
    case .update(let columns):
      updateColumns = columns
      event = "UPDATE"
      tokens.append("update")
      tokens += columns.map(\.folded)
    }
    tokens += ["on", statement.table.folded]
    if let condition = statement.condition {
      tokens += ["when"] + condition.canonical(droppingQualifier: nil, columns: nil)
    }
    tokens += ["begin"] + statement.body.canonical(droppingQualifier: nil, columns: nil)
    definition = CanonicalSQL(text: statement.body.text, tokens: tokens)
    self.sql = sql
  }
}

extension VirtualTableSchema {
  /// Reads a virtual table from its CREATE VIRTUAL TABLE statement.
  package init(_ statement: CreateVirtualTableStatement, isModuleLoaded: Bool, sql: String) {
    name = statement.name
    module = statement.module
    arguments = statement.arguments
    self.isModuleLoaded = isModuleLoaded
    self.sql = sql
  }
}
