extension ModelShape {
  /// True if any foreign key of this table leads to another.
  fileprivate func refers(to other: ModelShape) -> Bool {
    references.contains { SQLName($0.parent) == SQLName(other.name) }
  }
}

extension Fields {
  /// True if a row of a full-text table with the same rowid matches a query.
  ///
  /// The full-text table is declared beside the models, such as
  /// `VirtualTable("book_search", using: "fts5", "title", "content='books'")`. See [FTS5](https://sqlite.org/fts5.html).
  public func matching(_ query: String, in table: String) -> Filter {
    let rowID = scope.shape.rowIDIndex.map { scope.shape.columns[$0].quoted } ?? scope.shape.hiddenRowID
    guard let rowID else { return Filter(SQL(flaw: .notAColumn("\(scope.shape.name).rowid"))) }
    let name = SQLQuoting.identifier(table)
    return Filter(
      SQL(
        raw: "\(scope.qualifier).\(rowID) IN (SELECT rowid FROM \"main\".\(name) WHERE \(name) MATCH ?)",
        stored: [.text(query)]))
  }

  /// True if any object of another model that is related to this one meets a condition.
  ///
  /// The foreign key may be declared in either model. Negated with `!`, it matches objects without such a related
  /// object:
  ///
  /// ```swift
  /// try session.all(Note.self, where: { $0.any(NoteImage.self) { $0.width > 100 } })
  /// ```
  ///
  /// - Parameter path: The property with the foreign key, in either model, if there are several.
  public func any<Other: Model>(
    _ type: Other.Type, via path: AnyKeyPath? = nil, where condition: (Fields<Other>) -> Filter? = { _ in nil }
  ) -> Filter {
    Filter(SQL(raw: "EXISTS ") + related(type, via: path, where: condition) { _ in SQL(raw: "1") })
  }

  /// The number of objects of another model that are related to this one.
  ///
  /// ```swift
  /// try session.all(Author.self, where: { $0.counting(Book.self) > 3 })
  /// try session.select(Author.self, { ($0.name, $0.counting(Book.self) { $0.pages > 100 }) })
  /// ```
  ///
  /// *Cost:* a search for each row; the foreign key should have an index.
  ///
  /// - Parameters:
  ///   - path: The property with the foreign key, in either model, if there are several.
  ///   - condition: The condition for the objects that are counted.
  public func counting<Other: Model>(
    _ type: Other.Type, via path: AnyKeyPath? = nil, where condition: (Fields<Other>) -> Filter? = { _ in nil }
  ) -> Field<Int> {
    Field<Int>(related(type, via: path, where: condition) { _ in SQL(raw: "count(*)") }, isNeverNull: true)
  }

  /// An aggregate over the objects of another model that are related to this one: a sum, an average, the least or greatest
  /// value.
  ///
  /// ```swift
  /// try session.select(Author.self, { ($0.name, $0.computing(Book.self, { $0.pages.sum })) })
  /// ```
  ///
  /// *Cost:* a search for each row; the foreign key should have an index.
  ///
  /// - Parameters:
  ///   - path: The property with the foreign key, in either model, if there are several.
  ///   - selection: The aggregate.
  ///   - condition: The condition for the objects that it is computed from.
  public func computing<Other: Model, Value: ColumnValue>(
    _ type: Other.Type, via path: AnyKeyPath? = nil, _ selection: (Fields<Other>) -> Field<Value>,
    where condition: (Fields<Other>) -> Filter? = { _ in nil }
  ) -> Field<Value> {
    var coding: (any AnyColumnCoding)?
    var isNeverNull = false
    let sql = related(type, via: path, where: condition) { other in
      let selected = selection(other)
      (coding, isNeverNull) = (selected.coding, selected.isNeverNull)
      return try selected.term.asAggregate()
    }
    return Field<Value>(sql, coding: coding, isNeverNull: isNeverNull)
  }

  /// A subquery over the related objects.
  private func related<Other: Model>(
    _ type: Other.Type, via path: AnyKeyPath?, where condition: (Fields<Other>) -> Filter?,
    selecting selection: (Fields<Other>) throws -> SQL
  ) -> SQL {
    do {
      let other = try scope.store.mapping(of: type).shape
      let alias = "_t\(scope.depth + 1)"
      let link: String
      let isOurs =
        path.map { scope.shape.indexes[$0] != nil && scope.shape !== other } ?? !other.refers(to: scope.shape)
      if isOurs {
        link = try ModelRelation(from: scope.shape, to: other, via: path)
          .condition(child: scope.qualifier, parent: alias)
      } else {
        link = try ModelRelation(from: other, to: scope.shape, via: path)
          .condition(child: alias, parent: scope.qualifier)
      }
      let inner = Fields<Other>(
        scope: FieldScope(other, alias: alias, depth: scope.depth + 1, in: scope.store))
      var sql =
        SQL(raw: "(SELECT ") + (try selection(inner)) + SQL(raw: " FROM \(other.source) AS \(alias) WHERE \(link)")
      if let filter = condition(inner) { sql += SQL(raw: " AND ") + (try filter.sql.ofOneRow()) }
      return sql + SQL(raw: ")")
    } catch let error as RecordError {
      return SQL(flaw: error.reason)
    } catch {
      return SQL(flaw: .unstorable("\(error)"))
    }
  }
}
