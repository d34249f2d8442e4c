import ArgumentParser
import Foundation

extension Notes {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the notes, those changed last first.")
    private static let pageSize = 20

    @Option(help: ArgumentHelp("Only notes with this in the title or the text.", valueName: "text"))
    var search: String?

    @Option(help: "The page, from 1; a page has 20 notes.")
    var page = 1

    @OptionGroup var options: DatabaseOptions

    func validate() throws {
      guard page > 0 else { throw ValidationError("Pages are counted from 1.") }
    }

    func run() throws {
      let (lines, count) = try options.open().lines(matching: search, page: page, size: Self.pageSize)
      for line in lines {
        let images = line.images == 0 ? "" : line.images == 1 ? "  (1 image)" : "  (\(line.images) images)"
        print("\(line.id)  \(Output.text(line.modified))  \(line.title)\(images)")
      }
      let pages = max(1, (count + Self.pageSize - 1) / Self.pageSize)
      if count == 0 {
        print(search == nil ? "There are no notes yet." : "No note has this in it.")
      } else if page > pages {
        print(pages == 1 ? "There is only 1 page." : "There are only \(pages) pages.")
      } else if pages > 1 {
        print("Page \(page) of \(pages); \(count) notes.")
      }
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a new note, in a new file where there is none.")

    @Argument var title: String
    @Argument var body: String
    @OptionGroup var style: StyleOptions
    @OptionGroup var options: DatabaseOptions

    func run() throws {
      let note = try options.open(creating: true).add(
        title: title, text: body, font: style.font ?? "Helvetica Neue", size: style.size ?? 15,
        colour: style.colour ?? .black)
      print("Note \(note.id ?? 0) is written.")
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a note.")

    @Argument var id: Int64
    @OptionGroup var options: DatabaseOptions

    func run() throws {
      let note = try options.open().note(id)
      print(note.title)
      print(note.text)
      print("")
      print("Font:    \(note.font) \(Output.text(note.size)), \(note.colour.rawValue)")
      print("Created: \(Output.text(note.created))")
      print("Changed: \(Output.text(note.modified))")
      for image in note.images { print("Image:   \(Output.text(image))") }
    }
  }

  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes a note. What is not named stays, and so does the date of its creation.")

    @Argument var id: Int64
    @Option var title: String?
    @Option var body: String?
    @OptionGroup var style: StyleOptions
    @OptionGroup var options: DatabaseOptions

    func validate() throws {
      guard title != nil || body != nil || style.font != nil || style.size != nil || style.colour != nil else {
        throw ValidationError("Say what to change: --title, --body, --font, --size or --colour.")
      }
    }

    func run() throws {
      try options.open().edit(id) { note in
        note.title = title ?? note.title
        note.text = body ?? note.text
        note.font = style.font ?? note.font
        note.size = style.size ?? note.size
        note.colour = style.colour ?? note.colour
      }
      print("Note \(id) is changed.")
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deletes a note and its images.")

    @Argument var id: Int64
    @OptionGroup var options: DatabaseOptions

    func run() throws {
      try options.open().delete(id)
      print("Note \(id) is deleted.")
    }
  }
}
