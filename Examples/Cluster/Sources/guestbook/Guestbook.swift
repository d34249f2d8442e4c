import ArgumentParser
import Foundation
import SchemaKit
import SchemaKitRemote

/// The command `guestbook`: writes and reads entries all the time, and halfway brings the database to the next schema.
@main
struct Guestbook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guestbook",
    abstract: "Writes and reads entries in a database on servers, while its schema changes.",
    discussion: "Kill the server that leads meanwhile: no entry that was written is lost.")

  @Argument(help: "The database, such as dqlite://127.0.0.1:9001,127.0.0.1:9002/guestbook.")
  var database: String

  @Option(help: "How long to write, in seconds.")
  var seconds = 10

  func run() async throws {
    let address = database
    let connect: @Sendable () throws -> any ServerConnection = { try RemoteServers.connection(to: address) }
    if let cluster = try connect() as? DqliteConnection, let leader = cluster.leader { say("\(leader) leads.") }
    let writer = try await Writer(Database(schema: FirstVersion.schema, onServer: connect))
    let writing = Task { try await writer.run() }

    try await Task.sleep(for: .seconds(seconds) / 2)
    let changed = try await persistently { try await Database(schema: SecondVersion.schema, onServer: connect) }
    say("The schema was changed after \(await writer.written.count) entries.")

    try await Task.sleep(for: .seconds(seconds) / 2)
    writing.cancel()
    _ = await writing.result
    let (written, losses) = await (writer.written, writer.losses)
    let stored = try await persistently { try await changed.all(SecondVersion.Entry.self) }
    let missing = Set(written).subtracting(stored.map(\.id))
    say("\(written.count) entries were written, and \(missing.count) of them are missing.")
    say("The writer's connection was lost \(losses) times.")
    if !missing.isEmpty { throw ExitCode.failure }
  }

  /// Prints a line at once, also into a file.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Runs work again where a connection is lost: what was open is rolled back, and the next server may lead by then.
  private func persistently<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
    for _ in 1..<20 {
      do { return try await work() } catch is RemoteError { try await Task.sleep(for: .milliseconds(200)) }
    }
    return try await work()
  }
}

/// Writes one entry after the other until its task is cancelled.
actor Writer {
  private let database: Database
  /// The numbers of the entries that the database has acknowledged.
  private(set) var written: [Int64] = []
  /// How often the connection was lost.
  private(set) var losses = 0

  init(_ database: Database) { self.database = database }

  func run() async throws {
    var number = try await database.read { try $0.value(FirstVersion.Entry.self, { $0.id.max }) } ?? 0
    while !Task.isCancelled {
      number += 1
      // The entry has its key already. If nobody knows whether a lost connection wrote it, writing it again is harmless.
      let entry = FirstVersion.Entry(id: number, text: "Entry \(number)")
      while !Task.isCancelled {
        do {
          try await database.save(entry, .ignore)
          written.append(number)
          break
        } catch is RemoteError {
          losses += 1
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }
}
