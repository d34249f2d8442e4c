/// The error thrown when a database on a server cannot be read or changed, for a reason that is not in its SQL.
public struct RemoteError: Error, Sendable, Hashable {
  /// The reason for the error.
  public enum Reason: Sendable, Hashable {
    /// None of the addresses answered as a server does.
    case unreachable([String], problem: String)
    /// The servers answer, and have not agreed on a leader.
    case noLeader
    /// The connection was lost in a transaction, which was rolled back.
    case connectionLost(problem: String)
    /// The connection was lost while a change was made permanent: the servers may have it or not.
    case outcomeUnknown(problem: String)
    /// The server did not answer in time, in seconds.
    case timedOut(Double)
    /// The server answered with bytes that are not in its protocol.
    case malformed
    /// The server's answer is larger than what is taken, in bytes.
    case answerTooLarge(Int)
    /// The server gave the write lock of a transaction to another connection, and rolled the transaction back.
    case lockTaken
    /// The server refuses the token, or asks for one.
    case unauthorized(host: String)
    /// The server sends to another place, where nothing is sent.
    case redirected(host: String, to: String)
    /// The server knows no such path: it is another kind of server.
    case otherProtocol(host: String)
    /// The server could not carry out the request, and says so with a status of HTTP.
    case refused(status: Int, problem: String)
    /// A token would be sent to another machine without encryption.
    case tokenInClear(host: String)
    /// A token has a character that no token has, or none at all.
    case token
    /// The work was cancelled.
    case cancelled
    /// A row has a text that is not valid UTF-8, in a column that is counted from 0.
    case brokenText(column: Int, name: String?)
    /// The server cannot do this exactly.
    case unsupported(Unsupported)
    /// The address is not one.
    case address(String, problem: String)
    /// Everything that is sent could be read on the way, and nobody has agreed to that.
    case insecure(host: String)
  }

  /// Something that a server cannot do exactly.
  public enum Unsupported: Sendable, Hashable {
    /// A text with the character U+0000, which its protocol cuts there.
    case nulInText
    /// A statement that ends the server, or that it does not carry out as SQLite does.
    case statement(String)
    /// A query with more columns than a server sends: 490.
    case columns(Int)
    /// More values of parameters than a server takes: 255.
    case values(Int)
    /// A database whose texts are not stored in UTF-8.
    case encoding(String)
    /// Work that needs the database to be a file on this machine.
    case onlyWithFile(LocalWork)
    /// A copy of an object that cannot be made again exactly as it is.
    case copy(of: String)
  }

  /// Work that is possible only on a database that is a file of this machine.
  public enum LocalWork: String, Sendable, Hashable {
    case attachments, backup, collations, encryption, functions, observers, openParameters, seedFile
    case waitingForLocks, fleetPlans, readOnly, recordedMigrations, dataSteps, tracedValues, untrustedSchema, phases
  }

  /// The reason for the error.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }
}
