import SchemaKitFoundation

extension SavedPlan {
  /// The schema that the plan leads to, declared again from its statements.
  ///
  /// - Parameter source: The name of the place that the plan comes from, for messages.
  /// - Throws: `SavedPlanError` when this SQLite reads another schema from the statements than the one planned for.
  package func targetSchema(source: String) throws -> TargetSchema {
    try Self.targetSchema(target, fingerprint: plan.targetFingerprint, engine: plan.engine, source: source)
  }

  /// A schema, declared again from its statements.
  ///
  /// - Parameter engine: The version of SQLite that the fingerprint comes from.
  static func targetSchema(
    _ target: SavedTarget, fingerprint: String, engine: SQLiteVersion, source: String
  ) throws -> TargetSchema {
    let declaration = SchemaDeclaration(
      name: target.name, statements: target.statements.map { DeclaredStatement(sql: $0) }, hints: target.hints,
      ownsWholeFile: target.ownsWholeFile)
    var declared: TargetSchema
    do {
      declared = try SchemaLoader(source: source).load(declaration).target
    } catch let error as SchemaError {
      throw SavedPlanError(source: source, problem: "its schema cannot be rebuilt here: \(error.problem)")
    }
    guard declared.isKnown(as: fingerprint) else {
      throw SavedPlanError(
        source: source,
        problem: "SQLite \(SQLiteConnection.engineVersion) reads another schema from its statements than SQLite "
          + "\(engine) did when the plan was made. Make the plan again")
    }
    declared.digest = target.digest
    declared.ignores = NamePatterns.matcher(target.ignored)
    return declared
  }
}
