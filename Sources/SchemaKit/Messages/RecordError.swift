/// The error thrown when an object cannot be saved, fetched or found.
public struct RecordError: Error, Sendable, Hashable {
  /// The cause.
  public indirect enum Reason: Sendable, Hashable {
    /// The model is not part of the schema that the session was opened with, so its table was not verified.
    case notInSchema(model: String)
    /// The table has no primary key, so that no row of it can be found or replaced.
    case noPrimaryKey(table: String)
    /// A key has a different number of values, or another storage class, than the primary key.
    case wrongKey(table: String, expected: String, found: String)
    /// The object's key is nil, so that it identifies no row.
    case noKey(table: String)
    /// No row has this key.
    case notFound(table: String, key: RecordKey)
    /// The property is not a column of the model's table.
    case unknownField(model: String, field: String)
    /// The field is an expression, and only a column can be assigned a value.
    case notAColumn(String)
    /// The column is computed by SQLite and cannot be written.
    case generatedColumn(table: String, column: String)
    /// A value cannot be stored in SQLite, with the reason.
    case unstorable(String)
    /// A stored value does not fit the Swift type. `row` is the rowid, or the key of a table without rowids.
    case value(table: String, column: String, row: RecordKey?, expected: String, found: String, problem: String?)
    /// A constraint rejected the row. The columns are those of the constraint, as far as SQLite reports them.
    case constraint(ConstraintKind, table: String, columns: [String], cause: SQLiteError)
    /// A column that the model does not declare takes no NULL and has no default, so no row can be added.
    case undeclaredColumn(model: String, table: String, column: String)
    /// One model has no foreign key to the other, or several, on these columns.
    case noRelation(from: String, to: String, count: Int, columns: [String] = [])
    /// A row of an object that is to be saved would be deleted together with rows that are to be replaced.
    case deletedWithOthers(table: String, key: RecordKey)
    /// The object has no value in the column that those of another model refer to.
    case noParentKey(model: String, column: String)
    /// No foreign key relates a model to another of a join, in either direction.
    case unrelated(model: String, others: [String])
    /// Foreign keys relate a model to several others of a join.
    case severalRelations(model: String, columns: [String])
    /// A page was requested after a cursor that belongs to another order.
    case foreignCursor
    /// The number of values differs from the statement's number of parameters, or a name is not among them.
    case parameters(expected: String, found: String)
    /// A row has no column with this name.
    case noColumn(String, available: [String])
    /// The model cannot be read from a result that lacks a column.
    case missingColumn(model: String, column: String)
    /// The database has no table or view with this name.
    case noTable(String)
    /// A Codable type has a value for a column that the table does not have.
    case unknownColumn(type: String, table: String, column: String, available: [String])
    /// A Codable type has no value for a column that needs one.
    case noValue(type: String, table: String, column: String)
    /// A Codable type has a property for a column that a model stores by a coding, which only the model knows.
    case codedColumn(table: String, column: String, model: String, coding: String, type: String)
    /// A Codable type is not a row: it encodes or decodes itself as something else.
    case notARow(type: String, problem: String)
    /// Something that rolling back a transaction would undo, and that must outlive it.
    case insideTransaction(String)
    /// The values are stored in a form which SQLite does not sort as Swift does.
    case notOrdered(String)
    /// Two columns store the same value in different forms; a nil coding is the form that the type says.
    case otherCoding(column: String, coding: String?, other: String, otherCoding: String?)
    /// SQLite cannot calculate with the values, because they are not stored as numbers, or not as the same ones.
    case notANumber(String, storage: String)
    /// The values are not stored as text, and cannot be searched for text.
    case notAText(String, storage: String)
    /// The values are not stored as JSON text, and cannot be searched for elements.
    case notElements(String, storage: String)
    /// There is no full-text index of that name for the rows of the model, or it is none of FTS5.
    case noSearch(model: String, index: String)
    /// A full-text index has no such column.
    case notSearched(column: String, index: String)
    /// The weight of a column for the rank of a search is not a finite number.
    case weight(Double, column: String)
    /// An aggregate such as `count`, which is computed from many rows, where a single row is looked at.
    case aggregate(String)
    /// A value of one row where an aggregate over related rows is asked for.
    case noAggregate(String)
    /// The objects of a model refer to each other in more than 1,000 levels.
    case tooDeep(model: String)
    /// A condition on groups without anything to group by.
    case noGroups
    /// A number of rows is out of its range: a page size, a limit or an offset.
    case count(String, Int, least: Int)
    /// No uniqueness constraint is over exactly these columns. `partial` is an index that is, for some rows.
    case notUnique(table: String, columns: [String], partial: String?)
    /// An update assigns two values to a column.
    case assignedTwice(table: String, column: String)
    /// The `encode(into:)` of a model does not write what its table declares.
    case encoding(model: String, problem: String)
    /// The `decode(from:)` of a model does not read what its table declares.
    case decoding(model: String, problem: String)
    /// A name cannot be the name of an attachment, or is already taken.
    case attachment(id: String, problem: String)
  }

  /// A kind of constraint.
  public enum ConstraintKind: String, Sendable, Hashable {
    case check = "CHECK"
    case notNull = "NOT NULL"
    case unique = "UNIQUE"
    case primaryKey = "PRIMARY KEY"
    case foreignKey = "FOREIGN KEY"
    case other
  }

  /// The cause.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }
}
