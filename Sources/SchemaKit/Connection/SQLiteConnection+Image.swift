import CSQLite

extension SQLiteConnection {
  /// True if this SQLite can load a database from memory; since 3.36 it can, unless built without that.
  static var canLoadImages: Bool { schemakit_can_deserialize() != 0 }

  /// Makes the bytes of a database file the content of this in-memory database, which grows as needed.
  ///
  /// Only if `canLoadImages`, and before anything else was done with the database.
  /// See [Deserialize a Database](https://sqlite.org/c3ref/deserialize.html).
  func load(image: [UInt8]) throws {
    guard isInMemory, !isBorrowed, Self.canLoadImages else {
      throw SQLiteError.misuse("an image belongs in an in-memory database, and needs sqlite3_deserialize")
    }
    guard let copy = sqlite3_malloc64(UInt64(image.count)) else {
      throw SQLiteError(
        code: SQLITE_NOMEM, message: "there is not enough memory for a database of \(image.count) bytes")
    }
    copy.copyMemory(from: image, byteCount: image.count)
    let bytes = copy.assumingMemoryBound(to: UInt8.self)
    // SQLite frees the bytes even if this fails.
    let code = schemakit_deserialize(
      handle, "main", bytes, Int64(image.count), Int64(image.count), Self.ownedAndResizable)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }

  // SQLITE_DESERIALIZE_FREEONCLOSE and SQLITE_DESERIALIZE_RESIZEABLE
  private static let ownedAndResizable: UInt32 = 1 | 2
}
