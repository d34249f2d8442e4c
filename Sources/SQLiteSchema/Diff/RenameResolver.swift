/// Decides which former name each declared object had, from hints and from what exists.
///
/// A hint whose source is gone or whose target exists has been applied and is ignored; several former names are tried in order; a
/// difference in case alone is a rename that needs no hint. If hints form a cycle, the ledger says whether the swap was
/// done, and similarity decides only if it says nothing.
package struct RenameResolver {
  /// A hint that cannot be decided from the file: swapping two names or keeping them looks the same.
  package struct Ambiguity: Error, Equatable {
    package var names: [SQLName]
  }

  /// The names that exist.
  package var source: [SQLName]
  /// The declared names.
  package var target: [SQLName]
  /// The former names of a declared name, newest first.
  package var formerNames: (SQLName) -> [SQLName]
  /// The file's record of a hint that could be part of a cycle; nil if it has none.
  package var renameState: (_ name: SQLName, _ former: SQLName) -> FormerName.RenameState? = { _, _ in nil }
  /// The number of changes that remain if each name of a cycle takes the source that is tried, given the sources that
  /// other names have already.
  package var remainingChanges: (_ tried: [SQLName: SQLName], _ resolved: [SQLName: SQLName]) -> Int

  /// The result of resolving the hints.
  package struct Resolution: Equatable {
    /// The source of every declared name that differs from its own name.
    package var sources: [SQLName: SQLName] = [:]
    /// The cycles that hints ask for and that are not carried out, because more would differ afterwards.
    package var declined: [[SQLName]] = []
  }

  /// Decides on every declared name.
  package func resolve() throws(Ambiguity) -> Resolution {
    let present = Set(source)
    var sources: [SQLName: SQLName] = [:]
    var claimed: Set<SQLName> = []
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for name in target where sources[name] == nil {
        // An existing name keeps its own source, unless another declared name has claimed it.
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

  /// Names that all exist and whose hints form a cycle: a swap, or one that has already happened.
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
        // Some of it has been done before, or all of it for an older schema: similarity would prove nothing.
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
  /// Orders renames so that no step meets a name that is still taken; cycles and changes of case alone that the engine
  /// refuses go through a temporary name.
  ///
  /// - Parameters:
  ///   - renames: New names with their old ones.
  ///   - taken: All names that exist before.
  ///   - caseNeedsDetour: True if the rename from `A` to `a` must take two steps, as `ALTER TABLE RENAME` demands.
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
        // The name belongs to something that no rename moves away; SQLite reports what.
        steps += waiting.map { OrderedRename(old: $0.old, new: $0.new) }
        waiting = []
      }
    }
    return steps
  }
}
