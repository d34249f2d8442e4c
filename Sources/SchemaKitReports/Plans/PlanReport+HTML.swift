package import SchemaKit

extension PlanReport {
  /// A page with the plan and a picture of what it does to the schema, which needs nothing from the network.
  ///
  /// - Parameters:
  ///   - old: The schema that the file has.
  ///   - new: The schema that it is to have.
  package func html(from old: DatabaseSchema, to new: DatabaseSchema) -> String {
    let changes = plan.changes
    let planned = PlannedSchema(plan, from: old, to: new)
    var sections: [SchemaPage.Section] = []
    if !planned.changes.tables.isEmpty {
      sections.append(
        SchemaPage.Section(id: "changes", title: "What changes", content: overview(of: planned.changes)))
    }
    if !plan.hazards.isEmpty {
      sections.append(
        SchemaPage.Section(
          id: "hazards", title: "Hazards", content: orderedHazards.map(markup).joined(separator: "\n")))
    }
    if let running {
      sections.append(SchemaPage.Section(id: "running", title: "The running program", content: running.markup))
    }
    if !plan.isEmpty {
      sections.append(SchemaPage.Section(id: "steps", title: "Steps", content: steps(of: changes)))
      sections.append(
        SchemaPage.Section(
          id: "script", title: "Script", content: SchemaPage.details("All of it as SQL", SchemaPage.sql(sql()))))
    }
    var introduction = lastLine().isEmpty ? [] : [Markup.element("p", [:], Markup.text("strong", [:], lastLine()))]
    if !plan.areRowsExamined, !plan.isEmpty { introduction.append(Markup.text("p", [:], Self.quickNotice)) }
    introduction += costLines(of: changes).map { Markup.text("p", [:], $0) }
    return SchemaPage(
      title: headline, introduction: introduction.joined(separator: "\n") + "\n", sections: sections,
      schema: planned.schema, changes: planned.changes
    ).html
  }

  /// The tables and views by what becomes of them.
  private func overview(of changes: PlannedSchema.Changes) -> String {
    let lines = PlannedSchema.Status.allCases.compactMap { status -> String? in
      let names = changes.tables.filter { $0.value == status }.map(\.key).sorted()
      guard !names.isEmpty else { return nil }
      return SchemaPage.badge(status) + " " + names.map { SchemaPage.name($0.text) }.joined(separator: ", ")
    }
    return SchemaPage.list(lines)
  }

  private func steps(of changes: [PlannedChange]) -> String {
    let items = changes.map { change in
      let head =
        Markup.text("strong", [:], change.action.rawValue) + " " + Markup.escaped("\(change.object.kind)") + " "
        + SchemaPage.name("\(change.object)")
      let lines = Self.details(of: change, style: .plain).map { Markup.escaped($0) }
      let statements = change.allStatements.map { $0.sql.terminated }.joined(separator: "\n")
      let sql = statements.isEmpty ? "" : SchemaPage.details("SQL of this step", SchemaPage.sql(statements))
      return Markup.element("li", [:], head + SchemaPage.list(lines, class: "lines") + sql)
    }
    let list = Markup.element("ol", ["class": "steps"], "\n" + items.joined(separator: "\n") + "\n")
    let restored = plan.suspendedInWords
    return restored.isEmpty ? list : list + Markup.text("p", [:], "Suspends and restores \(restored).")
  }

  private func markup(of hazard: Hazard) -> String {
    let isRefused = !policy.permits(hazard)
    let title =
      Markup.text("strong", [:], "\(isRefused ? "!" : "✓") \(hazard.code.rawValue)") + " "
      + Markup.escaped("\(status(of: hazard)): ") + SchemaPage.name(hazard.object)
      + Markup.escaped(hazard.rowsInWords)
    let remedy = hazard.remedy.map { Markup.element("br") + Markup.text("em", [:], $0) } ?? ""
    return Markup.element(
      "p", ["class": isRefused ? "refused" : "allowed"],
      title + Markup.element("br") + Markup.escaped(hazard.message) + remedy)
  }
}
