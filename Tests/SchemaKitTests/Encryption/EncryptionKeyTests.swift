import Testing

@testable import SchemaKit

@Suite("EncryptionKey")
struct EncryptionKeyTests {
  @Test("a key that is empty or has another length is refused")
  func refused() throws {
    #expect(throws: SQLiteConnectionError.encryption(.emptyKey)) { try EncryptionKey(passphrase: "") }
    #expect(throws: SQLiteConnectionError.encryption(.nulInKey)) { try EncryptionKey(passphrase: "a\0b") }
    for count in [0, 16, 31, 33, 64] {
      #expect(throws: SQLiteConnectionError.encryption(.rawKeyLength(count))) {
        try EncryptionKey(rawKey: [UInt8](repeating: 1, count: count))
      }
    }
    #expect(try EncryptionKey(rawKey: [UInt8](repeating: 0xAF, count: 48)).bytes.count == 99)
  }

  @Test("a key shows in no description, dump or error of what holds it")
  func hidden() throws {
    let key = try EncryptionKey(passphrase: "open-sesame")
    var configuration = Configuration()
    configuration.key = key
    var dumped = ""
    dump(configuration, to: &dumped)
    dump(key, to: &dumped)
    dump(configuration.connectionOptions, to: &dumped)
    let texts = [
      "\(key)", String(reflecting: key), String(describing: configuration), String(reflecting: configuration), dumped,
    ]
    for text in texts { #expect(!text.contains("sesame") && !text.contains("111, 112, 101, 110")) }
  }

  @Test("a URI parameter cannot give the key, which would stand in names", arguments: ["key", "hexkey", "textkey"])
  func uriParameter(name: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    #expect(throws: SQLiteConnectionError.openParameter(name: "other[\(name)]", .hasProperty)) {
      try Session(at: file.path, schema: Pets.one) { $0.openParameters.other = [name: "61"] }
    }
  }

  @Test("an open connection takes no key")
  func openConnection() throws {
    let connection = try SQLiteConnection.memory()
    let key = try EncryptionKey(passphrase: "k")
    #expect(throws: SQLiteConnectionError.encryption(.opened)) {
      try Session(over: connection, schema: Pets.one) { $0.key = key }
    }
    #expect(throws: SQLiteConnectionError.encryption(.notEncrypted)) { try connection.changeKey(to: key) }
  }

  @Test(
    "without SQLCipher a key is refused, and no file is made or changed",
    .enabled(if: !SQLiteConnection.canEncrypt, "SQLCipher is linked"))
  func withoutCipher() throws {
    let file = try TemporaryDatabase(Pets.sql + Pets.rows)
    let before = try file.bytes
    let key = try EncryptionKey(passphrase: "k")
    for path in [file.path, file.sibling("new.db")] {
      let error = try #require(throws: SQLiteConnectionError.self) {
        try Session(at: path, schema: Pets.two) { $0.key = key }
      }
      #expect(error == .encryption(.unsupported) && error.description.contains("trait SQLCipher"))
    }
    #expect(throws: SQLiteConnectionError.encryption(.unsupported)) {
      try SQLiteConnection(path: file.path).encryptedCopy(toNewFile: file.sibling("copy.db"), key: key)
    }
    #expect(try file.bytes == before && file.files == ["test.db"])
  }
}
