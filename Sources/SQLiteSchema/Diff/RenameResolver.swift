/// Decides which former name each declared thing had, from hints and from what is there.
///
/// A hint whose source is gone or whose target exists is spent and ignored; several former names are tried in order;
/// a difference in case alone is a rename that needs no hint. Where hints lead round in a circle, the ledger says whether
/// that was done, and likeness alone decides only where it says nothing.
package struct RenameResolver {
  /// A hint that cannot be decided from the file: exchanging two names or keeping them looks the same.
  package struct Ambiguity: Error, Equatable {
    package var names: [SQLName]
  }

  /// The names there are.
  package var source: [SQLName]
  /// The names there shall be.
  package var target: [SQLName]
  /// The former names of a declared name, newest first.
  package var formerNames: (SQLName) -> [SQLName]
  /// What is known in the file of a name's hint, where that could be part of a circle.
  package var renameState: (_ name: SQLName, _ former: SQLName) -> FormerName.RenameState? = { _, _ in nil }
  /// How many changes remain when each name of a circle takes the source that is tried, beside the sources that other
  /// names have already.
  package var remainingChanges: (_ tried: [SQLName: SQLName], _ resolved: [SQLName: SQLName]) -> Int

  /// What the hints come to.
  package struct Resolution: Equatable {
    /// The source of every declared name that has another source than its own name.
    package var sources: [SQLName: SQLName] = [:]
    /// The circles that hints ask for and that are not carried out, because more would differ afterwards.
    package var declined: [[SQLName]] = []
  }

  /// Decides about every declared name.
  package func resolve() throws(Ambiguity) -> Resolution {
    let present = Set(source)
    var sources: [SQLName: SQLName] = [:]
    var claimed: Set<SQLName> = []
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for name in target where sources[name] == nil {
        // A name that is there keeps its own source, unless another declared name has claimed it.
        guard !present.contains(name) || claimed.contains(name) else { continue }
        guard
          let former = formerNames(name).first(where: {
            present.contains($0) && $0 != name && !claimed.contains($0)
          })
        else { continue }
        sources[name] = former
        claimed.insert(former)
        hasChanged = true
      }
    }
    var resolution = Resolution(sources: sources)
    try resolveCycles(present: present, in: &resolution)
    return resolution
  }

  /// Names that are all there and whose hints lead round in a circle: an exchange, or one that has happened.
  private func resolveCycles(
    present: Set<SQLName>, in resolution: inout Resolution
  ) throws(Ambiguity) {
    let wanted = Set(target)
    var seen: Set<SQLName> = Set(resolution.sources.keys)
    for start in target where present.contains(start) && !seen.contains(start) {
      var cycle: [SQLName] = [start]
      var next = hint(of: start, present: present, wanted: wanted)
      while let name = next, !cycle.contains(name) {
        cycle.append(name)
        next = hint(of: name, present: present, wanted: wanted)
      }
      guard cycle.count > 1, next == start else { continue }
      seen.formUnion(cycle)
      var exchange: [SQLName: SQLName] = [:]
      for (index, name) in cycle.enumerated() { exchange[name] = cycle[(index + 1) % cycle.count] }
      let renameStates = exchange.map { renameState($0.key, $0.value) }
      if renameStates.allSatisfy({ $0 == .settled }) { continue }
      if renameStates.contains(.written), renameStates.allSatisfy({ $0 == nil || $0 == .written }) {
        resolution.sources.merge(exchange) { $1 }
        continue
      }
      let kept = remainingChanges(Dictionary(uniqueKeysWithValues: cycle.map { ($0, $0) }), resolution.sources)
      if renameStates.contains(where: { $0 != nil }) {
        // Some of it has been done before, or all of it for an older schema: likeness would prove nothing.
        guard kept == 0 else { throw Ambiguity(names: cycle) }
        continue
      }
      let exchanged = remainingChanges(exchange, resolution.sources)
      if exchanged == kept { throw Ambiguity(names: cycle) }
      if exchanged < kept {
        resolution.sources.merge(exchange) { $1 }
      } else {
        resolution.declined.append(cycle)
      }
    }
  }

  private func hint(of name: SQLName, present: Set<SQLName>, wanted: Set<SQLName>) -> SQLName? {
    formerNames(name).first { $0 != name && present.contains($0) && wanted.contains($0) }
  }
}

/// One rename, in the order in which it must run.
package struct OrderedRename: Sendable, Hashable {
  package var old: SQLName
  package var new: SQLName
}

extension OrderedRename {
  /// Orders renames so that no step meets a name that is still taken; circles and changes of case alone that the
  /// engine refuses go through a temporary name.
  ///
  /// - Parameters:
  ///   - renames: New names with their old ones.
  ///   - taken: All names there are before.
  ///   - caseNeedsDetour: Whether `A` to `a` must take two steps, as `ALTER TABLE RENAME` demands.
  package static func ordered(
    _ renames: [(old: SQLName, new: SQLName)], taken: Set<SQLName>, caseNeedsDetour: Bool
  ) -> [OrderedRename] {
    var names = taken
    var steps: [OrderedRename] = []
    var waiting = renames.sorted { $0.new < $1.new }
    func temporaryName() -> SQLName {
      var number = 1
      while names.contains(SQLName("_schemakit_rename_\(number)")) { number += 1 }
      return SQLName("_schemakit_rename_\(number)")
    }
    while !waiting.isEmpty {
      if let index = waiting.firstIndex(where: { $0.old == $0.new || !names.contains($0.new) }) {
        let rename = waiting.remove(at: index)
        if rename.old == rename.new, caseNeedsDetour {
          let detour = temporaryName()
          steps.append(OrderedRename(old: rename.old, new: detour))
          steps.append(OrderedRename(old: detour, new: rename.new))
        } else {
          steps.append(OrderedRename(old: rename.old, new: rename.new))
        }
        names.remove(rename.old)
        names.insert(rename.new)
      } else if let index = waiting.firstIndex(where: { !$0.old.folded.hasPrefix("_schemakit_rename_") }) {
        let rename = waiting.remove(at: index)
        let detour = temporaryName()
        steps.append(OrderedRename(old: rename.old, new: detour))
        names.remove(rename.old)
        names.insert(detour)
        waiting.append((old: detour, new: rename.new))
      } else {
        // Something that no rename moves away holds the name; SQLite says what.
        steps += waiting.map { OrderedRename(old: $0.old, new: $0.new) }
        waiting = []
      }
    }
    return steps
  }
}
