extension DeclarationError: CustomStringConvertible {
  public var description: String {
    guard let table else { return "The schema \(sentence)" }
    return "\(model.map { "Model \($0) (table \(table))" } ?? "Table \(table)") \(sentence)"
  }

  /// The text that follows the name of the model.
  private var sentence: String {
    switch reason {
    case .duplicateObject, .duplicateTrigger, .duplicateColumn, .duplicateProperty, .duplicateConstraint,
      .reservedName, .emptyName, .embeddedNUL:
      reason.ofName
    case .autoincrementWithoutIntegerKey, .autoincrementWithoutRowID, .withoutRowIDWithoutPrimaryKey,
      .severalPrimaryKeys, .typeNotStrict, .generatedColumnWithDefault,
      .generatedColumnWithConversion, .generatedColumnInPrimaryKey,
      .onlyGeneratedColumns:
      reason.ofTable
    case .unknownKeyPath(let path, let place):
      "uses \(path) in \(place), but has no column for it. Declare a Column for that property, or name another."
    case .unknownKeyPathBesideOptional(let path, let place, let example):
      "uses \(path) in \(place), but has no column for it. Declare a Column for that property, or name another; "
        + "the column of an optional fragment is written with !, as in \(example)."
    case .optionalFragmentOfOptionals(let property, let fragment):
      "embeds \(property), but all properties of \(fragment) are optional: a nil could not be told from a "
        + "\(fragment) in which each of them is nil. Make one of them not optional, or the embedded property."
    case .optionalFragmentInPrimaryKey(let column):
      "has \(column) in its primary key, a column of an optional fragment, which may be NULL. "
        + "Choose another key, or make the fragment not optional."
    case .noColumns(let place):
      "names no columns in \(place). Name at least one property."
    case .renamedFromItself(let name):
      "says that \(name) was formerly called \(name). Remove that name from renamed(from:); "
        + "a change of case alone needs no hint."
    case .removedButDeclared(let name):
      "declares \(name) and also consents to its removal. Delete one of the two."
    case .unrepresentableDefault(let column, let why):
      "has a default for \(column) that has no literal: \(why). Use .default(sql:) with an expression."
    case .foreignKeyCount, .unknownParentColumn, .parentNotInSchema, .parentNotUnique, .parentTypeMismatch:
      reason.ofForeignKey
    case .searchWithoutRowID, .searchColumn, .searchCondition, .searchedModelNotInSchema: reason.ofSearch
    case .triggerWithoutTable(let name):
      "has the trigger \(name) on no table. Give it one with on:, or declare it in a ModelTable."
    case .notAnObject(let problem):
      "has an SQLObject that is not a CREATE statement: \(problem). Give it one whole statement."
    case .temporaryObject(let name):
      "has the temporary object \(name), which would go with its connection. Leave out TEMP."
    case .duplicateDataStep(let name):
      "has two data steps, or pieces of recorded work, called \(name). Files and recorded steps know them by their names; give each its own."
    case .dataStepWithoutObject(let name, let object):
      "has the data step \(name), which waits for \(object). Declare that, or let the step wait for something else."
    case .rowFunctionArity(let column, let columns, let arguments):
      "computes \(column) from \(columns) columns by a function of \(arguments) arguments. Name one column for each."
    case .columnsOutOfOrder(let first, let second):
      "mixes up the columns \(first) and \(second): the value read from one arrives in the property of the other. "
        + "List the columns in the order of the initializer's arguments."
    case .codedColumns(let declared, let read, let written, let first):
      "adds \(declared) columns, but decode reads \(read) values and encode appends \(written)"
        + (first.map { ": \($0) is the first that is left out" } ?? "")
        + ". Both take one value for each column, in the order in which the columns are added."
    case .wronglyCoded(let column):
      "reads or writes another value for the column \(column). "
        + "Read and append the columns in the order in which they are added."
    }
  }
}

extension DeclarationError.Reason {
  /// The messages about names.
  fileprivate var ofName: String {
    switch self {
    case .duplicateObject(let name):
      "declares \(name) twice. Tables, views and indexes share their names, whatever the case of the letters: "
        + "rename one."
    case .duplicateTrigger(let name):
      "declares the trigger \(name) twice. Rename one of them."
    case .duplicateColumn(let name):
      "declares the column \(name) twice; SQLite ignores the case of ASCII letters. Rename one of them."
    case .duplicateProperty(let property, let columns):
      "stores \(property) in the columns \(columns.joined(separator: " and ")), so that what another property holds "
        + "would be lost. Give each column a property of its own."
    case .duplicateConstraint(let name):
      "gives two constraints the name \(name). Rename one of them, or leave the names to SchemaKit."
    case .reservedName(let name):
      "uses the name \(name), but names beginning with sqlite_ or _schemakit_ are reserved. Choose another."
    case .emptyName(let kind):
      "has \(kind) with an empty name. Give it one."
    case .embeddedNUL(let place):
      "has a NUL character in \(place), where SQLite would stop reading. Remove it."
    default: ""
    }
  }

