/// The copy of a table while others write it: into a shadow table, in ranges of row numbers, with a log of the rows
/// that were written meanwhile.
///
/// All statements name the rows by their number, so that one that is carried out twice does no harm.
package struct OnlineCopy: Sendable, Hashable {
  package var table: SQLName
  /// The name of the number of a row in the table.
  package var key: String
  /// Creates the shadow table.
  package var createShadow: String
  /// The indexes that are filled with it.
  package var indexes: [OnlineIndex]
  /// Creates the log and the triggers that fill it.
  package var createLog: [String]
  /// Finds the last row of the next range: from ?1, at most ?2 rows.
  package var endOfRange: String
  /// Copies the rows from ?1 to ?2.
  package var copyRange: String
  /// Finds rows from ?1 to ?2 that differ, but for those that were logged after ?3.
  package var differencesInRange: String
  /// Removes the copies of the rows that were logged after ?1, up to ?2.
  package var forgetLogged: String
  /// Copies those rows again.
  package var copyLogged: String
  /// Finds those of them that differ.
  package var differencesInLogged: String
  /// Computes by how many rows the table exceeds the shadow, without those that were logged after ?1.
  package var surplus: String
  /// Finds the last of the old rows that are freed next: from ?1, at most ?2 rows.
  package var endOfOldRange: String
  /// The number of rows of the catalog that change when the table gets its new rows.
  package var entriesOfExchange: Int
  /// True if a REPLACE can delete rows of the table without a trigger of theirs.
  package var canBeReplaced: Bool
  /// Frees the old rows up to ?1, which have taken the place of the new ones.
  package var freeOldRows: String

  /// The name of the new version of a table while it is filled, and of the old rows until they are freed.
  package static func shadowName(of table: SQLName) -> SQLName { SQLName("\(SQLName.onlinePrefix)_new_\(table.text)") }

  package static func logName(of table: SQLName) -> SQLName { SQLName("\(SQLName.onlinePrefix)_log_\(table.text)") }

  package static func logIndexName(of table: SQLName) -> SQLName {
    SQLName("\(SQLName.onlinePrefix)_rows_\(table.text)")
  }

  package static func triggerNames(of table: SQLName) -> [SQLName] {
    ["insert", "update", "delete", "replace", "collide"].map { SQLName("\(SQLName.onlinePrefix)_\($0)_\(table.text)") }
  }

  /// The maximum number of bytes of the write-ahead log that may wait for a checkpoint, unless the caller sets another.
  package static let usualLog = 64 << 20

  /// - Parameter isOld: True if it is an index of the old rows, which is freed with them.
  package static func indexName(_ number: Int, of table: SQLName, isOld: Bool) -> SQLName {
    SQLName("\(SQLName.onlinePrefix)_\(isOld ? "old" : "index")_\(number + 1)_\(table.text)")
  }

  /// The statements that create what the copy needs in the file from the start.
  package var definitions: [String] { [createShadow] + createLog }

  package var shadow: SQLName { Self.shadowName(of: table) }
  package var log: SQLName { Self.logName(of: table) }

  /// The condition for rows of the table that others wrote and that were logged after an entry.
  package func isLogged(after number: Int64) -> String {
    "\(key) IN (SELECT \"row\" FROM \"main\".\(log.quoted) WHERE number > \(number) AND own IS NULL)"
  }
}

