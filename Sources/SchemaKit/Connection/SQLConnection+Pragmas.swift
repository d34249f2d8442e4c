extension SQLConnection {
  /// Reads a PRAGMA whose value is an integer; nil if this SQLite does not know it.
  func pragmaInteger(_ name: String) throws -> Int64? {
    try integer("PRAGMA \(name)")
  }

  /// Sets a PRAGMA and returns its resulting value, since SQLite silently ignores what it cannot set.
  func setPragma(_ name: String, to value: Int64) throws -> Int64? {
    try execute("PRAGMA \(name) = \(value)")
    return try pragmaInteger(name)
  }
}