  /// The messages about keys, types and generated columns of one table.
  fileprivate var ofTable: String {
    switch self {
    case .autoincrementWithoutIntegerKey(let column, let type):
      "has AUTOINCREMENT on \(column) \(type), but SQLite allows it only on an ascending INTEGER primary key. "
        + "Make the property an integer, or leave out autoincrement."
    case .autoincrementWithoutRowID(let column):
      "has AUTOINCREMENT on \(column), but a table without rowids cannot count. "
        + "Leave out autoincrement or withoutRowID()."
    case .withoutRowIDWithoutPrimaryKey:
      "is declared without rowids and has no primary key. Add .primaryKey() to a column, or leave out withoutRowID()."
    case .severalPrimaryKeys(let columns):
      "has more than one primary key: \(columns.joined(separator: ", ")). "
        + "For one key of several columns use Constraint.primaryKey."
    case .typeNotStrict(let column, let type):
      "is STRICT, and \(column) has the type \(type.isEmpty ? "\"\"" : type), which is not one of INT, INTEGER, REAL, "
        + "TEXT, BLOB and ANY. Choose one with .type(), or leave out strict()."
    case .generatedColumnWithDefault(let column):
      "gives the generated column \(column) a default value. Leave out one of the two."
    case .generatedColumnWithConversion(let column):
      "gives the generated column \(column) a backfill or a conversion, but its expression gives all its values. Leave it out."
    case .generatedColumnInPrimaryKey(let column):
      "has the generated column \(column) in its primary key, which SQLite does not allow. Choose another key."
    case .onlyGeneratedColumns:
      "has only generated columns. Add a column that holds a value."
    default: ""
    }
  }

  /// The messages about foreign keys.
  fileprivate var ofForeignKey: String {
    switch self {
    case .foreignKeyCount(let columns, let parentColumns):
      "has a foreign key of \(columns) columns that refers to \(parentColumns). Name as many on both sides."
    case .unknownParentColumn(let parent, let column):
      "has a foreign key to \(column.map { "the column \($0)" } ?? "a property without a column") of \(parent), "
        + "which does not exist. Declare that column, or refer to another."
    case .parentNotInSchema(let columns, let parent, let table):
      "refers in \(columns.joined(separator: ", ")) to the model \(parent), which is not in the schema. "
        + "Add \(parent).self to the ModelSchema, or name the table, \"\(table)\", if something else makes it in the same file."
    case .parentNotUnique(let columns, let parent, let parentColumns):
      "refers in \(columns.joined(separator: ", ")) to \(parent), "
        + (parentColumns.isEmpty
          ? "which has no primary key. Declare one, or refer to a unique column with column:."
          : "but several rows of it may have the same \(parentColumns.joined(separator: ", ")). "
            + "Make that unique, or refer to the primary key.")
    case .parentTypeMismatch(let column, let type, let parent, let parentColumn, let parentType):
      "refers in \(column), stored as \(type), to the column \(parentColumn) of \(parent), stored as \(parentType). "
        + "Give both the same type and coding, or name the table in place of the model if the file is that way."
    default: ""
    }
  }
}

extension DeclarationError.Reason {
  fileprivate var ofSearch: String {
    switch self {
    case .searchWithoutRowID(let index):
      "has no integer primary key, by which the search index \(index) would find its rows. Declare one: VACUUM may give other "
        + "rows new numbers."
    case .searchColumn(let index, let column):
      "has the search index \(index) over \(column): it has each column once, and none with its own name, nor rank or "
        + "rowid with FTS5, docid with FTS4. Give the column or the index another name."
    case .searchCondition(let index, let problem):
      "has the search index \(index), whose condition \(problem.words)"
    case .searchedModelNotInSchema(let index, let model):
      "has the search index \(index) of the model \(model), which is not in the schema. Add \(model).self to the ModelSchema."
    default: ""
    }
  }
}

extension DeclarationError.SearchConditionProblem {
  /// The end of a sentence about the condition, with the way out.
  fileprivate var words: String {
    switch self {
    case .needsFTS5: "needs FTS5. Declare it with .fts5, or leave the condition to the search."
    case .needsColumnSize: "needs the list of rows that columnSize keeps. Leave out columnSize: false."
    case .noModel: "has no model. Declare it as VirtualTable(name, .fts5, of: Model.self, …)."
    case .notSQL(let problem): "is not SQL: \(problem). Write an expression over the columns of the table."
    case .subquery: "has a subquery. Write an expression over the columns of the table."
    case .otherTable(let table): "reads \(table). Write an expression over the columns of its own table."
    }
  }
}
