extension SQLConnection {
  /// Reads a PRAGMA whose value is an integer; nil if this SQLite does not know it.
  func pragmaInteger(_ name: String) throws -> Int64? {
    try integer("PRAGMA \(name)")
  }

  /// The page size of the file in bytes, which SQLCipher returns as text.
  package var pageSize: Int64? {
    get throws { try value("PRAGMA main.page_size").flatMap { $0.integer ?? $0.text.flatMap { Int64($0) } } }
  }

  /// Sets a PRAGMA and returns its resulting value, since SQLite silently ignores what it cannot set.
  func setPragma(_ name: String, to value: Int64) throws -> Int64? {
    try execute("PRAGMA \(name) = \(value)")
    return try pragmaInteger(name)
  }
}
