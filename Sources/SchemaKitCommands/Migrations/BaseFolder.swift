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
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory), isDirectory.boolValue {
      return Set(try MigrationFolder(reading: place, ignoringChecksums: true).steps.map(\.name))
    }
    let tree = try git(["ls-tree", "--name-only", place, "./"])
    let names = tree.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasSuffix(".sql") }
    return Set(
      names.filter { !$0.hasSuffix(".before.sql") && !$0.hasSuffix(".after.sql") }.map { String($0.dropLast(4)) })
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
