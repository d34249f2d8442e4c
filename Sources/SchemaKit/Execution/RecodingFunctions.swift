/// The functions by which the statements of a plan store values in another coding.
///
/// They are the library's own and need no program: a saved plan, or the undoing of a change, has them anywhere. No file can
/// call them.
struct RecodingFunctions {
  private let connection: SQLiteConnection?

  /// - Parameter connection: Only SQLite in this process can call them.
  init(on connection: any SQLConnection) { self.connection = connection as? SQLiteConnection }

  private static func name(_ quoted: String) -> String { quoted.replacing("\"", with: "") }

  private static var all: [(name: String, arity: Int, body: (RecoderCache, [SQLValue?]) -> SQLValue?)] {
    [
      (
        name(FormChange.recodeFunction), 3,
        { recoders, arguments in
          guard let value = arguments[0], let recoder = recoders.recoder(arguments[1], arguments[2]) else { return nil }
          return recoder.recode(value).value
        }
      ),
      (
        name(FormChange.effectFunction), 3,
        { recoders, arguments in
          guard let value = arguments[0], let recoder = recoders.recoder(arguments[1], arguments[2]) else {
            return .integer(Int64(FormChange.Effect.unread.rawValue))
          }
          return .integer(Int64(recoder.recode(value).effect.rawValue))
        }
      ),
      (
        name(FormChange.isRecodedFunction), 4,
        { recoders, arguments in
          guard let old = arguments[0], let new = arguments[1],
            let recoder = recoders.recoder(arguments[2], arguments[3])
          else { return .integer(0) }
          return .integer(recoder.isRecoded(old, new) ? 1 : 0)
        }
      ),
    ]
  }

  /// Runs work that may call them.
  func installed<T>(_ body: () throws -> T) throws -> T {
    guard let connection, !connection.hasRecodingFunctions else { return try body() }
    let recoders = RecoderCache()
    for function in Self.all {
      // One that a statement of the lender keeps from being replaced is the same.
      try? connection.install(lenient: function.name, arity: function.arity) { function.body(recoders, $0) }
    }
    connection.hasRecodingFunctions = true
    defer {
      for function in Self.all { connection.removeFunction(function.name, arity: function.arity) }
      connection.hasRecodingFunctions = false
    }
    return try body()
  }
}

/// The recoders that were asked for, so that none is looked for again for each row.
///
/// It has identity because the functions of one connection share it.
private final class RecoderCache {
  private var recoders: [[String]: Recoder?] = [:]
  private var last: (old: String, new: String, recoder: Recoder?)?

  func recoder(_ old: SQLValue?, _ new: SQLValue?) -> Recoder? {
    guard case .text(let old)? = old, case .text(let new)? = new else { return nil }
    if let last, last.old == old, last.new == new { return last.recoder }
    let recoder = recoders[[old, new]] ?? Recoder.from(ValueForm(key: old), to: ValueForm(key: new))
    recoders[[old, new]] = recoder
    last = (old, new, recoder)
    return recoder
  }
}
