import CSQLite

extension SQLiteConnection {
  /// The functions and collations of connections that are opened without any of their own, such as those in memory on which
  /// a plan is made.
  @TaskLocal static var inherited = SQLAdditions()

  /// Runs work during which every new connection knows some functions and collations.
  package static func knowing<T>(
    functions: [SQLFunction], collations: [SQLCollation], _ body: () throws -> T
  ) throws -> T {
    try knowing(SQLAdditions(functions: functions, collations: collations), body)
  }

  /// Runs work during which every new connection knows what this one was given.
  package func sharingAdditions<T>(_ body: () throws -> T) throws -> T {
    try Self.knowing(options.additions, body)
  }

  private static func knowing<T>(_ additions: SQLAdditions, _ body: () throws -> T) throws -> T {
    guard !additions.isEmpty else { return try body() }
    return try $inherited.withValue(additions, operation: body)
  }

  /// Registers the functions and collations of a connection that is being opened.
  func registerAdditions() throws {
    if options.additions.isEmpty { options.additions = Self.inherited }
    try register(options.additions)
  }

  /// Adds functions and collations to a connection that is open; they replace those of the same names that were added
  /// before.
  func add(_ additions: SQLAdditions) throws {
    guard !additions.isEmpty else { return }
    try requireOpen()
    try register(additions)
    options.additions.functions.removeAll { old in additions.functions.contains { $0.isSame(as: old) } }
    options.additions.functions += additions.functions
    options.additions.collations.removeAll { old in additions.collations.contains { $0.isSame(as: old) } }
    options.additions.collations += additions.collations
  }

  private func register(_ additions: SQLAdditions) throws {
    for (index, function) in additions.functions.enumerated() {
      if let flaw = function.flaw(after: additions.functions[..<index]) {
        throw SQLiteConnectionError.invalidFunction(name: function.name, flaw)
      }
      try register(function)
    }
    for (index, collation) in additions.collations.enumerated() {
      if let flaw = collation.flaw(after: additions.collations[..<index]) {
        throw SQLiteConnectionError.invalidCollation(name: collation.name, flaw)
      }
      try register(collation)
    }
  }

  private func register(_ collation: SQLCollation) throws {
    let box = Unmanaged.passRetained(CollationBox(collation.compare))
    let code = sqlite3_create_collation_v2(
      handle, collation.name, SQLITE_UTF8, box.toOpaque(),
      { address, leftCount, left, rightCount, right in
        guard let address else { return 0 }
        let box = Unmanaged<CollationBox>.fromOpaque(address).takeUnretainedValue()
        let order = box.compare(
          String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self),
          String(decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self))
        return Int32(order.signum())
      }, { address in address.map { Unmanaged<CollationBox>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else {
      // Other than with functions, SQLite does not release it after a failure.
      box.release()
      throw SQLiteError(code, on: handle)
    }
  }
}

/// A Swift comparison that SQLite calls. It has identity because SQLite keeps a pointer to it.
private final class CollationBox {
  let compare: @Sendable (String, String) -> Int

  init(_ compare: @escaping @Sendable (String, String) -> Int) { self.compare = compare }
}

extension SQLFunction {
  /// The reason it cannot be registered after others; nil if it can.
  fileprivate func flaw(after others: ArraySlice<SQLFunction>) -> SQLiteConnectionError.AdditionFlaw? {
    if let flaw = SQLiteConnectionError.AdditionFlaw(name: name, builtIn: BuiltInNames.functions) { return flaw }
    if let argumentCount, !(0...100).contains(argumentCount) { return .argumentCount(argumentCount) }
    return others.contains { isSame(as: $0) } ? .addedTwice : nil
  }

  fileprivate func isSame(as other: SQLFunction) -> Bool {
    argumentCount == other.argumentCount && name.lowercased() == other.name.lowercased()
  }
}

extension SQLCollation {
  /// The reason it cannot be registered after others; nil if it can.
  fileprivate func flaw(after others: ArraySlice<SQLCollation>) -> SQLiteConnectionError.AdditionFlaw? {
    if let flaw = SQLiteConnectionError.AdditionFlaw(name: name, builtIn: BuiltInNames.collations) { return flaw }
    return others.contains { isSame(as: $0) } ? .addedTwice : nil
  }

  fileprivate func isSame(as other: SQLCollation) -> Bool { name.lowercased() == other.name.lowercased() }
}

extension SQLiteConnectionError.AdditionFlaw {
  /// Creates the flaw of a name; nil if the name has none.
  fileprivate init?(name: String, builtIn: Set<String>) {
    // SQLite takes names of 255 bytes, and reads to the first NUL.
    guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else {
      self = .name
      return
    }
    if builtIn.contains(name.lowercased()) {
      self = .builtIn
    } else if name.lowercased().hasPrefix("_schemakit_") {
      self = .reserved
    } else {
      return nil
    }
  }
}

/// The functions and collations that are built into SQLite, in lower case; read once from a connection without additions.
private enum BuiltInNames {
  // https://sqlite.org/pragma.html#pragma_function_list
  static let functions = read("SELECT name FROM pragma_function_list")
  static let collations = read("SELECT name FROM pragma_collation_list").union(["binary", "nocase", "rtrim"])

  private static func read(_ sql: String) -> Set<String> {
    guard let handle = try? SQLiteConnection.openHandle(path: "", mode: .memory) else { return [] }
    defer { sqlite3_close_v2(handle) }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(statement) }
    var names: Set<String> = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let name = sqlite3_column_text(statement, 0) { names.insert(String(cString: name).lowercased()) }
    }
    return names
  }
}
