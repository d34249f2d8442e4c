import SchemaKit

/// A connection's knowledge of its transaction.
struct RemoteTransaction {
  private(set) var isOpen = false
  /// The error by which it is lost. Until it is rolled back, nothing is sent, because it would run outside a transaction.
  private(set) var loss: RemoteError?
  /// True if it has changed anything.
  private(set) var hasWritten = false
  /// The savepoints that are open, by their names in lower case.
  private var savepoints: [String] = []
  private var beganWithSavepoint = false

  /// True if a statement makes changes permanent: when its answer is lost, nobody knows whether they are.
  func makesPermanent(_ statement: RemoteStatement) -> Bool {
    switch statement.effect {
    case .commit: isOpen && hasWritten
    case .release: hasWritten && endsTransaction(statement)
    case .change, .definition: !isOpen
    default: false
    }
  }

  /// True if a statement begins a transaction.
  func begins(_ statement: RemoteStatement) -> Bool {
    statement.effect == .begin || statement.effect == .savepoint && !isOpen
  }

  /// Takes in that a statement was carried out.
  mutating func note(_ statement: RemoteStatement) {
    switch statement.effect {
    case .begin: self = RemoteTransaction(isOpen: true)
    case .savepoint:
      if !isOpen { self = RemoteTransaction(isOpen: true, beganWithSavepoint: true) }
      savepoints.append(statement.name)
    case .release:
      if endsTransaction(statement) {
        self = RemoteTransaction()
      } else if let index = savepoints.lastIndex(of: statement.name) {
        savepoints.removeSubrange(index...)
      }
    case .rollbackTo:
      if let index = savepoints.lastIndex(of: statement.name) { savepoints.removeSubrange((index + 1)...) }
    case .commit, .rollback: self = RemoteTransaction()
    case .change, .definition: hasWritten = isOpen
    case .read, .explain, .pragma, .setting: break
    }
  }

  /// Takes in that an open transaction is gone from the server.
  mutating func lose(_ problem: RemoteError) { if isOpen { loss = loss ?? problem } }

  init() {}

  private init(isOpen: Bool, beganWithSavepoint: Bool = false) {
    self.isOpen = isOpen
    self.beganWithSavepoint = beganWithSavepoint
  }

  /// The outermost savepoint of a transaction that a savepoint began ends it.
  private func endsTransaction(_ statement: RemoteStatement) -> Bool {
    statement.effect == .release && beganWithSavepoint && savepoints.lastIndex(of: statement.name) == 0
  }
}
