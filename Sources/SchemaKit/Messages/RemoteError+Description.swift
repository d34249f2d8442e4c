extension RemoteError: AdvisingError {
  public var description: String { message.words(for: .programs) }

  package var message: Remedy {
    switch reason {
    case .unreachable(let addresses, let problem): "Cannot reach \(addresses.joined(separator: ", ")): \(problem)."
    case .noLeader:
      "The servers have no leader: more than half of them must run and reach each other."
    case .connectionLost(let problem):
      "The connection was lost: \(problem). A transaction that was open is rolled back."
    case .outcomeUnknown(let problem):
      "The connection was lost while a change was made permanent: \(problem). It may be in the database or not. "
        + "Look before it is made again."
    case .timedOut(let seconds): "The server did not answer within \(seconds) seconds."
    case .malformed: "The server's answer is not in its protocol."
    case .brokenText(let column, let name):
      "Column \(name ?? "\(column + 1)") of a row has a text that is not valid UTF-8. It cannot be read as it is, and nothing is repaired."
    case .answerTooLarge(let bytes): "The server's answer is larger than \(bytes) bytes, and was not read to its end."
    case .lockTaken:
      "The server took the lock from the transaction, and rolled it back: another program wanted to write, and the "
        + "transaction was older than the server allows, which is 5 seconds. Make the change while nobody writes."
    case .unauthorized(let host):
      "\(host) refuses the token, or needs one with more rights. Give one \(.giveToken)."
    case .redirected(let host, let place):
      "\(host) sends to \(place), and nothing is sent there: a token must not go to another place. Name that address if it is right."
    case .otherProtocol(let host): "\(host) does not speak Hrana 3, the protocol of libSQL servers."
    case .refused(let status, let problem):
      "The server refused with the status \(status)" + (problem.isEmpty ? "." : ": \(problem).")
    case .tokenInClear(let host):
      "A token is not sent to \(host) over http, where whoever is on the way reads it. Use https or libsql, or a tunnel "
        + "that ends on this machine."
    case .token: "What was given as a token is not one: it is empty, or has characters that no token has."
    case .cancelled: "The work was cancelled."
    case .unsupported(.nulInText): "A text with the character U+0000 cannot be sent: dqlite cuts texts there."
    case .unsupported(.statement(let statement)):
      "\(statement) cannot be sent: the server does not carry it out safely."
    case .unsupported(.columns(let count)): "\(count) columns cannot be read at once: a dqlite server sends 490."
    case .unsupported(.values(let count)):
      "\(count) values cannot be sent with one statement: a dqlite server takes 255."
    case .unsupported(.copy(let object)):
      "A copy of the database cannot be made, since \(object) cannot be copied exactly. If none is needed, \(.omitCopy)."
    case .unsupported(.encoding(let encoding)): "The database stores texts in \(encoding). Only UTF-8 is read exactly."
    case .unsupported(.onlyWithFile(let work)):
      "\(work.sentence): this is possible with files only, and the database is on a server. Nothing was changed."
    case .address(let address, let problem): "\(address) is not an address of a database: \(problem)."
    case .insecure(let host):
      "A connection to \(host) is neither encrypted nor authenticated: whoever is on the way reads and changes what is sent. "
        + "Use a tunnel that ends on this machine, or \(.connectInsecurely)."
    }
  }
}

extension RemoteError.LocalWork {
  fileprivate var sentence: String {
    switch self {
    case .attachments: "Attachments are files beside the database"
    case .backup: "The database cannot be copied through a session"
    case .collations: "The configuration adds collations in Swift"
    case .encryption: "A key was given, or is to be changed"
    case .functions: "The configuration adds functions in Swift"
    case .observers: "Changes cannot be observed"
    case .openParameters: "The configuration has open parameters"
    case .seedFile: "The configuration names a seed file"
    case .waitingForLocks: "The configuration says how to wait for locks, which the connection does by its own limits"
    case .fleetPlans: "The configuration has the plan of a fleet"
    case .phases: "The configuration has a phase of a migration"
    case .readOnly: "The configuration is read-only"
    case .recordedMigrations: "The configuration has recorded migrations"
    case .dataSteps: "The schema has data steps in Swift"
    case .tracedValues: "The configuration traces statements with their values"
    case .untrustedSchema: "The configuration does not trust the schema"
    }
  }
}
