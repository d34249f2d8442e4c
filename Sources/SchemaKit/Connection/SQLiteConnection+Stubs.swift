import CSQLite

/// The stand-in collations and functions that allow a schema which names them to be created.
///
/// It has identity because SQLite calls back into it.
final class StubRegistry {
  /// A stub that was created.
  struct Stub: Hashable {
    enum Kind: String, Sendable { case collation, function }

    var kind: Kind
    var name: String
  }

  fileprivate(set) var all: Set<Stub> = []
  /// True if a collation is stubbed as soon as a statement names it.
  fileprivate(set) var isInstalled = false

  fileprivate func register(collation name: String, on handle: OpaquePointer) {
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
        let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
      }, nil)
    if code == SQLITE_OK { all.insert(Stub(kind: .collation, name: name)) }
  }
}

extension SQLiteConnection {
  /// The names of the collations and functions that are stubs on this connection.
  package var stubbedNames: Set<String> { Set(stubs.all.map(\.name)) }

  /// True if a collation that this process lacks is stubbed as soon as a statement names it.
  package var stubsCollations: Bool { stubs.isInstalled }

  /// Stubs every collation that this process lacks with a comparison of bytes, as soon as a statement names it.
  package func installCollationStubs() throws {
    try requireNothingToWrite()
    let address = Unmanaged.passUnretained(stubs).toOpaque()
    let code = sqlite3_collation_needed(handle, address) { address, handle, _, name in
      guard let address, let handle, let name else { return }
      let stubs = Unmanaged<StubRegistry>.fromOpaque(address).takeUnretainedValue()
      stubs.register(collation: String(cString: name), on: handle)
    }
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
    stubs.isInstalled = true
  }

  /// Adds a function of any number of arguments that returns NULL.
  func installFunctionStub(named name: String) throws {
    try requireNothingToWrite()
    // Innocuous (SQLITE_INNOCUOUS), or views and indexes could not name it where the schema is not trusted.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | 0x20_0000
    let code = sqlite3_create_function_v2(
      handle, name, -1, flags, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
    stubs.all.insert(StubRegistry.Stub(kind: .function, name: name))
  }

  /// Adds the stubs that another connection has.
  func installStubs(of other: SQLiteConnection) throws {
    for stub in other.stubs.all where !stubs.all.contains(stub) { try install(stub) }
  }

  /// Adds a stub.
  func install(_ stub: StubRegistry.Stub) throws {
    switch stub.kind {
    case .function: try installFunctionStub(named: stub.name)
    case .collation:
      try requireNothingToWrite()
      stubs.register(collation: stub.name, on: handle)
    }
  }

  /// Runs work while some stubs are removed and none are created, then restores them.
  func without<T>(_ withdrawn: Set<StubRegistry.Stub>, _ body: () throws -> T) throws -> T {
    sqlite3_collation_needed(handle, nil, nil)
    defer {
      for stub in withdrawn where !stubs.all.contains(stub) { try? install(stub) }
      try? installCollationStubs()
    }
    for stub in withdrawn {
      // https://sqlite.org/c3ref/create_collation.html, https://sqlite.org/c3ref/create_function.html: NULL deletes.
      let code =
        switch stub.kind {
        case .collation: sqlite3_create_collation_v2(handle, stub.name, SQLITE_UTF8, nil, nil, nil)
        case .function: sqlite3_create_function_v2(handle, stub.name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
        }
      guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
      stubs.all.remove(stub)
    }
    return try body()
  }

  /// Runs a statement, stubbing every function that it lacks.
  package func runStubbing(_ sql: String) throws { try stubbing { try run(sql) } }

  /// Repeats work until it lacks no function; each one it lacks is stubbed.
  @discardableResult
  package func stubbing<T>(_ body: () throws -> T) throws -> T {
    while true {
      do {
        return try body()
      } catch let error as SQLiteError {
        // A collation may have the name too.
        guard let stub = error.lackedStub, stub.kind == .function, !stubs.all.contains(stub) else { throw error }
        try install(stub)
      }
    }
  }

  // A stub on a writable file would write wrongly ordered indexes, and NULL for computed values.
  private func requireNothingToWrite() throws {
    guard isInMemory || isReadOnly, !isBorrowed else {
      throw SQLiteError.misuse(
        "stubs belong on databases in memory, or on files opened for reading alone; open one with "
          + "SQLiteConnection.memory()")
    }
  }
}

extension SQLiteError {
  /// The object that SQLite reports as missing, if it is one that a program can add.
  var lackedStub: StubRegistry.Stub? {
    if let name = missingFunction { return StubRegistry.Stub(kind: .function, name: name) }
    guard let range = message.firstRange(of: "no such collation sequence: ") else { return nil }
    return StubRegistry.Stub(kind: .collation, name: String(message[range.upperBound...]))
  }

  /// The name of the module that SQLite reports as missing.
  var lackedModule: String? {
    message.firstRange(of: "no such module: ").map { String(message[$0.upperBound...]) }
  }

  /// The name of the function that SQLite reports as missing.
  fileprivate var missingFunction: String? {
    if let range = message.firstRange(of: "no such function: ") { return String(message[range.upperBound...]) }
    // A function already named in the schema is only reported when it is computed.
    guard let range = message.firstRange(of: "unknown function: "), message.hasSuffix("()") else { return nil }
    return String(message[range.upperBound...].dropLast(2))
  }
}
