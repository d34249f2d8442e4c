extension Column where Value: ColumnValue {
  /// Makes the column the primary key. An INTEGER primary key is the rowid and is assigned automatically when it is
  /// nil.
  ///
  /// For a key of several columns, use `Constraint.primaryKey`.
  public func primaryKey(
    autoincrement: Bool = false,
    order: SortDirection? = nil,
    onConflict: ConflictClause? = nil
  ) -> Self {
    declaring { $0.primaryKey = .init(isAutoincrement: autoincrement, order: order, conflict: onConflict) }
  }

  /// Rejects NULL even if the property is optional, or says what happens when NULL is written.
  public func notNull(onConflict: ConflictClause? = nil) -> Self {
    declaring { $0.notNull = .init(conflict: onConflict) }
  }

  /// Rejects a value that another row already has.
  public func unique(onConflict: ConflictClause? = nil, named name: String? = nil) -> Self {
    declaring { $0.unique = .init(conflict: onConflict, name: name) }
  }

  /// Rejects rows for which an SQL expression is false.
  public func check(_ sql: String, named name: String? = nil) -> Self {
    declaring { $0.checks.append(.init(sql: sql, name: name)) }
  }

  /// Gives the column a default value.
  public func `default`(_ value: Value) -> Self {
    declaring { $0.defaultValue = .init(value, coding: $0.coding) }
  }

  /// Gives the column an SQL expression as its default, such as `unixepoch()`.
  public func `default`(sql: String) -> Self {
    declaring { $0.defaultValue = .expression(sql) }
  }

  /// Sets the collation by which the column's text is compared.
  public func collate(_ collation: Collation) -> Self {
    declaring { $0.collation = collation }
  }

  /// Sets the exact declared type. Without it, any type of the same affinity is accepted in an existing file.
  public func type(_ name: String) -> Self {
    declaring { $0.exactType = name }
  }

  /// Makes SQLite compute the column from others. The model reads it and never writes it.
  public func generated(_ sql: String, _ kind: GeneratedColumnKind = .virtual) -> Self {
    declaring { $0.generated = .init(sql: sql, kind: kind) }
  }

  /// Makes the column refer to the primary key of another model.
  public func references<Parent: Model>(
    _ parent: Parent.Type,
    onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil,
    named name: String? = nil
  ) -> Self {
    declaring {
      $0.reference = DeclaredReference(
        model: "\(Parent.self)",
        table: { Parent.table.name },
        columns: { [] },
        onDelete: onDelete,
        onUpdate: onUpdate,
        deferrable: deferrable,
        name: name
      )
    }
  }

  /// Makes the column refer to a unique property of another model.
  public func references<Parent: Model>(
    _ parent: Parent.Type,
    column: any PartialKeyPath<Parent> & Sendable,
    onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil,
    named name: String? = nil
  ) -> Self {
    declaring {
      $0.reference = DeclaredReference(
        model: "\(Parent.self)",
        table: { Parent.table.name },
        columns: { [Parent.table.columnName(at: column)] },
        onDelete: onDelete,
        onUpdate: onUpdate,
        deferrable: deferrable,
        name: name
      )
    }
  }

  /// Makes the column refer to a row of a table that no model of the schema describes.
  ///
  /// The name is used as it is: the table may be created by another schema, or by something else, in the same file.
  ///
  /// - Parameter column: The column referred to; if omitted, the table's primary key.
  public func references(
    _ table: String,
    column: String? = nil,
    onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil,
    deferrable: Deferrability? = nil,
    named name: String? = nil
  ) -> Self {
    declaring {
      $0.reference = DeclaredReference(
        table: { table },
        columns: { column.map { [$0] } ?? [] },
        onDelete: onDelete,
        onUpdate: onUpdate,
        deferrable: deferrable,
        name: name
      )
    }
  }
}

extension DeclaredColumn.DefaultValue {
  init(_ value: some ColumnValue, coding: (any AnyColumnCoding)?) {
    do {
      let stored = try coding?.stored(value) ?? value.sqlValue()
      if let literal = stored.literal {
        self = .literal(literal)
      } else {
        self = .unrepresentable("SQL has no literal for text with a NUL character or for NaN")
      }
    } catch {
      self = .unrepresentable("\(error)")
    }
  }
}

extension SQLValue {
  /// The value as an SQL literal; nil if SQL has none.
  fileprivate var literal: String? {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number) where number.isInfinite: number < 0 ? "-9e999" : "9e999"
    case .real(let number): number.isNaN ? nil : "\(number)"
    case .text(let text): text.utf8.contains(0) ? nil : SQLQuoting.literal(text)
    case .blob(let bytes): "X'" + bytes.map(Self.hexadecimal).joined() + "'"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }
}
