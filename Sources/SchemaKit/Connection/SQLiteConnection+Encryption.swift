import CSQLite
import SchemaKitFoundation

extension SQLiteConnection {
  /// The key that files are opened with during a command that was given one.
  @TaskLocal static var inheritedKey: EncryptionKey?

  /// Runs work during which every file is opened with a key, or without one, unless it is given one of its own.
  package static func opening<T>(with key: EncryptionKey?, _ body: () throws -> T) rethrows -> T {
    try $inheritedKey.withValue(key, operation: body)
  }

  /// True if files are opened with a key that was given to a command.
  package static var hasInheritedKey: Bool { inheritedKey != nil }

  /// The key for a connection that is to be opened, before a file is made for it.
  static func key(for options: ConnectionOptions, _ mode: Mode) throws -> EncryptionKey? {
    guard mode != .memory, let key = options.key ?? inheritedKey else { return nil }
    try requireEncryption()
    return key
  }

  /// Gives the key to a connection that is being opened, before anything reads the file.
  func unlock() throws {
    guard let key = options.key else { return }
    let code = key.bytes.withUnsafeBytes { schemakit_key(handle, $0.baseAddress, Int32($0.count)) }
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }

  /// Encrypts the file with another key, in one transaction; after a crash it has either the old key or the new one.
  ///
  /// Every other connection to the file, those of other programs too, must have been closed: they cannot read it
  /// afterwards. So it is called on the connection of a `Session`, or on one of your own, and not inside a `Database`, which
  /// has several. Copies that were made before keep the old key.
  ///
  /// *Cost:* writes every page, and as many bytes to the journal or the WAL.
  ///
  /// - Throws: ``SQLiteConnectionError/encryption(_:)`` on a connection that was opened without a key, inside a transaction
  ///   and inside a call such as a closure of `Database.run`; `SQLiteError` without the lock. Then the key is the old one.
  ///   If the new key does not open the file afterwards, the connection is closed.
  public func changeKey(to key: EncryptionKey) throws {
    try requireOpen()
    guard options.key != nil, !isInMemory else { throw SQLiteConnectionError.encryption(.notEncrypted) }
    guard use == nil else { throw SQLiteConnectionError.encryption(.inUse) }
    // Rolling back would restore page 1 with the new salt.
    guard !key.hasSalt else { throw SQLiteConnectionError.encryption(.saltOfAnotherFile) }
    cache.removeAll()
    // A lock that cannot be had is an error here, while nothing has changed.
    try execute("BEGIN EXCLUSIVE; COMMIT")
    _ = key.bytes.withUnsafeBytes { schemakit_rekey(handle, $0.baseAddress, Int32($0.count)) }
    // SQLCipher reports success after it has rolled back too, and the handle would then write with the new key.
    var changed = options
    changed.key = key
    do {
      guard let path = filePath else { throw SQLiteConnectionError.encryption(.inMemory) }
      try SQLiteConnection(path: path, mode: .readWrite, changed).probe()
    } catch {
      try close()
      throw SQLiteConnectionError.encryption(.keyNotChanged)
    }
    options.key = key
  }

