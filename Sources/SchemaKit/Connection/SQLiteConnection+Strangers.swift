import CSQLite

extension SQLiteConnection {
  /// Prepares the connection for a file that anybody may have made.
  ///
  /// An untrusted schema may call only functions and virtual tables that SQLite knows to be harmless; no library is
  /// ever loaded; cells are checked as pages are read; the file is read rather than memory-mapped, so that nobody can
  /// change what SQLite has already checked. See
  /// [Untrusted SQLite Database Files](https://sqlite.org/security.html#untrusted_sqlite_database_files).
  func guardAgainstFile(trustsSchema: Bool) throws {
    // Operation codes, since older headers lack the names; a SQLite that does not know one has nothing to switch off.
    var now: Int32 = 0
    _ = schemakit_db_config(handle, Self.enableLoadExtension, 0, &now)
    if !trustsSchema { _ = schemakit_db_config(handle, Self.trustedSchema, 0, &now) }
    try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
  }

  /// True if the schema of the file may call any function: see ``Configuration/trustsSchema``.
  public var trustsSchema: Bool {
    var now: Int32 = 0
    let code = schemakit_db_config(handle, Self.trustedSchema, -1, &now)
    return code != SQLITE_OK || now != 0
  }

  /// Trusts the schema as much as another connection does, so that statements compile here exactly when they do there.
  func trustSchema(asMuchAs other: any SQLConnection) throws {
    guard let value = try other.pragmaInteger("trusted_schema") else { return }
    try execute("PRAGMA trusted_schema = \(value)")
  }

  static let enableLoadExtension: Int32 = 1005
  private static let trustedSchema: Int32 = 1017
}

extension SQLiteError {
  /// Adds the remedy to SQLite's bare "unsafe use of …", which an untrusted schema causes.
  static func explained(_ message: String) -> String {
    guard isAboutUntrustedUse(message) else { return message }
    return message + " (in the schema of a file that is not trusted; where you know who made it, open it with "
      + "trustsSchema, or without --untrusted on the command line)"
  }
}
