/// A Swift function that computes a column's value from other columns of the row during a migration.
@usableFromInline
struct RowFunction: Sendable {
  /// The columns that it reads, by their former or their current names.
  let columns: [String]
  /// The number of arguments that it takes.
  let arity: Int
  /// The identity that distinguishes it from other functions of the same column.
  let identity: String
  /// Computes the value as stored, in the column's own coding if it has one.
  let compute: @Sendable ([SQLValue], (any AnyColumnCoding)?) throws -> SQLValue
}

extension Column where Value: ColumnValue {
  /// Gives existing rows a value computed in Swift where they have none: for a new column, or for NULL in a column that
  /// becomes NOT NULL.
  ///
  /// ```swift
  /// Column("slug", \.slug).backfill(from: "title", "id") { (title: String, id: Int64) in "\(id)-\(title.lowercased())" }
  /// ```
  ///
  /// The function must return the same value for the same row every time: it is called for the plan and again for the
  /// copy. If it throws, the migration stops, with nothing changed.
  ///
  /// *Cost:* the table is copied, with one call for each row.
  ///
  /// - Parameters:
  ///   - columns: The columns to read, by their former or current names, in the order of the function's arguments. Each
  ///     is read as the argument's type says, not in the column's coding.
  ///   - compute: Computes the value. An argument is optional if the column may hold NULL.
  public func backfill<each Input: ColumnValue>(
    from columns: String..., compute: @escaping @Sendable (repeat each Input) throws -> Value
  ) -> Self {
    declaring { $0.backfill = Self.function(columns, compute) }
  }

  /// Replaces the value of every existing row with one computed in Swift when the stored type changes.
  ///
  /// It runs once in each file, and may stay in the declaration: at the next change of the type, the ledger recognizes
  /// it by the columns that it reads, the types that it takes, and its version.
  ///
  /// - Parameters:
  ///   - columns: The columns to read, by their former or current names, in the order of the function's arguments. Each
  ///     is read as the argument's type says, not in the column's coding.
  ///   - version: A different number for a function that replaces one with the same types.
  ///   - compute: Computes the value; it must return the same value for the same row every time.
  public func converting<each Input: ColumnValue>(
    from columns: String..., version: Int = 1, compute: @escaping @Sendable (repeat each Input) throws -> Value
  ) -> Self {
    declaring { $0.conversion = Self.function(columns, version: version, compute) }
  }

  private static func function<each Input: ColumnValue>(
    _ columns: [String], version: Int = 1, _ compute: @escaping @Sendable (repeat each Input) throws -> Value
  ) -> RowFunction {
    var arity = 0
    var types: [String] = []
    for type in repeat (each Input).self {
      arity += 1
      types.append("\(type)")
    }
    // Without the return type, which is what changes while the function stays in the declaration.
    let identity = "(\(columns.joined(separator: ", "))): (\(types.joined(separator: ", "))), \(version)"
    return RowFunction(columns: columns, arity: arity, identity: identity) { values, coding in
      var row = RowReader(values)
      let value = try compute(repeat try (each Input)(row: &row))
      return try coding?.stored(value) ?? value.sqlValue()
    }
  }
}

extension ModelSchema {
  /// A function with the name by which SQL calls it during a migration.
  struct NamedRowFunction {
    var table: String
    var column: String
    var isConversion: Bool
    var name: String
    var function: RowFunction
    var coding: (any AnyColumnCoding)?

    /// The call, as an expression over the row, including what distinguishes the function from others.
    var call: String {
      let identity = function.identity.replacing("*/", with: "* /")
      return
        "\(SQLQuoting.identifier(name))(\(function.columns.map { SQLQuoting.identifier($0) }.joined(separator: ", "))) "
        + "/* \(identity) */"
    }
  }

  /// All functions of the schema's columns.
  var rowFunctions: [NamedRowFunction] {
    var functions: [NamedRowFunction] = []
    for case .model(let model) in elements {
      let table = TableDeclaration(model)
      for column in table.columns {
        for (function, isConversion) in [(column.backfill, false), (column.conversion, true)] {
          guard let function else { continue }
          functions.append(
            NamedRowFunction(
              table: table.name, column: column.name, isConversion: isConversion,
              name: "\(ColumnHints.functionPrefix)\(functions.count + 1)", function: function, coding: column.coding))
        }
      }
    }
    return functions
  }
}

extension ModelSchema {
  /// The models' columns with the forms of their values, in an order that only depends on the declaration. Columns that
  /// SQLite computes are left out, as the program does not store them.
  var columnForms: [(table: String, column: DeclaredColumn)] {
    models.flatMap { model in
      let table = TableDeclaration(model)
      return table.columns.filter { $0.generated == nil }.map { (table: table.name, column: $0) }
    }
  }
}
