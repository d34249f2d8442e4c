import OrderedCollections

/// Creates a declared schema in an in-memory database and reads it back, so that SQLite itself says what it means.
package struct SchemaLoader {
  /// What a declared schema turned out to be.
  package struct Loaded: Sendable {
    package var target: DeclaredTarget
    /// What was skipped or is worth saying.
    package var notes: [String]
  }

  private let source: String

  /// - Parameter source: The name of the place that the declaration comes from, for messages.
  package init(source: String = "") { self.source = source }

  /// Loads a declaration.
  ///
  /// - Parameter known: The schema of the file that will be compared. Objects whose stored statements are the declared
  ///   ones mean the same, so that a schema which the file has already needs no SQLite.
  /// - Throws: `SchemaError` for a statement that SQLite refuses, `IntrospectionError` for one we cannot read.
  package func load(_ declaration: SchemaDeclaration, known: DatabaseSchema? = nil) throws -> Loaded {
    if let schema = known?.subset(declaredBy: declaration.statements) {
      return Loaded(target: target(declaration, schema: schema), notes: [])
    }
    var notes: [String] = []
    let database: SQLiteConnection
    do {
      database = try create(declaration, allowsDoubleQuotedText: false)
    } catch let first as SchemaError {
      // Old schemas hold texts in double quotes, which SQLite still accepts in files.
      guard let tolerant = try? create(declaration, allowsDoubleQuotedText: true) else { throw first }
      database = tolerant
      notes.append("SK208 The schema holds a text in double quotes: \(first.problem). Single quotes are safe.")
    }
    return Loaded(target: target(declaration, schema: try SchemaReader.read(database)), notes: notes)
  }

  private func target(_ declaration: SchemaDeclaration, schema: DatabaseSchema) -> DeclaredTarget {
    var schema = schema
    for (table, hints) in declaration.hints.tables {
      guard let columns = schema.tables[table]?.columns else { continue }
      schema.tables[table]?.columns = columns.map { column in
        var column = column
        if hints.looseTypes.contains(column.name) { column.acceptsAnyTypeOfAffinity = true }
        return column
      }
    }
    return DeclaredTarget(
      name: declaration.name, schema: schema, hints: declaration.hints, ownsWholeFile: declaration.ownsWholeFile,
      digest: declaration.digest)
  }

  private func create(_ declaration: SchemaDeclaration, allowsDoubleQuotedText: Bool) throws -> SQLiteConnection {
    let database = try SQLiteConnection.memory()
    try database.installCollationStubs()
    try database.setAllowsDoubleQuotedText(allowsDoubleQuotedText)
    try database.denyingDangerousStatements {
      for statement in declaration.statements {
        do {
          try database.runStubbing(statement.sql)
        } catch let error as SQLiteError {
          throw SchemaError(source: source, line: statement.line, problem: error.message)
        }
      }
    }
    return database
  }
}

extension SchemaDeclaration {
  /// A digest of all that the declaration says, for the warm open.
  package var digest: String {
    let steps = hints.dataSteps.map { "\n\($0.name)" }.joined()
    return SHA256.hexDigest(
      of: statements.map(\.sql).joined(separator: ";\n") + "\n" + name + "\n\(SchemaKitVersion.current)" + steps)
  }
}

extension DatabaseSchema {
  /// The objects that statements declare, when every one of them is here in the same words; else nil.
  fileprivate func subset(declaredBy statements: [DeclaredStatement]) -> DatabaseSchema? {
    var subset = DatabaseSchema()
    subset.systemTables = systemTables
    var tables = Dictionary(tables.values.map { ($0.sql, $0) }, uniquingKeysWith: { first, _ in first })
    var indexes = Dictionary(indexes.values.map { ($0.sql, $0) }, uniquingKeysWith: { first, _ in first })
    var views = Dictionary(views.values.map { ($0.sql, $0) }, uniquingKeysWith: { first, _ in first })
    var triggers = Dictionary(triggers.values.map { ($0.sql, $0) }, uniquingKeysWith: { first, _ in first })
    for statement in statements {
      if let table = tables.removeValue(forKey: statement.sql) {
        subset.tables[table.name] = table
      } else if let index = indexes.removeValue(forKey: statement.sql) {
        subset.indexes[index.name] = index
      } else if let view = views.removeValue(forKey: statement.sql) {
        subset.views[view.name] = view
      } else if let trigger = triggers.removeValue(forKey: statement.sql) {
        subset.triggers[trigger.name] = trigger
      } else {
        return nil
      }
    }
    return subset
  }
}
