/// An index that is filled for the copy of a table, since what it holds changes.
///
/// Row by row, each entry would be written to another page. Its entries are sorted first, and go in that order into a table
/// WITHOUT ROWID, which stores them as an index does
/// ([Representation Of SQL Indices](https://sqlite.org/fileformat2.html#representation_of_sql_indices)); then the catalog calls it
/// an index. A key of such a table cannot hold NULL: rows that need it are copied again afterwards.
package struct OnlineIndex: Sendable, Hashable {
  /// Its name until it takes its place.
  package var name: SQLName
  /// Its columns; empty for an expression.
  package var columns: [SQLName]
  /// Creates it on the shadow table. It is not unique there: rows that were copied at different times may be equal for a while.
  package var create: String
  /// The statements that fill it in short transactions.
  package var filling: Filling
  /// The uniqueness to verify; nil for an index that need not be unique.
  package var uniqueness: Uniqueness?

  /// The statements that fill an index in short transactions, while the shadow table stays as it is.
  package struct Filling: Sendable, Hashable {
    /// The table that becomes the index.
    package var table: SQLName
    package var create: String
    /// Sorts the entries into a temporary table.
    package var sort: String
    /// Writes the sorted entries from ?1 to ?2.
    package var fill: String
    /// Lists the rows with NULL in a temporary table; nil if there can be none.
    package var listNulls: String?
    /// Logs the listed rows from ?1 to ?2, so that they are copied again, and removes them from the shadow table.
    package var setAside: [String]
    /// Makes the table an index of the shadow table.
    package var become: String
    /// True if the index differs from the sorted entries: looks each of them up, in their order, and counts. Nil for an index with
    /// expressions or a condition, which only `integrity_check` can examine.
    package var differs: String?

    /// The temporary tables.
    package static let entryList = "\"temp\".\"\(SQLName.onlinePrefix)_sorted\""
    package static let nullList = "\"temp\".\"\(SQLName.onlinePrefix)_nulls\""
  }

  /// The queries that find rows that are equal where they must not be.
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
  /// The columns of the shadow table.
  package var bare: BareTable
  /// The text that the catalog will contain for the table.
  package var text: String
  /// The columns whose values change.
  package var changing: Set<SQLName>
  /// The columns with NULL under a NOT NULL that stands already.
  package var columnsOfNulls: Set<SQLName> = []
  /// The indexes of CREATE INDEX that have to be filled anew: as they are, and as they will be.
  package var stale: [(from: IndexSchema, to: IndexSchema)]
  /// The indexes of CREATE INDEX that are new, with the texts that the catalog will contain.
  package var new: [(index: IndexSchema, text: String)]

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
        built.count, columns: index.columns.map(\.name), terms: index.columns.map(term), predicate: nil,
        uniqueness: index.label)
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
    for (new, text) in new {
      let index = self.index(built.count, new)
      built.append(index)
      moves.append(
        CatalogExchange.Move(index: index.name.text, newName: new.name.text, table: target.name, sql: text))
    }
    for (old, new) in stale {
      let index = self.index(built.count, new)
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

  private typealias Term = (value: String, collation: String, order: String)

  private func term(_ column: KeyColumn) -> Term {
    (column.name.quoted, (column.collation ?? "BINARY").quoted, column.isDescending ? " DESC" : "")
  }

  private func term(_ term: IndexSchema.Term) -> Term {
    // An expression in an index has BINARY, also where it would have another one in a query.
    let collation = (term.collation ?? "BINARY").quoted
    return (term.column?.quoted ?? term.expression.enclosed, collation, term.isDescending ? " DESC" : "")
  }

  /// - Parameter isStored: True if the text is for the catalog, which contains no name of the database.
  private func create(_ name: SQLName, terms: [Term], predicate: CanonicalSQL?, isStored: Bool) -> String {
    let list = terms.map { "\($0.value) COLLATE \($0.collation)\($0.order)" }
    return "CREATE INDEX \(isStored ? "" : "\"main\".")\(name.quoted) ON \(shadow.quoted) "
      + "(\(list.joined(separator: ", ")))\(predicate.map { " WHERE \($0.enclosed)" } ?? "")"
  }

  private func index(_ number: Int, _ index: IndexSchema) -> OnlineIndex {
    self.index(
      number, columns: index.terms.map { $0.column ?? "" }, terms: index.terms.map(term), predicate: index.predicate,
      uniqueness: index.isUnique ? "unique index \(index.name)" : nil)
  }

  private func index(
    _ number: Int, columns: [SQLName], terms: [Term], predicate: CanonicalSQL?, uniqueness label: String?
  ) -> OnlineIndex {
    let name = OnlineCopy.indexName(number, of: source.name, isOld: false)
    var index = OnlineIndex(
      name: name, columns: columns, create: create(name, terms: terms, predicate: predicate, isStored: false),
      filling: filling(name, number, columns: columns, terms: terms, predicate: predicate))
    if let label, let key = target.rowKey {
      index.uniqueness = OnlineIndex.Uniqueness(
        label: label, duplicates: duplicates(terms, predicate, key: key, which: ""),
        duplicatesOfUnlogged: duplicates(terms, predicate, key: key, which: " AND \(isCopied(key, after: "?1"))"),
        duplicatesOfLogged: duplicatesOfLogged(terms, predicate, key: key))
    }
    return index
  }

  private func filling(
    _ name: SQLName, _ number: Int, columns: [SQLName], terms: [Term], predicate: CanonicalSQL?
  ) -> OnlineIndex.Filling {
    let (sorted, nulls) = (OnlineIndex.Filling.entryList, OnlineIndex.Filling.nullList)
    let table = SQLName("\(SQLName.onlinePrefix)_fill_\(number + 1)_\(source.name.text)")
    let rows = "\"main\".\(shadow.quoted)"
    let key = target.rowKey ?? "rowid"
    let places = terms.indices.map { "\"k\($0)\"" }
    let types = zip(places, columns).map { place, column in
      "\(place) \(target.column(column).flatMap { bare.type(of: $0) } ?? "")"
    }
    let order = zip(places, terms).map { place, term in
      "\(place) COLLATE \(term.collation)\(term.order)"
    }
    let values = zip(terms, places).map { "\($0.value) AS \($1)" }.joined(separator: ", ")
    let present = terms.map { "\($0.value) IS NOT NULL" }.joined(separator: " AND ")
    let absent = terms.map { "\($0.value) IS NULL" }.joined(separator: " OR ")
    let canBeNull = columns.contains { name in
      (target.column(name)?.isNotNull != true && name != target.rowIDAlias?.name) || columnsOfNulls.contains(name)
    }
    let listed = "SELECT \"row\" FROM \(nulls) WHERE rowid BETWEEN ?1 AND ?2"
    return OnlineIndex.Filling(
      table: table,
      create: """
        CREATE TABLE "main".\(table.quoted) (\(types.joined(separator: ", ")), "row" INTEGER, \
        PRIMARY KEY (\(order.joined(separator: ", ")), "row")) WITHOUT ROWID
        """,
      sort: """
        CREATE TEMP TABLE \(sorted) AS SELECT \(values), \(key) AS "row" FROM \(rows) NOT INDEXED \
        WHERE \(present)\(concerned(predicate)) ORDER BY \(terms.enumerated().map { place, term in
          "\(place + 1) COLLATE \(term.collation)\(term.order)"
        }.joined(separator: ", ")), \(terms.count + 1)
        """,
      fill: """
        INSERT INTO "main".\(table.quoted) SELECT \(places.joined(separator: ", ")), "row" FROM \(sorted) \
        WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid
        """,
      listNulls: canBeNull
        ? "CREATE TEMP TABLE \(nulls) AS SELECT \(key) AS \"row\" FROM \(rows) NOT INDEXED "
          + "WHERE (\(absent))\(concerned(predicate))" : nil,
      setAside: [
        "INSERT INTO \(log) (\"row\", own) SELECT \"row\", 1 FROM \(nulls) WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid",
        "DELETE FROM \(rows) WHERE \(key) IN (\(listed))",
      ],
      become: """
        UPDATE "main".sqlite_master SET type = 'index', name = \(SQLQuoting.literal(name.text)), \
        tbl_name = \(SQLQuoting.literal(shadow.text)), \
        sql = \(SQLQuoting.literal(create(name, terms: terms, predicate: predicate, isStored: true))) \
        WHERE type = 'table' AND name = \(SQLQuoting.literal(table.text))
        """,
      differs: predicate == nil && !columns.contains("") ? differs(name, terms: terms, key: key) : nil)
  }

  private func differs(_ name: SQLName, terms: [Term], key: String) -> String {
    let (sorted, index) = (OnlineIndex.Filling.entryList, "\"main\".\(shadow.quoted) INDEXED BY \(name.quoted)")
    let equal = terms.enumerated().map { place, term in
      let entry = "\"_entry\".\"k\(place)\""
      return "\(term.value) = \(entry) COLLATE \(term.collation) AND typeof(\(term.value)) = typeof(\(entry))"
        + (term.collation == "\"BINARY\"" ? "" : " AND \(term.value) = \(entry) COLLATE BINARY")
    }
    // SQLite answers count(*) from whatever is shortest, also where another index is asked for.
    return """
      SELECT (SELECT count(1) FROM \(index)) <> (SELECT count(*) FROM \(sorted)) OR EXISTS (SELECT 1 FROM \(sorted) AS "_entry" \
      WHERE NOT EXISTS (SELECT 1 FROM \(index) WHERE \(equal.joined(separator: " AND ")) AND \(key) = "_entry"."row"))
      """
  }

  private var log: String { "\"main\".\(OnlineCopy.logName(of: source.name).quoted)" }

  private func isCopied(_ key: String, after number: String) -> String {
    "\(key) NOT IN (SELECT \"row\" FROM \(log) WHERE number > \(number))"
  }

  private func duplicates(_ terms: [Term], _ predicate: CanonicalSQL?, key: String, which: String) -> String {
    let present = terms.map { "\($0.value) IS NOT NULL" }.joined(separator: " AND ")
    // A number would be the place of a result.
    let equal = terms.map { "CASE WHEN 1 THEN \($0.value) END COLLATE \($0.collation)" }.joined(separator: ", ")
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
      "\(term.value) = \"_one\".\"_\(place)\" COLLATE \(term.collation)"
    }
    return """
      SELECT "_one"."_key" FROM (SELECT \(key) AS "_key", \(values.joined(separator: ", ")) FROM \(rows) \
      WHERE \(key) IN (SELECT "row" FROM \(log) WHERE number > ?1 AND number <= ?2) AND \(isCopied)\(isConcerned)) AS "_one" \
      WHERE EXISTS (SELECT 1 FROM \(rows) WHERE \(equal.joined(separator: " AND "))\(isConcerned) \
      AND \(key) <> "_one"."_key" AND \(isCopied)) LIMIT 10
      """
  }
}
