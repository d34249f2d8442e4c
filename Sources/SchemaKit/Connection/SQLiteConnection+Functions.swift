import CSQLite

/// A Swift function that SQLite calls. It has identity because SQLite keeps a pointer to it.
private final class FunctionBox {
  enum Kind {
    case scalar(([SQLValue]) throws -> SQLValue)
    /// An argument that is text of invalid UTF-8 is nil; so is the result for the first argument as it is.
    case lenient(([SQLValue?]) -> SQLValue?)
    case aggregate(() -> any AggregateGroup)
  }

  /// The name that errors use; nil where they speak for themselves.
  private let name: String?
  let kind: Kind

  init(_ kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }

  static func of(_ context: OpaquePointer?) -> FunctionBox? {
    sqlite3_user_data(context).map { Unmanaged<FunctionBox>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Fails the statement, with the name of the function before the error.
  func fail(_ context: OpaquePointer, _ error: any Error) {
    sqlite3_result_error(context, name.map { "the function \($0)() failed: \(error)" } ?? "\(error)", -1)
  }
}

/// The group of an aggregate function as SQLite keeps it, and the error that ended it.
private final class GroupBox {
  let group: any AggregateGroup
  var failure: (any Error)?

  init(_ group: any AggregateGroup) { self.group = group }
}

extension SQLiteConnection {
  /// Adds a function to this connection that statements run here may call, but nothing in the schema may.
  ///
  /// See [Application-Defined SQL Functions](https://sqlite.org/appfunc.html).
  func install(
    function name: String, arity: Int, callableFrom callSite: SQLFunction.CallSite = .statements,
    _ body: @escaping ([SQLValue]) throws -> SQLValue
  ) throws {
    // A file must not be able to call what a program brings along.
    try register(FunctionBox(.scalar(body)), name, Int32(arity), callSite.flag)
  }

  /// Adds a function in the same way that takes whatever a file holds.
  ///
  /// - Parameter body: Gets nil for text that is not valid UTF-8; where it returns nil, the result is the first argument.
  func install(lenient name: String, arity: Int, _ body: @escaping ([SQLValue?]) -> SQLValue?) throws {
    try register(FunctionBox(.lenient(body)), name, Int32(arity), SQLFunction.CallSite.statements.flag)
  }

  /// Has SQLite know a function.
  func register(_ function: SQLFunction) throws {
    let kind: FunctionBox.Kind =
      switch function.kind {
      case .scalar(let body): .scalar(body)
      case .aggregate(let begin): .aggregate(begin)
      }
    try register(
      FunctionBox(kind, name: function.name), function.name, Int32(function.argumentCount ?? -1),
      function.callSite.flag | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0))
  }

  private func register(_ box: FunctionBox, _ name: String, _ count: Int32, _ flags: Int32) throws {
    let isScalar = if case .aggregate = box.kind { false } else { true }
    // SQLite releases the box when it removes the function, and if this fails.
    let code = sqlite3_create_function_v2(
      handle, name, count, SQLITE_UTF8 | flags, Unmanaged.passRetained(box).toOpaque(), isScalar ? callScalar : nil,
      isScalar ? nil : stepAggregate, isScalar ? nil : finishAggregate,
      { address in address.map { Unmanaged<FunctionBox>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }

  /// Removes a function.
  func removeFunction(_ name: String, arity: Int) {
    sqlite3_create_function_v2(handle, name, Int32(arity), SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

extension SQLFunction.CallSite {
  /// By their values: SQLITE_DIRECTONLY and SQLITE_INNOCUOUS.
  var flag: Int32 {
    switch self {
    case .statements: 0x8_0000
    case .trustedSchema: 0
    case .anySchema: 0x20_0000
    }
  }
}

private func callScalar(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let context, let box = FunctionBox.of(context) else { return }
  switch box.kind {
  case .scalar(let body):
    do {
      context.setResult(try body(SQLValue.arguments(count, values)))
    } catch {
      box.fail(context, error)
    }
  case .lenient(let body):
    let arguments = (0..<Int(count)).map { try? SQLValue(argument: values?[$0]) }
    if let result = body(arguments) {
      context.setResult(result)
    } else {
      sqlite3_result_value(context, values?[0])
    }
  case .aggregate: break
  }
}

private func stepAggregate(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let context, let box = FunctionBox.of(context), case .aggregate(let begin) = box.kind else { return }
  guard let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
    return sqlite3_result_error_nomem(context)
  }
  // SQLite fills it with zeros for the first row of a group.
  let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  let group: GroupBox
  if let begun = slot.pointee {
    group = Unmanaged<GroupBox>.fromOpaque(begun).takeUnretainedValue()
  } else {
    group = GroupBox(begin())
    slot.pointee = Unmanaged.passRetained(group).toOpaque()
  }
  guard group.failure == nil else { return }
  do {
    try group.group.step(SQLValue.arguments(count, values))
  } catch {
    group.failure = error
    box.fail(context, error)
  }
}

/// SQLite calls it for every group that has begun, after an error too, and for a query without rows.
private func finishAggregate(_ context: OpaquePointer?) {
  guard let context, let box = FunctionBox.of(context), case .aggregate(let begin) = box.kind else { return }
  let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  let group = slot?.pointee.map { Unmanaged<GroupBox>.fromOpaque($0).takeRetainedValue() } ?? GroupBox(begin())
  slot?.pointee = nil
  do {
    if let failure = group.failure { throw failure }
    context.setResult(try group.group.result())
  } catch {
    box.fail(context, error)
  }
}

extension SQLValue {
  fileprivate static func arguments(
    _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) throws -> [SQLValue] {
    try (0..<Int(count)).map { try SQLValue(argument: values?[$0]) }
  }

  /// The value of a function's argument.
  fileprivate init(argument value: OpaquePointer?) throws {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes) else {
        throw ColumnValueError(expected: "a text", found: "text", problem: "is not valid UTF-8")
      }
      self = .text(text)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: self = .null
    }
  }
}

extension OpaquePointer {
  /// Passes a function's result to SQLite, which copies it.
  fileprivate func setResult(_ value: SQLValue) {
    switch value {
    case .null: sqlite3_result_null(self)
    case .integer(let integer): sqlite3_result_int64(self, integer)
    case .real(let real): sqlite3_result_double(self, real)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // SQLite treats a null pointer as NULL, and an empty buffer may have one.
          if let start = $0.baseAddress {
            sqlite3_result_text64(self, start, UInt64($0.count), schemakit_transient(), UInt8(SQLITE_UTF8))
          } else {
            sqlite3_result_text64(self, "", 0, schemakit_transient(), UInt8(SQLITE_UTF8))
          }
        }
      }
    case .blob(let blob):
      blob.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress, !bytes.isEmpty {
          sqlite3_result_blob64(self, start, UInt64(bytes.count), schemakit_transient())
        } else {
          sqlite3_result_zeroblob(self, 0)
        }
      }
    }
  }
}
