import OrderedCollections

/// Creates a declared schema in an in-memory database and reads it back, so that its meaning comes from SQLite itself.
package struct SchemaLoader {
  /// A declared schema as loaded.
  package struct Loaded: Sendable {
    package var target: TargetSchema
    /// Notes on what was skipped or is worth mentioning.
    package var notes: [String]
    /// The patterns of the names that the target ignores.
    package var ignored: [String] = []

    package init(target: TargetSchema, notes: [String]) {
      self.target = target
      self.notes = notes
    }
  }

  private let source: String
  private let ignores: @Sendable (SQLName) -> Bool

  /// - Parameters:
  ///   - source: The name of the declaration's origin, for messages.
  ///   - ignores: The objects that are left out if SQLite refuses to create them, such as virtual tables whose module
  ///     this program lacks.
  package init(source: String = "", ignores: @escaping @Sendable (SQLName) -> Bool = { _ in false }) {
    self.source = source
    self.ignores = ignores
  }

  /// Loads a declaration.
  ///
  /// - Parameter known: The schema of the file that will be compared. Objects whose stored statements are the declared
  ///   ones mean the same, so that only the others are created.
  /// - Throws: `SchemaError` for a statement that SQLite refuses, `IntrospectionError` for one we cannot read.
  package func load(_ declaration: SchemaDeclaration, known: DatabaseSchema? = nil) throws -> Loaded {
    if let known, let schema = known.schema(declaredBy: declaration.statements, others: { try? read($0) }) {
      return Loaded(target: target(declaration, schema: schema), notes: [])
    }
    var notes: [String] = []
    let database: SQLiteConnection
    do {
      database = try create(declaration.statements, allowsDoubleQuotedText: false)
    } catch let first as SchemaError {
      try refuseFormerNames(in: declaration)
      // Old schemas contain string literals in double quotes, which SQLite still accepts in files.
      guard let tolerant = try? create(declaration.statements, allowsDoubleQuotedText: true) else { throw first }
      database = tolerant
      notes.append("SK208 The schema holds a text in double quotes: \(first.problem). Single quotes are safe.")
    }
    return Loaded(target: target(declaration, schema: try SchemaReader.read(database)), notes: notes)
  }

  /// Refuses a name in double quotes that a renamed column had before: SQLite would take it for a text, so that a CHECK
  /// or an index would go by a constant.
  ///
  /// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote).
  private func refuseFormerNames(in declaration: SchemaDeclaration) throws(SchemaError) {
    for statement in declaration.statements {
      guard let parsed = try? SQLParser.create(statement.sql), let hints = declaration.hints.tables[parsed.table],
        let tokens = try? SQLLexer.tokens(of: statement.sql)
      else { continue }
      var columns = Set(hints.columns.keys)
      if case .table(let table) = parsed { columns.formUnion(table.columns.map(\.name)) }
      let quoted = Set(tokens.filter { $0.text.hasPrefix("\"") }.compactMap(\.name)).subtracting(columns)
      for (column, hint) in hints.columns.sorted(by: { $0.key.text < $1.key.text }) {
        guard let former = hint.renamedFrom.first(where: quoted.contains) else { continue }
        throw SchemaError(
          source: statement.source ?? source, line: statement.line,
          problem:
            "\"\(former)\" is the former name of column \(column) of \(parsed.table); write the new name here, or a text in "
            + "single quotes")
      }
    }
  }

  private func target(_ declaration: SchemaDeclaration, schema: DatabaseSchema) -> TargetSchema {
    var schema = schema
    for (table, hints) in declaration.hints.tables {
      guard let columns = schema.tables[table]?.columns else { continue }
      schema.tables[table]?.columns = columns.map { column in
        var column = column
        if hints.looseTypes.contains(column.name) { column.acceptsAnyTypeOfAffinity = true }
        return column
      }
    }
    return TargetSchema(
      name: declaration.name, schema: schema, hints: declaration.hints, ownsWholeFile: declaration.ownsWholeFile,
      digest: declaration.digest)
  }

  /// Reads back what some statements of a declaration create.
  private func read(_ statements: [DeclaredStatement]) throws -> DatabaseSchema {
    try SchemaReader.read(create(statements, allowsDoubleQuotedText: false))
  }

  private func create(_ statements: [DeclaredStatement], allowsDoubleQuotedText: Bool) throws -> SQLiteConnection {
    let database = try SQLiteConnection.memory()
    try database.installCollationStubs()
    try database.setAllowsDoubleQuotedText(allowsDoubleQuotedText)
    var created = CreatedObjects()
    try database.denyingDangerousStatements {
      for statement in statements {
        do {
          try database.runOfSchema(statement.sql)
          if let problem = created.problem(adding: statement) {
            throw SchemaError(source: statement.source ?? source, line: statement.line, problem: problem)
          }
        } catch let error as SQLiteError {
          if let parsed = try? SQLParser.create(statement.sql), ignores(parsed.name) || ignores(parsed.table) {
            continue
          }
          let advice =
            error.isLackingExtension
            ? "; load it with --load-extension FILE"
            : error.isMissingTokenizer
              ? "; load it with --load-extension FILE, or leave the table alone with --ignore" : ""
          throw SchemaError(
            source: statement.source ?? source, line: statement.line.map(error.line), problem: error.message + advice)
        }
      }
    }
    return database
  }
}

extension SchemaDeclaration {
  /// A digest of the whole declaration, for the warm open.
  package var digest: String {
    let steps = hints.dataSteps.map { "\n\($0.name)" }.joined() + forms
    return SHA256.hexDigest(
      of: statements.map(\.sql).joined(separator: ";\n") + "\n" + name + "\n\(SchemaKitVersion.current)" + steps)
  }
}

