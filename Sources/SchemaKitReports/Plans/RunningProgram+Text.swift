import SchemaKit
package import SchemaKitOperations

extension RunningProgram {
  /// The answer to the question that was asked, in a line.
  package var headline: String {
    notes.isEmpty
      ? "A running program with the schema of \(schema) finds and writes what it did."
      : "A running program with the schema of \(schema) meets \(Wording.counted(notes.count, "difference")):"
  }

  /// The answer for people; a remedy of several notes in a row stands under the last of them.
  package func lines(style: Style) -> [String] {
    let texts = notes.indices.flatMap { at -> [String] in
      let note = notes[at]
      var lines = style.paragraph(note.message, indent: 11)
      lines[0] = "  · \(style.bold(note.code.rawValue))  " + lines[0].dropFirst(11)
      let isRepeated = at + 1 < notes.count && notes[at + 1].hasWay(of: note)
      return isRepeated ? lines : lines + style.paragraph(note.remedy, indent: 11).map(style.dim)
    }
    return [headline] + texts
  }

  /// The answer in Markdown, a line for the question and one for each note.
  var markdown: [String] {
    [MarkdownText.escaped(headline), ""]
      + notes.map {
        "- ℹ️ **\($0.code.rawValue)** \(MarkdownText.escaped($0.message))<br>*\(MarkdownText.escaped($0.remedy))*"
      }
  }

  /// The answer as a part of a page.
  var markup: String {
    Markup.text("p", [:], headline) + "\n"
      + notes.map { note in
        Markup.element(
          "p", ["class": "allowed"],
          Markup.text("strong", [:], note.code.rawValue) + " " + Markup.escaped(note.message) + Markup.element("br")
            + Markup.text("em", [:], note.remedy))
      }.joined(separator: "\n")
  }
}

extension RunningNote {
  /// True if two notes have one way out.
  fileprivate func hasWay(of other: RunningNote) -> Bool {
    way == other.way && (way != .change || code == other.code)
  }
}

/// The form that the notes have as JSON. Its names are a contract.
package struct RunningDocument: Encodable {
  struct Note: Encodable {
    var code: String
    var title: String
    var object: String
    var table: String
    var column: String?
    var message: String
    var remedy: String
    var canExpand: Bool

    init(_ note: RunningNote) {
      code = note.code.rawValue
      title = note.code.title
      object = note.object
      table = note.table.text
      column = note.column?.text
      message = note.message
      remedy = note.remedy
      canExpand = note.way == .expand
    }
  }
  var schema: String
  var notes: [Note]

  package init(_ program: RunningProgram) {
    schema = program.schema
    notes = program.notes.map(Note.init)
  }
}
