package import SchemaKit

extension SchemaReport {
  /// The tables, views and foreign keys as a graph for Graphviz: `dot -Tsvg`.
  ///
  /// An edge runs from the child to the parent and carries the columns and the ON DELETE action; its ends say how many rows
  /// there may be. Views are dashed, virtual tables name their module, and a parent that is missing is dotted.
  ///
  /// See [The DOT Language](https://graphviz.org/doc/info/lang.html).
  package static func dot(_ schema: DatabaseSchema) -> String {
    let diagram = SchemaDiagram(schema)
    var lines = [
      "digraph schema {", "  graph [rankdir=RL];", "  node [shape=plain, fontname=\"sans-serif\"];",
      "  edge [dir=both, fontname=\"sans-serif\", fontsize=10];",
    ]
    for node in diagram.nodes { lines.append("  \(identifier(node.name)) [\(attributes(of: node))];") }
    for relation in diagram.relations {
      let (child, parent) = (diagram.nodes[relation.child], diagram.nodes[relation.parent])
      lines.append(
        "  \(identifier(child.name))\(port(relation.columns, in: child)) -> "
          + "\(identifier(parent.name))\(port(relation.parentColumns, in: parent)) "
          + "[label=\(label(relation.words)), arrowtail=\(relation.isChildSingle ? "teeodot" : "crowodot"), "
          + "arrowhead=\(relation.isParentOptional ? "teeodot" : "teetee")];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func attributes(of node: SchemaDiagram.Node) -> String {
    switch node.kind {
    case .view: "shape=box, style=dashed, label=\(label(node.name.text + " (view)"))"
    case .missing: "shape=box, style=dotted, label=\(label(node.name.text + " (missing)"))"
    case .virtualTable(let module): "label=<\(table(node, remark: "virtual table, \(module)"))>"
    case .table: "label=<\(table(node, remark: nil))>"
    }
  }

  /// An HTML-like label, with a port for each column.
  private static func table(_ node: SchemaDiagram.Node, remark: String?) -> String {
    var rows = [
      "<TR><TD COLSPAN=\"3\" BGCOLOR=\"#e6e9ef\"><B>\(text(node.name.text))</B></TD></TR>"
    ]
    if let remark { rows.append("<TR><TD COLSPAN=\"3\"><I>\(text(remark))</I></TD></TR>") }
    for (index, line) in node.lines.enumerated() {
      let type = [line.type, line.isNotNull ? "NOT NULL" : nil].compactMap { $0 }.joined(separator: " ")
      rows.append(
        "<TR><TD PORT=\"c\(index)\" ALIGN=\"LEFT\">\(text(line.name.text))</TD>"
          + "<TD ALIGN=\"LEFT\">\(text(type))</TD>"
          + "<TD>\(line.marks.map(\.rawValue).joined(separator: " "))</TD></TR>")
    }
    return "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\">\(rows.joined())</TABLE>"
  }

  /// A text inside an HTML-like label, which must not be empty between tags.
  private static func text(_ text: String) -> String { text.isEmpty ? " " : Markup.escaped(text) }

  /// A quoted label, in which a backslash and an ampersand are special.
  private static func label(_ text: String) -> String {
    "\"" + Markup.escaped(text).replacing("\\", with: "\\\\") + "\""
  }

  /// The name of a node, in which only the quote is special.
  ///
  /// A backslash is doubled nevertheless, since one at the end would escape the quote.
  private static func identifier(_ name: SQLName) -> String {
    "\"" + name.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func port(_ columns: [SQLName], in node: SchemaDiagram.Node) -> String {
    guard let first = columns.first, let index = node.lines.firstIndex(where: { $0.name == first }) else { return "" }
    return ":c\(index)"
  }
}
