extension SQLConnection {
  /// Reads a PRAGMA whose value is an integer; nil when this SQLite does not know it.
  func pragmaInteger(_ name: String) throws -> Int64? {
    try integer("PRAGMA \(name)")
  }

  /// Reads a PRAGMA whose value is a text; nil when this SQLite does not know it.
  func pragmaText(_ name: String) throws -> String? {
    try value("PRAGMA \(name)")?.text
  }

  /// Sets a PRAGMA and returns what it is then, since SQLite ignores silently what it cannot set.
  func setPragma(_ name: String, to value: Int64) throws -> Int64? {
    try execute("PRAGMA \(name) = \(value)")
    return try pragmaInteger(name)
  }
}
