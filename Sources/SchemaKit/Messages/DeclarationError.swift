/// A mistake in a declaration that the compiler cannot detect.
public struct DeclarationError: Error, Sendable, Hashable {
  /// The kind of mistake.
  public enum Reason: Sendable, Hashable {
    /// Two tables, views or indexes have the same name.
    case duplicateObject(String)
    /// Two triggers have the same name.
    case duplicateTrigger(String)
    /// Two columns of a table have the same name.
    case duplicateColumn(String)
    /// Two columns of a table hold the same property.
    case duplicateProperty(String, columns: [String])
    /// Two constraints of a table have the same name.
    case duplicateConstraint(String)
    /// A name begins with a prefix that is reserved for SQLite or SchemaKit.
    case reservedName(String)
    /// A table, column, index, view or trigger has an empty name.
    case emptyName(of: String)
    /// A name or an SQL text contains a NUL character.
    case embeddedNUL(String)
    /// A constraint or an index refers to a property that has no column.
    case unknownKeyPath(String, in: String)
    /// A constraint or an index refers to a property that has no column, in a model that embeds an optional fragment,
    /// whose columns have paths such as the example.
    case unknownKeyPathBesideOptional(String, in: String, example: String)
    /// An optional fragment has optional properties only, so that nil could not be told from a value.
    case optionalFragmentOfOptionals(String, fragment: String)
    /// A column of an optional fragment is part of the primary key.
    case optionalFragmentInPrimaryKey(String)
    /// A constraint or an index has no columns.
    case noColumns(in: String)
    /// AUTOINCREMENT is declared on a column that is not an ascending INTEGER primary key.
    case autoincrementWithoutIntegerKey(column: String, type: String)
    /// AUTOINCREMENT is declared in a table without rowids.
    case autoincrementWithoutRowID(column: String)
    /// A table without rowids has no primary key.
    case withoutRowIDWithoutPrimaryKey
    /// A table has more than one primary key.
    case severalPrimaryKeys([String])
    /// A STRICT table has a column of a type that such tables do not allow.
    case typeNotStrict(column: String, type: String)
    /// A generated column has a default value.
    case generatedColumnWithDefault(String)
    /// A generated column has a backfill or a conversion, which could give it no value.
    case generatedColumnWithConversion(String)
    /// A generated column is part of the primary key.
    case generatedColumnInPrimaryKey(String)
    /// All columns of a table are generated.
    case onlyGeneratedColumns
    /// The former name of a column or a table is its current name.
    case renamedFromItself(String)
    /// A column or a table is declared and at the same time removed.
    case removedButDeclared(String)
    /// A default value cannot be written in SQL.
    case unrepresentableDefault(column: String, why: String)
    /// A foreign key has more or fewer columns than it refers to.
    case foreignKeyCount(columns: Int, parentColumns: Int)
    /// A foreign key refers to a column that the other model does not have.
    case unknownParentColumn(parent: String, column: String?)
    /// A foreign key refers to a model that the schema does not have.
    case parentNotInSchema(columns: [String], parent: String, table: String)
    /// A foreign key refers to columns in which several rows may have the same values; to none, for a missing primary
    /// key.
    case parentNotUnique(columns: [String], parent: String, parentColumns: [String])
    /// A foreign key holds values of a different kind than the column that it refers to.
    case parentTypeMismatch(column: String, type: String, parent: String, parentColumn: String, parentType: String)
    /// A full-text index is of a model whose rows have no integer primary key.
    case searchWithoutRowID(String)
    /// A full-text index has a column whose name SQLite keeps for itself, or the same column twice.
    case searchColumn(String, column: String)
    /// A full-text index has a condition that its triggers cannot ask.
    case searchCondition(String, problem: SearchConditionProblem)
    /// A full-text index is of a model that the schema does not have.
    case searchedModelNotInSchema(String, model: String)
    /// A trigger at schema level does not name its table.
    case triggerWithoutTable(String)
    /// An object given as SQL is not a CREATE statement.
    case notAnObject(problem: String)
    /// An object given as SQL is temporary.
    case temporaryObject(String)
    /// Two data steps have the same name.
    case duplicateDataStep(String)
    /// A data step waits for a table or a column that the schema does not have.
    case dataStepWithoutObject(String, object: String)
    /// A backfill or conversion names a different number of columns than its function takes.
    case rowFunctionArity(column: String, columns: Int, arguments: Int)
    /// Two columns are not in the order of the initializer's arguments.
    case columnsOutOfOrder(first: String, second: String)
    /// A model's own functions read or write another number of values than it has columns; at least so many, for a
    /// function that reads beyond them. The first column that they leave out, where that can be told.
    case codedColumns(declared: Int, read: Int, written: Int, first: String?)
    /// A model's own functions read a column's value into another property, or write it in another form.
    case wronglyCoded(column: String)
  }

  /// The reason why triggers cannot ask the condition of a full-text index.
  public enum SearchConditionProblem: Sendable, Hashable {
    /// The index is one of FTS4.
    case needsFTS5
    /// The index keeps no number of words for each row, and so no list of its rows.
    case needsColumnSize
    /// The table is no full-text index of a model.
    case noModel
    /// The condition is not SQL.
    case notSQL(String)
    /// The condition has a subquery.
    case subquery
    /// The condition reads another table.
    case otherTable(String)
  }

  /// The kind of mistake.
  public let reason: Reason
  /// The model that contains the mistake; nil at schema level.
  public let model: String?
  /// The table that contains the mistake; nil at schema level.
  public let table: String?

  /// Creates an error.
  public init(_ reason: Reason, model: String? = nil, table: String? = nil) {
    self.reason = reason
    self.model = model
    self.table = table
  }
}
