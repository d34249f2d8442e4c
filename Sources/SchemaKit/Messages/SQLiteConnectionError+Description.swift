extension SQLiteConnectionError: CustomStringConvertible {
  /// The cause and the remedy.
  public var description: String {
    switch self {
    case .foreignLibrary(let theirs, let ours):
      """
      The borrowed connection belongs to another copy of SQLite (\(theirs)) than SchemaKit's (\(ours)): two copies on \
      one file break its locks. Link both with the same library, or give SchemaKit the file's path after closing it.
      """
    case .statementOpen(let sql):
      """
      A statement is still being read on this connection, and tables cannot be changed under it: \(sql.prefix(200)). \
      Read it to its end or reset it first. Nothing was changed.
      """
    case .environmentNotSettable(let name):
      """
      The setting \(name) cannot be changed now, most likely because a transaction is open on this connection. \
      Commit or roll it back first.
      """
    case .environmentNotRestored(let name):
      """
      The setting \(name) could not be put back to what it was, because a transaction was left open. \
      Close this connection and open a new one.
      """
    case .closed(let path):
      "The database\(path.map { " \($0)" } ?? "") was closed. Open it again to use it."
    case .inUse(.transaction):
      "The database cannot be closed inside a transaction. Commit it or roll it back first. Nothing was changed."
    case .inUse(.call):
      """
      The database cannot be closed inside a call that uses it, such as a closure of Database.run or of forEach. Close it \
      after the call. Nothing was changed.
      """
    case .notAPath(let path):
      """
      \(path.isEmpty ? "The path of the database is empty" : "\(path) is not the path of a file"). For a database in \
      memory write Session(inMemory: schema) or Database(inMemory: schema); for a file give its path\
      \(Self.example(of: path)). What a URI would say is said by Configuration.openParameters.
      """
    case .invalidFunction(let name, let flaw): "The function \(name) cannot be added: \(flaw.sentence)."
    case .invalidCollation(let name, let flaw): "The collation \(name) cannot be added: \(flaw.sentence)."
    case .openParameter(let name, let flaw): "The open parameter \(name) cannot be used: \(flaw.sentence)."
    case .belongsToLender(let setting):
      """
      \(setting) would replace a handler of the library that lent the connection. Set it there, or give SchemaKit the \
      file's path.
      """
    case .outdatedEngine(let version):
      "This program is linked with SQLite \(version), and 3.33 or later is needed, or SQLCipher 4. Nothing was changed."
    case .encryption(let flaw): "\(flaw.sentence)."
    }
  }
}

extension SQLiteConnectionError {
  private static func example(of path: String) -> String {
    if path.isEmpty { return "" }
    return path.lowercased().hasPrefix("file:") ? ", that of a URL as url.path" : ", such as ./\(path)"
  }
}

extension SQLiteConnectionError.EncryptionFlaw {
  fileprivate var sentence: String {
    switch self {
    case .unsupported:
      """
      The key cannot be used: this program is linked with SQLite, which does not encrypt. Build it with the trait \
      SQLCipher of SchemaKit. Nothing was changed
      """
    case .outdated(let version):
      "The key cannot be used: SQLCipher \(version) is linked, and 4 or later is needed. Nothing was changed"
    case .emptyKey: "The key is empty"
    case .nulInKey: "The key has a NUL in it, which other programs could not type"
    case .rawKeyLength(let count): "The raw key has \(count) bytes; it must have 32, or 48 with the salt of the file"
    case .saltOfAnotherFile: "The new key has a salt, and the file has its own: give the 32 bytes of the key alone"
    case .inUse:
      """
      The key cannot be changed inside a transaction, or inside a call that uses the database, such as a closure of \
      Database.run: close the Database, and change the key through a Session
      """
    case .keyNotChanged:
      """
      The new key does not open the database, most likely because the disk is full or somebody has locked it. Open it again \
      with the old key, or else with the new one
      """
    case .opened: "The connection is open already: open it with the key, or give SchemaKit the file's path"
    case .notEncrypted:
      """
      The key cannot be changed, since the database was opened without one. To encrypt it, make an encrypted copy
      """
    case .encrypted: "The database is encrypted already: change its key instead"
    case .plainFile(let path):
      "\(path) is not encrypted. Open it without a key, or make an encrypted copy. Nothing was changed"
    case .wrongKey(let path): "\(path) is encrypted with another key, or not a database. Nothing was changed"
    case .inMemory: "A database in memory cannot be copied to an encrypted file"
    }
  }
}

extension SQLiteConnectionError.AdditionFlaw {
  fileprivate var sentence: String {
    switch self {
    case .name: "its name must have 1 to 255 bytes and no NUL"
    case .builtIn:
      "SQLite has one of this name, and replacing it would change what statements mean; choose another name"
    case .reserved: "names that begin with _schemakit_ are SchemaKit's; choose another name"
    case .addedTwice: "it is added twice"
    case .argumentCount(let count): "it takes \(count) arguments, and 0 to 100 are possible; nil stands for any number"
    }
  }
}

extension SQLiteConnectionError.ParameterFlaw {
  fileprivate var sentence: String {
    switch self {
    case .needsReadOnly: "without locks it would damage a file that is written to; set isReadOnly as well"
    case .needsFile: "a database in memory has no file; leave it out"
    case .unknownFileSystem: "no VFS of this name is registered with SQLite; register it first"
    case .hasProperty: "it has a property of its own, in OpenParameters or as isReadOnly; use that"
    case .unusable: "its name is empty, or a NUL is in it"
    case .opened: "the connection is open already; open it with this parameter, or give SchemaKit the file's path"
    case .withSeed: "a seed file is copied by the system's own calls; copy it yourself and leave seedFile out"
    }
  }
}
