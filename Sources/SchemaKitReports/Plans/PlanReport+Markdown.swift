import SchemaKit

extension PlanReport {
  /// The plan as a comment for a pull request: steps and hazards in view, the SQL folded away. A text that is too long
  /// for a comment loses the SQL, then hazards and steps from the end, and says so.
  package func markdown() -> String {
    let text = markdown(showsSQL: true) { $0 }
    if text.utf8.count <= MarkdownText.limit { return text }
    let short = markdown(showsSQL: false) { $0 }
    if short.utf8.count <= MarkdownText.limit { return short }
    // The steps and the hazards have half of the room each.
    return markdown(showsSQL: false) { rows in
      MarkdownText.fitting(rows, after: [], limit: MarkdownText.limit * 2 / 5) { count in
        ["", "And \(Wording.number(count)) more, for which there is no room."]
      }
    }
  }

  private func markdown(showsSQL: Bool, fitting: ([String]) -> [String]) -> String {
    let changes = plan.changes
    var blocks = ["### \(MarkdownText.escaped(headline))"]
    if !plan.areRowsExamined, !plan.isEmpty { blocks.append("> Rows were not examined.") }
    let last = lastLine()
    if !last.isEmpty { blocks.append("**\(MarkdownText.escaped(last))**") }
    if !plan.isEmpty {
      let rows = changes.enumerated().map { index, change in
        let what = Self.details(of: change, style: .plain).map(MarkdownText.escaped).joined(separator: "<br>")
        return
          "| \(index + 1) | \(change.action.rawValue) | \(change.object.kind) | \(MarkdownText.escaped("\(change.object)")) | \(what) |"
      }
      blocks.append(
        (["| | Step | Kind | Object | What |", "| ---: | --- | --- | --- | --- |"] + fitting(rows)).joined(
          separator: "\n"))
    }
    if !plan.hazards.isEmpty {
      blocks.append((["#### Hazards", ""] + fitting(orderedHazards.map(item))).joined(separator: "\n"))
    }
    if let running {
      let lines = running.markdown
      let shown = Array(lines.prefix(2)) + fitting(Array(lines.dropFirst(2)))
      blocks.append((["#### The running program", ""] + shown).joined(separator: "\n"))
    }
    let costs = costLines(of: changes)
    if !costs.isEmpty { blocks.append(costs.map(MarkdownText.escaped).joined(separator: "<br>\n")) }
    if !plan.isEmpty, !showsSQL {
      blocks.append("The SQL is longer than a comment may be: `plan --format sql` prints it.")
    } else if !plan.isEmpty {
      // A blank line on either side keeps the block Markdown inside of HTML.
      blocks.append("<details><summary>SQL</summary>")
      blocks.append(MarkdownText.block(sql().trimmingSuffix(while: \.isNewline), language: "sql"))
      blocks.append("</details>")
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func item(for hazard: Hazard) -> String {
    let mark = policy.permits(hazard) ? hazard.hazardClass == .note ? "ℹ️" : "✅" : "❌"
    var text =
      "- \(mark) **\(hazard.code.rawValue)** \(MarkdownText.escaped(status(of: hazard))): "
      + "\(MarkdownText.escaped(hazard.object + hazard.rowsInWords))<br>\(MarkdownText.escaped(hazard.message))"
    if let remedy = hazard.remedy { text += "<br>*\(MarkdownText.escaped(remedy))*" }
    return text
  }

  /// The amount of work and its cost, a sentence each.
  func costLines(of changes: [PlannedChange]) -> [String] {
    var lines = lastLines(of: changes, style: .plain)
    if !lastLine().isEmpty { lines.removeLast() }
    return lines
  }
}

extension String {
  /// The text without characters of one kind at its end.
  fileprivate func trimmingSuffix(while isCut: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, isCut(last) { rest.removeLast() }
    return String(rest)
  }
}
