extension SQLiteConnection {
  /// Opens a file for inspection: writable if permitted, so that SQLite can recover after a crash, but with every
  /// statement that writes refused.
  package static func openedForInspection(
    path: String, busyTimeout: Double = 10, trustsSchema: Bool = true, key: EncryptionKey? = nil
  ) throws -> SQLiteConnection {
    let connection = try probed(path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema, key: key)
    try connection.execute("PRAGMA query_only = ON")
    return connection
  }

  /// Opens a file that must exist, and throws if it is not a database that the key opens.
  package static func probed(
    path: String, busyTimeout: Double, trustsSchema: Bool = true, key: EncryptionKey? = nil
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, mode: .readWrite, busyTimeout: busyTimeout, trustsSchema: trustsSchema, key: key)
    try connection.probe()
    return connection
  }

  /// Opens another file for inspection, with the key of this one.
  package func openedForInspection(beside path: String) throws -> SQLiteConnection {
    try .openedForInspection(path: path, busyTimeout: 0, key: options.key)
  }
}
