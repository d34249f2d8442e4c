/// The key of an encrypted database, for ``Configuration/key``.
///
/// Encryption is SQLCipher's, which the package trait `SQLCipher` links in the place of SQLite. See
/// [SQLCipher API](https://www.zetetic.net/sqlcipher/sqlcipher-api/). Files have the settings that SQLCipher 4 gives them; one
/// of an older version takes `PRAGMA cipher_migrate` in SQLCipher's own shell first. A key appears in no description, message, trace, plan
/// or history.
public struct EncryptionKey: Sendable, Hashable {
  /// The bytes that SQLCipher is given: a passphrase, or a raw key as `x'…'`.
  let bytes: [UInt8]

  /// A passphrase, from which SQLCipher derives the key: by default in 256,000 rounds, about a tenth of a second for each
  /// connection.
  ///
  /// - Throws: ``SQLiteConnectionError/encryption(_:)`` if it is empty or has a NUL in it.
  public init(passphrase: String) throws {
    guard !passphrase.isEmpty else { throw SQLiteConnectionError.encryption(.emptyKey) }
    guard !passphrase.utf8.contains(0) else { throw SQLiteConnectionError.encryption(.nulInKey) }
    bytes = Array(passphrase.utf8)
  }

  /// A raw key of 32 random bytes, which are used as they are; 16 more are the salt that the file begins with.
  ///
  /// - Throws: ``SQLiteConnectionError/encryption(_:)`` for another number of bytes.
  public init(rawKey: [UInt8]) throws {
    guard [32, 48].contains(rawKey.count) else { throw SQLiteConnectionError.encryption(.rawKeyLength(rawKey.count)) }
    bytes = Array("x'\(Self.hex(rawKey))'".utf8)
  }

  /// True if it is a raw key with the salt of a file.
  var hasSalt: Bool { bytes.count == 99 && bytes.starts(with: "x'".utf8) }

  /// The key as a URI filename has it.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "EncryptionKey (hidden)" }

  public var debugDescription: String { description }

  /// Empty, so that `dump` and the descriptions of what holds a key do not show it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
