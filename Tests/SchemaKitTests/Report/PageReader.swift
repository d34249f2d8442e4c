import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What a page holds, read as XML; XMLParser's delegate must be a class.
final class PageReader: NSObject, XMLParserDelegate {
  struct Unreadable: Error {
    var reason: String
  }

  private(set) var all: [(name: String, attributes: [String: String])] = []
  private(set) var elements: [String: Int] = [:]
  /// The texts of all titles in the picture.
  private(set) var titles: [String] = []
  /// The title of the page.
  private(set) var title = ""
  /// The names of tables and columns in words.
  private(set) var names: Set<String> = []
  /// The texts in the picture.
  private(set) var lines: Set<String> = []
  private var texts: [String] = []

  init(_ html: String) throws {
    super.init()
    let prefix = "<!DOCTYPE html>\n"
    guard html.hasPrefix(prefix) else { throw Unreadable(reason: "no document type") }
    let parser = XMLParser(data: Data(html.dropFirst(prefix.count).utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw Unreadable(reason: "\(String(describing: parser.parserError)), line \(parser.lineNumber)")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    all.append((name, attributes))
    elements[name, default: 0] += 1
    texts.append("")
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !texts.isEmpty { texts[texts.count - 1] += string }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    let text = texts.popLast() ?? ""
    if name == "title" { if elements["body"] == nil { title = text } else { titles.append(text) } }
    if name == "text" { lines.insert(text) }
    if name == "bdi" { names.insert(text) }
  }

  private func attributes(of name: String, with attribute: String, class: String? = nil) -> [String] {
    all.filter { $0.name == name && (`class` == nil || $0.attributes["class"]?.hasPrefix(`class` ?? "") == true) }
      .compactMap { $0.attributes[attribute] }
  }

  /// The boxes of the picture, by folded names.
  var boxes: [String] { attributes(of: "g", with: "data-name", class: "node") }
  /// The boxes of each picture.
  var pictures: [[String]] {
    all.reduce(into: []) { pictures, element in
      if element.name == "svg" { pictures.append([]) }
      guard element.name == "g", let name = element.attributes["data-name"] else { return }
      pictures[pictures.count - 1].append(name)
    }
  }
  var articles: [String] { attributes(of: "article", with: "data-name") }
  var idList: [String] { all.compactMap { $0.attributes["id"] } }
  var ids: Set<String> { Set(idList) }
  /// Links to places that are not there.
  var brokenLinks: [String] {
    let ids = ids
    return attributes(of: "a", with: "href").filter { !ids.contains(String($0.dropFirst())) }
  }

  func count(_ name: String, class: String) -> Int {
    all.count { $0.name == name && $0.attributes["class"] == `class` }
  }

  /// The classes of a box.
  func box(_ name: String) -> String? {
    all.first { $0.name == "g" && $0.attributes["data-name"] == name }?.attributes["class"]
  }
}
