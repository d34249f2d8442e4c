import Foundation
import SchemaKitRemote
import Testing

/// sqld on this machine. Tests that need it run where SCHEMAKIT_SQLD is set, as `make check-remote` does.
///
/// It has identity because it owns a process, which ends with it.
final class SqldServer: @unchecked Sendable {
  static let isWanted = ProcessInfo.processInfo.environment["SCHEMAKIT_SQLD"] != nil

  let address: String
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  // `lock` keeps a command and its answer together.
  private let lock = NSLock()

  /// - Parameters:
  ///   - port: The port of the server; one that is free otherwise.
  ///   - token: A file for the token without which nothing is answered.
  init(port: Int? = nil, token: URL? = nil) throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", root.appendingPathComponent("scripts/cluster/sqld.py").path]
      + (port.map { ["--port", "\($0)"] } ?? []) + (token.map { ["--auth", $0.path] } ?? [])
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
    address = Self.line(answers)
    try #require(address.hasPrefix("http://"))
  }

  deinit {
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  var port: UInt16 { address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

  /// Kills, starts, stops or continues the server.
  func tell(_ verb: String) {
    lock.withLock {
      commands.fileHandleForWriting.write(Data("\(verb)\n".utf8))
      _ = Self.line(answers)
    }
  }

  func connection(limits: LibSQLConnection.Limits = .init()) throws -> LibSQLConnection {
    try LibSQLConnection(to: address, limits: limits)
  }

  private static func line(_ pipe: Pipe) -> String {
    var bytes = Data()
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), byte.count == 1, byte[0] != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
