import OrderedCollections

// The full-text indexes over tables that change.
extension Planner {
  /// The effect of the changes of the tables on full-text indexes.
  func fullText(after made: Changes) -> FullTextChanges {
    var changes = FullTextChanges(source: source, target: target, diff: diff, renames: renames) { change in
      projection(for: change, hints: hints.tables[change.to.name] ?? TableHints())
    }
    changes.columnSources = columnSources
    changes.checkResults = checkResults
    changes.worked = made.worked
    if !dataSteps.isEmpty { changes.away = made.aside.union(diff.triggers.compactMap(\.old).map(\.name)) }
    return changes
  }

  /// The virtual tables whose stored text is edited, so that their entries stay.
  func redeclared(in fullText: FullTextChanges) -> Set<SQLName> {
    guard profile.canEditCatalog else { return [] }
    let tables = diff.virtualTables.compactMap(\.new).filter { table in
      fullText.fate(of: table) == .redeclared && !hasRefused(editing: table.name)
    }
    return Set(tables.map(\.name))
  }

  /// The steps by which indexes follow their content to other names.
  ///
  /// FTS5 and FTS4 read their declaration whenever they are opened, and keep neither the name of the content nor those of
  /// its columns in [their shadow tables](https://sqlite.org/fts5.html#fts5_data_structures).
  ///
  /// *Cost:* a row of the catalog for each.
  func steps(redeclaring names: Set<SQLName>) throws(SQLSyntaxError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for table in target.virtualTables.values where names.contains(table.name) {
      guard let index = table.fullTextIndex, let former = source.virtualTables[table.name],
        case .virtualTable(let statement) = try SQLParser.create(table.sql)
      else { continue }
      let rest = Span(start: statement.nameSpan.end, end: table.sql.utf8.count)
      let isSame = former.name.text == table.name.text
      let name = isSame ? SQLEditing.text(at: statement.nameSpan, in: table.sql) : former.name.quoted
      let text = "CREATE VIRTUAL TABLE \(name)\(SQLEditing.text(at: rest, in: table.sql))"
      var step = MigrationStep.editingCatalog(
        ObjectReference(.table, former.name), [.redeclareIndex(content: index.content)],
        [CatalogText.statement(storing: text, of: former.name)], motive: Motive(.onlyDefinitionChanges))
      step.holdsForAnyRows = true
      steps.append(step)
    }
    return steps
  }

  /// The steps that fill full-text indexes.
  func steps(filling fullText: FullTextChanges) -> [MigrationStep] {
    FullTextRule(
      changes: fullText, redeclared: redeclared(in: fullText), rowCounts: checkResults.compactMapValues(\.countedRows)
    ).steps.filter { !unfillable.contains($0.object.name) }
  }

  /// Results for indexes that are filled although their rows were not asked about, because only the steps showed the need.
  /// The rows are not counted.
  package func unaskedFillings(of names: Set<SQLName>) -> [SQLName: RowCheckResults] {
    let changes = fullText(after: Changes())
    return names.reduce(into: [:]) { unasked, name in
      let isAsked = checkResults[name]?.findings.contains { if case .newlyFound = $0.kind { true } else { false } }
      guard isAsked != true, let table = target.virtualTables[name], let filling = changes.filling(of: table),
        let content = source.hasObject(renames.formerTable(filling.content)) ? filling.content : nil,
        !diff.addedTables.contains(where: { $0.name == content })
      else { return }
      var results = RowCheckResults(rowCount: 1)
      results.isCounted = false
      results.findings = [.init(kind: .newlyFound(filling), count: 0, isCounted: false, samples: [])]
      unasked[name] = results
    }
  }
}
