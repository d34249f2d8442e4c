import CSQLite

// The details that only SQLite's messages tell: it has one code for every statement that cannot be compiled. Nothing else
// reads the messages, except `lackedStub`.
extension SQLiteError {
  /// True if SQLite gives no reason, as where SQLCipher cannot decrypt a page: first with ERROR, then always with NOMEM.
  package var isUnexplained: Bool {
    [SQLITE_ERROR, SQLITE_NOMEM].contains(resultCode)
      && message == sqlite3_errstr(resultCode).map { String(cString: $0) }
  }

  /// True if a statement names a table, column, function or anything else that does not exist.
  package var isMissingName: Bool { message.hasPrefix("no such ") }

  /// True if a statement names a table that does not exist, or that needs a module which is not loaded.
  package var isMissingTableOrModule: Bool {
    ["no such table: ", "no such module: "].contains { message.hasPrefix($0) }
  }

  /// True if a statement may be right in another file or program, which has the table or function that is missing here.
  package var isMissingElsewhere: Bool {
    isMissingTableOrModule
      || ["no such function", "wrong number of arguments"].contains { message.hasPrefix($0) }
  }

  /// True if a module, function or collation is missing, which an extension could add.
  package var isLackingExtension: Bool { lackedModule != nil || lackedStub != nil }

  /// True if a full-text index needs a tokenizer that is not registered.
  package var isMissingTokenizer: Bool {
    ["no such tokenizer", "unknown tokenizer"].contains { message.contains($0) }
  }

  /// True if an index or a statement needs a collation that is not registered.
  package var isMissingCollation: Bool { message.contains("no such collation sequence") }

  /// True if SQLite finds no way to read a table, as where the collation that orders a key is not registered.
  package var isMissingQueryPlan: Bool { message.contains("no query solution") }

  /// True if a view, trigger or index uses a function or virtual table that a schema is not trusted with.
  package var isUntrustedUse: Bool { Self.isAboutUntrustedUse(message) }

  /// True if a message is about something that a schema is not trusted with.
  static func isAboutUntrustedUse(_ message: String) -> Bool { message.contains("unsafe use of ") }

  /// True if the message has a path or another name in it.
  package func names(_ name: String) -> Bool { message.contains(name) }

  /// True if a foreign key was violated; ON DELETE RESTRICT has the code of a trigger.
  package var isForeignKeyViolation: Bool { message == "FOREIGN KEY constraint failed" }

  /// The subject that a message about a constraint names after its colon; nil if it names none.
  package var constraintSubject: String? {
    message.firstIndex(of: ":").map { String(message[message.index(after: $0)...].drop { $0 == " " }) }
  }

  /// The code of a violated constraint by SQLite's message, for a server that tells no more than that it is one.
  ///
  /// A primary key counts as unique columns: SQLite's message is the same.
  package static func constraintCode(by message: String) -> Int32? {
    let codes: [(String, Int32)] = [("CHECK", 275), ("FOREIGN KEY", 787), ("NOT NULL", 1299), ("UNIQUE", 2067)]
    return codes.first { message.hasPrefix("\($0.0) constraint failed") }?.1
  }

  /// True if the error is the one that a problem was made of.
  package func says(_ problem: String) -> Bool { message == problem }

  /// True if a message is about a column that does not exist.
  package static func isAboutMissingColumn(_ message: String) -> Bool { message.hasPrefix("no such column: ") }

  /// The view, trigger or index that SQLite names when it cannot re-read it: `error in view v: …`.
  package var namedObject: String? {
    for kind in ["view", "trigger"] {
      let prefix = "error in \(kind) "
      guard message.hasPrefix(prefix) else { continue }
      let rest = message.dropFirst(prefix.count)
      let end = rest.firstRange(of: " after ")?.lowerBound ?? rest.firstRange(of: ": ")?.lowerBound ?? rest.endIndex
      return String(rest[..<end])
    }
    return nil
  }
}
