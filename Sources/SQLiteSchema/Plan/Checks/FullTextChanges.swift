import OrderedCollections

/// The effect of a change on the full-text indexes over other tables.
///
/// A full-text index over another table is fed by the program's triggers, not by its content: it stays as it is while
/// its rows keep their numbers and their texts, under whatever names. Otherwise it is filled anew from all rows of its
/// content.
package struct FullTextChanges {
  package enum Fate: Sendable, Hashable {
    /// Nothing that it knows changes.
    case kept
    /// Its content or columns have other names, and its entries stay.
    case redeclared
    /// It is filled anew.
    case filled
    /// It was not there before.
    case made
  }

  /// The file's schema.
  package var source: DatabaseSchema
  package var target: DatabaseSchema
  package var diff: SchemaDiff
  package var renames: SchemaRenames
  /// The former names of columns that only a rebuild can rename, under their table and their new names.
  package var columnSources: [SQLName: [SQLName: SQLName]] = [:]
  package var checkResults: [SQLName: RowCheckResults] = [:]
  /// Tables whose rows the program may change while their triggers are away.
  package var worked: Set<SQLName> = []
  /// Triggers that are away while the program changes rows.
  package var away: Set<SQLName> = []
  /// The rows of a changed table, as they are and as they are to be.
  package var projection: (TableChange) -> RowProjection?

  package init(
    source: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames,
    projection: @escaping (TableChange) -> RowProjection?
  ) {
    self.source = source
    self.target = target
    self.diff = diff
    self.renames = renames
    self.projection = projection
  }

  /// Returns the fate of a virtual table of the target; nil if it is no full-text index over another table, or one that
  /// this program cannot open.
  package func fate(of table: VirtualTableSchema) -> Fate? {
    guard table.isModuleLoaded, let index = table.fullTextIndex else { return nil }
    guard let old = former(table) else { return .made }
    guard let former = old.fullTextIndex, carries(former, as: index), !findsOtherTexts(index) else { return .filled }
    return diff.virtualTables.contains { $0.new?.name == table.name } ? .redeclared : .kept
  }

  /// The declaration that an index has in the file; nil if it is new.
  package func former(_ table: VirtualTableSchema) -> VirtualTableSchema? {
    guard let change = diff.virtualTables.first(where: { $0.new?.name == table.name }) else { return table }
    return change.old
  }

  /// Returns the facts that must be known before an index is filled; nil if it is new and every row is to be found.
  package func filling(of table: VirtualTableSchema) -> FullTextFilling? {
    guard let index = table.fullTextIndex else { return nil }
    guard let old = former(table) else {
      let feed = FullTextFeed(of: index, in: target)
      return feed.isSelective
        ? FullTextFilling(content: index.content, feed: feed, isNew: true, rowList: nil) : nil
    }
    let feed = old.fullTextIndex.map { FullTextFeed(of: $0, in: source) } ?? FullTextFeed(of: index, in: target)
    return FullTextFilling(content: index.content, feed: feed, isNew: false, rowList: old.rowList)
  }

  // MARK: - Names

  /// True if the entries of an index are those of another declaration over the same rows.
  private func carries(_ former: FullTextIndex, as index: FullTextIndex) -> Bool {
    let isRenamed = target.tables[index.content] != nil
    let isOther = diff.addedTables.contains { $0.name == index.content }
    guard former.form == index.form, !isOther,
      former.content == (isRenamed ? renames.formerTable(index.content) : index.content)
    else { return false }
    return carriesRowIDs(former, as: index) && carriesColumns(former, as: index)
  }

  package func formerColumn(_ column: SQLName, of table: SQLName) -> SQLName {
    columnSources[table]?[column] ?? renames.formerColumn(column, of: table)
  }

  private func carriesRowIDs(_ former: FullTextIndex, as index: FullTextIndex) -> Bool {
    func isRowID(_ index: FullTextIndex, in table: TableSchema?) -> Bool {
      guard let name = index.rowID else { return true }
      return table?.rowIDAlias?.name == name
        || (FullTextIndex.rowIDNames.contains(name) && table?.column(name) == nil)
    }
    if former.rowID == index.rowID.map({ formerColumn($0, of: index.content) }) { return true }
    return isRowID(former, in: source.tables[former.content]) && isRowID(index, in: target.tables[index.content])
  }

  private func carriesColumns(_ former: FullTextIndex, as index: FullTextIndex) -> Bool {
    func columns(_ index: FullTextIndex, of table: TableSchema?) -> [FullTextIndex.Column] {
      index.columns.isEmpty
        ? table?.columns.map { FullTextIndex.Column(name: $0.name, isIndexed: true) } ?? [] : index.columns
    }
    let isUnchanged = !diff.changedTables.contains { $0.to.name == index.content }
    let table = source.tables[former.content]
    if former.columns.isEmpty, index.columns.isEmpty, isUnchanged { return true }
    let (old, new) = (columns(former, of: table), columns(index, of: target.tables[index.content]))
    return old.count == new.count
      && zip(old, new).allSatisfy {
        $0.name == formerColumn($1.name, of: index.content) && $0.isIndexed == $1.isIndexed
      }
  }

  // MARK: - Values

  /// True if rows of the content have other texts or numbers afterwards.
  private func findsOtherTexts(_ index: FullTextIndex) -> Bool {
    let views = views(of: index.content)
    if views.contains(where: { view in diff.views.contains { $0.new?.name == view.name } }) { return true }
    if !away.isEmpty, FullTextFeed.triggers(of: index.name, in: source).contains(where: { away.contains($0.name) }) {
      return true
    }
    guard views.isEmpty else {
      let words = views.flatMap { (try? SQLLexer.tokens(of: $0.sql)) ?? [] }
      let names = Set(words.compactMap(\.name))
      let isWhole = words.contains { $0.isSymbol("*") }
      return target.tables.values.contains { table in
        guard names.contains(table.name) else { return false }
        let added = diff.changedTables.first { $0.to.name == table.name }?.addedColumns.map(\.name) ?? []
        return worked.contains(table.name) || isRenumbered(table.name)
          || changedColumns(of: table.name).contains { column in
            names.contains(column)
              || (isWhole && (!added.contains(column) || index.columns.contains { $0.name == column }))
          }
      }
    }
    let read = Set(index.columns.filter(\.isIndexed).map(\.name) + [index.rowID].compactMap { $0 })
    let isByRowID = index.rowID.map { FullTextIndex.rowIDNames.contains($0) } ?? true
    return worked.contains(index.content) || (isByRowID && isRenumbered(index.content))
      || changedColumns(of: index.content).contains { read.contains($0) || index.columns.isEmpty }
  }

  /// A view, and those that it reads.
  private func views(of content: SQLName) -> [ViewSchema] {
    var found: [SQLName: ViewSchema] = [:]
    var open = [content]
    while let name = open.popLast() {
      guard found[name] == nil, let view = target.views[name] else { continue }
      found[name] = view
      open += ((try? SQLLexer.tokens(of: view.sql)) ?? []).compactMap(\.name)
    }
    return Array(found.values)
  }

  /// The columns of a table that are new, or that hold other values in some rows.
  private func changedColumns(of table: SQLName) -> Set<SQLName> {
    guard let change = diff.changedTables.first(where: { $0.to.name == table }), let projection = projection(change)
    else { return [] }
    let columns = change.to.columns
    var changed = Set(columns.filter { !keepsValues($0, in: projection) }.map(\.name))
    let recollated = columns.filter { projection.sourceColumn(of: $0)?.collation != $0.collation }.map(\.name)
    var count = -1
    while count != changed.count {
      count = changed.count
      let read = changed.union(recollated)
      for column in change.to.generatedColumns
      where read.contains(where: { column.generation?.expression.mentions($0) == true }) {
        changed.insert(column.name)
      }
    }
    return changed
  }

  private func keepsValues(_ column: ColumnSchema, in projection: RowProjection) -> Bool {
    guard let before = projection.sourceColumn(of: column) else { return false }
    let results = checkResults[projection.target.name]
    if let generation = column.generation, generation.expression != before.generation?.expression { return false }
    if projection.restoresNulls(column) { return false }
    if projection.usesConversion(column) {
      return results?.count(of: .changedByConversion, column: column.name) == 0 && before.affinity == column.affinity
    }
    if projection.fillsNulls(column), results?.count(of: .filledNulls, column: column.name) != 0 { return false }
    // A column without a type takes every value as it is.
    return before.affinity == column.affinity || column.affinity == .blob
  }

  /// True if rows of a table get other rowids, or may get some.
  private func isRenumbered(_ table: SQLName) -> Bool {
    guard let change = diff.changedTables.first(where: { $0.to.name == table }), let projection = projection(change),
      !projection.source.isWithoutRowID, let alias = projection.target.rowIDAlias
    else { return false }
    let before = projection.sourceColumn(of: alias)
    guard before.map({ $0.name != projection.source.rowIDAlias?.name }) ?? (projection.fill(of: alias) != nil) else {
      return false
    }
    let found = checkResults[table]?.findings.first { if case .renumberedRows = $0.kind { true } else { false } }
    return found.map { $0.count != 0 || !$0.isCounted } ?? true
  }
}
