import SchemaKit

/// A diagram as SVG, drawn without any library, that takes its colours from the page around it.
struct DiagramPicture {
  private let diagram: SchemaDiagram
  private let changes: PlannedSchema.Changes
  private let layout: DiagramLayout
  /// The number of columns that a box shows; the page lists all of them beside the picture.
  private static let visibleLines = 14
  private static let (headHeight, lineHeight) = (28, 19)
  /// The width of a character of a monospaced font of 12 pixels, in tenths of a pixel.
  private static let characterWidth = 73

  init(_ diagram: SchemaDiagram, changes: PlannedSchema.Changes = PlannedSchema.Changes()) {
    self.diagram = diagram
    self.changes = changes
    layout = DiagramLayout(
      sizes: diagram.nodes.map { Self.size(of: $0, changes: changes) },
      edges: diagram.relations.map { ($0.child, $0.parent) })
  }

  /// The picture as an element for a page.
  func svg(title: String, id: String) -> String {
    let words = diagram.counts + [Wording.counted(diagram.relations.count, "foreign key")]
    let description = Wording.list(words) + ". The tables below the picture say the same in words."
    return Markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-labelledby": "\(id)-title \(id)-words",
        "width": String(layout.width), "height": String(layout.height),
        "viewBox": "0 0 \(layout.width) \(layout.height)",
      ],
      "\n" + Markup.text("title", ["id": "\(id)-title"], title) + "\n"
        + Markup.text("desc", ["id": "\(id)-words"], description) + "\n"
        + Markup.element("g", ["class": "relations"], "\n" + diagram.relations.map(edge).joined()) + "\n"
        + diagram.nodes.indices.map(node).joined())
  }
}

// MARK: - Boxes

extension DiagramPicture {
  private static func size(
    of node: SchemaDiagram.Node, changes: PlannedSchema.Changes
  ) -> (width: Int, height: Int) {
    let lines = shown(node, statuses: changes.columns[node.name] ?? [:])
    let texts = [head(of: node, status: changes.tables[node.name]) + "  "] + lines.map { $0.text + $0.marks + "   " }
    let widest = texts.map { columns(of: $0) }.max() ?? 0
    return (min(340, max(130, widest * characterWidth / 10 + 20)), headHeight + lines.count * lineHeight + 6)
  }

  /// The heading of a box: the change is also given as text, since not everybody can distinguish colours.
  private static func head(of node: SchemaDiagram.Node, status: PlannedSchema.Status?) -> String {
    let kind =
      switch node.kind {
      case .table: ""
      case .virtualTable: " (virtual)"
      case .view: " (view)"
      case .missing: " (missing)"
      }
    return (status.map { "\($0.symbol) " } ?? "") + node.name.text + kind + (status.map { ", \($0.rawValue)" } ?? "")
  }

  /// The lines of a box: the change of a column, its name and type on the left, marks on the right.
  private static func shown(
    _ node: SchemaDiagram.Node, statuses: [SQLName: PlannedSchema.Status]
  ) -> [(text: String, marks: String)] {
    if case .virtualTable(let module) = node.kind { return [("using \(module)", "")] }
    let lines = node.lines.prefix(visibleLines).map { line in
      (
        [statuses[line.name]?.symbol, line.name.text, line.type].compactMap { $0 }.joined(separator: " "),
        line.marks.map(\.rawValue).joined(separator: " ")
      )
    }
    let hidden = node.lines.count - lines.count
    return hidden == 0 ? lines : lines + [("… \(Wording.counted(hidden, "more column"))", "")]
  }

  private func node(at position: Int) -> String {
    let (node, box) = (diagram.nodes[position], layout.boxes[position])
    let status = changes.tables[node.name]
    let kind =
      switch node.kind {
      case .table: "table"
      case .virtualTable: "virtual"
      case .view: "view"
      case .missing: "missing"
      }
    let head = Self.head(of: node, status: status)
    var parts = [
      Markup.text("title", [:], head),
      Markup.element("rect", ["width": "\(box.width)", "height": "\(box.height)", "rx": "5"]),
    ]
    let room = (box.width - 20) * 10 / Self.characterWidth
    parts.append(Markup.text("text", ["x": "10", "y": "19", "class": "head"], Self.cut(head, to: room)))
    let lines = Self.shown(node, statuses: changes.columns[node.name] ?? [:])
    if !lines.isEmpty {
      parts.append(
        Markup.element("path", ["d": "M0 \(Self.headHeight)H\(box.width)", "class": "rule"]))
    }
    for (index, line) in lines.enumerated() {
      let y = String(Self.headHeight + (index + 1) * Self.lineHeight - 4)
      let left = Self.cut(line.text, to: room - (line.marks.isEmpty ? 0 : line.marks.count + 1))
      parts.append(Markup.text("text", ["x": "10", "y": y], left))
      if !line.marks.isEmpty {
        parts.append(Markup.text("text", ["x": "\(box.width - 10)", "y": y, "class": "marks"], line.marks))
      }
    }
    return Markup.element(
      "g",
      [
        "class": "node \(kind)" + (status.map { " \($0.rawValue)" } ?? ""), "data-name": node.name.folded,
        "transform": "translate(\(box.x) \(box.y))",
      ], parts.joined()) + "\n"
  }

