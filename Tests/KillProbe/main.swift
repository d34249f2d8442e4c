import CSQLite
import Foundation
import SchemaKit
import SchemaKitOperations

// Migrates a database file to the schema of an SQL file, and kills itself on the way where it is told to:
//
//     kill-probe DATABASE SCHEMA.sql [N | commit | done]
//
// N kills the process right after its N-th statement (0, the default: never), `commit` when everything is written and
// SQLite begins to commit, `done` right after the migration has returned. Prints the outcome and the statement count.
//
//     kill-probe lock DATABASE COUNT MILLISECONDS
//     kill-probe lock DATABASE held
//
// holds write locks as another program would; see LockHolder.
//
//     kill-probe open
//     kill-probe insert
//
// open files, or write to them, as one of many processes at the same moment; see OpeningRounds.
//
//     kill-probe commit DATABASE
//
// commits to a file while another process observes it; see CommittingRounds.
//
//     kill-probe rekey DATABASE PASSPHRASE OTHER
//
// changes the key of an encrypted file, until a recorder of writes kills it.

/// Ends the process as a power switch would: no handler runs, nothing is flushed or closed.
func die() { kill(getpid(), SIGKILL) }

/// Writes a line to standard error and ends the process.
func stop(_ message: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(code)
}

/// Whether the commit that comes is the one to die in; read by SQLite's hook.
nonisolated(unsafe) let isArmed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
isArmed.initialize(to: false)

/// Opens the file; for `commit`, over a handle of its own whose commit hook kills the process once it is armed.
func connection(path: String, dyingInCommit: Bool) throws -> SQLiteConnection {
  guard dyingInCommit else { return try SQLiteConnection(path: path, mode: .readWrite) }
  var handle: OpaquePointer?
  guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
    stop("cannot open \(path)", code: 1)
  }
  sqlite3_commit_hook(
    handle,
    { flag in
      if flag?.load(as: Bool.self) == true { die() }
      return 0
    }, isArmed)
  return try SQLiteConnection(borrowing: handle, sourceID: String(cString: sqlite3_sourceid()))
}

let arguments = CommandLine.arguments
if arguments.count > 3, arguments[1] == "lock" {
  LockHolder(path: arguments[2]).run(Array(arguments[3...]))
}
if arguments.count == 2, arguments[1] == "open" { OpeningRounds().run() }
if arguments.count == 2, arguments[1] == "insert" { InsertingRounds().run() }
if arguments.count == 3, arguments[1] == "commit" { CommittingRounds(path: arguments[2]).run() }
if arguments.count == 5, arguments[1] == "rekey" {
  do {
    let connection = try SQLiteConnection(
      path: arguments[2], mode: .readWrite, key: EncryptionKey(passphrase: arguments[3]))
    try connection.execute("PRAGMA cache_size = 4")
    try connection.changeKey(to: EncryptionKey(passphrase: arguments[4]))
    exit(0)
  } catch {
    stop("\(error)", code: 1)
  }
}
guard (3...4).contains(arguments.count) else {
  stop("usage: kill-probe DATABASE SCHEMA.sql [N | commit | done]", code: 64)
}
let moment = arguments.count == 4 ? arguments[3] : "0"

do {
  let connection = try connection(path: arguments[1], dyingInCommit: moment == "commit")
  // With hardly any cache, changed pages reach the file long before COMMIT, so that a kill leaves something to undo.
  try connection.execute("PRAGMA cache_size = 4")
  var request = ChangeRequest(allowing: .everything)
  // The kills are to hit copies of tables.
  request.plan.policy.strategy = .rebuild
  var statementCount = 0
  request.observer.onStatement = { number in
    statementCount = number
    isArmed.pointee = true
    if moment == "\(number)" { die() }
  }
  let target = try SchemaSource.at(path: arguments[2]).load().target
  let report = try Change(over: connection, to: target, request).apply()
  if moment == "done" { die() }
  print("\(report.outcome.rawValue) \(statementCount)")
} catch {
  stop("\(error)", code: 1)
}
