/// The error thrown when a connection cannot be used as requested, although SQLite itself reported no error.
public enum SQLiteConnectionError: Error, Sendable, Hashable {
  /// A borrowed handle belongs to a different copy of SQLite than the one SchemaKit is linked with.
  case foreignLibrary(theirs: String, ours: String)
  /// A statement on the connection has begun and not ended, so that tables cannot be changed.
  case statementOpen(sql: String)
  /// A setting that the work needs could not be made, for example foreign_keys inside an open transaction.
  case environmentNotSettable(String)
  /// A setting could not be restored after the work.
  case environmentNotRestored(String)
  /// The database was closed; nil where it has no file.
  case closed(path: String?)
  /// The database cannot be closed while it is in use.
  case inUse(Use)
  /// The given path is not one that a database file should have.
  case notAPath(String)
  /// A function that was to be added is refused.
  case invalidFunction(name: String, AdditionFlaw)
  /// A collation that was to be added is refused.
  case invalidCollation(name: String, AdditionFlaw)
  /// A parameter of opening is refused.
  case openParameter(name: String, ParameterFlaw)
  /// A setting would replace a handler of the library that lent the connection.
  case belongsToLender(String)
  /// The SQLite that is linked is older than 3.33; with its version.
  case outdatedEngine(String)
  /// A key cannot be used.
  case encryption(EncryptionFlaw)

  /// The reason a key cannot be used.
  public enum EncryptionFlaw: Sendable, Hashable {
    /// The SQLite that is linked is not SQLCipher.
    case unsupported
    /// The SQLCipher that is linked is older than version 4.
    case outdated(String)
    case emptyKey
    case nulInKey
    /// A raw key with a salt cannot take the place of another key.
    case saltOfAnotherFile
    /// The key is to be changed inside a transaction or a call.
    case inUse
    /// The key could not be changed, and the connection was closed.
    case keyNotChanged
    case rawKeyLength(Int)
    /// The connection was given a key after it was opened.
    case opened
    /// The connection whose key is to be changed was opened without one.
    case notEncrypted
    /// The connection of which an encrypted copy is to be made was opened with a key.
    case encrypted
    case inMemory
    /// The file that was opened with a key is not encrypted.
    case plainFile(String)
    /// The file has another key, or is not a database.
    case wrongKey(String)
  }

  /// The work that a connection is in use for.
  public enum Use: Sendable, Hashable {
    case transaction
    case call
  }

  /// The reason a function or a collation is refused.
  public enum AdditionFlaw: Sendable, Hashable {
    case name
    case builtIn
    case reserved
    case addedTwice
    case argumentCount(Int)
  }

  /// The reason a parameter of opening is refused.
  public enum ParameterFlaw: Sendable, Hashable {
    case needsReadOnly
    case needsFile
    case unknownFileSystem
    case hasProperty
    case unusable
    case opened
    case withSeed
  }
}
