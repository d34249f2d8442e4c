import Foundation

/// A folder of its own for one test, removed when the test lets go of it.
final class ConnectionFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "connection-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
  }
}
