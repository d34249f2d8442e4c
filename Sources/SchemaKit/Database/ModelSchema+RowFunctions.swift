extension ModelSchema {
  /// Runs a migration, or builds a plan, while SQL may call the Swift functions of the schema's columns.
  package func withRowFunctions<T>(on connection: SQLiteConnection, _ body: () throws -> T) throws -> T {
    let functions = rowFunctions
    let readers = ColumnReaders(columnForms.map(\.column.reads))
    let name = FormChange.readsFunction.replacing("\"", with: "")
    // Where a statement of the lender is being read, a function that is there can neither be replaced nor removed: it
    // answers nothing any more.
    try? connection.install(lenient: name, arity: 2, readers.answer)
    defer {
      connection.removeFunction(name, arity: 2)
      readers.reads = []
    }
    defer { for function in functions { connection.removeFunction(function.name, arity: function.function.arity) } }
    for function in functions {
      try connection.install(function: function.name, arity: function.function.arity) { values in
        try function.function.compute(values, function.coding)
      }
    }
    return try body()
  }
}

/// Tells SQL what the types of a schema's columns read.
///
/// It has identity because SQLite may keep it for longer than it is asked.
private final class ColumnReaders {
  var reads: [@Sendable (SQLValue) -> Bool]

  init(_ reads: [@Sendable (SQLValue) -> Bool]) { self.reads = reads }

  /// True if the type of the column with a number reads a value; NULL for a column that is not known.
  func answer(_ arguments: [SQLValue?]) -> SQLValue? {
    guard case .integer(let number)?? = arguments.first, reads.indices.contains(Int(number)) else { return .null }
    guard let value = arguments[1] else { return .integer(0) }
    return .integer(value.isNull || reads[Int(number)](value) ? 1 : 0)
  }
}