extension SchemaDeclaration {
  /// The forms in which the program stores and reads the values of each column.
  private var forms: String {
    hints.tables.sorted { $0.key < $1.key }.flatMap { table, hints in
      hints.forms.sorted { $0.key < $1.key }.map { "\n\(table.dotted($0.key)) \($0.value.form.key)" }
    }.joined()
  }
}

extension DatabaseSchema {
  /// The schema that statements declare, if those that differ from the SQL here can be read separately, with the tables
  /// that they belong to.
  ///
  /// Returns nil if that is not possible: for statements that change objects, virtual tables, names that are declared
  /// twice, and whatever SQLite refuses.
  ///
  /// - Parameter others: Reads what some of the statements create, in order; nil if that fails.
  fileprivate func schema(
    declaredBy statements: [DeclaredStatement], others: ([DeclaredStatement]) -> DatabaseSchema?
  ) -> DatabaseSchema? {
    let stored = StoredStatements(of: self)
    var objects = statements.map { stored.objects[ExactText($0.sql)] }
    var changed: Set<SQLName> = []
    for index in statements.indices where objects[index] == nil {
      guard let parsed = try? SQLParser.create(statements[index].sql), !parsed.isTemporary else { return nil }
      if case .virtualTable = parsed { return nil }
      objects[index] = parsed.declaredObject
      changed.insert(parsed.table)
    }
    let declared = objects.compactMap { $0 }
    // Tables, indexes and views share a namespace; SQLite reports which of two is a duplicate, and which table is
    // missing.
    let names = Set(declared.map(\.name))
    guard names.count == statements.count, declared.allSatisfy({ names.contains(.relation($0.table)) }) else {
      return nil
    }
    var read: DatabaseSchema?
    if !changed.isEmpty {
      // The columns of its table determine what an index means.
      guard let others = others(zip(statements, declared).filter { changed.contains($1.table) }.map(\.0)) else {
        return nil
      }
      read = others
    }
    var schema = DatabaseSchema()
    schema.systemTables = systemTables
    for object in declared {
      let source = changed.contains(object.table) ? read : self
      guard schema.take(object.name, from: source) else { return nil }
    }
    return schema
  }

  /// Copies an object from another schema; returns false if it does not exist there.
  private mutating func take(_ name: ObjectName, from other: DatabaseSchema?) -> Bool {
    switch name {
    case .relation(let name):
      if let table = other?.tables[name] {
        tables[name] = table
      } else if let index = other?.indexes[name] {
        indexes[name] = index
      } else if let view = other?.views[name] {
        views[name] = view
      } else {
        return false
      }
    case .trigger(let name):
      guard let trigger = other?.triggers[name] else { return false }
      triggers[name] = trigger
    }
    return true
  }
}

/// The name of an object in its namespace.
private enum ObjectName: Hashable {
  case relation(SQLName)
  case trigger(SQLName)
}

/// The objects that the statements of a declaration created, to find those that IF NOT EXISTS skips.
private struct CreatedObjects {
  private var statements: [ObjectName: DeclaredStatement] = [:]

  /// Adds a statement that SQLite ran; returns the problem if it declares an object that exists, in another way.
  mutating func problem(adding statement: DeclaredStatement) -> String? {
    guard let parsed = try? SQLParser.create(statement.sql) else {
      // ALTER and DROP change what a name stands for.
      statements = [:]
      return nil
    }
    let name = parsed.declaredObject.name
    guard !parsed.isTemporary, let first = statements.updateValue(statement, forKey: name) else { return nil }
    statements[name] = first
    guard Self.meaning(of: first.sql) != Self.meaning(of: statement.sql) else { return nil }
    let place = first.line.map { " in line \($0)" } ?? ""
    return
      "\(parsed.name) is declared in another way\(place), and IF NOT EXISTS keeps that one; rename or remove one of them"
  }

  /// The tokens of a CREATE statement without IF NOT EXISTS and the name of the database.
  private static func meaning(of sql: String) -> [String]? {
    guard var tokens = try? SQLLexer.tokens(of: sql) else { return nil }
    let head = tokens.prefix(6).map(\.text)
    if let start = head.indices.first(where: { head[$0...].prefix(2).map { $0.uppercased() } == ["IF", "NOT"] }) {
      tokens.removeSubrange(start..<min(start + 3, tokens.count))
    }
    if let dot = tokens.firstIndex(where: { $0.isSymbol(".") }), dot > 0, dot < 5, tokens[dot - 1].name == "main" {
      tokens.removeSubrange(dot - 1...dot)
    }
    return zip([nil] + tokens.map { Optional($0) }, tokens).map { $1.canonical(after: $0, before: nil, columns: nil) }
  }
}

/// An object with the table or view that it is or belongs to.
private struct DeclaredObject {
  var name: ObjectName
  var table: SQLName
}

extension CreateStatement {
  fileprivate var declaredObject: DeclaredObject {
    if case .trigger = self { return DeclaredObject(name: .trigger(name), table: table) }
    return DeclaredObject(name: .relation(name), table: table)
  }
}

/// The objects of a file, keyed by the statements that created them.
private struct StoredStatements {
  private(set) var objects: [ExactText: DeclaredObject] = [:]

  init(of schema: DatabaseSchema) {
    for table in schema.tables.values { add(table.sql, .relation(table.name), table.name) }
    for index in schema.indexes.values { add(index.sql, .relation(index.name), index.table) }
    for view in schema.views.values { add(view.sql, .relation(view.name), view.name) }
    for trigger in schema.triggers.values { add(trigger.sql, .trigger(trigger.name), trigger.table) }
  }

  private mutating func add(_ sql: String, _ name: ObjectName, _ table: SQLName) {
    objects[ExactText(sql)] = DeclaredObject(name: name, table: table)
  }
}
