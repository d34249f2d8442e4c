import ArgumentParser
import Foundation
import SchemaKit
import SchemaKitRemote

/// A row as the first version of a program has it, of about 100 bytes.
enum FirstVersion {
  struct Entry: Model {
    let id: Int64
    var author: String
    var text: String
    var rating: Int?

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("author", \.author)
      Column("text", \.text)
      Column("rating", \.rating)
    }
  }

  static let schema = ModelSchema { Entry.self }
}

/// The second version, for which every row is copied: numbers become texts.
enum SecondVersion {
  struct Entry: Model {
    let id: Int64
    var author: String
    var text: String
    var rating: String?

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("author", \.author)
      Column("text", \.text)
      Column("rating", \.rating)
    }
  }

  static let schema = ModelSchema { Entry.self }
}

@main
struct ServersBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "servers-bench",
    abstract: "Times objects and a change of their table on servers, and in a file on this machine.",
    discussion: "The databases have to be empty, and are filled. scripts/bench-servers.py starts servers and runs it.")

  @Argument(help: "Addresses of databases on servers, such as dqlite://127.0.0.1:9001/bench or http://127.0.0.1:8080.")
  var databases: [String] = []

  @Option(help: "How many rows are saved at once, read and copied.")
  var rows = 100_000

  @Option(help: "How many objects are saved one by one, and found by their keys.")
  var calls = 1000

  @Option(help: "Where the file is made; the temporary folder by default.")
  var directory: String?

  func run() throws {
    #if DEBUG
      throw ValidationError("built for debugging, the figures would mean nothing: swift run -c release servers-bench")
    #else
      try measure()
    #endif
  }

  private func measure() throws {
    let folder = URL(fileURLWithPath: directory ?? NSTemporaryDirectory()).appending(path: "servers-bench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file.db").path(percentEncoded: false)
    let base = try phases(
      open: { try Session(at: file, schema: FirstVersion.schema) },
      change: { try Session(at: file, schema: SecondVersion.schema) { $0.backup = .never } })
    try print(base, over: base, name: "file")
    for address in databases {
      let figures = try phases(
        open: { try Session(onServer: RemoteServers.connection(to: address), schema: FirstVersion.schema) },
        change: {
          try Session(onServer: RemoteServers.connection(to: address), schema: SecondVersion.schema) {
            $0.backup = .never
          }
        })
      try print(figures, over: base, name: address)
    }
  }

  private struct Phase {
    let name: String
    let rows: Int
    let seconds: Double
    var rate: Double { Double(rows) / seconds }
  }

  private func phases(open: () throws -> Session, change: () throws -> Session) throws -> [Phase] {
    let session = try open()
    var phases: [Phase] = []
    func time(_ name: String, _ rows: Int, _ work: () throws -> Void) rethrows {
      let start = ContinuousClock.now
      try work()
      let took = ContinuousClock.now - start
      phases.append(Phase(name: name, rows: rows, seconds: took / .seconds(1)))
    }
    func entry(_ number: Int) -> FirstVersion.Entry {
      FirstVersion.Entry(
        id: Int64(number), author: "Author \(number % 100)",
        text: "Entry \(number) " + String(repeating: "x", count: 60),
        rating: number % 7 == 0 ? nil : number % 5)
    }
    let bulk = (0..<rows).map(entry)
    try time("save, all in one transaction", rows) { _ = try session.save(bulk) }
    try time("save, each in a transaction", calls) {
      for number in rows..<(rows + calls) { _ = try session.save(entry(number)) }
    }
    try time("find by key", calls) {
      for number in 0..<calls {
        let entry = try session.find(FirstVersion.Entry.self, Int64(number * 7919 % rows))
        guard entry != nil else { throw Wrong(rows: number) }
      }
    }
    var read = 0
    try time("read all", rows + calls) { read = try session.all(FirstVersion.Entry.self).count }
    guard read == rows + calls else { throw Wrong(rows: read) }
    try session.close()

    var changed: Session?
    try time("change that copies the table", rows + calls) { changed = try change() }
    let left = try changed?.all(SecondVersion.Entry.self).count ?? 0
    guard left == rows + calls else { throw Wrong(rows: left) }
    try changed?.close()
    return phases
  }

  private func print(_ phases: [Phase], over base: [Phase], name: String) throws {
    Swift.print(name)
    for (phase, first) in zip(phases, base) {
      let ratio = String(format: "%8.1f x", first.rate / phase.rate)
      Swift.print("  " + phase.name.padding(toLength: 32, withPad: " ", startingAt: 0), terminator: "")
      Swift.print(String(format: "%10.0f rows/s", phase.rate), ratio)
    }
    fflush(nil)
  }

  private struct Wrong: Error { let rows: Int }
}
