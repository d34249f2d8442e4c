/// What a plan writes and about how long it takes, estimated from a sample of the rows that it copies.
///
/// Sizes are good within a factor of two. The time is that of this machine, with a disk that takes as much as it is given; a
/// rehearsal (`schemactl apply --rehearse`) measures all of it.
public struct MigrationCost: Sendable, Hashable {
  /// The bytes of new tables and indexes.
  public var writtenBytes: Int
  /// The bytes that the rollback journal or the WAL takes at most.
  public var journalBytes: Int
  /// The bytes by which the file and its journal or WAL grow at most.
  public var freeBytes: Int
  /// About how long the change takes, in milliseconds; nil where too few rows are copied to tell.
  public var milliseconds: Int?

  package init(writtenBytes: Int, journalBytes: Int, freeBytes: Int, milliseconds: Int? = nil) {
    self.writtenBytes = writtenBytes
    self.journalBytes = journalBytes
    self.freeBytes = freeBytes
    self.milliseconds = milliseconds
  }
}

/// A cost that does not make one plan another: it is measured anew each time.
package struct EstimatedCost: Sendable, Hashable {
  package var cost: MigrationCost?

  package static func == (left: EstimatedCost, right: EstimatedCost) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
