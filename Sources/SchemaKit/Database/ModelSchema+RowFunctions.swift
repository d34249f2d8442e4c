extension ModelSchema {
  /// Runs a migration, or builds a plan, while SQL may call the Swift functions of the schema's columns.
  package func withRowFunctions<T>(on connection: SQLiteConnection, _ body: () throws -> T) throws -> T {
    let functions = rowFunctions
    defer { for function in functions { connection.removeFunction(function.name, arity: function.function.arity) } }
    for function in functions {
      try connection.install(function: function.name, arity: function.function.arity) { values in
        try function.function.compute(values, function.coding)
      }
    }
    return try body()
  }
}
