import ArgumentParser
import Foundation
import SchemaKit

/// The command `notes`.
@main
struct Notes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: "Keeps notes in a file.",
    discussion: """
      The exit code is 0 when it is done, 2 when there is no such file, note or image, 1 when something else is wrong, and \
      64 when the command is not understood.
      """,
    subcommands: [List.self, New.self, Show.self, Edit.self, Delete.self, Images.self])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as NotesError {
      Output.error("notes: \(error)")
      exit(withCode: error.exitCode)
    } catch let error as any Error & CustomStringConvertible where Self.isTold(error) {
      Output.error("notes: \(error)")
      exit(withCode: 1)
    } catch {
      exit(withError: error)
    }
  }

  /// Whether an error says itself what is wrong.
  private static func isTold(_ error: any Error) -> Bool {
    error is RecordError || error is SQLiteError || error is RemoteError || error is PlanError
  }

  private static func exit(withCode code: Int32) -> Never { exit(withError: ExitCode(code)) }
}

/// The option that all commands have.
struct DatabaseOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file of the notes, or the address of a database on servers.", valueName: "file"))
  var database = "notes.db"

  func open(creating isCreating: Bool = false) throws -> Notebook {
    if database.contains("://") { return try Notebook(onServer: database) }
    return try Notebook(at: database, creating: isCreating) { Output.error("notes: \($0)") }
  }
}

/// How a note looks; what is missing stays as it is.
struct StyleOptions: ParsableArguments {
  @Option(help: "The font of the text.")
  var font: String?

  @Option(help: "The size of the font, in points.")
  var size: Double?

  @Option(help: ArgumentHelp("The colour of the text, as six hexadecimal digits.", valueName: "hex"))
  var colour: Colour?
}

/// Where and how texts are printed.
enum Output {
  static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// A moment, in UTC.
  static func text(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
  }

  /// A number without needless zeros.
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }

  static func text(_ image: PlacedImage) -> String {
    let frame = image.frame
    return "\(image.name), \(text(frame.width)) × \(text(frame.height)) at \(text(frame.x)), \(text(frame.y))"
  }
}
