import OrderedCollections

extension DatabaseSchema {
  /// Rejects tables on which SQLite itself would crash as soon as a statement is compiled for which RESTRICT must be
  /// enforced.
  ///
  /// Up to 3.41, SQLite takes the quotes off the name of the child table then, although none were put around it. Where the
  /// name begins with a quote and none closes, it reads and writes beyond the name. Reading the catalog does not do it.
  func refuseCrashingNames(on engine: EngineProfile) throws {
    guard engine.crashesOnSomeNames else { return }
    let restrict = ForeignKeyAction.restrict
    for table in tables.values where table.name.beginsUnclosed {
      if table.foreignKeys.contains(where: { $0.onDelete == restrict || $0.onUpdate == restrict }) {
        throw IntrospectionError(reason: .crashingName(table: table.name.text, engine: "\(engine.version)"))
      }
    }
  }
}

extension SQLName {
  /// True if the name begins with a quote that is not closed before its end; a doubled quote stands for one inside.
  fileprivate var beginsUnclosed: Bool {
    var rest = text.utf8[...]
    guard let first = rest.popFirst(), "\"'`[".utf8.contains(first) else { return false }
    let quote = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
    while let next = rest.popFirst() {
      guard next == quote else { continue }
      guard rest.first == quote else { return false }
      rest.removeFirst()
    }
    return true
  }
}
