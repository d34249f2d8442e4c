import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// The folder of migrations as another branch has it.
struct BaseFolder {
  private let place: String
  private let folder: String

  /// - Parameters:
  ///   - place: A folder, or a git revision.
  ///   - folder: The folder of this branch.
  init(_ place: String, of folder: String) {
    self.place = place
    self.folder = folder
  }

  /// The names of the steps that it has.
  func stepNames() throws -> Set<String> {
    if isFolder {
      return Set(try MigrationFolder(reading: place, ignoringChecksums: true).steps.map(\.name))
    }
    let tree = try git(["ls-tree", "--name-only", "--end-of-options", place, "./"])
    let names = tree.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasSuffix(".sql") }
    return Set(
      names.filter { !$0.hasSuffix(".before.sql") && !$0.hasSuffix(".after.sql") }.map { String($0.dropLast(4)) })
  }

  /// The names of the files whose text is another one there, among those that both have, and of those that are gone.
  func changedFiles(of folder: MigrationFolder) throws -> [String] {
    if isFolder {
      let theirs = try MigrationFolder(reading: place, ignoringChecksums: true)
      return theirs.steps.flatMap { step -> [String] in
        let own = folder.steps.first { $0.name == step.name }
        return step.files.compactMap { file in
          own?.files.first { $0.suffix == file.suffix }?.text == file.text ? nil : step.name + file.suffix
        }
      }
    }
    let names = try git([
      "diff", "--name-only", "--relative", "--diff-filter=MDT", "--end-of-options", place, "--", "./",
    ])
    return names.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasSuffix(".sql") }
  }

  private var isFolder: Bool {
    FileManager.default.folderExists(atPath: place)
  }

  private func git(_ arguments: [String]) throws -> String {
    let command = (["git", "-C", folder] + arguments).map(Self.quoted).joined(separator: " ")
    let (text, status) = try Self.output(of: command + " 2>/dev/null")
    if status == 0 { return text }
    // The shell's answer for a command that it does not find.
    if status >> 8 == 127 { throw CommandError(code: .failed, sentence: "git cannot be run: it is not installed.") }
    let problem = try Self.output(of: command + " 2>&1 >/dev/null").text
    throw CommandError.usage(
      "--base \(place) is neither a folder nor a revision that git knows in \(folder): "
        + problem.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// A text as one word of a shell's command, whatever it contains.
  private static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

  /// Returns the output of a shell command, and its wait status.
  private static func output(of command: String) throws -> (text: String, status: Int32) {
    guard let pipe = popen(command, "r") else {
      throw CommandError(code: .failed, sentence: "git cannot be run: \(String(cString: strerror(errno))).")
    }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while true {
      let count = fread(&part, 1, part.count, pipe)
      if count == 0 { break }
      bytes += part.prefix(count)
    }
    let status = pclose(pipe)
    return (String(decoding: bytes, as: UTF8.self), status)
  }
}
