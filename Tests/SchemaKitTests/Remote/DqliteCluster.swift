import Foundation
import SchemaKitRemote
import Testing

/// Three dqlite nodes on this machine. Tests that need them run where SCHEMAKIT_CLUSTER is set, as `make check-remote` does.
///
/// It has identity because it owns a process, which ends with it.
final class DqliteCluster: @unchecked Sendable {
  static let isWanted = ProcessInfo.processInfo.environment["SCHEMAKIT_CLUSTER"] != nil

  let addresses: [String]
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  // `lock` keeps a command and its answer together.
  private let lock = NSLock()

  /// - Parameters:
  ///   - port: The port of the first node; one that is free otherwise.
  ///   - latency: The latency that the nodes expect, in milliseconds: on a busy machine a leader needs a long one.
  init(port: Int? = nil, latency: Int = 100) throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", root.appendingPathComponent("scripts/cluster/dqlite_cluster.py").path]
      + ["--latency", "\(latency)"] + (port.map { ["--port", "\($0)"] } ?? [])
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
    addresses = Self.line(answers).split(separator: ",").map(String.init)
    try #require(addresses.count == 3)
  }

  deinit {
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Kills, starts, stops or continues a node, by its number from 1.
  func tell(_ verb: String, _ node: Int) {
    lock.withLock {
      commands.fileHandleForWriting.write(Data("\(verb) \(node)\n".utf8))
      _ = Self.line(answers)
    }
  }

  func connection(to database: String, limits: DqliteConnection.Limits = .init()) throws -> DqliteConnection {
    try DqliteConnection(to: addresses, database: database, limits: limits)
  }

  private static func line(_ pipe: Pipe) -> String {
    var bytes = Data()
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), byte.count == 1, byte[0] != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
