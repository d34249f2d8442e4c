import SchemaKit

extension SchemaPage {
  /// A picture of more boxes than this begins at a scale that shows all of it, and a plan's begins with what changes.
  static let largePicture = 25

  /// The field that finds tables and hides the others. It needs the script, which shows it.
  static var search: String {
    let list = Markup.element(
      "ul", ["id": "hits", "role": "listbox", "aria-label": "Tables found", "hidden": "hidden"], "")
    let field = Markup.element(
      "input",
      [
        "type": "search", "id": "filter", "role": "combobox", "aria-controls": "hits", "aria-expanded": "false",
        "aria-autocomplete": "list", "autocomplete": "off", "spellcheck": "false",
      ])
    return Markup.element(
      "form", ["role": "search", "hidden": "hidden", "id": "search"],
      Markup.text("label", ["for": "filter"], "Find tables and columns")
        + Markup.element("div", [:], field + list)
        + Markup.element("output", ["for": "filter", "id": "found", "role": "status"], "")) + "\n"
  }

  /// The picture: of everything or, where a plan changes a part of many tables, of that part first.
  var pictureSection: Section? {
    let all = SchemaDiagram(schema)
    guard !all.nodes.isEmpty else { return nil }
    let part = all.neighbourhood(of: changes.touched)
    let leftOut = all.nodes.count - part.nodes.count
    var content = drawing(of: all, id: "diagram", label: "Picture of the schema")
    if all.nodes.count > Self.largePicture, !part.nodes.isEmpty, leftOut > 0 {
      let words =
        "What changes and its neighbours by foreign keys: \(Wording.list(part.counts)). "
        + "Left out: \(Wording.number(leftOut)) of \(Wording.number(all.nodes.count))."
      content =
        Markup.text("p", [:], words) + "\n"
        + drawing(of: part, id: "part", label: "Picture of what changes") + "\n"
        + Self.details("Show all \(Wording.list(all.counts))", "\n" + content)
    }
    let legend = """
      A line leads from a table to its parent. At the table three toes stand for any number of rows, a stroke for at most \
      one; at the parent two strokes stand for exactly one, a circle for none or one.
      """
    return Section(
      id: "picture", title: "Picture", content: content + "\n" + Markup.text("p", ["class": "remark"], legend))
  }

  /// A picture in a frame that scrolls, with buttons for its scale, which need the script.
  private func drawing(of diagram: SchemaDiagram, id: String, label: String) -> String {
    let buttons = [
      ("-", "−", "Zoom out"), ("+", "+", "Zoom in"), ("0", "Fit", "Show all of it"), ("1", "100 %", "100 %"),
    ]
    .map { key, text, label in
      Markup.text("button", ["type": "button", "value": key, "aria-label": label, "title": "\(label) (\(key))"], text)
    }
    let hint =
      "Drag or scroll to move, pinch or use Ctrl and the wheel to zoom, double click for the description of a table."
    return Markup.element(
      "div", ["class": diagram.nodes.count > Self.largePicture ? "drawing large" : "drawing"],
      "\n"
        + Markup.element(
          "div", ["class": "tools", "role": "group", "aria-label": "Scale of the picture", "hidden": "hidden"],
          buttons.joined() + Markup.text("small", [:], hint)) + "\n"
        + Markup.element(
          "div", ["class": "picture", "role": "region", "aria-label": label, "tabindex": "0"],
          "\n" + DiagramPicture(diagram, changes: changes).svg(title: "Tables of \(title)", id: id) + "\n") + "\n")
  }
}
