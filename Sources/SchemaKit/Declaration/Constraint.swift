/// A constraint over several columns of a table, or over the whole row.
public struct Constraint<Root>: Sendable {
  let declared: DeclaredConstraint

  /// Makes several columns together the primary key.
  public static func primaryKey(
    _ columns: (any PartialKeyPath<Root> & Sendable)...,
    onConflict: ConflictClause? = nil,
    named name: String? = nil
  ) -> Self {
    Self(declared: DeclaredConstraint(name: name, kind: .primaryKey(columns, onConflict)))
  }

  /// Rejects a row whose values in these columns another row already has.
  public static func unique(
    _ columns: (any PartialKeyPath<Root> & Sendable)...,
    onConflict: ConflictClause? = nil,
    named name: String? = nil
  ) -> Self {
    Self(declared: DeclaredConstraint(name: name, kind: .unique(columns, onConflict)))
  }

  /// Rejects rows for which an SQL expression is false.
  public static func check(_ sql: String, named name: String? = nil) -> Self {
    Self(declared: DeclaredConstraint(name: name, kind: .check(sql)))
  }

  /// Makes several columns together refer to a row of another model.
  ///
  /// - Parameter parentColumns: The properties referred to; if omitted, the other model's primary key.
  public static func foreignKey<Parent: Model>(
    _ columns: (any PartialKeyPath<Root> & Sendable)...,
    references parent: Parent.Type,
    columns parentColumns: (any PartialKeyPath<Parent> & Sendable)...,
    onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil,
    named name: String? = nil
  ) -> Self {
    let reference = DeclaredReference(
      model: "\(Parent.self)",
      table: { Parent.table.name },
      columns: { parentColumns.map { Parent.table.columnName(at: $0) } },
      onDelete: onDelete,
      onUpdate: onUpdate,
      deferrable: deferrable
    )
    return Self(declared: DeclaredConstraint(name: name, kind: .foreignKey(columns, reference)))
  }

  /// Makes several columns together refer to a row of a table that no model of the schema describes.
  ///
  /// The name is used as it is: the table may be created by another schema, or by something else, in the same file.
  public static func foreignKey(
    _ columns: (any PartialKeyPath<Root> & Sendable)...,
    references table: String,
    columns parentColumns: String...,
    onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil,
    named name: String? = nil
  ) -> Self {
    let reference = DeclaredReference(
      table: { table },
      columns: { parentColumns },
      onDelete: onDelete,
      onUpdate: onUpdate,
      deferrable: deferrable
    )
    return Self(declared: DeclaredConstraint(name: name, kind: .foreignKey(columns, reference)))
  }
}

/// The content of a ``Constraint``, without its model's type.
struct DeclaredConstraint: Sendable {
  enum Kind: Sendable {
    case primaryKey([any AnyKeyPath & Sendable], ConflictClause?)
    case unique([any AnyKeyPath & Sendable], ConflictClause?)
    case check(String)
    case foreignKey([any AnyKeyPath & Sendable], DeclaredReference)
  }
  var name: String?
  var kind: Kind
}

/// Collects the constraints in a builder's braces.
@resultBuilder
public enum ConstraintBuilder<Root> {
  public static func buildExpression(_ constraint: Constraint<Root>) -> Constraint<Root> { constraint }
  public static func buildBlock(_ constraints: Constraint<Root>...) -> [Constraint<Root>] { constraints }
}
