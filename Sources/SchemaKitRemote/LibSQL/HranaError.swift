import SchemaKit

/// An error that a server reports for a request.
struct HranaError: Hashable {
  /// The server's code for the error, such as SQLITE_BUSY; empty if it gives none.
  var code = ""
  var message = ""

  init(_ bytes: ArraySlice<UInt8>) throws(RemoteError) {
    var reader = ProtobufReader(bytes)
    while let (field, content) = try reader.next() {
      // SQLite's message about a statement can hold any bytes.
      if field == 1 { message = String(decoding: try content.bytes, as: UTF8.self) }
      if field == 2 { code = String(decoding: try content.bytes, as: UTF8.self) }
    }
  }

  /// Reads the error of a step.
  init(step bytes: ArraySlice<UInt8>) throws(RemoteError) {
    var reader = ProtobufReader(bytes)
    while let (field, content) = try reader.next() {
      guard field == 2 else { continue }
      try self.init(content.bytes)
      return
    }
    throw RemoteError(reason: .malformed)
  }

  /// True if the stream was idle for too long, and is closed.
  var isExpiry: Bool { code == "STREAM_EXPIRED" }
  /// True if the server has ended a transaction to give its lock to another connection. Nothing of the request was run.
  var isTakenLock: Bool { code == "TRANSACTION_TIMEOUT" }
  /// True if the rows are more than a server sends at once.
  var isTooLarge: Bool { code == "RESPONSE_TOO_LARGE" }
  /// True if a server that only reads could not reach the one that writes.
  var isLostPrimary: Bool { code == "PROXY_ERROR" }

  /// The error as SQLite would report it. Servers tell primary codes only.
  func error(in sql: String) -> SQLiteError {
    let (words, offset) = words
    let number = self.number == 19 ? SQLiteError.constraintCode(by: words) ?? 19 : self.number
    return SQLiteError(code: number, message: words, sql: sql, offset: offset)
  }

  private var number: Int32 {
    switch code {
    // The server's own parser refuses what it does not know; SQLite has this code for all of that.
    case "SQLITE_UNKNOWN", "SQL_INPUT_ERROR", "SQL_PARSE_ERROR", "SQL_NO_STATEMENT": 1
    case "TRANSACTION_BUSY": 5
    case "SQL_MANY_STATEMENTS": 21
    case "BLOCKED": 23
    case "ARGS_INVALID": 25
    default: SQLiteError.code(named: code) ?? 1
    }
  }

  /// SQLite's words, without those that the server puts around them, and the place that it adds to them.
  private var words: (String, offset: Int?) {
    if code.hasPrefix("SQLITE_") {
      let start = "SQLite error: "
      return (message.hasPrefix(start) ? String(message.dropFirst(start.count)) : message, nil)
    }
    guard code == "SQL_INPUT_ERROR",
      let match = message.wholeMatch(of: /(?s)SQL input error: (.*) \(at offset (-?\d+)\)/)
    else { return (message, nil) }
    return (String(match.1), Int(match.2).flatMap { $0 >= 0 ? $0 : nil })
  }
}
