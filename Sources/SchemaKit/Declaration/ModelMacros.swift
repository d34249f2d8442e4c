#if Macros
  // The macros of the trait Macros; SchemaKitMacros expands them. Each attribute of a column or a table is the method of
  // the same name, called on it: see there.

  /// Writes the ``ModelTable`` of a struct or a final class from its stored properties, the conformance to ``Model-protocol``,
  /// and the code that reads and writes rows.
  ///
  /// ```swift
  /// @Model("notes") struct Note {
  ///   @PrimaryKey(autoincrement: true) let id: Int64?
  ///   @Check("length(title) > 0") var title: String
  ///   @Renamed(from: "text") var body: String
  ///   @Column("modified_at", storing: .iso8601) var modified: Date
  ///   @Default var tags: [String] = []
  ///   @Transient var isSelected = false
  ///
  ///   static let indexes = [Index<Note>("notes_by_modified", on: \.modified, .descending)]
  /// }
  /// ```
  ///
  /// Every stored property is a column of its own name, with the declared type and NOT NULL that follow from the
  /// property's type, unless it is `@Transient`. Static members named `constraints`, `indexes` and `triggers` belong to
  /// the table. An object is read by assigning its properties: initializers of the type are not called. Write
  /// `init(row: inout RowReader) throws` to read it another way.
  ///
  /// - Parameter table: The name of the table in the database.
  @attached(member, names: named(table), named(init))
  @attached(extension, conformances: Model, names: named(init(row:)))
  public macro Model(_ table: String) = #externalMacro(module: "SchemaKitMacros", type: "ModelMacro")

  /// Writes the columns of a ``Fragment-protocol`` from its stored properties, as `@Model` does for a table.
  @attached(member, names: named(columns), named(init))
  @attached(extension, conformances: Fragment, names: named(init(row:)), named(write(to:)))
  public macro Fragment() = #externalMacro(module: "SchemaKitMacros", type: "FragmentMacro")

  // The defaults that @Model passes to the table if the type has no static member of the name.
  extension Model {
    /// The constraints of a table that `@Model` writes.
    public static var constraints: [Constraint<Self>] { [] }
    /// The indexes of a table that `@Model` writes.
    public static var indexes: [Index<Self>] { [] }
    /// The triggers of a table that `@Model` writes.
    public static var triggers: [Trigger] { [] }
  }

  // MARK: Columns

  /// Names the column of a property, its exact type, or how its values are stored.
  ///
  /// - Parameters:
  ///   - name: The name in the database, if it is not that of the property.
  ///   - type: The declared type; see `Column.type`.
  @attached(peer)
  public macro Column(_ name: String? = nil, type: String? = nil) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Names the column of a property, its exact type, and how its values are stored.
  @attached(peer)
  public macro Column<Value>(_ name: String? = nil, type: String? = nil, storing coding: ColumnCoding<Value>) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Makes the columns of a ``Fragment-protocol`` columns of the table, with a prefix before their names. The property
  /// may be optional; see `Column(embedding:)`.
  @attached(peer)
  public macro Embedded(prefix: String = "") = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Leaves a property without a column. It needs a value from the start.
  @attached(peer)
  public macro Transient() = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.primaryKey`. For a key of several columns, use `Constraint.primaryKey`.
  @attached(peer)
  public macro PrimaryKey(
    autoincrement: Bool = false, order: SortDirection? = nil, onConflict: ConflictClause? = nil
  ) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.notNull`.
  @attached(peer)
  public macro NotNull(onConflict: ConflictClause? = nil) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.unique`.
  @attached(peer)
  public macro Unique(onConflict: ConflictClause? = nil, named name: String? = nil) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.check`.
  @attached(peer)
  public macro Check(_ sql: String, named name: String? = nil) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Makes the property's initial value the default of its column in SQL as well.
  @attached(peer)
  public macro Default() = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Gives the column a default value. A value such as `[]` or `.low`, which does not say its type, is written as the
  /// property's initial value, with `@Default` alone.
  @attached(peer)
  public macro Default<Value: ColumnValue>(_ value: Value) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Gives the column an SQL expression as its default.
  @attached(peer)
  public macro Default(sql: String) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.collate`.
  @attached(peer)
  public macro Collate(_ collation: Collation) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.generated`.
  @attached(peer)
  public macro Generated(_ sql: String, _ kind: GeneratedColumnKind = .virtual) =
    #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.references`: refers to the primary key of another model.
  @attached(peer)
  public macro References<Parent: Model>(
    _ parent: Parent.Type, onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil, named name: String? = nil
  ) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.references`: refers to a unique property of another model.
  @attached(peer)
  public macro References<Parent: Model>(
    _ parent: Parent.Type, column: any PartialKeyPath<Parent> & Sendable, onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil, deferrable: Deferrability? = nil, named name: String? = nil
  ) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.references`: refers to a table that no model of the schema describes.
  @attached(peer)
  public macro References(
    _ table: String, column: String? = nil, onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil, named name: String? = nil
  ) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// Names the former names of a column, or of the table, the newest first. See `Column.renamed`.
  @attached(peer)
  public macro Renamed(from names: String...) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.backfill`.
  @attached(peer)
  public macro Backfill(sql: String) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `Column.converting`.
  @attached(peer)
  public macro Converting(sql: String) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  // MARK: Tables

  /// See ``ModelTable/strict()``.
  @attached(peer)
  public macro Strict() = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See ``ModelTable/withoutRowID()``.
  @attached(peer)
  public macro WithoutRowID() = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")

  /// See `ModelTable.removed`.
  @attached(peer)
  public macro Removed(_ columns: String...) = #externalMacro(module: "SchemaKitMacros", type: "AttributeMacro")
#endif
