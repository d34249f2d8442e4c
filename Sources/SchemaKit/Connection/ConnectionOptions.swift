/// The options that a connection is opened with.
///
/// The one place where a connection takes them is `SQLiteConnection.init`; further connections to the same file get those
/// of the first.
package struct ConnectionOptions: Sendable {
  var busyTimeout: Double = 10
  var busyHandler: (@Sendable (_ attempt: Int) -> Bool)?
  var trustsSchema = true
  var parameters = OpenParameters()
  var additions = SQLAdditions()
  var trace: SQLTrace?
  /// The key of an encrypted file.
  package var key: EncryptionKey?
  /// True if statements may name files as URIs.
  var allowsURIs = false

  /// The same for a file of another name, which SchemaKit writes itself.
  var forCopy: ConnectionOptions {
    var options = self
    options.parameters.isImmutable = false
    options.parameters.isUnlocked = false
    options.trustsSchema = true
    options.trace = nil
    return options
  }
}

extension SQLiteConnection {
  /// Takes from a session's configuration what can be added to a connection that is open already.
  func take(_ new: ConnectionOptions) throws {
    try requireOpen()
    if new.key != nil { throw SQLiteConnectionError.encryption(.opened) }
    guard new.parameters == OpenParameters() else {
      throw SQLiteConnectionError.openParameter(name: "openParameters", .opened)
    }
    if new.busyHandler != nil || new.trace != nil, isBorrowed {
      throw SQLiteConnectionError.belongsToLender(new.trace == nil ? "busyHandler" : "trace")
    }
    try add(new.additions)
    if let busyHandler = new.busyHandler {
      options.busyHandler = busyHandler
      hooks.busyHandler = busyHandler
    }
    if let trace = new.trace {
      options.trace = trace
      try install(trace)
    }
  }
}
