extension MigrationStep.Strategy {
  /// A new object is created, by its [CREATE](https://sqlite.org/lang_createtable.html) statement.
  public static let create = Self("create", .creation)
  /// An object is dropped, by its [DROP](https://sqlite.org/lang_droptable.html) statement.
  public static let drop = Self("drop", .removal)
  /// An object is dropped and created with its new definition. A plan has two steps for it.
  public static let replace = Self("replace", .change)
  /// The program works on the rows itself.
  public static let data = Self("data", .work) { $0.isProgramWork = true }
}

extension Planner {
  /// True if SQLite refused the statements that create a table on the clone.
  func hasRefused(creating name: SQLName) -> Bool { refused[name]?[.create] != nil }
}

extension MigrationStep {
  /// The step that creates an object.
  static func creating(
    _ object: ObjectReference, _ edits: [SchemaEdit], _ statements: [PlannedStatement], motive: Motive? = nil,
    rows: Int? = nil
  ) -> MigrationStep {
    MigrationStep(
      strategy: .create, object: object, edits: edits, motive: motive, statements: statements, rows: rows)
  }

  /// The step that drops an object.
  static func dropping(
    _ object: ObjectReference, _ edits: [SchemaEdit], _ statements: [PlannedStatement], motive: Motive? = nil
  ) -> MigrationStep {
    MigrationStep(strategy: .drop, object: object, edits: edits, motive: motive, statements: statements)
  }

  /// The step in which the program works on the rows.
  static func programWork(_ object: ObjectReference, _ edits: [SchemaEdit]) -> MigrationStep {
    MigrationStep(strategy: .data, object: object, edits: edits, statements: [])
  }
}
