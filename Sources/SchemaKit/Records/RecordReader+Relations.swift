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
  public func matches(_ query: String, in table: String) -> Filter {
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
      let inner = FieldScope(other, alias: alias, depth: scope.depth + 1, in: scope.store)
      var sql = SQL(raw: "EXISTS (SELECT 1 FROM \(other.source) AS \(alias) WHERE \(link)")
      if let filter = condition(Fields<Other>(scope: inner)) { sql += SQL(raw: " AND ") + (try filter.sql.ofOneRow()) }
      return Filter(sql + SQL(raw: ")"))
    } catch let error as RecordError {
      return Filter(SQL(flaw: error.reason))
    } catch {
      return Filter(SQL(flaw: .unstorable("\(error)")))
    }
  }
}
