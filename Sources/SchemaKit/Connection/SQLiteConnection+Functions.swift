import CSQLite

/// A Swift function that SQLite calls. It has identity because SQLite keeps a pointer to it.
private final class FunctionBox {
  let body: ([SQLValue]) throws -> SQLValue

  init(_ body: @escaping ([SQLValue]) throws -> SQLValue) { self.body = body }
}

extension SQLiteConnection {
  /// Adds a function to this connection that statements run here may call, but nothing in the schema may.
  ///
  /// See [Application-Defined SQL Functions](https://sqlite.org/appfunc.html).
  func install(function name: String, arity: Int, _ body: @escaping ([SQLValue]) throws -> SQLValue) throws {
    let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
    // SQLITE_DIRECTONLY, by its value: a file must not be able to call it.
    let flags = SQLITE_UTF8 | 0x8_0000
    let code = sqlite3_create_function_v2(
      handle, name, Int32(arity), flags, box,
      { context, count, values in
        guard let context, let address = sqlite3_user_data(context) else { return }
        let box = Unmanaged<FunctionBox>.fromOpaque(address).takeUnretainedValue()
        do {
          let arguments = try (0..<Int(count)).map { try SQLValue(argument: values?[$0]) }
          context.setResult(try box.body(arguments))
        } catch {
          sqlite3_result_error(context, "\(error)", -1)
        }
      }, nil, nil, { address in address.map { Unmanaged<FunctionBox>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }

  /// Removes a function.
  func removeFunction(_ name: String, arity: Int) {
    sqlite3_create_function_v2(handle, name, Int32(arity), SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

extension SQLValue {
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
