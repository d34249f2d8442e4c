import Foundation
import SchemaKit

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
    let tree = try git(["ls-tree", "--name-only", place, "./"])
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
    let names = try git(["diff", "--name-only", "--relative", "--diff-filter=MDT", place, "--", "./"])
    return names.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasSuffix(".sql") }
  }

  private var isFolder: Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  private func git(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw CommandError(code: .failed, sentence: "git cannot be run: \(error.localizedDescription)")
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandError.usage(
        "--base \(place) is neither a folder nor a revision that git knows in \(folder): "
          + problem.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    return text
  }
}
