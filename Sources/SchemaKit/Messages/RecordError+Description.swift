extension RecordError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .notInSchema(let model):
      "\(model) is not part of the schema that this database was opened with. Add \(model).self to the ModelSchema."
    case .noPrimaryKey(let table):
      """
      Table \(table) has no primary key, so no row of it can be told from another. Declare one, or save with .insert, \
      which always adds a row.
      """
    case .wrongKey(let table, let expected, let found):
      "The key of table \(table) is \(expected), but \(found) was given."
    case .noKey(let table): "The object has no key yet, so no row of table \(table) is meant. Save it first."
    case .notFound(let table, let key): "Table \(table) has no row with the key \(key)."
    case .unknownField(let model, let field): "\(field) is not a column of \(model). Declare it in the model's table."
    case .noSearch(let model, let index):
      "\(model) cannot be searched in \(index): it takes an FTS5 table of that name, and rows with a rowid. Declare "
        + "VirtualTable(\"\(index)\", .fts5, of: \(model).self, …) in the schema."
    case .weight(let weight, let column):
      "The weight \(weight) of \(column) is not a finite number, and ranks nothing. Give a number such as 2.0."
    case .notSearched(let column, let index):
      "\(column) is not among the columns of \(index). Name it in the declaration of that search index."
    case .notAColumn(let term): "\(term) is an expression. Only a column can be given a value."
    case .generatedColumn(let table, let column):
      "Column \(table).\(column) is computed by SQLite and cannot be written."
    case .unstorable(let problem): problem
    case .value(let table, let column, let row, let expected, let found, let problem):
      ColumnValueError(expected: expected, found: found, problem: problem)
        .sentence(about: "Column \(table).\(column)", place: row.map { " in the row \($0)" } ?? "")
    case .constraint(let kind, let table, let columns, let cause):
      Self.violation(kind, table: table, columns: columns, cause: cause)
    case .noRelation(let from, let to, let count, let columns): Self.relation(from, to, count, columns)
    case .noParentKey, .deletedWithOthers, .undeclaredColumn, .noTable, .unknownColumn, .noValue, .notARow,
      .codedColumn:
      reason.ofTable
    case .foreignCursor:
      "The page cursor belongs to a query with a different order. Start again without one."
    case .parameters(let expected, let found): "The statement takes \(expected), but \(found) were given."
    case .noColumn(let name, let available):
      "The row has no column \(name). It has \(available.joined(separator: ", "))."
    case .missingColumn(let model, let column):
      "The result has no column \(column), which \(model) needs. Select it, or all with *."
    case .insideTransaction(let function): "\(function) cannot be called inside a transaction. Call it before."
    case .notOrdered, .otherCoding, .notANumber, .notAText, .notElements: reason.ofStoredForm
    case .unrelated, .severalRelations, .aggregate, .noAggregate, .tooDeep, .noGroups, .count, .notUnique:
      reason.ofRequest
    case .assignedTwice(let table, let column):
      "The update gives column \(table).\(column) two values. Leave out one of them."
    case .encoding(let model, let problem):
      "\(model).encode(into:) \(problem). Append the values of all columns in the order of the declaration."
    case .decoding(let model, let problem):
      "\(model).decode(from:) \(problem). Read the values of all columns in the order of the declaration."
    case .attachment(let id, let problem): "FileAttachment \(id) \(problem)."
    }
  }

  private static func violation(
    _ kind: ConstraintKind, table: String, columns: [String], cause: SQLiteError
  ) -> String {
    let place = columns.isEmpty ? "table \(table)" : columns.map { "\(table).\($0)" }.joined(separator: ", ")
    let why =
      switch kind {
      case .check: "a CHECK refuses the value of \(place): \(cause.message)"
      case .notNull: "\(place) must not be NULL"
      case .unique, .primaryKey: "another row has the same \(place)"
      case .foreignKey: "\(place) refers to a row that is not there, or is referred to by rows that would be orphaned"
      case .other: cause.message
      }
    return "The row was not written: \(why). Nothing was changed."
  }
}

extension RecordError {
  private static func relation(_ from: String, _ to: String, _ count: Int, _ columns: [String]) -> String {
    let list = columns.isEmpty ? "" : ", on \(columns.joined(separator: ", "))"
    return count == 0
      ? "\(from) declares no foreign key to \(to)\(list). Declare one with references(\(to).self), or join in SQL."
      : "\(from) declares \(count) foreign keys to \(to)\(list). Say which with via:."
  }
}

