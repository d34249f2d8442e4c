package import SchemaKit

extension SchemaReport {
  /// The tables and foreign keys as an entity-relationship diagram of Mermaid, which GitHub and GitLab draw.
  ///
  /// Views are left out, as the schema does not say their columns. Names are used unchanged where Mermaid's grammar
  /// accepts them, and otherwise quoted with character codes; a column or type that it cannot spell is adapted, with
  /// the real one in a comment beside it.
  ///
  /// Mermaid draws no more than 50,000 characters. A longer diagram has only the columns of keys, then none, then fewer
  /// tables, and says so in a comment.
  ///
  /// See [Entity Relationship Diagrams](https://mermaid.js.org/syntax/entityRelationshipDiagram.html).
  package static func mermaid(_ schema: DatabaseSchema) -> String {
    let diagram = SchemaDiagram(schema)
    let all = mermaid(diagram) { _ in true }
    if all.utf8.count <= mermaidLimit { return all }
    let remark = { (left: String) in
      "  %% \(left): a diagram with all of it is longer than the 50,000 characters that Mermaid draws."
    }
    let keys = mermaid(diagram, remark("Only the columns of keys are shown")) { !$0.marks.isEmpty }
    if keys.utf8.count <= mermaidLimit { return keys }
    let names = mermaid(diagram, remark("No columns are shown")) { _ in false }
    if names.utf8.count <= mermaidLimit { return names }
    var lines = mermaid(diagram, remark("No columns and not all tables are shown")) { _ in false }.split(
      separator: "\n")
    var size = 0
    lines = lines.prefix { line in
      size += line.utf8.count + 1
      return size <= mermaidLimit
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let mermaidLimit = 49_900

  private static func mermaid(
    _ diagram: SchemaDiagram, _ remark: String? = nil, shows: (SchemaDiagram.Line) -> Bool
  ) -> String {
    var lines = ["erDiagram"] + (remark.map { [$0] } ?? [])
    let related = Set(diagram.relations.flatMap { [$0.child, $0.parent] })
    for (position, node) in diagram.nodes.enumerated() where node.kind != .view || related.contains(position) {
      let name = MermaidText.entity(node.name.text)
      var columns: [String] = []
      switch node.kind {
      case .table: columns = node.lines.filter(shows).map(column)
      case .virtualTable(let module): columns = ["virtual \(MermaidText.word(module.text))"]
      case .view, .missing: break
      }
      lines += columns.isEmpty ? ["  \(name)"] : ["  \(name) {"] + columns.map { "    \($0)" } + ["  }"]
    }
    for relation in diagram.relations {
      let (child, parent) = (diagram.nodes[relation.child].name.text, diagram.nodes[relation.parent].name.text)
      let ends = (relation.isParentOptional ? "|o" : "||") + "--" + (relation.isChildSingle ? "o|" : "o{")
      lines.append(
        "  \(MermaidText.entity(parent)) \(ends) \(MermaidText.entity(child)) : \(MermaidText.quoted(relation.words))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func column(_ line: SchemaDiagram.Line) -> String {
    let (type, name) = (MermaidText.word(line.type ?? "ANY"), MermaidText.word(line.name.text))
    var result = "\(type) \(name)"
    if !line.marks.isEmpty { result += " " + line.marks.map(\.rawValue).joined(separator: ", ") }
    var remarks: [String] = []
    if name != line.name.text { remarks.append(line.name.text) }
    if let written = line.type, type != written { remarks.append(written) }
    if line.isNotNull, !line.marks.contains(.primaryKey) { remarks.append("NOT NULL") }
    return remarks.isEmpty ? result : result + " " + MermaidText.quoted(remarks.joined(separator: ", "))
  }
}

/// The spelling of names and text in Mermaid's entity-relationship diagrams.
enum MermaidText {
  /// Words that the grammar reserves, in any case.
  private static let reserved: Set<String> = [
    "acctitle", "accdescr", "class", "classdef", "direction", "end", "erdiagram", "many", "one", "only", "optionally",
    "style", "subgraph", "title", "to", "u", "zero",
  ]

  /// The name of a table: unquoted if possible.
  static func entity(_ name: String) -> String {
    let isWord =
      name.unicodeScalars.allSatisfy { isPlain($0) } && name.unicodeScalars.first.map { !isDigit($0) } ?? false
    return isWord && !reserved.contains(name.lowercased()) ? name : quoted(name)
  }

  /// Any text, in quotes, with the code of every character that could end the quotes or is special.
  static func quoted(_ text: String) -> String {
    // The grammar looks for a direction in every line, even inside quotes.
    let hidesSpaces = text.lowercased().contains("direction")
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case " " where !hidesSpaces: result += " "
      case "-", ".", ",", "(", ")": result.unicodeScalars.append(scalar)
      case _ where isPlain(scalar) || (scalar.value > 0xBF && scalar.properties.isAlphabetic) || scalar == "→":
        result.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control: result += "#32;"
      default: result += "#\(scalar.value);"
      }
    }
    return "\"" + (result.isEmpty ? "#32;" : result) + "\""
  }

  /// The name or type of a column, for which there are no quotes: what cannot be spelled becomes an underscore, and so
  /// do letters beyond ASCII, which Mermaid 10 does not take here.
  static func word(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isSpelled = isPlain(scalar) || "()[]-".unicodeScalars.contains(scalar)
      result.unicodeScalars.append(isSpelled ? scalar : "_")
    }
    let isKey = ["pk", "fk", "uk"].contains { key in
      let lowered = result.lowercased().unicodeScalars
      return lowered.starts(with: key.unicodeScalars) && (lowered.dropFirst(2).first.map { !isPlain($0) } ?? true)
    }
    // A word begins with a letter, and three words are marks of keys.
    let begins = result.unicodeScalars.first.map { isPlain($0) && !isDigit($0) } ?? false
    return begins && !isKey ? result : "_" + result
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
