/// A reason why a database cannot serve an older and a newer program at once.
///
/// Each of these would let one of the two programs read or write something that its own schema does not allow, or see a
/// row otherwise than the other one does.
public enum ExpandObstacle: Sendable, Hashable {
  /// The two programs that a file serves.
  public enum Program: String, Sendable, Hashable {
    case older, newer
  }
  /// A part of a table that differs in the newer schema.
  public enum Part: Sendable, Hashable {
    /// The type, the default, NOT NULL, the collation or the expression of a column.
    case column(String)
    case primaryKey
    case uniqueConstraint
    case check
    case foreignKey
    /// STRICT or WITHOUT ROWID.
    case form
  }
  /// A reason why one column cannot have two names.
  public enum RenameProblem: Sendable, Hashable {
    /// The older program has a column of the new name, or the newer one a column of the former name.
    case nameInUse
    /// The column is in the primary key.
    case primaryKey
    /// The column is computed.
    case generated
    /// More than the name differs.
    case definition
    /// A foreign key refers to the column.
    case parentKey
    /// A CHECK reads the column.
    case check
    /// An index or another column computes something from the column, which has no value for a moment.
    case computes
    /// A unique key has the column and another one, or only one of the two schemas has the key.
    case uniqueKey
    /// The column is unique and has a default, which another row may have.
    case uniqueDefault
    /// The default is not a constant.
    case computedDefault
    /// The column is NOT NULL without a default, and its STRICT type has no value that no program writes.
    case strictType
    /// A trigger of the table would run twice.
    case trigger(String)
    /// The table has no rowid by which a trigger could find the row.
    case noRowID
  }

  /// A table has another name.
  case renamedTable(from: String, to: String)
  /// A table that both programs use is not the same to both.
  case changedTable(String, Part)
  /// A column is NOT NULL without a default, and one of the programs does not know it.
  case unknownColumn(table: String, column: String, to: Program)
  /// A new column is filled by an expression, and a row of the older program cannot be told from one of the newer.
  case filledColumn(table: String, column: String)
  /// A new column is NOT NULL, and its fill gives NULL for rows that the older program may write.
  case fillOfNull(table: String, column: String)
  /// A foreign key that only one program knows refuses or deletes what the other one deletes or changes.
  case foreignKey(table: String, parent: String)
  /// A column has another name, and cannot have both.
  case renamedColumn(table: String, from: String, to: String, RenameProblem)
  /// A data step would not run on rows that the older program writes later.
  case dataStep(String)
  /// An object that both programs use is not the same to both, or would change what the rows of one of them may be.
  case changedObject(ObjectReference)
}
