/// An index that is filled together with the copy of a table, since what it holds changes.
package struct OnlineIndex: Sendable, Hashable {
  /// Its name until it takes its place.
  package var name: SQLName
  /// Creates it on the shadow table. It is not unique there: rows that were copied at different times may be equal for a while.
  package var create: String
  /// What has to be unique; nil for an index that need not be.
  package var uniqueness: Uniqueness?

  /// How rows are found that are equal where they must not be.
  package struct Uniqueness: Sendable, Hashable {
    /// The constraint, for the reader.
    package var label: String
    /// Finds some among all rows.
    package var duplicates: String
    /// Finds some among all rows but those that were logged after ?1, whose copies may be out of date.
    package var duplicatesOfUnlogged: String
    /// Finds rows that are equal to others, among those that were logged after ?1 up to ?2.
    package var duplicatesOfLogged: String
  }
}

/// Decides which indexes stay with a table that is copied online, and which are filled with the copy.
package struct OnlineIndexes {
  package var source: TableSchema
  package var target: TableSchema
  /// The text that the catalog will contain for the table.
  package var text: String
  /// The columns whose values change.
  package var changing: Set<SQLName>
  /// The indexes of CREATE INDEX that have to be filled anew: as they are, and as they will be.
  package var stale: [(from: IndexSchema, to: IndexSchema)]

  private var shadow: SQLName { OnlineCopy.shadowName(of: source.name) }

  /// The indexes to fill, and the ones that change places then.
  package func plan() throws(SQLSyntaxError) -> (built: [OnlineIndex], moves: [CatalogExchange.Move]) {
    let former = try source.constraintIndexes()
    let future = try targetAsStored().constraintIndexes()
    var left = Array(former.indices)
    var built: [OnlineIndex] = []
    var moves: [CatalogExchange.Move] = []
    for (place, index) in future.enumerated() {
      let name = target.nameOfConstraintIndex(place + 1)
      let isKept = { former[$0].columns == index.columns && !index.columns.contains(where: changes) }
      if let kept = left.first(where: isKept) {
        left.removeAll { $0 == kept }
        guard kept != place else { continue }
        let move = CatalogExchange.Move(
          index: source.nameOfConstraintIndex(kept + 1), newName: name, table: target.name, sql: nil)
        moves.append(move)
        continue
      }
      let new = self.index(
        built.count, terms: index.columns.map(term), predicate: nil, key: target.rowKey, uniqueness: index.label)
      built.append(new)
      moves.append(CatalogExchange.Move(index: new.name.text, newName: name, table: target.name, sql: nil))
    }
    for place in left {
      let name = OnlineCopy.indexName(place, of: source.name, isOld: true)
      moves.append(
        CatalogExchange.Move(
          index: source.nameOfConstraintIndex(place + 1), newName: name.text, table: shadow,
          sql: create(name, terms: former[place].columns.map(term), predicate: nil, isStored: true)))
    }
    for (old, new) in stale {
      let index = self.index(
        built.count, terms: new.terms.map(term), predicate: new.predicate, key: target.rowKey,
        uniqueness: new.isUnique ? "unique index \(new.name)" : nil)
      built.append(index)
      moves.append(
        CatalogExchange.Move(index: index.name.text, newName: old.name.text, table: target.name, sql: old.sql))
      moves.append(
        CatalogExchange.Move(
          index: old.name.text, newName: index.name.text, table: shadow,
          sql: create(index.name, terms: old.terms.map(term), predicate: old.predicate, isStored: true)))
    }
    return (built, moves)
  }

  private func changes(_ column: KeyColumn) -> Bool { changing.contains(column.name) }

  private func targetAsStored() throws(SQLSyntaxError) -> TableSchema {
    guard case .table(let statement) = try SQLParser.create(text) else { return target }
    return TableSchema(statement, sql: text)
  }

  // MARK: - Statements

  private typealias Term = (value: String, collation: String?, order: String)

  private func term(_ column: KeyColumn) -> Term {
    (column.name.quoted, (column.collation ?? "BINARY").quoted, column.isDescending ? " DESC" : "")
  }

  private func term(_ term: IndexSchema.Term) -> Term {
    let collation = term.collation?.quoted ?? (term.column == nil ? nil : SQLName("BINARY").quoted)
    return (term.column?.quoted ?? term.expression.enclosed, collation, term.isDescending ? " DESC" : "")
  }

  /// - Parameter isStored: Whether the text is for the catalog, which contains no name of the database.
  private func create(_ name: SQLName, terms: [Term], predicate: CanonicalSQL?, isStored: Bool) -> String {
    let list = terms.map { $0.value + ($0.collation.map { " COLLATE \($0)" } ?? "") + $0.order }
    return "CREATE INDEX \(isStored ? "" : "\"main\".")\(name.quoted) ON \(shadow.quoted) "
      + "(\(list.joined(separator: ", ")))\(predicate.map { " WHERE \($0.enclosed)" } ?? "")"
  }

  private func index(
    _ number: Int, terms: [Term], predicate: CanonicalSQL?, key: String?, uniqueness label: String?
  ) -> OnlineIndex {
    let name = OnlineCopy.indexName(number, of: source.name, isOld: false)
    var index = OnlineIndex(name: name, create: create(name, terms: terms, predicate: predicate, isStored: false))
    if let label, let key {
      index.uniqueness = OnlineIndex.Uniqueness(
        label: label, duplicates: duplicates(terms, predicate, key: key, which: ""),
        duplicatesOfUnlogged: duplicates(terms, predicate, key: key, which: " AND \(isCopied(key, after: "?1"))"),
        duplicatesOfLogged: duplicatesOfLogged(terms, predicate, key: key))
    }
    return index
  }

  private var log: String { "\"main\".\(OnlineCopy.logName(of: source.name).quoted)" }

  private func isCopied(_ key: String, after number: String) -> String {
    "\(key) NOT IN (SELECT \"row\" FROM \(log) WHERE number > \(number))"
  }

  private func duplicates(_ terms: [Term], _ predicate: CanonicalSQL?, key: String, which: String) -> String {
    let present = terms.map { "\($0.value) IS NOT NULL" }.joined(separator: " AND ")
    let equal = terms.map { $0.value + ($0.collation.map { " COLLATE \($0)" } ?? "") }.joined(separator: ", ")
    return "SELECT max(\(key)) FROM \"main\".\(shadow.quoted) WHERE \(present)\(concerned(predicate))\(which) "
      + "GROUP BY \(equal) HAVING count(*) > 1 LIMIT 10"
  }

  private func concerned(_ predicate: CanonicalSQL?) -> String { predicate.map { " AND \($0.enclosed)" } ?? "" }

  /// Rows whose logged successors are not copied yet are left out: they are asked about when they are.
  private func duplicatesOfLogged(_ terms: [Term], _ predicate: CanonicalSQL?, key: String) -> String {
    let rows = "\"main\".\(shadow.quoted)"
    let isCopied = isCopied(key, after: "?2")
    let isConcerned = concerned(predicate)
    let values = terms.enumerated().map { "\($0.element.value) AS \"_\($0.offset)\"" }
    let equal = terms.enumerated().map { place, term in
      "\(term.value) = \"_one\".\"_\(place)\"" + (term.collation.map { " COLLATE \($0)" } ?? "")
    }
    return """
      SELECT "_one"."_key" FROM (SELECT \(key) AS "_key", \(values.joined(separator: ", ")) FROM \(rows) \
      WHERE \(key) IN (SELECT "row" FROM \(log) WHERE number > ?1 AND number <= ?2) AND \(isCopied)\(isConcerned)) AS "_one" \
      WHERE EXISTS (SELECT 1 FROM \(rows) WHERE \(equal.joined(separator: " AND "))\(isConcerned) \
      AND \(key) <> "_one"."_key" AND \(isCopied)) LIMIT 10
      """
  }
}