  /// Copies this database, which is not encrypted, into a new file that is, and checks the copy for damage.
  ///
  /// Rowids stay. Attachments are not copied: they are files beside the database, which nothing encrypts. See [VACUUM INTO](https://sqlite.org/lang_vacuum.html#vacuuminto).
  ///
  /// ```swift
  /// try SQLiteConnection(path: "notes.db", mode: .readWrite)
  ///   .encryptedCopy(toNewFile: "secret.db", key: EncryptionKey(passphrase: passphrase))
  /// ```
  ///
  /// *Cost:* reads and writes every page.
  ///
  /// - Throws: ``SQLiteConnectionError/encryption(_:)`` if this database has a key already or SQLCipher is not linked,
  ///   `SQLiteError` if the file exists already or copying fails; then nothing is left behind.
  public func encryptedCopy(toNewFile path: String, key: EncryptionKey) throws {
    try requireOpen()
    try Self.requireEncryption()
    guard options.key == nil else { throw SQLiteConnectionError.encryption(.encrypted) }
    if let obstacle = Self.obstacle(toNewFile: path, isWhole: false) {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: obstacle.sentence)
    }
    guard let source = filePath else { throw SQLiteConnectionError.encryption(.inMemory) }
    // Made here, with the permissions of the database: what fails without a file fails before SQLite has the key, and
    // nobody else's file is ever removed.
    let mode = (try? FileManager.default.attributesOfItem(atPath: source)[.posixPermissions]) as? Int
    guard FileManager.default.createNewFile(atPath: path, permissions: mode ?? 0o600) else {
      throw Self.explained(
        SQLiteError(code: SQLITE_CANTOPEN, message: "the encrypted copy \(path) cannot be made"), path: path)
    }
    do {
      // The key stands in a name that no trace sees, and in no message. SQLCipher cuts a longer "hexkey" off.
      var target = OpenParameters()
      target.other = ["key": key.text]
      let name = target.name(of: path)
      do {
        let reader = try SQLiteConnection(path: source, mode: .readOnly, options.forVacuumInto)
        _ = try reader.run("VACUUM main INTO ?1", [.text(name)])
      } catch let error as SQLiteError {
        throw SQLiteError(
          code: error.extendedCode, message: "the encrypted copy \(path) cannot be made (\(error.codeName))")
      }
      var options = options.forCopy
      options.key = key
      let copy = try SQLiteConnection(path: path, mode: .readWrite, options)
      if let problem = try copy.damage(isCancelled: { self.hooks.isCancelled }, observing: { try $1() }).first {
        throw SQLiteError(
          code: SQLITE_CORRUPT, message: "the copy does not pass quick_check: \(problem.prefix(300))")
      }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Explains SQLite's "file is not a database" for this file; returns any other error as it is.
  func explainedKey(_ error: SQLiteError) -> any Error {
    guard error.isNotADatabase, let path = filePath else { return error }
    guard options.key != nil else {
      return SQLiteError(
        code: error.extendedCode, message: "\(path) is encrypted, or not a database", sql: error.sql)
    }
    return SQLiteConnectionError.encryption(isPlainFile ? .plainFile(path) : .wrongKey(path))
  }

  /// The pages of an encrypted file that do not decrypt, with what SQLCipher says of each; none in any other file.
  ///
  /// *Cost:* reads every page. See
  /// [PRAGMA cipher_integrity_check](https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_integrity_check).
  var undecryptablePages: [String] {
    // Pages without an HMAC cannot be checked.
    guard Self.canEncrypt, (try? value("PRAGMA main.cipher_use_hmac")?.text) == "1" else { return [] }
    return (try? texts("PRAGMA main.cipher_integrity_check")) ?? []
  }

  /// True if the library that is linked is SQLCipher.
  package static var canEncrypt: Bool { library != nil }

  /// Throws unless the library that is linked can encrypt.
  private static func requireEncryption() throws {
    guard let version = library else { throw SQLiteConnectionError.encryption(.unsupported) }
    // Files of older versions have other defaults, and those versions stand on a SQLite that is too old.
    guard let major = Int(version.prefix { $0 != "." }), major >= 4 else {
      throw SQLiteConnectionError.encryption(.outdated(version))
    }
  }

  /// The version of SQLCipher that is linked; nil without one.
  private static let library: String? = {
    guard schemakit_can_encrypt() != 0, let connection = try? SQLiteConnection.memory(),
      let version = try? connection.value("PRAGMA cipher_version")?.text
    else { return nil }
    // It would write to the standard error of a program whose user has typed a wrong key.
    try? connection.execute("PRAGMA cipher_log_level = NONE")
    return version
  }()
}

extension ConnectionOptions {
  /// The same for a connection whose statements may name files as URIs.
  fileprivate var forVacuumInto: ConnectionOptions {
    var options = forCopy
    options.allowsURIs = true
    return options
  }
}
