import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// A database that is out of reach, by what came out of it.
struct OriginOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take this instead of a database: its dump in SQL, with rows or without, a copy of its file, or - for "
        + "a dump on standard input. Without rows, what could be lost counts as lost.",
      valueName: "dump"), completion: .file())
  var from: String?

  /// The database, or what stands for it.
  ///
  /// - Parameter path: The database's path, which is asked for where nothing stands for it.
  func origin(_ database: String?, path: (String?) throws -> String, output: OutputOptions) throws -> Origin {
    guard let from else {
      let path = try path(database)
      return Origin(name: path, access: output.access(to: path))
    }
    guard database == nil else {
      throw CommandError.usage("--from \(from) stands for a database, so that none can be named beside it.")
    }
    return try Origin(from: from, output: output)
  }
}

/// A database, or one that was made from a dump and goes with this.
final class Origin {
  /// The name that its user gave it.
  let name: String
  let access: DatabaseAccess
  /// True if it stands for a database that is elsewhere.
  let isElsewhere: Bool
  /// True if rows can be examined; a dump may hold none.
  let hasRows: Bool
  /// True if its history is there as a whole.
  let hasHistory: Bool
  private let folder: String?

  init(name: String, access: DatabaseAccess) {
    (self.name, self.access, isElsewhere, hasRows, hasHistory, folder) = (name, access, false, true, true, nil)
  }

  /// Runs a dump on a database in a folder for the time being, or takes a file as it is.
  init(from place: String, output: OutputOptions) throws {
    isElsewhere = true
    let text: String
    switch place == "-" ? try TargetLoading.standardInput(output) : try SchemaSource.at(path: place) {
    case .database(let path):
      (name, access, hasRows, hasHistory, folder) = (place, output.access(to: path), true, true, nil)
      return
    case .sql(let dump, _): text = dump
    case .scripts, .snapshot, .folder, .steps:
      throw CommandError.usage("--from \(place): name a dump in SQL or a copy of the database's file.")
    }
    let name = place == "-" ? "standard input" : place
    self.name = name
    // From before the folder is there: it must not be left behind.
    let interruption = Interruption()
    let template = FileManager.default.temporaryDirectory.appendingPathComponent("schemactl-XXXXXX").path
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw CommandError(
        code: .failed,
        sentence: "no folder for the dump can be made in \(template): \(String(cString: strerror(errno))).")
    }
    let folder = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    var access = output.access(to: folder + "/dump.db")
    access.givenName = name
    self.access = access
    do {
      let database = try SQLiteConnection(path: access.path, mode: .readWriteCreate)
      interruption.stop(database.interruptHandle)
      let isStopped = { interruption.isRequested }
      let dump = try database.withCancellation(check: isStopped) {
        try DatabaseDump(text, source: name, writingTo: database)
      }
      if interruption.isRequested { throw ApplyError(reason: .cancelled) }
      (hasRows, hasHistory) = (dump.hasRows, dump.hasHistory)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }
}

extension EngineProfile.Name: ExpressibleByArgument {}

/// The engine that a plan is for.
struct ProfileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Plan for an engine that permits less than a local file: in-transaction, for a transaction of your own; d1, for "
        + "Durable Objects too; rqlite; libsql; dqlite. With --format sql, the script is for it.",
      valueName: "name"))
  var profile: EngineProfile.Name?
}
