import OrderedCollections

extension RowCheckPlanner {
  /// Asks which rows full-text indexes do not know that may be filled anew from all rows of their content.
  ///
  /// *Cost:* one look-up for each row of the content.
  mutating func askAboutIndexes() {
    guard !target.virtualTables.isEmpty else { return }
    var projections: [SQLName: RowProjection] = [:]
    for change in diff.changedTables { projections[change.to.name] = projection(of: change.to.name) }
    var changes = FullTextChanges(source: source, target: target, diff: diff, renames: renames) {
      projections[$0.to.name]
    }
    if !hints.dataSteps.isEmpty { changes.worked = Set(target.tables.keys) }
    for table in target.virtualTables.values {
      guard let fate = changes.fate(of: table), fate != .kept, fate != .redeclared || !profile.canEditCatalog,
        let filling = changes.filling(of: table), let checks = checks(of: table, filling, changes)
      else { continue }
      result.tables.append(checks)
    }
  }

  /// The question about one index; nil where its content is not in the file yet.
  private func checks(
    of table: VirtualTableSchema, _ filling: FullTextFilling, _ changes: FullTextChanges
  ) -> RowChecks.TableChecks? {
    let isTable = target.tables[filling.content] != nil
    let content = isTable ? renames.formerTable(filling.content) : filling.content
    guard source.tables[content] != nil || source.views[content] != nil, let index = table.fullTextIndex,
      !diff.addedTables.contains(where: { $0.name == filling.content })
    else { return nil }
    let old = changes.former(table)?.fullTextIndex
    let rowID =
      old?.content == content ? old?.rowID : index.rowID.map { changes.formerColumn($0, of: filling.content) }
    let key = rowID?.quoted ?? (isTable ? source.tables[content]?.rowKey : "rowid")
    var checks = RowChecks.TableChecks(
      name: table.name, formerName: content, columns: [], rowKey: nil, questions: [],
      order: source.tables[content]?.rowOrder)
    checks.query = newQuery(of: filling.content)
    let list = key == nil ? nil : filling.rowList
    let condition = list.map { list in
      " WHERE \(key ?? "") NOT IN (SELECT \(list.key.quoted) FROM \"main\".\(list.table.quoted))"
    }
    var filling = filling
    filling.rowList = list
    let rows = checks.rows + (condition ?? "")
    checks.questions = [
      RowCheck(
        kind: .newlyFound(filling), column: nil, count: "SELECT count(*) FROM \(rows)",
        samples: condition == nil ? "" : "SELECT \(key ?? "1") FROM \(rows) LIMIT 10")
    ]
    return checks
  }
  /// The query that a view of the file gets; nil where it keeps the one that it has.
  private func newQuery(of view: SQLName) -> String? {
    guard let new = diff.views.first(where: { $0.old != nil && $0.new?.name == view })?.new,
      case .view(let statement)? = try? SQLParser.create(new.sql)
    else { return nil }
    guard let columns = statement.columns else { return statement.body.text }
    let list = columns.map(\.quoted).joined(separator: ", ")
    return "WITH \(view.quoted)(\(list)) AS (\(statement.body.text)) SELECT * FROM \(view.quoted)"
  }
}
