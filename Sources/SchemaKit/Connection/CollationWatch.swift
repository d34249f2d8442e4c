import CSQLite

/// Tells which collations that this program lacks a query needed.
///
/// SQLite compiles no query over a column whose collation is missing, though most queries never compare by it. Once a query
/// fails for want of one, it is there while the watch lasts, and compares bytes; an answer in which it was called is none.
///
/// It has identity because SQLite calls back into it.
final class CollationWatch {
  private final class Entry {
    let name: String
    unowned let watch: CollationWatch

    init(_ name: String, _ watch: CollationWatch) { (self.name, self.watch) = (name, watch) }
  }

  private let connection: SQLiteConnection
  private var entries: [Entry] = []
  private var called: Set<String> = []

  fileprivate init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Runs a query.
  ///
  /// - Throws: ``LackedCollation`` if the query compared by a collation that is missing.
  fileprivate func asking<T>(_ body: () throws -> T) throws -> T {
    // Naming a collation lets the program add it.
    var mayBeAdded = true
    while true {
      called = []
      do {
        let answer = try body()
        if let name = called.min() { throw LackedCollation(name: name) }
        return answer
      } catch let error as SQLiteError where error.isMissingCollation || error.isMissingQueryPlan {
        guard try register(collationsBehind: error) || (mayBeAdded && error.isMissingQueryPlan) else { throw error }
        mayBeAdded = false
      }
    }
  }

  /// Adds what a query lacked; false if nothing new was found.
  private func register(collationsBehind error: SQLiteError) throws -> Bool {
    var names: Set<String> = []
    if let stub = error.lackedStub, stub.kind == .collation {
      names.insert(stub.name)
    } else {
      // A table WITHOUT ROWID is read by its key, and SQLite does not say which collation stands in the way.
      let all = try connection.texts(
        "SELECT DISTINCT x.coll FROM main.sqlite_master AS m, pragma_index_list(m.name) AS l, "
          + "pragma_index_xinfo(l.name) AS x WHERE m.type = 'table' AND x.coll IS NOT NULL")
      names = Set(all.filter(isMissing))
    }
    let missing = names.filter { name in !entries.contains { $0.name == name } }
    for name in missing { register(name) }
    // The catalog as SQLite remembers it counts the index of such a key as one that cannot be used.
    if error.isMissingQueryPlan { try connection.execute("PRAGMA writable_schema = RESET") }
    return !missing.isEmpty
  }

  /// True for a collation that neither the program nor this watch has added.
  private func isMissing(_ name: String) -> Bool {
    do {
      let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
      try connection.prepareOnly("SELECT '' = '' COLLATE \(quoted)")
      return false
    } catch {
      return (error as? SQLiteError)?.isMissingCollation == true
    }
  }

  private func register(_ name: String) {
    let entry = Entry(name, self)
    let code = sqlite3_create_collation_v2(
      connection.handle, name, SQLITE_UTF8, Unmanaged.passUnretained(entry).toOpaque(),
      { address, leftCount, left, rightCount, right in
        if let address {
          let entry = Unmanaged<Entry>.fromOpaque(address).takeUnretainedValue()
          entry.watch.called.insert(entry.name)
        }
        let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
        let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
      }, nil)
    if code == SQLITE_OK { entries.append(entry) }
  }

  fileprivate func end() {
    for entry in entries {
      sqlite3_create_collation_v2(connection.handle, entry.name, SQLITE_UTF8, nil, nil, nil)
    }
  }
}

/// A query compared by a collation that this program lacks.
struct LackedCollation: Error, CustomStringConvertible {
  let name: String

  var description: String { "no such collation sequence: \(name)" }
}

extension SQLConnection {
  /// Runs queries that may name collations which this program lacks, each by `asking` of the watch.
  ///
  /// Nothing may be written to the file by them: an index would be sorted by bytes. A collation that the program adds by
  /// itself, also when it is named ([Collation Needed Callbacks](https://sqlite.org/c3ref/collation_needed.html)), is not
  /// missing.
  ///
  /// - Parameter body: Gets the watch; nil on a server and on a connection of others.
  func watchingCollations<T>(_ body: (CollationWatch?) throws -> T) rethrows -> T {
    guard let local = self as? SQLiteConnection, !local.isBorrowed else {
      return try body(nil)
    }
    let watch = CollationWatch(local)
    defer { watch.end() }
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
