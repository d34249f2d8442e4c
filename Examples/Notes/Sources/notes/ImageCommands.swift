import ArgumentParser

extension Notes {
  struct Images: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds images to a note, removes and lists them.",
      subcommands: [Add.self, Remove.self, ListImages.self])
  }
}

extension Notes.Images {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copies files beside the database, and adds them to a note: all of them or none.")

    @Argument var id: Int64
    @Argument(help: "The files.") var files: [String]

    @Option(help: ArgumentHelp("Where they stand and how large they are.", valueName: "x,y,width,height"))
    var frame = Frame(x: 0, y: 0, width: 200, height: 150)

    @OptionGroup var options: DatabaseOptions

    func run() throws {
      for image in try options.open().addImages(files, at: frame, to: id) {
        print("\(image.name) is added to note \(id).")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Removes an image from a note, and its file.")

    @Argument var id: Int64
    @Argument(help: "The name under which the image is listed.") var name: String
    @OptionGroup var options: DatabaseOptions

    func run() throws {
      try options.open().removeImage(name, from: id)
      print("\(name) is removed from note \(id).")
    }
  }

  struct ListImages: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the images of a note, with their files.")

    @Argument var id: Int64
    @OptionGroup var options: DatabaseOptions

    func run() throws {
      let notebook = try options.open()
      let images = try notebook.note(id).images
      for image in images {
        let (path, bytes) = try notebook.file(of: image)
        print(Output.text(image))
        print("  \(path), \(bytes.map { "\($0) bytes" } ?? "which is missing")")
      }
      if images.isEmpty { print("Note \(id) has no images.") }
    }
  }
}

extension Frame: ExpressibleByArgument {
  init?(argument: String) {
    let numbers = argument.split(separator: ",").map { Double($0) }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3],
      width > 0, height > 0, (x + y + width + height).isFinite
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }

  var defaultValueDescription: String { [x, y, width, height].map { Output.text($0) }.joined(separator: ",") }
}
