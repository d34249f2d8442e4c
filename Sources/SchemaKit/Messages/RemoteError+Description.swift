extension RemoteError: CustomStringConvertible {
  public var description: String {
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
    case .cancelled: "The work was cancelled."
    case .unsupported(.nulInText): "A text with the character U+0000 cannot be sent: dqlite cuts texts there."
    case .unsupported(.statement(let statement)):
      "\(statement) cannot be sent: a dqlite server does not carry it out safely."
    case .unsupported(.columns(let count)): "\(count) columns cannot be read at once: a dqlite server sends 490."
    case .unsupported(.values(let count)):
      "\(count) values cannot be sent with one statement: a dqlite server takes 255."
    case .unsupported(.encoding(let encoding)): "The database stores texts in \(encoding). Only UTF-8 is read exactly."
    case .unsupported(.onlyWithFile(let work)):
      "\(work.sentence): this is possible with files only, and the database is on a server. Nothing was changed."
    case .address(let address, let problem): "\(address) is not an address of a database: \(problem)."
    case .insecure(let host):
      "A connection to \(host) is neither encrypted nor authenticated: whoever is on the way reads and changes what is sent. "
        + "Use a tunnel that ends on this machine, or pass --insecure."
    }
  }
}

extension RemoteError.LocalWork {
  fileprivate var sentence: String {
    switch self {
    case .backup: "The database cannot be copied through a session"
    case .collations: "The configuration adds collations in Swift"
    case .encryption: "A key was given, or is to be changed"
    case .functions: "The configuration or a model adds functions in Swift"
    case .observers: "Changes cannot be observed"
    case .openParameters: "The configuration has open parameters"
    case .seedFile: "The configuration names a seed file"
    case .busyHandler: "The configuration has a busy handler"
    case .fleetPlans: "The configuration has the plan of a fleet"
    case .readOnly: "The configuration is read-only"
    case .recordedMigrations: "The configuration has recorded migrations"
    case .dataSteps: "The schema has data steps in Swift"
    case .tracedValues: "The configuration traces statements with their values"
    case .untrustedSchema: "The configuration does not trust the schema"
    }
  }
}