  /// The width of a text in a monospaced font, in characters; East Asian letters are two wide.
  private static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 && $1.value != 0x2026 ? 2 : 1) }
  }

  private static func cut(_ text: String, to room: Int) -> String {
    guard columns(of: text) > room else { return text }
    var result = ""
    var used = 1
    for character in text {
      used += columns(of: String(character))
      if used > room { break }
      result.append(character)
    }
    return result + "…"
  }
}

// MARK: - Lines

extension DiagramPicture {
  private func edge(_ relation: SchemaDiagram.Relation) -> String {
    let (child, parent) = (layout.boxes[relation.child], layout.boxes[relation.parent])
    let start = child.y + height(of: relation.columns.first, at: relation.child)
    let end = parent.y + height(of: relation.parentColumns.first, at: relation.parent)
    let isLeftToRight = parent.x + parent.width < child.x
    let (x1, x2) = (isLeftToRight ? child.x : child.x + child.width, parent.x + parent.width)
    let reach = isLeftToRight ? max(40, min(160, (x1 - x2) / 2)) : 56
    let (bend1, bend2) = (isLeftToRight ? x1 - reach : x1 + reach, x2 + reach)
    let middle = relation.child == relation.parent ? end - 16 : end
    let line = "M\(x1) \(start)C\(bend1) \(start) \(bend2) \(middle) \(x2) \(end)"
    let names = "\(diagram.nodes[relation.child].name) to \(diagram.nodes[relation.parent].name)"
    let ends =
      (relation.isParentOptional ? "none or one" : "exactly one") + " for each row; "
      + (relation.isChildSingle ? "at most one refers to it" : "any number refer to it")
    return Markup.element(
      "g", ["class": "relation"],
      Markup.text("title", [:], "\(names): \(relation.words) (\(ends))")
        + Markup.element("path", ["d": line, "class": "grip"]) + Markup.element("path", ["d": line])
        + Self.childEnd(relation, x: x1, y: start, side: isLeftToRight ? -1 : 1)
        + Self.parentEnd(relation, x: x2, y: end)) + "\n"
  }

  /// The foot of a crow for many, a stroke for one.
  private static func childEnd(_ relation: SchemaDiagram.Relation, x: Int, y: Int, side: Int) -> String {
    let tip = x + 11 * side
    let line =
      relation.isChildSingle ? "M\(tip) \(y - 6)V\(y + 6)" : "M\(x) \(y - 6)L\(tip) \(y)L\(x) \(y + 6)"
    return Markup.element("path", ["d": line, "class": "end"])
  }

  /// A circle for none or one, a second stroke for exactly one.
  private static func parentEnd(_ relation: SchemaDiagram.Relation, x: Int, y: Int) -> String {
    let stroke = Markup.element("path", ["d": "M\(x + 7) \(y - 6)V\(y + 6)", "class": "end"])
    let second =
      relation.isParentOptional
      ? Markup.element("circle", ["cx": "\(x + 15)", "cy": "\(y)", "r": "4", "class": "end"])
      : Markup.element("path", ["d": "M\(x + 12) \(y - 6)V\(y + 6)", "class": "end"])
    return stroke + second
  }

  /// The distance from the top of a box to the line of a column; a column that is not shown ends at the last line.
  private func height(of column: SQLName?, at position: Int) -> Int {
    let lines = diagram.nodes[position].lines
    guard let column, let index = lines.firstIndex(where: { $0.name == column }) else { return Self.headHeight / 2 }
    return Self.headHeight + min(index, Self.visibleLines) * Self.lineHeight + Self.lineHeight / 2
  }
}