extension RecordError.Reason {
  /// The messages about tables and columns that do not fit what is written to them.
  fileprivate var ofTable: String {
    switch self {
    case .noParentKey(let model, let column):
      "The \(model) has no value in column \(column), to which its children refer. Give it one, or save without children."
    case .deletedWithOthers(let table, let key):
      """
      The row \(key) of table \(table) is among the objects to save, and would be deleted with the rows that they replace, \
      because its foreign key cascades. Save it with its new parent first, then replace. Nothing was changed.
      """
    case .undeclaredColumn(let model, let table, let column):
      """
      The row was not written: \(model) does not declare column \(table).\(column), which must not be NULL and has no \
      default. Declare it in the model, or drop it from the table. Nothing was changed.
      """
    case .noTable(let name): "The database has no table or view \(name). Create it, or correct the name."
    case .unknownColumn(let type, let table, let column, let available):
      """
      \(type) has a value for \(column), and \(table) has no such column. It has \(available.joined(separator: ", ")). Name \
      the column in the type's CodingKeys. Nothing was changed.
      """
    case .noValue(let type, let table, let column):
      "\(type) has no value for column \(table).\(column), which needs one. Add the property. Nothing was changed."
    case .codedColumn(let table, let column, let model, let coding, let type):
      """
      Column \(table).\(column) is stored with \(coding) by \(model), and a \(type) without the model would be another \
      value there. Save and fetch objects of \(model), or give the property the type of the stored values. Nothing was changed.
      """
    case .notARow(let type, let problem): "\(type) \(problem), and a row has a value for each of its columns by name."
    default: ""
    }
  }

  /// The messages about what is asked for: relations, groups, numbers of rows, and columns that identify a row.
  fileprivate var ofRequest: String {
    switch self {
    case .unrelated(let model, let others):
      """
      No foreign key relates \(model) to \(others.joined(separator: " or ")), in either direction. Declare one with \
      references(…), name a model between them first, or join in SQL.
      """
    case .severalRelations(let model, let columns):
      """
      \(model) is related to the models before it by \(columns.joined(separator: " and by ")). Say which with via:, such \
      as via: [\\Note.author].
      """
    case .aggregate(let term):
      """
      \(term) is computed from many rows, and a condition, a group or a new value from one. Write a condition on groups in \
      having: of select, beside groupBy:.
      """
    case .noAggregate(let term):
      """
      \(term) is a value of one row, and there may be several related rows. Ask for an aggregate such as max, or for the \
      objects themselves by all with .children.
      """
    case .tooDeep(let model):
      """
      \(model) refers to itself in more than 1,000 levels. Choose other objects for the top by where:, or read the rows by \
      WITH RECURSIVE in SQL.
      """
    case .noGroups: "having: is a condition on groups. Say with groupBy: what the rows are grouped by."
    case .count(let name, let number, let least): "The \(name) is \(number). It must be at least \(least)."
    case .notUnique(let table, let columns, let partial):
      Self.notUnique(table: table, columns: columns, partial: partial)
    default: ""
    }
  }

  private static func notUnique(table: String, columns: [String], partial: String?) -> String {
    let list = columns.joined(separator: ", ")
    if let partial {
      return """
        The index \(partial) makes \(list) of \(table) unique only in the rows that its condition selects, so it cannot \
        say which row is meant. Declare a unique index without a condition, or write the INSERT in SQL.
        """
    }
    return """
      No row of \(table) can be told by \(list) alone. Declare the columns together as unique, with .unique(), \
      Constraint.unique or Index(…).unique(): no more columns and no fewer.
      """
  }
}

extension RecordError.Reason {
  /// The messages about columns whose stored form is not the value.
  fileprivate var ofStoredForm: String {
    switch self {
    case .notOrdered(let term):
      """
      \(term) is stored in a form that SQLite does not sort as Swift does, such as a Decimal as text, or cases whose raw \
      values have another order. Store it in another with storing:, such as .scaled(digits: 2), or compare and sort the \
      stored form in SQL, such as Field<String>.sql("state").ascending.
      """
    case .otherCoding(let column, let coding, let other, let otherCoding):
      """
      \(column) is stored \(Self.form(coding)) and \(other) \(Self.form(otherCoding)), so SQLite can neither compare them \
      nor copy one to the other. Store both in the same way with storing:, or convert one of them in SQL, with .sql(…) or \
      set(sql:).
      """
    case .notANumber(let column, let storage):
      """
      \(column) is stored as \(storage), and SQLite would calculate with that in place of the value. Read the values and \
      calculate in Swift, or write the expression in SQL, such as Field<Int64?>.sql("sum(…)") or set(sql:). A Decimal \
      that is stored with .scaled(digits:) has a sum, and can be increased.
      """
    case .notAText(let column, let storage):
      """
      \(column) is stored as \(storage), in which no text can be looked for. Compare it with ==, look for an element of \
      an array or a set with contains(_:), or at a part of JSON with json("$[0]", as: String.self), or write the \
      condition in SQL, with .sql(…).
      """
    case .notElements(let column, let storage):
      """
      \(column) is stored as \(storage), in which no element can be looked for. Compare it with ==, or write the condition \
      in SQL, with .sql(…).
      """
    default: ""
    }
  }

  private static func form(_ coding: String?) -> String { coding.map { "with \($0)" } ?? "as its type says" }
}
