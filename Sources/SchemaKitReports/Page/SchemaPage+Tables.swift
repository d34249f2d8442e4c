import OrderedCollections
import SchemaKit

extension SchemaPage {
  /// Every table and view as text.
  var tableSection: Section? {
    let diagram = SchemaDiagram(schema)
    guard !diagram.nodes.isEmpty else { return nil }
    var anchors: [SQLName: String] = [:]
    for (position, node) in diagram.nodes.enumerated() where node.kind != .missing {
      anchors[node.name] = "object-\(position + 1)"
    }
    var indexes: [SQLName: [IndexSchema]] = [:]
    for index in schema.indexes.values { indexes[index.table, default: []].append(index) }
    var triggers: [SQLName: [TriggerSchema]] = [:]
    for trigger in schema.triggers.values { triggers[trigger.table, default: []].append(trigger) }
    let articles = diagram.nodes.enumerated().filter { $0.element.kind != .missing }.map { position, node in
      let content: String
      switch node.kind {
      case .table:
        let relations = diagram.relations.filter { $0.child == position }.map { relation in
          (relation, diagram.nodes[relation.parent].name)
        }
        content = schema.table(node.name).map { table(of: $0, node, relations: relations, anchors: anchors) } ?? ""
      case .virtualTable, .view, .missing: content = ""
      }
      return article(
        for: node, at: position, content + lists(indexes: indexes[node.name] ?? [], triggers: triggers[node.name] ?? [])
      )
    }
    return Section(id: "tables", title: "Tables and views", content: articles.joined(separator: "\n"))
  }

  private func article(for node: SchemaDiagram.Node, at position: Int, _ content: String) -> String {
    let id = "object-\(position + 1)"
    var kind = ""
    var sql = schema.table(node.name)?.sql ?? ""
    if let table = schema.virtualTables[node.name] {
      (kind, sql) = ("virtual table, using \(table.module)", table.sql)
    } else if let view = schema.views[node.name] {
      (kind, sql) = ("view", view.sql)
    }
    var remarks = kind.isEmpty ? [] : [kind]
    if schema.table(node.name)?.isStrict == true { remarks.append("STRICT") }
    if schema.table(node.name)?.isWithoutRowID == true { remarks.append("WITHOUT ROWID") }
    if let former = changes.formerTables[node.name] { remarks.append("called \(former) before") }
    let remark = remarks.isEmpty ? "" : " " + Markup.text("small", [:], remarks.joined(separator: ", "))
    let words = ([node.name.folded] + node.lines.map(\.name.folded)).joined(separator: " ")
    return Markup.element(
      "article",
      ["id": id, "aria-labelledby": "\(id)-name", "data-name": node.name.folded, "data-words": words],
      "\n"
        + Markup.element(
          "h3", ["id": "\(id)-name"], Self.name(node.name.text) + remark + Self.badge(changes.tables[node.name])) + "\n"
        + content + Self.details("SQL", Self.sql(sql)) + "\n")
  }

  private func table(
    of table: TableSchema, _ node: SchemaDiagram.Node, relations: [(SchemaDiagram.Relation, SQLName)],
    anchors: [SQLName: String]
  ) -> String {
    let statuses = changes.columns[table.name] ?? [:]
    let former = changes.formerColumns[table.name] ?? [:]
    let rows = zip(table.columns, node.lines).map { column, line in
      let references = relations.filter { $0.0.columns.contains(column.name) }.map { relation, parent in
        let name = Self.name(parent.text)
        let link = anchors[parent].map { Markup.element("a", ["href": "#\($0)"], name) } ?? name + " (missing)"
        return link + " " + Markup.escaped(relation.words)
      }
      var row = [
        Self.name(column.name.text), Markup.text("code", [:], column.type ?? ""),
        line.isNotNull ? "no" : "yes", value(of: column),
        Markup.escaped(line.marks.map(\.rawValue).joined(separator: ", ")),
        references.joined(separator: Markup.element("br")),
      ]
      if !statuses.isEmpty || !former.isEmpty {
        let words = [
          changes.columnWords[table.name]?[column.name], former[column.name].map { "called \($0) before" },
        ].compactMap { $0 }
        row.append(
          Self.badge(statuses[column.name]) + (words.isEmpty ? "" : " " + Markup.escaped(words.joined(separator: "; ")))
        )
      }
      return row
    }
    let heads = ["Column", "Type", "NULL", "Value", "Key", "Refers to"]
    let hasChanges = !statuses.isEmpty || !former.isEmpty
    let checks = table.checks.map { "CHECK (\($0.expression.text))" }
    let uniques = table.uniques.filter { $0.columns.count > 1 }
      .map { "UNIQUE (\($0.columns.map(\.name.text).joined(separator: ", ")))" }
    return Self.table(
      caption: "Columns of \(table.name)", heads: heads + (hasChanges ? ["Change"] : []), rows: rows) + "\n"
      + Self.list((uniques + checks).map { Markup.text("code", [:], $0) }) + "\n"
  }

  /// The default of a column, or how it is computed.
  private func value(of column: ColumnSchema) -> String {
    if let generation = column.generation { return "computed: " + Markup.text("code", [:], generation.expression.text) }
    return column.defaultValue.map { Markup.text("code", [:], $0.value.text) } ?? ""
  }

  private func lists(indexes: [IndexSchema], triggers: [TriggerSchema]) -> String {
    let lines =
      indexes.map { index in
        (index.isUnique ? "Unique index " : "Index ") + Self.name(index.name.text) + " "
          + Markup.text("code", [:], "(\(index.terms.map { $0.expression.text }.joined(separator: ", ")))")
      } + triggers.map { "Trigger \(Self.name($0.name.text)) on \(Markup.escaped($0.event))" }
    return lines.isEmpty ? "" : Self.list(lines) + "\n"
  }
}
