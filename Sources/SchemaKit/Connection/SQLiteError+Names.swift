extension SQLiteError {
  /// The C name of the extended code, for example "SQLITE_BUSY_SNAPSHOT".
  public var codeName: String {
    Self.extendedNames[extendedCode].map { "SQLITE_\($0)" }
      ?? Self.primaryNames[resultCode].map { name in
        extendedCode == resultCode ? "SQLITE_\(name)" : "SQLITE_\(name), extended code \(extendedCode)"
      }
      ?? "code \(extendedCode)"
  }

  /// The code of a C name such as "SQLITE_BUSY"; nil for what is not a name of SQLite's.
  package static func code(named name: String) -> Int32? {
    guard name.hasPrefix("SQLITE_") else { return nil }
    let rest = name.dropFirst("SQLITE_".count)
    return (primaryNames.first { $0.value == rest } ?? extendedNames.first { $0.value == rest })?.key
  }

  private static let primaryNames: [Int32: String] = [
    1: "ERROR", 2: "INTERNAL", 3: "PERM", 4: "ABORT", 5: "BUSY", 6: "LOCKED", 7: "NOMEM", 8: "READONLY",
    9: "INTERRUPT", 10: "IOERR", 11: "CORRUPT", 12: "NOTFOUND", 13: "FULL", 14: "CANTOPEN", 15: "PROTOCOL",
    16: "EMPTY", 17: "SCHEMA", 18: "TOOBIG", 19: "CONSTRAINT", 20: "MISMATCH", 21: "MISUSE", 22: "NOLFS",
    23: "AUTH", 24: "FORMAT", 25: "RANGE", 26: "NOTADB", 27: "NOTICE", 28: "WARNING", 100: "ROW", 101: "DONE",
  ]

  // An extended code is its primary code plus a number in the second byte.
  private static let extendedNames: [Int32: String] = {
    let families: [(primary: Int32, names: [String])] = [
      (1, ["ERROR_MISSING_COLLSEQ", "ERROR_RETRY", "ERROR_SNAPSHOT"]),
      (4, ["", "ABORT_ROLLBACK"]),
      (5, ["BUSY_RECOVERY", "BUSY_SNAPSHOT", "BUSY_TIMEOUT"]),
      (6, ["LOCKED_SHAREDCACHE", "LOCKED_VTAB"]),
      (
        8,
        [
          "READONLY_RECOVERY", "READONLY_CANTLOCK", "READONLY_ROLLBACK", "READONLY_DBMOVED", "READONLY_CANTINIT",
          "READONLY_DIRECTORY",
        ]
      ),
      (
        10,
        [
          "IOERR_READ", "IOERR_SHORT_READ", "IOERR_WRITE", "IOERR_FSYNC", "IOERR_DIR_FSYNC", "IOERR_TRUNCATE",
          "IOERR_FSTAT", "IOERR_UNLOCK", "IOERR_RDLOCK", "IOERR_DELETE", "IOERR_BLOCKED", "IOERR_NOMEM",
          "IOERR_ACCESS", "IOERR_CHECKRESERVEDLOCK", "IOERR_LOCK", "IOERR_CLOSE", "IOERR_DIR_CLOSE",
          "IOERR_SHMOPEN", "IOERR_SHMSIZE", "IOERR_SHMLOCK", "IOERR_SHMMAP", "IOERR_SEEK", "IOERR_DELETE_NOENT",
          "IOERR_MMAP", "IOERR_GETTEMPPATH", "IOERR_CONVPATH", "IOERR_VNODE", "IOERR_AUTH", "IOERR_BEGIN_ATOMIC",
          "IOERR_COMMIT_ATOMIC", "IOERR_ROLLBACK_ATOMIC", "IOERR_DATA", "IOERR_CORRUPTFS",
        ]
      ),
      (11, ["CORRUPT_VTAB", "CORRUPT_SEQUENCE", "CORRUPT_INDEX"]),
      (
        14,
        [
          "CANTOPEN_NOTEMPDIR", "CANTOPEN_ISDIR", "CANTOPEN_FULLPATH", "CANTOPEN_CONVPATH", "CANTOPEN_DIRTYWAL",
          "CANTOPEN_SYMLINK",
        ]
      ),
      (
        19,
        [
          "CONSTRAINT_CHECK", "CONSTRAINT_COMMITHOOK", "CONSTRAINT_FOREIGNKEY", "CONSTRAINT_FUNCTION",
          "CONSTRAINT_NOTNULL", "CONSTRAINT_PRIMARYKEY", "CONSTRAINT_TRIGGER", "CONSTRAINT_UNIQUE",
          "CONSTRAINT_VTAB", "CONSTRAINT_ROWID", "CONSTRAINT_PINNED", "CONSTRAINT_DATATYPE",
        ]
      ),
      (23, ["AUTH_USER"]),
    ]
    var names: [Int32: String] = [:]
    for family in families {
      for (index, name) in family.names.enumerated() where !name.isEmpty {
        names[family.primary | Int32(index + 1) << 8] = name
      }
    }
    return names
  }()
}
