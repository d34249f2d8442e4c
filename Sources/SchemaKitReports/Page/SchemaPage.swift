import SchemaKit

/// An HTML page about a schema, with what a plan does to it if there is one.
///
/// The page needs nothing from the network, and is well-formed XML as well. Everything in the picture, including
/// colours, is also given as text.
struct SchemaPage {
  /// A part of a page, between a heading and the next.
  struct Section {
    var id: String
    var title: String
    /// Markup.
    var content: String
  }

  /// The title of the page.
  var title: String
  /// The text below the title, as markup.
  var introduction: String
  /// The sections before the picture.
  var sections: [Section] = []
  /// The schema that is drawn and listed.
  var schema: DatabaseSchema
  var changes = PlannedSchema.Changes()

  /// The page.
  var html: String {
    let drawn = [pictureSection, tableSection].compactMap { $0 }
    let links = (sections + drawn).map {
      Markup.element("li", [:], Markup.text("a", ["href": "#\($0.id)"], $0.title))
    }
    let body =
      Markup.text("a", ["class": "skip", "href": "#main"], "Skip to the content") + "\n"
      + Markup.element("header", [:], "\n" + Markup.text("h1", [:], title) + "\n" + introduction) + "\n"
      + Markup.element("nav", ["aria-label": "Parts of this page"], Markup.element("ul", [:], links.joined())) + "\n"
      + Markup.element(
        "main", ["id": "main", "tabindex": "-1"],
        "\n" + sections.map(Self.markup).joined() + (drawn.isEmpty ? "" : Self.search)
          + drawn.map(Self.markup).joined()) + "\n"
      + Markup.element("script", [:], Self.script) + "\n"
    let head = [
      Markup.element("meta", ["charset": "utf-8"]),
      // Nothing is loaded from anywhere, even if some text were ever parsed as markup.
      Markup.element(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content":
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        ]),
      Markup.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      Markup.element("meta", ["name": "color-scheme", "content": "light dark"]),
      Markup.text("title", [:], title),
      Markup.element("style", [:], "\n" + Self.style),
    ]
    return "<!DOCTYPE html>\n"
      + Markup.element(
        "html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"],
        "\n" + Markup.element("head", [:], "\n" + head.joined(separator: "\n") + "\n") + "\n"
          + Markup.element("body", [:], "\n" + body) + "\n") + "\n"
  }

  private static func markup(of section: Section) -> String {
    Markup.element(
      "section", ["id": section.id, "aria-labelledby": "\(section.id)-title"],
      "\n" + Markup.text("h2", ["id": "\(section.id)-title"], section.title) + "\n" + section.content + "\n") + "\n"
  }

  /// A name, isolated from the direction of the surrounding text.
  static func name(_ text: String) -> String { Markup.text("bdi", [:], text) }

  /// The change of something, as text and with a sign.
  static func badge(_ status: PlannedSchema.Status?) -> String {
    guard let status else { return "" }
    return " " + Markup.text("span", ["class": "badge \(status.rawValue)"], "\(status.symbol) \(status.rawValue)")
  }

  /// SQL as a block.
  static func sql(_ text: String) -> String {
    // Line breaks are kept, so that the page can be read as text.
    let code = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      Markup.escaped(String($0))
    }
    return Markup.element("pre", ["tabindex": "0"], Markup.element("code", [:], code.joined(separator: "\n")))
  }

  /// A part that opens on demand.
  static func details(_ summary: String, _ content: String) -> String {
    Markup.element("details", [:], Markup.text("summary", [:], summary) + content)
  }

  /// A list of markup; empty if it has no members.
  static func list(_ members: [String], class name: String = "plain") -> String {
    guard !members.isEmpty else { return "" }
    return Markup.element("ul", ["class": name], "\n" + members.map { Markup.element("li", [:], $0) + "\n" }.joined())
  }

  /// A table with headings, whose cells are markup.
  static func table(caption: String, heads: [String], rows: [[String]]) -> String {
    let head = heads.map { Markup.text("th", ["scope": "col"], $0) }.joined()
    let body = rows.map { row in
      let cells = row.enumerated().map { index, cell in
        index == 0 ? Markup.element("th", ["scope": "row"], cell) : Markup.element("td", [:], cell)
      }
      return Markup.element("tr", [:], cells.joined()) + "\n"
    }
    return Markup.element(
      "div", ["class": "wide"],
      Markup.element(
        "table", [:],
        Markup.text("caption", [:], caption) + "\n" + Markup.element("thead", [:], Markup.element("tr", [:], head))
          + "\n"
          + Markup.element("tbody", [:], "\n" + body.joined())))
  }
}
