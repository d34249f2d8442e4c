extension Column where Value: ColumnValue {
  /// Declares the column's former names, the newest first. A name that no file has any more does no harm.
  public func renamed(from names: String...) -> Self {
    declaring { $0.hints.renamedFrom += names.map { SQLName($0) } }
  }

  /// Gives existing rows a value where they have none: for a new column, or for NULL in a column that becomes NOT NULL.
  ///
  /// - Parameter sql: An expression over the columns of the row, under their old and their new names.
  public func backfill(sql: String) -> Self {
    declaring { $0.hints.backfill = sql }
  }

  /// Replaces the value of every existing row when the stored type changes.
  ///
  /// It runs once in each file, and may stay in the declaration: at the next change of the type, the ledger recognizes
  /// the expression, and only a different one runs.
  ///
  /// - Parameter sql: An expression over the columns of the row, under their old and their new names.
  public func converting(sql: String) -> Self {
    declaring { $0.hints.conversion = sql }
  }
}
