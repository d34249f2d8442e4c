extension ExpandObstacle {
  /// The obstacle to serving two programs, in a sentence.
  public var sentence: String {
    switch self {
    case .renamedTable(let old, let new): "Table \(old) is renamed to \(new), and a table has one name only."
    case .changedTable(let table, .column(let column)):
      "Column \(table).\(column) is not the same for both: its type, default, NOT NULL, collation, expression or coding changes."
    case .changedTable(let table, let part): "Table \(table) is not the same for both: \(part.words) changes."
    case .unknownColumn(let table, let column, let program):
      "Column \(table).\(column) is NOT NULL without a default, and the \(program.rawValue) program does not give it a value."
    case .filledColumn(let table, let column):
      "Column \(table).\(column) is filled by an expression, which cannot fill it in rows of the older program: SQL has to "
        + "compute it without a query, the table must have a rowid and no triggers, and the column must take any value for a "
        + "moment."
    case .fillOfNull(let table, let column):
      "Column \(table).\(column) is NOT NULL, and its fill gives NULL for a row of the older program that has NULL elsewhere, so "
        + "that its INSERT would fail. Let the fill give a value for every row, as with coalesce()."
    case .foreignKey(let table, let parent):
      "A foreign key from \(table) to \(parent) is of one program only, and would refuse or delete rows when the other one "
        + "deletes or changes a row of \(parent)."
    case .renamedColumn(let table, let old, let new, let problem):
      "Column \(table).\(old) cannot be \(new) as well: \(problem.words)."
    case .dataStep(let name): "Data step \(name) would not run on rows that the older program writes later."
    case .changedObject(let object):
      "\(object.label) is not the same for both."
    }
  }
}

extension ExpandObstacle.Part {
  fileprivate var words: String {
    switch self {
    case .column: "a column"
    case .primaryKey: "the primary key"
    case .uniqueConstraint: "a UNIQUE constraint"
    case .check: "a CHECK"
    case .foreignKey: "a foreign key"
    case .form: "STRICT or WITHOUT ROWID"
    }
  }
}

extension ExpandObstacle.RenameProblem {
  fileprivate var words: String {
    switch self {
    case .nameInUse: "one of the two names is another column's as well"
    case .primaryKey: "it is in the primary key"
    case .generated: "it is computed"
    case .definition: "more than its name changes"
    case .parentKey: "a foreign key refers to it"
    case .check: "a CHECK reads it"
    case .computes: "an index or another column computes something from it"
    case .uniqueKey: "a unique key has it together with another column, or is not the same under both names"
    case .uniqueDefault: "it is unique and has a default, which a row would have for a moment under the other name"
    case .computedDefault: "its default is computed"
    case .strictType: "it is NOT NULL without a default, and its STRICT type has no value that no program writes"
    case .trigger(let name): "trigger \(name) would run twice"
    case .noRowID: "the table has no rowid"
    }
  }
}
