/// The room on the disk that tables take which are copied online, or what is left of them.
///
/// It is looked at again and again while rows are copied: others fill the disk too, and a full one would refuse what they write.
struct OnlineRoom {
  let connection: any SQLConnection
  let plan: MigrationPlan
  /// The free space for a file, in bytes; nil where that is not known.
  let freeSpace: (String) -> Int64?

  /// A disk that has less than is needed.
  struct Shortage {
    var needed: Int64
    var free: Int64
    var path: String
  }

  /// The shortage of room; nil where the room is enough, or nothing is known of it.
  func shortage() throws -> Shortage? {
    guard let path = (connection as? any LocalEngine)?.filePath, let cost = plan.cost, let free = freeSpace(path) else {
      return nil
    }
    let journal = OnlineJournal(connection: connection)
    let isCopying = try journal.run()?.phase == .copying
    var needed = max(0, Int64(cost.journalBytes) - LogBudget.size(of: path + "-wal"))
    var tableBytes: Int64 = 0
    var (filled, indexes): (Int64, Int64) = (0, 0)
    for step in plan.steps {
      guard let copy = step.onlineCopy, let rows = step.rows.map({ Int64($0) }),
        let bytes = step.bytes.map({ Int64($0) }),
        rows > 0
      else { continue }
      let progress = isCopying ? try journal.progress(of: copy.table) : nil
      tableBytes += bytes
      if progress?.copied != .max { needed += bytes - bytes / rows * min(rows, progress?.rows ?? 0) }
      for index in copy.indexes {
        indexes += 1
        if isCopying, try journal.hasIndex(index.name) { filled += 1 }
      }
    }
    if indexes > 0 {
      // The entries are sorted in a temporary file first, which is on the same disk as a rule.
      needed += (Int64(cost.writtenBytes) - tableBytes) / indexes * (indexes - filled) * 2
    }
    let unused = try (connection.integer("PRAGMA main.freelist_count") ?? 0) * Int64(connection.pageSize ?? 0)
    return free + unused < needed ? Shortage(needed: needed - unused, free: free, path: path) : nil
  }
}