/// Writes the statements of an online copy.
package struct OnlineBuilder {
  package var swap: SwapBuilder
  /// The indexes that the table has while it is copied.
  package var indexes: [IndexSchema]

  private var rebuild: RebuildBuilder { swap.rebuild }
  private var source: TableSchema { rebuild.projection.source }
  private var name: SQLName { source.name }
  private var table: String { "\"main\".\(name.quoted)" }
  private var shadow: String { "\"main\".\(OnlineCopy.shadowName(of: name).quoted)" }
  private var log: String { "\"main\".\(OnlineCopy.logName(of: name).quoted)" }

  package func copy() throws(SQLSyntaxError) -> OnlineCopy? {
    guard let key = source.rowKey, let shadowKey = rebuild.projection.target.rowKey,
      let copied = rebuild.projection.rowKey, let range = rebuild.join(where: rangeOfUnlogged),
      let logged = rebuild.join(where: { "\($0) IN (\(self.logged))" })
    else { return nil }
    return OnlineCopy(
      table: name, key: key,
      createShadow: swap.bare.create(as: rebuild.temporaryName),
      indexes: swap.indexes,
      createLog: [
        "CREATE TABLE \(log) (number INTEGER PRIMARY KEY, \"row\" INTEGER, own INTEGER)",
        "CREATE INDEX \"main\".\(OnlineCopy.logIndexName(of: name).quoted) ON \(OnlineCopy.logName(of: name).quoted) (\"row\")",
      ] + triggers(key),
      endOfRange: """
        SELECT max(k) FROM (SELECT \(key) AS k FROM \(table) NOT INDEXED WHERE \(key) >= ?1 ORDER BY \(key) LIMIT ?2)
        """,
      copyRange: rebuild.copy(where: "\(copied) BETWEEN ?1 AND ?2"),
      differencesInRange: range,
      forgetLogged: "DELETE FROM \(shadow) WHERE \(shadowKey) IN (\(self.logged))",
      copyLogged: rebuild.copy(where: "\(copied) IN (\(self.logged))"),
      differencesInLogged: logged,
      surplus: """
        SELECT (SELECT count(*) FROM \(table) NOT INDEXED) \
        - (SELECT count(*) FROM \(table) NOT INDEXED WHERE \(key) IN (\(loggedLater("?1")))) \
        - (SELECT count(*) FROM \(shadow) NOT INDEXED) \
        + (SELECT count(*) FROM \(shadow) NOT INDEXED WHERE \(shadowKey) IN (\(loggedLater("?1"))))
        """,
      endOfOldRange: """
        SELECT max(k) FROM (SELECT \(key) AS k FROM \(shadow) NOT INDEXED WHERE \(key) >= ?1 ORDER BY \(key) LIMIT ?2)
        """,
      entriesOfExchange: swap.exchange.entries,
      canBeReplaced: !Self.uniqueKeys(of: source, indexes: indexes).isEmpty,
      freeOldRows: "DELETE FROM \(shadow) WHERE \(key) <= ?1")
  }

  /// The text of the table that has the old rows, as SQLite stores it: without the name of the database.
  package static func textOfOldRows(of source: TableSchema) throws(SQLSyntaxError) -> String {
    let text = try TableDDL(source).createWithoutKeys(as: OnlineCopy.shadowName(of: source.name))
    let head = "CREATE TABLE \"main\"."
    return text.hasPrefix(head) ? "CREATE TABLE " + text.dropFirst(head.count) : text
  }

  private var logged: String { "SELECT \"row\" FROM \(log) WHERE number > ?1 AND number <= ?2" }

  private func loggedLater(_ number: String) -> String { "SELECT \"row\" FROM \(log) WHERE number > \(number)" }

  private func rangeOfUnlogged(_ key: String) -> String {
    "\(key) BETWEEN ?1 AND ?2 AND \(key) NOT IN (\(loggedLater("?3")))"
  }

  // MARK: - Triggers

  /// The triggers log the numbers of rows, and nothing else: a log without constraints cannot make a write fail, and no
  /// conflict clause of the write can make the log skip a row. Of each row the log keeps the newest entry, so that it has no more
  /// entries than rows were written, however often.
  private func triggers(_ key: String) -> [String] {
    let names = OnlineCopy.triggerNames(of: name).map { "\"main\".\($0.quoted)" }
    let log = OnlineCopy.logName(of: name).quoted
    func note(_ rows: String, _ which: String) -> String {
      """
      INSERT INTO \(log) ("row") \(rows); DELETE FROM \(log) WHERE "row" \(which) \
      AND number < (SELECT max(l.number) FROM \(log) AS l WHERE l."row" = \(log)."row");
      """
    }
    func trigger(_ index: Int, _ event: String, _ notes: [String]) -> String {
      "CREATE TRIGGER \(names[index]) \(event) ON \(name.quoted) BEGIN \(notes.joined(separator: " ")) END"
    }
    let new = note("VALUES (NEW.\(key))", "= NEW.\(key)")
    let old = note("VALUES (OLD.\(key))", "= OLD.\(key)")
    let moved = note("SELECT NEW.\(key) WHERE NEW.\(key) <> OLD.\(key)", "= NEW.\(key)")
    var triggers = [
      trigger(0, "AFTER INSERT", [new]), trigger(1, "AFTER UPDATE", [old, moved]), trigger(2, "AFTER DELETE", [old]),
    ]
    // REPLACE deletes rows without firing their triggers: https://sqlite.org/lang_conflict.html
    let keys = Self.uniqueKeys(of: source, indexes: indexes)
    guard !keys.isEmpty else { return triggers }
    let replaced = keys.map { unique in
      let equal = unique.columns.map { "\($0.name.quoted) = \(given($0)) COLLATE \(($0.collation ?? "BINARY").quoted)" }
      let which = equal + [unique.predicate?.enclosed].compactMap { $0 }
      let found = "SELECT \(key) FROM \(name.quoted) WHERE \(which.joined(separator: " AND "))"
      return note(found, "IN (\(found))")
    }
    var columns = keys.flatMap { $0.columns.map(\.name.quoted) }
    columns = columns.enumerated().filter { columns.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    triggers.append(trigger(3, "BEFORE INSERT", replaced))
    triggers.append(trigger(4, "BEFORE UPDATE OF \(columns.joined(separator: ", "))", replaced))
    return triggers
  }

  /// The value that a row gets in a column: REPLACE stores the default for NULL under NOT NULL.
  private func given(_ key: KeyColumn) -> String {
    let value = "NEW.\(key.name.quoted)"
    guard let column = source.column(key.name), column.isNotNull, let fill = column.defaultValue, !fill.isNull else {
      return value
    }
    return "coalesce(\(value), \(fill.expression))"
  }

  /// A key by which rows can be replaced.
  package struct UniqueKey {
    package var columns: [KeyColumn]
    /// The rows that the key is about; nil for all.
    package var predicate: CanonicalSQL?
  }

  /// The keys by which rows can be replaced, but for the number of the row.
  package static func uniqueKeys(of table: TableSchema, indexes: [IndexSchema]) -> [UniqueKey] {
    let primary = table.rowIDAlias == nil ? table.primaryKey?.columns : nil
    let constraints = [primary].compactMap { $0 } + table.uniques.map(\.columns)
    return constraints.map { UniqueKey(columns: $0, predicate: nil) }
      + indexes.filter(\.isUnique).map { index in
        let columns = index.terms.compactMap { term in
          term.column.map { KeyColumn(name: $0, collation: term.collation, isDescending: term.isDescending) }
        }
        return UniqueKey(columns: columns, predicate: index.predicate)
      }
  }
}
