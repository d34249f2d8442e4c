/// The state of the files after a crash, depending on which unsynced operations had arrived.
package struct DiskState {
  /// The state as text, for reports.
  package var name: String
  package var files: [String: SimulatedDisk.Content]
  /// The versions of the files; nil where every file is put together anew.
  package var versions: [String: Int]?
}

extension SimulatedDisk {
  /// The states that a crash at this moment may leave; those that equal another one may be missing.
  package var states: [DiskState] {
    var states = [
      DiskState(name: "everything written arrived", files: live, versions: live.mapValues(\.version)),
      DiskState(name: "nothing arrived that was not synced", files: durable, versions: durable.mapValues(\.version)),
    ]
    // A journal must be safe before its database. In this state the database has overtaken it.
    let mixed = live.filter { !$0.key.isJournal }.merging(durable.filter(\.key.isJournal)) { live, _ in live }
    states.append(
      DiskState(
        name: "journals lost what was not synced, databases did not", files: mixed,
        versions: mixed.mapValues(\.version)))
    guard pending.filter(\.changesContent).count > 1 else { return states }
    var counts: [String: Int] = [:]
    let numbers = pending.map { operation in
      counts[operation.file, default: 0] += operation.changesContent ? 1 : 0
      return counts[operation.file, default: 0]
    }
    for (name, parity) in [("odd", 1), ("even", 0)] {
      let files = files { index, operation in !operation.changesContent || numbers[index] % 2 == parity }
      states.append(DiskState(name: "of what was not synced, only the \(name) writes arrived", files: files))
    }
    return states
  }

  /// The state in which half of the next write has arrived.
  package func torn(_ half: FileOperation) -> DiskState {
    var files = live
    files.apply(half, version: 0)
    return DiskState(name: "that write was torn", files: files)
  }
}

extension String {
  /// True if SQLite needs the file only to finish or to roll back a transaction.
  fileprivate var isJournal: Bool { hasSuffix("-journal") || hasSuffix("-wal") }
}
