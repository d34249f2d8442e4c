import CSQLite
import SchemaKitFoundation

/// The state of the trace callback. It has identity because SQLite keeps a pointer to it; the connection owns it.
final class TraceBox {
  private let trace: SQLTrace
  private var begun: [OpaquePointer: ContinuousClock.Instant] = [:]

  init(_ trace: SQLTrace) { self.trace = trace }

  func begin(_ statement: OpaquePointer) { begun[statement] = WorkClock.now }

  func end(_ statement: OpaquePointer, nanoseconds: Int64) {
    // SQLite itself counts milliseconds.
    let measured = begun.removeValue(forKey: statement).map { $0.duration(to: WorkClock.now) }
    trace.report(SQLTrace.Event(sql: sql(of: statement), duration: measured ?? .nanoseconds(nanoseconds)))
  }

  /// True if a statement begins a trigger, of which SQLite says so in a comment.
  static func isTrigger(_ text: UnsafeMutableRawPointer?) -> Bool {
    guard let text = text?.assumingMemoryBound(to: CChar.self) else { return false }
    return text[0] == 0x2D && text[1] == 0x2D
  }

  private func sql(of statement: OpaquePointer) -> String {
    if trace.showsValues, let expanded = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}

extension SQLiteConnection {
  /// Has SQLite report statements.
  func install(_ trace: SQLTrace) throws {
    let box = TraceBox(trace)
    let code = sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        let box = Unmanaged<TraceBox>.fromOpaque(context).takeUnretainedValue()
        let handle = OpaquePointer(statement)
        if event == UInt32(SQLITE_TRACE_PROFILE) {
          box.end(handle, nanoseconds: detail?.assumingMemoryBound(to: Int64.self).pointee ?? 0)
        } else if !TraceBox.isTrigger(detail) {
          box.begin(handle)
        }
        return 0
      }, Unmanaged.passUnretained(box).toOpaque())
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
    traceBox = box
  }
}
