import CSQLite

/// Tells which collations that this program lacks a query needed.
///
/// SQLite compiles no query over a column whose collation is missing, though most queries never compare by it. While the watch
/// lasts, such collations are there and compare bytes; an answer in which one was called is none.
///
/// It has identity because SQLite calls back into it.
final class CollationWatch {
  fileprivate final class Entry {
    let name: String
    unowned let watch: CollationWatch

    init(_ name: String, _ watch: CollationWatch) { (self.name, self.watch) = (name, watch) }
  }

  fileprivate var entries: [Entry] = []
  private var called: Set<String> = []

  fileprivate func call(_ name: String) { called.insert(name) }

  /// Runs a query.
  ///
  /// - Throws: ``LackedCollation`` if the query compared by a collation that is missing.
  func asking<T>(_ body: () throws -> T) throws -> T {
    called = []
    let answer = try body()
    if let name = called.min() { throw LackedCollation(name: name) }
    return answer
  }

  fileprivate func register(_ name: String, on handle: OpaquePointer) {
    let entry = Entry(name, self)
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, Unmanaged.passUnretained(entry).toOpaque(),
      { address, leftCount, left, rightCount, right in
        if let address {
          let entry = Unmanaged<Entry>.fromOpaque(address).takeUnretainedValue()
          entry.watch.call(entry.name)
        }
        let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
        let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
      }, nil)
    if code == SQLITE_OK { entries.append(entry) }
  }
}

/// A query compared by a collation that this program lacks.
struct LackedCollation: Error, CustomStringConvertible {
  let name: String

  var description: String { "no such collation sequence: \(name)" }
}

extension SQLConnection {
  /// Runs queries that may name collations which this program lacks.
  ///
  /// Nothing may be written to the file meanwhile: an index would be sorted by bytes. See
  /// [Collation Needed Callbacks](https://sqlite.org/c3ref/collation_needed.html).
  ///
  /// - Parameter body: Gets the watch; nil on a server, on a connection of others, which has what its program adds, and on one
  ///   that stubs collations.
  func watchingCollations<T>(_ body: (CollationWatch?) throws -> T) rethrows -> T {
    guard let local = self as? SQLiteConnection, !local.isBorrowed, !local.stubs.isInstalled else {
      return try body(nil)
    }
    let handle = local.handle
    let watch = CollationWatch()
    let address = Unmanaged.passUnretained(watch).toOpaque()
    sqlite3_collation_needed(handle, address) { address, handle, _, name in
      guard let address, let handle, let name else { return }
      Unmanaged<CollationWatch>.fromOpaque(address).takeUnretainedValue().register(String(cString: name), on: handle)
    }
    defer {
      sqlite3_collation_needed(handle, nil, nil)
      for entry in watch.entries { sqlite3_create_collation_v2(handle, entry.name, SQLITE_UTF8, nil, nil, nil) }
    }
    return try body(watch)
  }
}

extension CollationWatch? {
  /// Runs a query, as the watch does where there is one.
  func asking<T>(_ body: () throws -> T) throws -> T {
    guard let self else { return try body() }
    return try self.asking(body)
  }
}
